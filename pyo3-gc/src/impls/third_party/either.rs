//! `either`.

use either::Either;

use crate::impls::fields;

fields!(impl[L, R] Either<L, R> { Either::Left(value) => [value], Either::Right(value) => [value] });
