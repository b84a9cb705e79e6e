//! `either`.

use either::Either;

use crate::impls::{composed, fields};

composed!(impl[L, R] Either<L, R>: L, R);

fields!(impl[L, R] Either<L, R> { Either::Left(value) => [value], Either::Right(value) => [value] });
