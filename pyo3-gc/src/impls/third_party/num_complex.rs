//! `num-complex`.

use num_complex::Complex;

use crate::impls::fields;

fields!(impl[T] Complex<T> { Complex { re, im } => [re, im] });
