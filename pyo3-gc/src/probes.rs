//! Whether a type implements [`PyGcTraversable`], and what it says, asked of types that may not.

use std::marker::PhantomData;

use crate::PyGcTraversable;

/// `<Probe<T>>::IS_TRAVERSABLE` says whether `T` implements [`PyGcTraversable`]: the inherent constant, which exists only
/// if it does, goes before that of [`NotTraversable`]. Where it can't be known, in generic code, the answer is no.
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The answer of [`Probe`] where there is no other.
pub trait NotTraversable {
    /// No.
    const IS_TRAVERSABLE: bool = false;
    /// Not that it is known.
    const IS_ALWAYS_TRAVERSABLE: bool = false;
    /// Not that it is known.
    const HIDES_OBJECTS: bool = false;
    /// It isn't known, so that it may.
    const MAY_CONTAIN_CYCLES: bool = true;
}

impl<T: ?Sized> NotTraversable for Probe<T> {}

impl<T: PyGcTraversable + ?Sized> Probe<T> {
    /// Yes.
    pub const IS_TRAVERSABLE: bool = true;
    /// Unless the impl is there only in some builds.
    pub const IS_ALWAYS_TRAVERSABLE: bool = !T::IS_CONDITIONAL;
    /// What the type says.
    pub const HIDES_OBJECTS: bool = T::HIDES_OBJECTS;
    /// What the type says.
    pub const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
}

/// Whether an impl in this module is there only in some builds: all those for types of other crates, which features bring.
#[must_use]
pub const fn is_conditional(module: &str) -> bool {
    let (module, prefix) = (module.as_bytes(), b"pyo3_gc::impls::third_party");
    let mut position = 0;
    while position < prefix.len() {
        if position >= module.len() || module[position] != prefix[position] {
            return false;
        }
        position += 1;
    }
    true
}
