//! `arrayvec`.

use arrayvec::{ArrayString, ArrayVec};

use crate::impls::sequence;
use crate::leaf;

sequence!(impl[const CAP: usize] ArrayVec<T, CAP>, |this| this.take());
leaf!(impl[const CAP: usize] ArrayString<CAP>);
