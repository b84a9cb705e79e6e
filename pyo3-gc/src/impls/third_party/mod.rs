//! Types of other crates: one file, one feature, named as PyO3 names its own where it has one. `docs/impls.md` lists them,
//! and says what has none, and why.

#[cfg(feature = "ahash")]
mod ahash;
#[cfg(feature = "arrayvec")]
mod arrayvec;
#[cfg(feature = "bigdecimal")]
mod bigdecimal;
#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "chrono-tz")]
mod chrono_tz;
#[cfg(feature = "either")]
mod either;
#[cfg(feature = "hashbrown")]
mod hashbrown;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "indexmap")]
mod indexmap;
#[cfg(any(feature = "jiff", feature = "jiff-02"))]
mod jiff;
#[cfg(feature = "lock_api")]
mod lock_api;
#[cfg(feature = "num-bigint")]
mod num_bigint;
#[cfg(feature = "num-complex")]
mod num_complex;
#[cfg(feature = "num-rational")]
mod num_rational;
#[cfg(feature = "once_cell")]
mod once_cell;
#[cfg(feature = "ordered-float")]
mod ordered_float;
#[cfg(feature = "parking_lot")]
mod parking_lot;
#[cfg(feature = "petgraph")]
mod petgraph;
#[cfg(feature = "regex")]
mod regex;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "serde_json")]
mod serde_json;
#[cfg(feature = "smallvec")]
mod smallvec;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "tokio")]
mod tokio;
#[cfg(feature = "tokio-util")]
mod tokio_util;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
