//! `bytes`. A leaf, also where `Bytes::from_owner` was given an owner that holds a Python object: the owner can't be
//! seen, and a cycle through it leaks.

use bytes::{Bytes, BytesMut};

use crate::leaf;

leaf!(Bytes, BytesMut);
