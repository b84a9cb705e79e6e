//! Types of other crates that own no Python object.

#![cfg(feature = "all")]

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3_gc::{PyGcPooled, PyGcTraversable};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

macro_rules! leaves {
    ($($name:ident: $($ty:ty),+;)+) => {$(
        #[test]
        fn $name() {
            $(const { assert!(!<$ty as PyGcTraversable>::MAY_CONTAIN_CYCLES) })+
        }
    )+};
}

leaves! {
    ahash: ahash::RandomState, ahash::AHasher, ahash::AHashMap<u8, u8>;
    arrayvec: arrayvec::ArrayString<8>, arrayvec::ArrayVec<u8, 4>;
    bigdecimal: bigdecimal::BigDecimal;
    bytes: bytes::Bytes, bytes::BytesMut;
    chrono: chrono::NaiveDate, chrono::NaiveTime, chrono::NaiveDateTime, chrono::TimeDelta, chrono::Utc,
        chrono::FixedOffset, chrono::DateTime<chrono::Utc>, chrono::DateTime<chrono::FixedOffset>, chrono::Weekday,
        chrono::Month, chrono::Months, chrono::Days;
    chrono_tz: chrono_tz::Tz, chrono::DateTime<chrono_tz::Tz>;
    either: either::Either<u8, String>;
    hashbrown: hashbrown::HashMap<u8, u8, ahash::RandomState>, hashbrown::HashTable<u8>;
    http: http::HeaderMap, http::HeaderName, http::HeaderValue, http::Uri, http::uri::Authority,
        http::uri::PathAndQuery, http::uri::Scheme, http::Method, http::StatusCode, http::Version;
    indexmap: indexmap::IndexMap<u8, u8>, indexmap::map::IntoIter<u8, u8>, indexmap::set::IntoIter<u8>;
    jiff: jiff::Timestamp, jiff::ZonedDateTime, jiff::Span, jiff::SignedDuration, jiff::civil::Date,
        jiff::civil::Time, jiff::civil::DateTime, jiff::tz::TimeZone, jiff::tz::Offset;
    jiff_02: jiff_02::Timestamp, jiff_02::Zoned, jiff_02::Span, jiff_02::SignedDuration, jiff_02::civil::Date,
        jiff_02::civil::Time, jiff_02::civil::DateTime, jiff_02::tz::TimeZone, jiff_02::tz::Offset;
    num_bigint: num_bigint::BigInt, num_bigint::BigUint, num_bigint::Sign;
    num_complex: num_complex::Complex<f64>;
    num_rational: num_rational::Ratio<i32>, num_rational::Ratio<i64>, num_rational::Ratio<num_bigint::BigInt>;
    ordered_float: ordered_float::OrderedFloat<f64>, ordered_float::NotNan<f32>;
    parking_lot: parking_lot::Mutex<u8>, parking_lot::Condvar, parking_lot::Once;
    regex: regex::Regex, regex::RegexSet, regex::RegexBuilder, regex::RegexSetBuilder, regex::CaptureLocations,
        regex::SetMatches, regex::Error, regex::bytes::Regex, regex::bytes::RegexSet, regex::bytes::RegexBuilder,
        regex::bytes::RegexSetBuilder, regex::bytes::CaptureLocations, regex::bytes::SetMatches;
    rust_decimal: rust_decimal::Decimal;
    serde_json: serde_json::Value, serde_json::Number, serde_json::Map<String, serde_json::Value>;
    smallvec: smallvec::SmallVec<[u8; 4]>;
    time: time::Date, time::Time, time::PrimitiveDateTime, time::OffsetDateTime, time::UtcDateTime, time::UtcOffset,
        time::Duration, time::Month, time::Weekday;
    tokio: tokio::sync::Mutex<u8>, tokio::sync::RwLock<u8>, tokio::sync::OnceCell<u8>, tokio::sync::Barrier,
        Arc<tokio::sync::Notify>, Arc<tokio::sync::Semaphore>, tokio::sync::SemaphorePermit<'static>,
        tokio::sync::OwnedSemaphorePermit, tokio::sync::AcquireError, tokio::sync::TryAcquireError,
        tokio::runtime::Handle, tokio::runtime::Runtime;
    tokio_channels: mpsc::Sender<u8>, mpsc::WeakSender<u8>, mpsc::Receiver<Vec<u8>>, mpsc::OwnedPermit<u8>,
        mpsc::UnboundedSender<String>, mpsc::WeakUnboundedSender<u8>, mpsc::UnboundedReceiver<u8>,
        Option<oneshot::Sender<()>>, oneshot::Receiver<PyGcPooled<PyAny>>, broadcast::Sender<u8>,
        broadcast::Receiver<u8>, watch::Sender<bool>, watch::Receiver<bool>;
    tokio_util: tokio_util::sync::CancellationToken, tokio_util::sync::DropGuard;
    url: url::Url;
    uuid: uuid::Uuid;
}
