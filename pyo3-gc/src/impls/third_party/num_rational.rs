//! `num-rational`, over std's integers and, with the feature `num-bigint`, over its own.

use num_rational::Ratio;

use crate::leaf;

leaf!(Ratio<i8>, Ratio<i16>, Ratio<i32>, Ratio<i64>, Ratio<i128>, Ratio<isize>);
leaf!(Ratio<u8>, Ratio<u16>, Ratio<u32>, Ratio<u64>, Ratio<u128>, Ratio<usize>);
#[cfg(feature = "num-bigint")]
leaf!(Ratio<num_bigint::BigInt>, Ratio<num_bigint::BigUint>);
