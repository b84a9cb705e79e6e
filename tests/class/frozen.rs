//! Frozen classes: what stands behind locks and cells is cleared through them; the rest relies on its neighbours.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, RwLock};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, cycle_is_collected, object, visits};

#[derive(PyGcTraversable)]
struct Inner {
    bare: Option<Py<PyAny>>,
    state: RwLock<State>,
}

#[derive(PyGcTraversable)]
enum State {
    Empty,
    Waiting {
        callbacks: Vec<Py<PyAny>>,
        #[pyo3_gc(recursive)]
        deeper: Mutex<Option<Box<Inner>>>,
    },
}

type Own = Option<Py<PyAny>>;

/// A frozen class with one field, and a cycle of nothing but its own object, through what `$fill` puts there.
macro_rules! frozen {
    ($($name:ident($ty:ty) = $new:expr, |$field:ident, $own:ident| $fill:expr;)+) => {$(
        #[test]
        fn $name() {
            #[pyclass(frozen)]
            struct Frozen {
                field: $ty,
                probe: DropProbe,
            }

            #[pymethods]
            impl Frozen {}

            alone(|py| {
                let dropped = DropCounter::default();
                let frozen = Bound::new(py, Frozen { field: $new, probe: dropped.probe() }).unwrap();
                let own: &dyn Fn() -> Py<PyAny> = &|| frozen.clone().into_any().unbind();
                {
                    let ($field, $own) = (&frozen.get().field, own);
                    $fill;
                }
                let count = visits(&frozen, &frozen);
                assert!(count > 0);
                collect(py);
                assert_eq!((visits(&frozen, &frozen), dropped.dropped()), (count, 0), "still held");
                drop(frozen);
                assert_eq!(dropped.dropped(), 0);
                collect(py);
                assert_eq!(dropped.dropped(), 1);
            });
        }
    )+};
}

frozen! {
    mutex(Mutex<Own>) = Mutex::default(), |field, own| *field.lock().unwrap() = Some(own());
    rw_lock(RwLock<Vec<Py<PyAny>>>) = RwLock::default(), |field, own| *field.write().unwrap() = vec![own(), own()];
    typed(Mutex<Vec<Py<Frozen>>>) = Mutex::default(), |field, own| {
        let own = Python::attach(|py| own().bind(py).cast::<Frozen>().unwrap().clone().unbind());
        field.lock().unwrap().push(own);
    };
    lock_in_a_map(HashMap<u8, Mutex<Own>>) = HashMap::from([(1, Mutex::default()), (2, Mutex::default())]),
        |field, own| for lock in field.values() {
            *lock.lock().unwrap() = Some(own());
        };
    lock_in_a_lock(Mutex<RwLock<Own>>) = Mutex::default(),
        |field, own| *field.lock().unwrap().write().unwrap() = Some(own());
    lock_in_once(OnceLock<Box<Mutex<Own>>>) = OnceLock::new(),
        |field, own| field.set(Box::new(Mutex::new(Some(own())))).unwrap();
    structs((u8, Inner)) = (1, Inner { bare: None, state: RwLock::new(State::Empty) }), |field, own| {
        let deepest = State::Waiting { callbacks: vec![own()], deeper: Mutex::default() };
        let deeper = Inner { bare: Some(own()), state: RwLock::new(deepest) };
        *field.1.state.write().unwrap() =
            State::Waiting { callbacks: vec![own(), own()], deeper: Mutex::new(Some(Box::new(deeper))) };
    };
    poisoned(Mutex<Own>) = Mutex::default(), |field, own| {
        *field.lock().unwrap() = Some(own());
        std::thread::scope(|scope| {
            let poison = scope.spawn(|| {
                let _guard = field.lock();
                std::panic::resume_unwind(Box::new(()));
            });
            poison.join().unwrap_err();
        });
        assert!(field.is_poisoned());
    };
}

/// Written once: it is visited, but can't be taken out through a shared reference.
#[pyclass(frozen)]
struct Once {
    object: OnceLock<Py<PyAny>>,
    list: PyOnceLock<Vec<Py<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl Once {}

/// No interior mutability at all.
#[pyclass(frozen)]
struct Fixed {
    left: Option<Py<PyAny>>,
    right: Py<PyAny>,
    probe: DropProbe,
}

#[pymethods]
impl Fixed {}

#[test]
fn once_relies_on_its_neighbours() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let once = || {
            let (object, list) = (OnceLock::new(), PyOnceLock::new());
            Bound::new(py, Once { object, list, probe: dropped.probe() }).unwrap()
        };
        let holder = once();
        holder.get().object.set(target.clone().unbind()).unwrap();
        holder.get().list.set(py, vec![target.clone().unbind()]).unwrap();
        cycle_is_collected(target, holder.into_any(), 2);
        assert_eq!(dropped.dropped(), 1);

        // Alone, it leaks: a documented limit.
        let holder = once();
        holder.get().object.set(holder.clone().into_any().unbind()).unwrap();
        drop(holder);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn fixed_relies_on_its_neighbours() {
    alone(|py| {
        // Through a list, which can be cleared.
        let (list, dropped) = (PyList::empty(py), DropCounter::default());
        let fixed = |left: Option<Py<PyAny>>, right: &Bound<'_, PyAny>| {
            Bound::new(py, Fixed { left, right: right.clone().unbind(), probe: dropped.probe() }).unwrap()
        };
        let holder = fixed(Some(list.clone().into_any().unbind()), &list);
        assert_eq!(visits(&holder, &list), 2);
        list.append(&holder).unwrap();
        drop(list);
        collect(py);
        assert_eq!(dropped.dropped(), 0, "still held");
        drop(holder);
        collect(py);
        assert_eq!(dropped.dropped(), 1);

        // Through a frozen neighbour that is, and one that isn't, in a row.
        let lock = Bound::new(py, Neighbour { last: Mutex::default(), probe: dropped.probe() }).unwrap();
        let holder = fixed(None, fixed(None, &lock).as_any());
        *lock.get().last.lock().unwrap() = Some(holder.into_any().unbind());
        collect(py);
        assert_eq!(dropped.dropped(), 1, "still held");
        drop(lock);
        collect(py);
        assert_eq!(dropped.dropped(), 4);

        // Through a tuple, which can't be cleared either, and the list in it.
        let tuple = PyTuple::new(py, [PyList::empty(py)]).unwrap();
        let holder = fixed(None, &tuple);
        tuple.get_item(0).unwrap().cast::<PyList>().unwrap().append(&holder).unwrap();
        drop((tuple, holder));
        collect(py);
        assert_eq!(dropped.dropped(), 5);
    });
}

/// Frozen, and cleared through its lock.
#[pyclass(frozen)]
struct Neighbour {
    last: Mutex<Option<Py<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl Neighbour {}
