//! `bigdecimal`.

use bigdecimal::BigDecimal;

use crate::leaf;

leaf!(BigDecimal);
