//! `#[pyo3_gc(with = StandIn)]`: the value is visited and cleared as its stand-in does it, and those that are put together
//! do what the containers do.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcSame, PyGcTraversable, PyGcTraverseAs};

use crate::support::field::field_tests;

type Object = Py<PyAny>;

/// Of another crate, say.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Slot<T>(Option<T>);

fn slot<T>(value: T) -> Slot<T> {
    Slot(Some(value))
}

struct SlotOf<S>(PhantomData<S>);

// SAFETY: 1 and 4: the one value, once, by a stand-in that keeps the contract. 2: reads. 3: passed on. 5: the value's own
// answer. 6: an empty slot is a slot.
unsafe impl<T, S: PyGcTraverseAs<T>> PyGcTraverseAs<Slot<T>> for SlotOf<S> {
    const MAY_CONTAIN_CYCLES: bool = S::MAY_CONTAIN_CYCLES;

    fn traverse(slot: &Slot<T>, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &slot.0 {
            Some(value) => S::traverse(value, visit),
            None => Ok(()),
        }
    }

    fn clear_into<'g>(slot: &mut Slot<T>, graveyard: &mut Graveyard<'g>)
    where
        Slot<T>: 'g,
    {
        if let Some(value) = slot.0.take() {
            graveyard.bury_as::<S, _>(value);
        }
    }

    fn clear_interior_into<'g>(slot: &Slot<T>, graveyard: &mut Graveyard<'g>)
    where
        Slot<T>: 'g,
    {
        if let Some(value) = &slot.0 {
            S::clear_interior_into(value, graveyard);
        }
    }
}

type Same = SlotOf<PyGcSame>;

/// A newtype for each, since the type of the field has no impl.
macro_rules! with {
    ($($name:ident: $ty:ty as $stand_in:ty;)+) => {
        $(#[derive(PyGcTraversable)]
        struct $name(#[pyo3_gc(with = $stand_in)] $ty);)+
    };
}

with! {
    Plain: Slot<Object> as Same;
    Nested: Slot<Slot<Object>> as SlotOf<SlotOf<PyGcSame>>;
    InOption: Option<Slot<Object>> as Option<Same>;
    InResult: Result<Slot<Object>, u8> as Result<Same, PyGcSame>;
    InError: Result<u8, Slot<Object>> as Result<PyGcSame, Same>;
    InBox: Box<Slot<Object>> as Box<Same>;
    InBoxedSlice: Box<[Slot<Object>]> as Box<[Same]>;
    InArray: [Slot<Object>; 2] as [Same; 2];
    InVec: Vec<Slot<Object>> as Vec<Same>;
    InDeque: VecDeque<Option<Slot<Object>>> as VecDeque<Option<Same>>;
    InMap: HashMap<u8, Slot<Object>> as HashMap<u8, Same>;
    InTree: BTreeMap<String, Slot<Object>> as BTreeMap<String, Same>;
    InTuple: (u8, Slot<Object>, Object, Slot<Object>) as (PyGcSame, Same, PyGcSame, Same);
    InTuple1: (Slot<Object>,) as (Same,);
    InTuple6: (u8, u8, u8, u8, u8, Slot<Object>) as (PyGcSame, PyGcSame, PyGcSame, PyGcSame, PyGcSame, Same);
    InRefCell: RefCell<Slot<Object>> as RefCell<Same>;
    InMutex: Mutex<Vec<Slot<Object>>> as Mutex<Vec<Same>>;
    InRwLock: RwLock<Slot<Object>> as RwLock<Same>;
    InOnceCell: OnceCell<Slot<Object>> as OnceCell<Same>;
    InOnceLock: OnceLock<Slot<Object>> as OnceLock<Same>;
    InRc: Rc<Slot<Object>> as Rc<Same>;
    InArc: Arc<Mutex<Slot<Object>>> as Arc<Mutex<Same>>;
}

/// The bound follows from the stand-in.
#[derive(PyGcTraversable)]
struct Generic<T> {
    #[pyo3_gc(with = SlotOf<PyGcSame>)]
    slot: Slot<T>,
    #[pyo3_gc(with = HashMap<String, SlotOf<PyGcSame>>)]
    by_name: HashMap<String, Slot<T>>,
    #[pyo3_gc(with = SlotOf<PyGcSame>)]
    again: Slot<T>,
}

/// So does that of a stand-in with a parameter of its own.
#[derive(PyGcTraversable)]
struct Through<T, S>(#[pyo3_gc(with = SlotOf<S>)] Slot<T>, PhantomData<S>);

/// A stand-in for the type itself.
#[derive(PyGcTraversable)]
struct Node<T> {
    value: T,
    #[pyo3_gc(with = SlotOf<Box<PyGcSame>>)]
    next: Slot<Box<Node<T>>>,
    #[pyo3_gc(with = Vec<SlotOf<PyGcSame>>)]
    kids: Vec<Slot<Self>>,
}

/// A loop of constants through a stand-in needs the mark.
#[derive(PyGcTraversable)]
struct Folder {
    #[pyo3_gc(with = SlotOf<PyGcSame>, recursive)]
    entry: Slot<Box<Entry>>,
}

#[derive(PyGcTraversable)]
struct Entry {
    file: Option<Object>,
    folder: Option<Folder>,
}

macro_rules! fragment {
    ($stand_in:ty, $path:path) => {
        #[derive(PyGcTraversable)]
        struct Fragment {
            #[pyo3_gc(with = $stand_in)]
            one: HashMap<u8, Slot<Object>>,
            #[pyo3_gc(with = $path)]
            other: Slot<Object>,
        }
    };
}
fragment!(HashMap<u8, SlotOf<PyGcSame>>, SlotOf<PyGcSame>);

field_tests!(LetsGo {
    plain: Plain = |own| Plain(slot(own()));
    nested: Nested = |own| Nested(slot(slot(own())));
    in_option: InOption = |own| InOption(Some(slot(own())));
    in_result: InResult = |own| InResult(Ok(slot(own())));
    in_error: InError = |own| InError(Err(slot(own())));
    in_box: InBox = |own| InBox(Box::new(slot(own())));
    in_boxed_slice: InBoxedSlice = |own| InBoxedSlice(Box::new([slot(own()), slot(own())]));
    in_array: InArray = |own| InArray([slot(own()), slot(own())]);
    in_vec: InVec = |own| InVec(vec![slot(own()), Slot(None), slot(own())]);
    in_deque: InDeque = |own| InDeque(VecDeque::from([Some(slot(own())), None]));
    in_map: InMap = |own| InMap(HashMap::from([(1, slot(own())), (2, slot(own()))]));
    in_tree: InTree = |own| InTree(BTreeMap::from([(String::from("a"), slot(own()))]));
    in_tuple: InTuple = |own| InTuple((1, slot(own()), own(), slot(own())));
    in_tuple_1: InTuple1 = |own| InTuple1((slot(own()),));
    in_tuple_6: InTuple6 = |own| InTuple6((1, 2, 3, 4, 5, slot(own())));
    in_ref_cell: InRefCell = |own| InRefCell(RefCell::new(slot(own())));
    in_mutex: InMutex = |own| InMutex(Mutex::new(vec![slot(own())]));
    in_rw_lock: InRwLock = |own| InRwLock(RwLock::new(slot(own())));
    in_once_cell: InOnceCell = |own| InOnceCell(OnceCell::from(slot(own())));
    in_once_lock: InOnceLock = |own| InOnceLock(OnceLock::from(slot(own())));
    in_rc: InRc = |own| InRc(Rc::new(slot(own())));
    in_arc: InArc = |own| InArc(Arc::new(Mutex::new(slot(own()))));
    generic: Generic<Object> = |own| Generic {
        slot: slot(own()),
        by_name: HashMap::from([(String::new(), slot(own()))]),
        again: slot(own()),
    };
    through: Through<Slot<Object>, SlotOf<PyGcSame>> = |own| Through(slot(slot(own())), PhantomData);
    stands_in_for_the_type_itself: Node<Option<Object>> = |own| Node {
        value: Some(own()),
        next: slot(Box::new(Node { value: Some(own()), next: Slot(None), kids: vec![] })),
        kids: vec![slot(Node { value: Some(own()), next: Slot(None), kids: vec![] })],
    };
    in_a_loop: Folder =
        |own| Folder { entry: slot(Box::new(Entry { file: Some(own()), folder: Some(Folder { entry: Slot(None) }) })) };
    from_a_fragment: Fragment = |own| Fragment { one: HashMap::from([(1, slot(own()))]), other: slot(own()) };
});

/// What is shared is nobody's to visit.
#[test]
fn a_shared_pointer_is_opaque() {
    Python::attach(|py| {
        let shared = Rc::new(slot(py.None()));
        let other = Rc::clone(&shared);
        let mut first = InRc(shared);
        PyGcTraversable::clear(&mut first);
        assert!(other.0.is_some());
        drop(other);
        PyGcTraversable::clear(&mut first);
        assert!(first.0.0.is_none());
    });
}

/// What owns no reference through its stand-in is a leaf.
const _: () = {
    assert!(!Generic::<u8>::MAY_CONTAIN_CYCLES);
    assert!(!Through::<u8, PyGcSame>::MAY_CONTAIN_CYCLES);
    assert!(Through::<Object, PyGcSame>::MAY_CONTAIN_CYCLES);
};
