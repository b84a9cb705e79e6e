//! The types in which leak suspects are sought, and those of all other objects.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::heap::{AddressMap, AddressSet, Heap};
use super::names::Names;
use super::pattern::Patterns;
use super::report::Suspected;
use super::walk::Walk;
use crate::heap::{Object, Type};

/// What the patterns name among the types that were met.
#[derive(Default)]
pub(super) struct Wanted<'h> {
    pub(super) types: AddressSet<Type<'h>>,
    /// The sizes of the instances of each type that was met.
    pub(super) shapes: AddressMap<Type<'h>, Shape>,
    /// Each pattern, and how many types it names.
    pub(super) patterns: Vec<Suspected>,
}

/// What an instance of a type takes, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) basic: usize,
    /// Of each item, if it has items.
    pub(super) item: usize,
}

impl<'h> Wanted<'h> {
    /// `untracked` are the objects that [`untracked`] found.
    pub(super) fn new(
        heap: &'h Heap<'_>,
        walk: &Walk<'h>,
        untracked: &AddressMap<Type<'h>, usize>,
        names: &Names<'_>,
        patterns: &Patterns<'h>,
    ) -> PyResult<Self> {
        if patterns.is_empty() {
            return Ok(Self::default()); // without names and sizes, which are Python calls
        }
        let mut instances = untracked.clone();
        for known in walk.count.types.iter() {
            *instances.entry(known.ty).or_default() += known.objects;
        }
        let classes = heap.objects().filter_map(Object::as_type).chain(patterns.standing_there());
        let all = classes.chain(instances.keys().copied()).collect::<AddressSet<_>>();
        let texts = patterns.texts().map(str::to_owned);
        let mut patterns_seen =
            texts.map(|pattern| Suspected { pattern, types: 0, objects: 0 }).collect::<Vec<_>>();
        let mut types = AddressSet::default();
        for ty in all {
            for at in patterns.naming(ty, &names.of(ty)) {
                patterns_seen[at].types += 1;
                patterns_seen[at].objects += instances.get(&ty).copied().unwrap_or(0);
                types.insert(ty);
            }
        }
        let sizes = Sizes::new(heap.py())?;
        // Also of wanted types without known instances: memory may lead to some.
        let shapes = instances.keys().chain(&types).map(|&ty| Ok((ty, sizes.shape(ty)?)));
        let shapes = shapes.collect::<PyResult<_>>()?;
        Ok(Self { types, shapes, patterns: patterns_seen })
    }

    /// Whether instances of a type are to be looked at.
    pub(super) fn contains(&self, ty: Type<'h>) -> bool {
        self.types.contains(&ty)
    }

    /// What an instance of a type takes.
    pub(super) fn shape(&self, ty: Type<'h>) -> Option<Shape> {
        self.shapes.get(&ty).copied()
    }
}

/// The getters of `type` for the sizes of its instances' instances, which run no code of a metaclass.
struct Sizes<'py> {
    basic: Bound<'py, PyAny>,
    item: Bound<'py, PyAny>,
}

impl<'py> Sizes<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let getters = py.get_type::<PyType>().getattr(intern!(py, "__dict__"))?;
        Ok(Self {
            basic: getters.get_item(intern!(py, "__basicsize__"))?,
            item: getters.get_item(intern!(py, "__itemsize__"))?,
        })
    }

    fn shape(&self, ty: Type<'_>) -> PyResult<Shape> {
        let py = self.basic.py();
        let ty_object = ty.to_bound(py);
        let size = |getter: &Bound<'py, PyAny>| {
            getter.call_method1(intern!(py, "__get__"), (&ty_object,))?.extract::<usize>()
        };
        // The items of an int are digits, and from 3.12 on their number stands elsewhere.
        let has_items = !ty.has(ffi::Py_TPFLAGS_LONG_SUBCLASS);
        Ok(Shape { basic: size(&self.basic)?, item: if has_items { size(&self.item)? } else { 0 } })
    }
}

/// How many objects of each type aren't tracked, as far as tracked ones lead to them, be it through a dict that CPython has
/// untracked because nothing in it is.
pub(super) fn untracked_types<'h>(heap: &'h Heap<'_>) -> AddressMap<Type<'h>, usize> {
    let mut types = AddressMap::<usize, (Type<'h>, usize)>::default();
    each_untracked(heap, |object| {
        let ty = object.ty();
        types.entry(ty.address()).or_insert_with(|| (heap.keep_type(ty), 0)).1 += 1;
    });
    types.into_values().collect()
}

/// Calls `each` once with each of these objects.
pub(super) fn each_untracked(heap: &Heap<'_>, mut each: impl FnMut(Object<'_>)) {
    let py = heap.py();
    let containers = [py.get_type::<PyDict>(), py.get_type::<PyTuple>()];
    let containers = containers.each_ref().map(|ty| Type::of(ty).address());
    let mut seen = AddressSet::default();
    let mut queue = Vec::new();
    for object in heap.objects() {
        queue.push(object);
        while let Some(object) = queue.pop() {
            object.visits(&mut |target| {
                if heap.find(target.address()).is_none() && seen.insert(target.address()) {
                    each(target);
                    if containers.contains(&target.ty().address()) {
                        queue.push(heap.keep(target));
                    }
                }
            });
        }
    }
}
