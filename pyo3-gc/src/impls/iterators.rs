//! Iterators that lend what is left of them. Cleared, they are at their end.

use std::{array, mem, vec};

use super::sequence;

sequence!(impl[] vec::IntoIter<T>, iter |rest| rest.as_slice(), |rest| mem::take(rest));
sequence!(
    impl[const N: usize] array::IntoIter<T, N>,
    iter |rest| rest.as_slice(),
    |rest| rest.collect::<Vec<_>>()
);
