//! `uuid`.

use uuid::Uuid;

use crate::leaf;

leaf!(Uuid);
