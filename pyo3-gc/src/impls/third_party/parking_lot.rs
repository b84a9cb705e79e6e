//! `parking_lot`: its locks are those of `lock_api`, which the feature turns on.

use parking_lot::{Condvar, Once};

use crate::leaf;

leaf!(Condvar, Once);
