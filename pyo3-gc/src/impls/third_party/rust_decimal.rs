//! `rust_decimal`.

use rust_decimal::Decimal;

use crate::leaf;

leaf!(Decimal);
