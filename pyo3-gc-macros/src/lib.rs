//! The macros of `pyo3-gc`. Use them through that crate, which re-exports them all and is named by what they expand to.

mod attr;
mod bounds;
mod check;
mod entry;
mod errors;
mod exclusion;
mod expand;
mod model;
mod paths;
mod pyclass;
mod pymethods;
mod recursion;
mod rewrite;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives the trait of the same name for a struct or an enum of any shape: every field takes part, unless it says
/// otherwise.
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::PyGcTraversable;
///
/// # struct RawHandle(#[allow(dead_code)] u64);
/// #[derive(PyGcTraversable)]
/// struct Task<T> {
///     callback: Option<Py<PyAny>>,
///     payload: T,                  // asks for `T: PyGcTraversable`
///     children: Vec<Task<T>>,      // a type may name itself
///     #[pyo3(gc = false)]
///     handle: RawHandle,           // doesn't implement the trait, and has to be excluded in so many words
/// }
///
/// assert!(Task::<u8>::MAY_CONTAIN_CYCLES);
/// ```
///
/// # Attributes
///
/// | spelling | where | meaning |
/// |---|---|---|
/// | `#[pyo3(gc = false)]` | field | never visited, never cleared; an error if the type implements the trait |
/// | `#[pyo3(gc = true)]` | field | the default, spelled out |
/// | `#[pyo3_gc(skip)]` | field | the same as `#[pyo3(gc = false)]`, where PyO3's own macros read the field's attributes |
/// | `#[pyo3_gc(clear = false)]` | field | visited, but not cleared, since a destructor needs it |
/// | `#[pyo3_gc(recursive)]` | field | on one field of a loop of types that name each other |
/// | `#[pyo3_gc(with = module)]` | field | a module stands in for a type that doesn't implement the trait |
/// | `#[pyo3_gc(bound = "…")]` | container | where-predicates in the place of the inferred ones |
/// | `#[pyo3_gc(crate = "…")]` | container | the path of `pyo3_gc`, if it isn't `::pyo3_gc` |
///
/// All other keys of `#[pyo3(…)]` belong to `#[pyclass]`, `FromPyObject` and `IntoPyObject`, and are ignored.
///
/// # Bounds
///
/// A type parameter, or an associated type of one, gets the bound `PyGcTraversable` where it appears in a field that
/// takes part. `PhantomData<T>`, `&T`, pointers and function pointers ask for nothing; `Py<T>` asks for `T: 'static`.
///
/// # Recursive types
///
/// A field may name the type that it stands in, to any depth of std's containers. Where several types name *each
/// other*, rustc stops with a cycle (E0391), since each one's `MAY_CONTAIN_CYCLES` asks the others'. Mark one field of
/// the loop; it then counts as one that may contain cycles:
///
/// ```
/// # use pyo3::prelude::*;
/// # use pyo3_gc::PyGcTraversable;
/// #[derive(PyGcTraversable)]
/// struct Folder {
///     entries: Vec<Entry>,
/// }
///
/// #[derive(PyGcTraversable)]
/// enum Entry {
///     File(Py<PyAny>),
///     Folder(#[pyo3_gc(recursive)] Folder),
/// }
/// ```
///
/// # A module for a foreign type
///
/// `with` names a module with two functions. Whoever writes it takes on the contract of the trait for the field: visit
/// what it owns, once, and touch nothing. A reference that it forgets leaks; one that it visits twice can destroy live
/// objects. Unlike a type's own `clear_into`, its `clear` drops at once, while the class is borrowed.
///
/// ```
/// # use pyo3::prelude::*;
/// # use pyo3_gc::PyGcTraversable;
/// # mod foreign { pub struct Slot<T>(pub Option<T>); }
/// use foreign::Slot;
///
/// mod slot {
///     use super::*;
///     use pyo3::{PyTraverseError, PyVisit};
///
///     pub fn traverse(slot: &Slot<Py<PyAny>>, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
///         visit.call(&slot.0)
///     }
///
///     pub fn clear(slot: &mut Slot<Py<PyAny>>) {
///         slot.0 = None;
///     }
/// }
///
/// #[derive(PyGcTraversable)]
/// struct Holder {
///     #[pyo3_gc(with = slot)]
///     slot: Slot<Py<PyAny>>,
/// }
/// # fn main() {}
/// ```
///
/// # Errors
///
/// Compile errors, all of an item's at once, each at the smallest culprit: unknown, repeated, contradictory and
/// misplaced keys; a field type that doesn't implement the trait; an exclusion that isn't needed; unions and packed
/// structs, whose fields can't be visited.
#[proc_macro_derive(PyGcTraversable, attributes(pyo3, pyo3_gc, __pyo3_gc))]
pub fn derive_py_gc_traversable(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(&input).into()
}

/// PyO3's `#[pyclass]`, and the derive of `PyGcTraversable`.
///
/// Takes every argument that PyO3's takes, and `gc = false`, which leaves the class to PyO3 and to hooks of your own.
/// `#[pyo3(gc = false)]` works on its fields, and on those of an enum's variants.
///
/// A class that may hold references, and whose hooks are installed nowhere, does not compile: put
/// [`#[pymethods]`](macro@pymethods) on its `impl` block, or on an empty one.
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::{pyclass, pymethods};
///
/// #[pyclass(frozen, weakref)]
/// struct Pair {
///     #[pyo3(get)]
///     left: Py<PyAny>,
///     #[pyo3(get)]
///     right: Py<PyAny>,
/// }
///
/// #[pymethods]
/// impl Pair {
///     #[new]
///     fn new(left: Py<PyAny>, right: Py<PyAny>) -> Self {
///         Self { left, right }
///     }
/// }
/// ```
///
/// With the feature `multiple-pymethods` it installs the hooks itself.
#[proc_macro_attribute]
pub fn pyclass(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pyclass::pyclass(arguments.into(), &item.into()).into()
}

/// PyO3's `#[pymethods]`, and the hooks `__traverse__` and `__clear__`, unless the block defines them itself.
///
/// See [`#[pyclass]`](macro@pyclass) for an example. Without the feature `multiple-pymethods`, it also works on a class
/// made with PyO3's own `#[pyclass]` that derives `PyGcTraversable`. `#[pyo3_gc(crate = "…")]` on the block names the path of `pyo3_gc`, if it isn't
/// `::pyo3_gc`.
///
/// Destructors run once the class is no longer borrowed: a `__del__` that comes back into the object being cleared
/// finds empty fields, not an "Already borrowed" error.
#[proc_macro_attribute]
pub fn pymethods(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pymethods::pymethods(&arguments.into(), &item.into()).into()
}

/// The derive of `PyGcTraversable`, for types that are no classes but that PyO3's `FromPyObject` or `IntoPyObject` are
/// derived for: `#[pyo3(gc = false)]` then works on their fields, which PyO3's derives would reject.
///
/// Put it above the `#[derive(…)]`.
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::traversable;
///
/// # struct Handle;
/// # impl<'a, 'py> FromPyObject<'a, 'py> for Handle {
/// #     type Error = PyErr;
/// #     fn extract(_: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> { Ok(Handle) }
/// # }
/// #[traversable]
/// #[derive(FromPyObject)]
/// struct Request {
///     body: Py<PyAny>,
///     #[pyo3(item("fd"), gc = false)]
///     handle: Handle,
/// }
/// ```
#[proc_macro_attribute]
pub fn traversable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pyclass::traversable(&arguments.into(), &item.into()).into()
}
