//! Fields that are hidden from the collector, `#[pyo3_gc(hidden = "reason")]`: what they are, for those who check a class.

#[cfg(feature = "testing")]
use std::cell::RefCell;
#[cfg(feature = "testing")]
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::PyGcTraversable;

/// A field that is marked `#[pyo3_gc(hidden = "reason")]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub, reason = "exported there"))]
pub struct HiddenField {
    /// The path of the struct or enum, with its parameters, as [`type_name`](std::any::type_name) has it.
    pub type_name: &'static str,
    /// `field`, or `Variant.field`; numbers for the fields of tuples.
    pub field: &'static str,
    /// Why it is hidden.
    pub reason: &'static str,
}

/// The hidden fields of a type and of those in its fields, each type once, however they name each other.
#[derive(Default)]
pub struct HiddenFields {
    entered: Vec<&'static str>,
    found: Vec<HiddenField>,
}

impl HiddenFields {
    /// Whether the type hasn't been asked yet.
    pub fn enter(&mut self, type_name: &'static str) -> bool {
        let is_new = !self.entered.contains(&type_name);
        if is_new {
            self.entered.push(type_name);
        }
        is_new
    }

    /// Lists a field of the type that was entered last.
    pub fn add(&mut self, type_name: &'static str, field: &'static str, reason: &'static str) {
        self.found.push(HiddenField { type_name, field, reason });
    }
}

#[cfg(feature = "testing")]
thread_local! {
    /// Where the classes that are cleared list their fields; `None` while nobody asks.
    static LIST: RefCell<Option<HiddenFields>> = const { RefCell::new(None) };
}

/// How many threads list what they clear.
#[cfg(feature = "testing")]
static LISTING: AtomicUsize = AtomicUsize::new(0);

/// Does `clear`, and lists the hidden fields of the types that it clears: of a class and its base classes, whoever wrote
/// their hooks.
#[cfg(feature = "testing")]
#[allow(dead_code, reason = "for `testing`")]
pub(crate) fn list_while<R>(clear: impl FnOnce() -> R) -> (R, Vec<HiddenField>) {
    let outer = LIST.replace(Some(HiddenFields::default()));
    LISTING.fetch_add(1, Ordering::Relaxed);
    let result = clear();
    LISTING.fetch_sub(1, Ordering::Relaxed);
    let list = LIST.replace(outer);
    (result, list.map(|list| list.found).unwrap_or_default())
}

/// A value of type `T` is being cleared.
#[inline]
pub(crate) fn clearing<T: PyGcTraversable + ?Sized>() {
    #[cfg(feature = "testing")]
    if LISTING.load(Ordering::Relaxed) > 0 {
        // Without thread-locals, the thread is ending, and nobody asks.
        let _ = LIST.try_with(|list| {
            if let Some(list) = &mut *list.borrow_mut() {
                T::list_hidden(list);
            }
        });
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use pyo3::prelude::*;

    use super::{HiddenField, list_while};
    use crate::PyGcTraversable;

    #[derive(PyGcTraversable)]
    #[pyo3_gc(crate = "crate")]
    struct Sink<T> {
        #[pyo3_gc(hidden = "a closure")]
        _closure: Option<Py<PyAny>>,
        _others: Vec<Sink<T>>,
        _value: T,
    }

    #[derive(PyGcTraversable)]
    #[pyo3_gc(crate = "crate")]
    #[allow(dead_code, clippy::type_complexity, reason = "asked, not used")]
    enum Event {
        Plain(u8),
        Hidden(u8, #[pyo3_gc(hidden = "  a channel ")] Py<PyAny>),
        Nested { by_name: HashMap<String, Box<(u8, Mutex<Sink<u8>>)>> },
    }

    #[derive(Default, PyGcTraversable)]
    #[pyo3_gc(crate = "crate")]
    struct Root {
        _events: Vec<Event>,
        _other: Option<Sink<u16>>,
        #[pyo3_gc(clear = false)]
        _same: Option<Sink<u8>>,
    }

    #[test]
    fn the_hidden_fields_of_what_is_cleared_are_listed() {
        let ((), found) = list_while(|| PyGcTraversable::clear(&mut Root::default()));
        let field = |type_name, field, reason| HiddenField { type_name, field, reason };
        assert_eq!(
            found,
            [
                field("pyo3_gc::hidden::tests::Event", "Hidden.1", "a channel"),
                field("pyo3_gc::hidden::tests::Sink<u8>", "_closure", "a closure"),
                field("pyo3_gc::hidden::tests::Sink<u16>", "_closure", "a closure"),
            ]
        );
        let ((), found) = list_while(|| {
            list_while(|| ());
            PyGcTraversable::clear_interior(&Root::default());
        });
        assert_eq!(found.len(), 3);
    }
}
