//! Types made of parts that are always there, or there in one variant.

use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};
use std::ops::{Bound, ControlFlow, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::panic::AssertUnwindSafe;
use std::task::Poll;

use pyo3::PyVisit;

use super::{clear_through_graveyard, composed, fields, of_parts};
use crate::traversable::{TraverseResult, again};
use crate::{Graveyard, PyGcTraversable};

fields!(impl[T, E] Result<T, E> { Ok(value) => [value], Err(error) => [error] });
fields!(impl[B, C] ControlFlow<B, C> { Self::Break(value) => [value], Self::Continue(value) => [value] });
fields!(impl[T] Poll<T> { Self::Ready(value) => [value], Self::Pending => [] });
fields!(impl[T] Bound<T> {
    Self::Included(value) => [value],
    Self::Excluded(value) => [value],
    Self::Unbounded => [],
});
fields!(impl[T] Reverse<T> { Self(value) => [value] });
fields!(impl[T] AssertUnwindSafe<T> { Self(value) => [value] });
fields!(impl[T] Wrapping<T> { Self(value) => [value] });
fields!(impl[T] Saturating<T> { Self(value) => [value] });
fields!(impl[T] Range<T> { Self { start, end } => [start, end] });
fields!(impl[T] RangeFrom<T> { Self { start } => [start] });
fields!(impl[T] RangeTo<T> { Self { end } => [end] });
fields!(impl[T] RangeToInclusive<T> { Self { end } => [end] });

composed!(impl[T, E] Result<T, E>: T, E);
composed!(impl[B, C] ControlFlow<B, C>: B, C);

macro_rules! composed_of_one {
    ($($ty:ident)+) => {
        $(composed!(impl[T] $ty<T>: T);)+
    };
}

composed_of_one!(Option Poll Bound Reverse AssertUnwindSafe Wrapping Saturating);
composed_of_one!(Range RangeFrom RangeInclusive RangeTo RangeToInclusive);

macro_rules! tuples {
    ($($part:ident)+) => {
        fields!([allow(non_snake_case)] impl[$($part),+] ($($part,)+) { ($($part,)+) => [$($part),+] });
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);
tuples!(A B C D E F G H I J K L M);
tuples!(A B C D E F G H I J K L M N);
tuples!(A B C D E F G H I J K L M N O);
tuples!(A B C D E F G H I J K L M N O P);

// SAFETY: 1 and 4: the one value, once. 2: reads. 3: passed on. 5: the value's own answer. 6: `None` is an option.
unsafe impl<T: PyGcTraversable> PyGcTraversable for Option<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
    const NEEDS_NO_BOX: bool = T::NEEDS_NO_BOX;
    of_parts!(T);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        match self {
            Some(value) => value.traverse(visit),
            None => Ok(()),
        }
    }

    clear_through_graveyard!();

    #[inline]
    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if T::MAY_CONTAIN_CYCLES {
            if let Some(value) = self.take() {
                value.bury(graveyard);
            }
        }
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if let Some(value) = self {
            value.clear_interior_into(graveyard);
        }
    }

    #[inline]
    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        if let Some(value) = self {
            value.bury(graveyard);
        }
    }
}

/// Its ends can be read but not changed in place: `clear` acts on what is behind locks and cells.
// SAFETY: 1 and 4: each end once. 2: reads. 3: `?`. 5: the ends' own answer. 6: nothing is moved out of the range.
unsafe impl<T: PyGcTraversable> PyGcTraversable for RangeInclusive<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
    of_parts!(T);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        self.start().traverse(again(&visit))?;
        self.end().traverse(visit)
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.clear_interior_into(graveyard);
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.start().clear_interior_into(graveyard);
        self.end().clear_interior_into(graveyard);
    }
}
