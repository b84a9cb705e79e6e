//! `chrono`.

use chrono::{
    DateTime, Days, FixedOffset, Month, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone,
    Utc, Weekday,
};
use pyo3::PyVisit;

use crate::impls::{clear_through_graveyard, of_parts};
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable, leaf};

leaf!(NaiveDate, NaiveTime, NaiveDateTime, TimeDelta, Weekday, Month, Months, Days, FixedOffset, Utc);

/// As much a leaf as its offset, which is one for every time zone of `chrono` and `chrono-tz`.
// SAFETY: 1 and 4: the one offset, once. 2: reads. 3: passed on. 5: the offset's own answer. 6: cleared through what
// is behind locks and cells, since `chrono` doesn't lend it mutably.
unsafe impl<Z: TimeZone> PyGcTraversable for DateTime<Z>
where
    Z::Offset: PyGcTraversable,
{
    const MAY_CONTAIN_CYCLES: bool = Z::Offset::MAY_CONTAIN_CYCLES;
    of_parts!(Z::Offset);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        self.offset().traverse(visit)
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        (*self).clear_interior_into(graveyard);
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.offset().clear_interior_into(graveyard);
    }
}
