//! `http`. Its `Extensions` have no impl, nor have requests and responses, which carry some: anything can lie there.

use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::uri::{Authority, PathAndQuery, Scheme, Uri};
use http::{Method, StatusCode, Version};

use crate::impls::sequence;
use crate::leaf;

sequence!(impl[] HeaderMap<T>, iter |headers| headers.values(), |headers| headers.drain().collect::<Vec<_>>());
leaf!(HeaderName, HeaderValue, Uri, Authority, PathAndQuery, Scheme, Method, StatusCode, Version);
