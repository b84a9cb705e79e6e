//! `chrono-tz`.

use chrono_tz::{Tz, TzOffset};

use crate::leaf;

leaf!(Tz, TzOffset);
