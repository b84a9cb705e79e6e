//! The types in which leak suspects are sought, and those of all other objects.

use std::ops::ControlFlow;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::heap::{AddressMap, AddressSet, Heap};
use super::maps::Maps;
use super::names::Names;
use super::pattern::Patterns;
use super::progress::Progress;
use super::report::Suspected;
use super::walk::Walk;
use crate::heap::{Object, Type};

/// What the patterns name among the types that were met.
#[derive(Default)]
pub(super) struct Wanted<'h> {
    pub(super) types: AddressSet<Type<'h>>,
    /// What is known of each type that was met, by its address.
    kinds: AddressMap<usize, Kind<'h>>,
    /// Instances that aren't tracked, of types that memory is searched for.
    pub(super) untracked: Vec<Object<'h>>,
    /// Types whose untracked instances may lead to these: dicts and tuples.
    containers: Vec<usize>,
    /// Each pattern, and how many types it names.
    pub(super) patterns: Vec<Suspected>,
}

/// What is known of a type.
#[derive(Clone, Copy)]
pub(super) struct Kind<'h> {
    pub(super) ty: Type<'h>,
    /// Whether a pattern names it.
    pub(super) is_wanted: bool,
    /// The sizes of its instances, if their memory is to be searched: those of wanted types, and of all that aren't
    /// CPython's own, since what is wanted may lead there. What Python code defines has nothing to hide.
    pub(super) shape: Option<Shape>,
}

/// What an instance of a type takes, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) basic: usize,
    /// Of each item, if it has items.
    pub(super) item: usize,
}

impl<'h> Wanted<'h> {
    pub(super) fn new(
        heap: &'h Heap<'_>,
        walk: &Walk<'h>,
        (untracked, code): (UntrackedObjects<'h>, &Code),
        names: &Names<'_>,
        patterns: &Patterns<'h>,
    ) -> PyResult<Self> {
        let mut instances = untracked.types;
        for known in walk.count.types.iter() {
            *instances.entry(known.ty).or_default() += known.objects;
        }
        let classes = heap.objects().filter_map(Object::as_type).chain(patterns.standing_there());
        let all = classes.chain(instances.keys().copied()).collect::<AddressSet<_>>();
        let texts = patterns.texts().map(str::to_owned);
        let mut patterns_seen =
            texts.map(|pattern| Suspected { pattern, types: 0, objects: 0 }).collect::<Vec<_>>();
        let mut types = AddressSet::default();
        let sizes = Sizes::new(heap.py())?;
        let mut kinds = AddressMap::default();
        for ty in all {
            for at in patterns.naming(ty, &names.of(ty)) {
                patterns_seen[at].types += 1;
                patterns_seen[at].objects += instances.get(&ty).copied().unwrap_or(0);
                types.insert(ty);
            }
            let is_wanted = types.contains(&ty);
            let is_searched = match code.of(ty) {
                Owner::Python => false,
                Owner::Interpreter => is_wanted,
                Owner::Extension => true,
            };
            let shape = if is_searched { Some(sizes.shape(ty)?) } else { None };
            kinds.insert(ty.address(), Kind { ty, is_wanted, shape });
        }
        let mut untracked = untracked.objects;
        untracked.retain(|object| {
            let kind: Option<&Kind<'_>> = kinds.get(&object.ty().address());
            kind.is_some_and(|kind| kind.is_wanted || kind.shape.is_some())
        });
        let py = heap.py();
        let containers = if untracked.is_empty() {
            Vec::new()
        } else {
            vec![Type::of(&py.get_type::<PyDict>()).address(), Type::of(&py.get_type::<PyTuple>()).address()]
        };
        Ok(Self { types, kinds, untracked, containers, patterns: patterns_seen })
    }

    /// What is known of the type at an address.
    #[inline]
    pub(super) fn kind(&self, ty: usize) -> Option<Kind<'h>> {
        self.kinds.get(&ty).copied()
    }

    /// Whether it is to be seen where untracked objects of a type lead.
    #[inline]
    pub(super) fn is_followed(&self, ty: usize) -> bool {
        self.containers.contains(&ty)
            || self.kind(ty).is_some_and(|kind| kind.is_wanted || kind.shape.is_some())
    }

    pub(super) fn contains(&self, ty: Type<'h>) -> bool {
        self.types.contains(&ty)
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

/// Whose code the instances of a type run, and with it, whose memory they have.
enum Owner {
    /// Python code's, without anything below it.
    Python,
    Interpreter,
    Extension,
}

/// Tells whose code it is.
pub(super) struct Code {
    maps: Maps,
    /// The `tp_dealloc` of classes that Python code defines.
    of_classes: usize,
    object: usize,
}

impl Code {
    pub(super) fn new(py: Python<'_>) -> PyResult<Self> {
        let class = py.import(intern!(py, "abc"))?.getattr(intern!(py, "ABC"))?.cast_into::<PyType>()?;
        let of_classes = Type::of(&class).dealloc();
        Ok(Self { maps: Maps::read(), of_classes, object: &raw const ffi::PyBaseObject_Type as usize })
    }

    fn of(&self, ty: Type<'_>) -> Owner {
        let bases = std::iter::successors(Some(ty), |ty| ty.base());
        let Some(ty) = bases.into_iter().find(|ty| ty.dealloc() != self.of_classes) else {
            return Owner::Python;
        };
        if ty.address() == self.object {
            return Owner::Python;
        }
        let file = self.maps.file(ty.dealloc());
        if file == self.maps.file(self.of_classes) { Owner::Interpreter } else { Owner::Extension }
    }
}

/// The objects that aren't tracked, as far as tracked ones lead to them, be it through a dict that CPython has untracked
/// because nothing in it is.
#[derive(Default)]
pub(super) struct UntrackedObjects<'h> {
    /// How many of each type.
    types: AddressMap<Type<'h>, usize>,
    /// Those of types that were made at run time, or have a traverse.
    objects: Vec<Object<'h>>,
}

impl<'h> UntrackedObjects<'h> {
    pub(super) fn find(heap: &'h Heap<'_>, code: &Code, progress: &Progress<'_>) -> ControlFlow<(), Self> {
        let py = heap.py();
        let containers = [py.get_type::<PyDict>(), py.get_type::<PyTuple>()];
        let containers = containers.each_ref().map(|ty| Type::of(ty).address());
        let mut types = AddressMap::<usize, Met<'h>>::default();
        let mut seen = AddressSet::default();
        let (mut queue, mut objects) = (Vec::new(), Vec::new());
        progress.stage("looking for untracked objects", heap.len())?;
        for object in heap.objects() {
            progress.step()?;
            queue.push(object);
            while let Some(object) = queue.pop() {
                object.visits(&mut |target| {
                    if heap.find(target.address()).is_some() || !seen.insert(target.address()) {
                        return;
                    }
                    let ty = target.ty();
                    let met = types.entry(ty.address()).or_insert_with(|| Met {
                        ty: heap.keep_type(ty),
                        objects: 0,
                        is_container: containers.contains(&ty.address()),
                        is_interesting: ty.is_heap_type() || matches!(code.of(ty), Owner::Extension),
                    });
                    met.objects += 1;
                    if met.is_container {
                        queue.push(heap.keep(target));
                    } else if met.is_interesting {
                        objects.push(heap.keep(target));
                    }
                });
            }
        }
        let types = types.into_values().map(|met| (met.ty, met.objects)).collect();
        ControlFlow::Continue(Self { types, objects })
    }
}

/// A type of untracked objects.
struct Met<'h> {
    ty: Type<'h>,
    objects: usize,
    is_container: bool,
    is_interesting: bool,
}
