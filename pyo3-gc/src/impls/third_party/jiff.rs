//! `jiff`, version 1 and, under the name that PyO3 has for it, version 0.2.

use crate::leaf;

macro_rules! jiff {
    ($jiff:ident, $zoned:ident) => {
        leaf!($jiff::Timestamp, $jiff::$zoned, $jiff::Span, $jiff::SignedDuration, $jiff::Unit);
        leaf!($jiff::civil::Date, $jiff::civil::Time, $jiff::civil::DateTime, $jiff::civil::Weekday);
        leaf!($jiff::tz::TimeZone, $jiff::tz::Offset);
    };
}

#[cfg(feature = "jiff")]
jiff!(jiff, ZonedDateTime);
#[cfg(feature = "jiff-02")]
jiff!(jiff_02, Zoned);
