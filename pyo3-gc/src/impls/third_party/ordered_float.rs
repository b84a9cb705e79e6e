//! `ordered-float`.

use ordered_float::{NotNan, OrderedFloat};

use crate::leaf;

leaf!(OrderedFloat<f32>, OrderedFloat<f64>, NotNan<f32>, NotNan<f64>);
