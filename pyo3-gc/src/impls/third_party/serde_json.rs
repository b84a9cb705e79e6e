//! `serde_json`.

use serde_json::{Map, Number, Value};

use crate::leaf;

leaf!(Value, Number, Map<String, Value>);
