//! `tokio-util`: its cancellation tokens.

use tokio_util::sync::{CancellationToken, DropGuard};

use crate::leaf;

leaf!(CancellationToken, DropGuard);
