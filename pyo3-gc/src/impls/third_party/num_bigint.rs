//! `num-bigint`.

use num_bigint::{BigInt, BigUint, Sign};

use crate::leaf;

leaf!(BigInt, BigUint, Sign);
