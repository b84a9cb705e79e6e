//! `once_cell`: what is written is visited; an initialiser that hasn't run hides what it captures.

use once_cell::{sync, unsync};

use crate::impls::{lazy, once};

once!(impl[] unsync::OnceCell<T>, get |cell| cell.get(), take |cell| cell.take());
once!(impl[] sync::OnceCell<T>, get |cell| cell.get(), take |cell| cell.take());
lazy!(impl[F: FnOnce() -> T] unsync::Lazy<T, F>);
lazy!(impl[F: FnOnce() -> T] sync::Lazy<T, F>);
