//! Collects every mistake of an item, so that one compile reports them all.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::Span;

/// A list of mistakes that must be read: dropping it unread is a bug in this crate and panics.
pub(crate) struct Errors(RefCell<Option<Vec<syn::Error>>>);

impl Errors {
    pub(crate) fn new() -> Self {
        Self(RefCell::new(Some(Vec::new())))
    }

    /// A mistake at `span`. The message is lower case, has no full stop, and names the remedy.
    pub(crate) fn at(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(list) = self.0.borrow_mut().as_mut() {
            list.push(error);
        }
    }

    /// All mistakes as one error, if there are any.
    pub(crate) fn finish(self) -> syn::Result<()> {
        let list = self.0.borrow_mut().take().unwrap_or_default();
        match list.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        }) {
            Some(all) => Err(all),
            None => Ok(()),
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        let read = self.0.borrow().is_none();
        assert!(read || std::thread::panicking(), "the list of errors was dropped unread");
    }
}
