//! `PyGcPool`: what handles in foreign structures refer to is seen by the collector, as the pool's.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};
use pyo3_gc::testing::check_class;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::node;
use crate::support::{
    DropCounter, DropProbe, alone, collect, is_alive, object, refcount, tp_clear, visits, weak,
};

type Hidden = Box<dyn Fn(Python<'_>) -> bool + Send + Sync>;

/// Holds a pool and closures, which hold handles.
#[pyclass(weakref)]
struct Holder {
    pool: PyGcPool,
    #[pyo3(gc = false)]
    closures: Vec<Hidden>,
    probe: DropProbe,
}

#[pymethods]
impl Holder {}

impl Holder {
    fn new<'py>(py: Python<'py>, dropped: &DropCounter) -> Bound<'py, Self> {
        let pool = PyGcPool::new(py).unwrap();
        Bound::new(py, Self { pool, closures: Vec::new(), probe: dropped.probe() }).unwrap()
    }

    fn hide(this: &Bound<'_, Self>, object: &Bound<'_, PyAny>) {
        let handle = this.borrow().pool.put(this.py(), object.clone().unbind());
        this.borrow_mut().closures.push(Box::new(move |py| handle.get(py).is_some()));
    }
}

#[test]
fn each_slot_is_visited_once_however_many_handles_it_has() {
    alone(|py| {
        let (object, dropped) = (object(py), DropCounter::default());
        let holder = Holder::new(py, &dropped);
        let node = node(&holder);
        let count = refcount(&object);

        let handle = holder.borrow().pool.put(py, object.clone().unbind());
        let handles = [handle.clone(), handle.clone_ref(py)];
        assert_eq!((visits(&node, &object), refcount(&object)), (1, count + 1));
        // The same object in another slot is another reference.
        let other = holder.borrow().pool.put(py, object.clone().unbind());
        assert_eq!((visits(&node, &object), refcount(&object)), (2, count + 2));
        assert_eq!(visits(holder.as_any(), &object), 0);
        assert_eq!(visits(holder.as_any(), &node), 1);

        for handle in handles.into_iter().chain([handle]) {
            assert!(handle.get(py).unwrap().is(&object));
            assert_eq!(visits(&node, &object), 2);
        }
        assert_eq!((visits(&node, &object), refcount(&object)), (1, count + 1));
        assert!(other.take(py).unwrap().is(&object));
        assert_eq!((visits(&node, &object), refcount(&object)), (0, count));
        assert!(holder.borrow().pool.is_empty(py));
    });
}

#[test]
fn a_class_that_holds_a_pool_is_right() {
    alone(|py| {
        let report = check_class(py, |sentinels| {
            let holder = Holder::new(py, &DropCounter::default());
            Holder::hide(&holder, sentinels.object("in a slot")?.bind(py));
            let twice = sentinels.object("in two slots")?.into_bound(py);
            Holder::hide(&holder, &twice);
            Holder::hide(&holder, &twice);
            Ok(holder)
        });
        report.unwrap().assert_correct();
    });
}

#[test]
fn a_cycle_through_a_closure_is_kept_while_somebody_holds_it_and_then_collected() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Holder::new(py, &dropped);
        let object = object(py);
        object.setattr("holder", &holder).unwrap();
        Holder::hide(&holder, &object);
        let weak = weak(&object);
        drop(object);
        collect(py);
        assert!(is_alive(&weak));
        assert!(holder.borrow().closures[0](py));
        drop(holder);
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn a_handle_outside_lends_nothing_once_the_pool_was_cleared() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Holder::new(py, &dropped);
        let handles = {
            let pool = &holder.borrow().pool;
            let other = object(py);
            // Also what takes no slot, and what is part of no cycle.
            let objects: [Py<PyAny>; 4] = [
                holder.clone().into_any().unbind(),
                other.unbind(),
                PyString::new(py, "text").into_any().unbind(),
                PyInt::new(py, 1_000).into_any().unbind(),
            ];
            pool.put_many(py, objects)
        };
        collect(py);
        assert!(handles.iter().all(|handle| handle.get(py).is_some()), "somebody holds it");
        drop(holder);
        assert_eq!(dropped.dropped(), 0);
        assert!(handles.iter().all(|handle| handle.get(py).is_some()), "nobody has collected it");
        collect(py);
        assert_eq!(dropped.dropped(), 1);
        assert!(handles.iter().all(|handle| handle.get(py).is_none()));
        assert!(handles.into_iter().all(|handle| handle.clone().take(py).is_none()));
    });
}

#[test]
fn the_last_holder_of_a_pool_lets_go_of_the_objects() {
    alone(|py| {
        let pool = PyGcPool::new(py).unwrap();
        let (object, number) = (object(py), PyInt::new(py, 1_000));
        let (weak, count) = (weak(&object), refcount(&number));
        let handle = pool.put(py, object.unbind());
        let other = pool.put(py, number.clone().unbind());
        let again = pool.clone_ref(py);
        drop(pool);
        assert!(handle.get(py).is_some() && other.get(py).is_some());
        drop(again);
        assert!(!is_alive(&weak));
        assert!(handle.get(py).is_none() && other.get(py).is_none());
        drop((handle.clone(), handle, other));
        assert_eq!(refcount(&number), count);
    });
}

#[test]
fn a_pool_that_several_classes_hold_is_collected_with_the_last_of_them() {
    alone(|py| {
        let dropped = DropCounter::default();
        let (first, object) = (Holder::new(py, &dropped), object(py));
        let second = Holder::new(py, &dropped);
        second.borrow_mut().pool = first.borrow().pool.clone_ref(py);
        object.setattr("holders", (&first, &second)).unwrap();
        Holder::hide(&first, &object);
        Holder::hide(&second, &object);
        drop(first);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        let weak = weak(&object);
        drop((second, object));
        collect(py);
        assert_eq!(dropped.dropped(), 2);
        assert!(!is_alive(&weak));
    });
}

#[test]
fn handles_are_typed() {
    alone(|py| {
        let pool = PyGcPool::new(py).unwrap();
        let list: PyGcPooled<PyList> = pool.put(py, PyList::new(py, [1, 2]).unwrap().unbind());
        let dict: PyGcPooled<PyDict> = pool.put(py, PyDict::new(py).unbind());
        let int: PyGcPooled<PyInt> = pool.put(py, PyInt::new(py, 5).unbind());
        let class = pool.put(py, Holder::new(py, &DropCounter::default()).unbind());
        list.get(py).unwrap().append(3).unwrap();
        assert_eq!(list.get(py).unwrap().len(), 3);
        assert_eq!(dict.get(py).unwrap().len(), 0);
        assert_eq!(int.get(py).unwrap().extract::<i32>().unwrap(), 5);
        assert_eq!(class.get(py).unwrap().borrow().closures.len(), 0);
        assert_eq!(list.take(py).unwrap().bind(py).len(), 3);
    });
}

/// Of a class that takes no part in garbage collection on PyO3 before 0.30.
#[pyclass(gc = false)]
struct Plain;

#[test]
fn only_objects_that_take_part_in_garbage_collection_take_a_slot() {
    alone(|py| {
        let pool = PyGcPool::new(py).unwrap();
        let dict = PyDict::new(py);
        let mut handles = Vec::new();
        for (index, instance) in [
            dict.as_any().clone(),
            PyList::empty(py).into_any(),
            PyTuple::empty(py).into_any(),
            object(py),
            dict.get_type().into_any(),
        ]
        .into_iter()
        .enumerate()
        {
            handles.push(pool.put(py, instance.unbind()));
            assert_eq!(pool.len(py), index + 1);
        }
        let is_gc =
            py.import("gc").unwrap().call_method1("is_tracked", (Bound::new(py, Plain).unwrap(),)).unwrap();
        let slots = pool.len(py);
        let plain = pool.put(py, Py::new(py, Plain).unwrap());
        assert_eq!(pool.len(py) - slots, usize::from(is_gc.is_truthy().unwrap()));
        drop(plain);
        let none = pool.put(py, py.None());
        let text = pool.put(py, PyString::new(py, "text").unbind());
        assert_eq!(pool.len(py), slots);
        assert!(none.get(py).unwrap().is_none());
        assert_eq!(text.get(py).unwrap(), "text");
    });
}

#[test]
fn a_slot_is_used_again_and_a_cleared_one_only_after_its_handle_is_gone() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Holder::new(py, &dropped);
        let lists = |n: usize| (0..n).map(|n| PyList::new(py, [n]).unwrap().unbind()).collect::<Vec<_>>();
        let handles = holder.borrow().pool.put_many(py, lists(3_000));
        let content = |handle: &PyGcPooled<PyList>| {
            handle.get(py).map(|list| list.get_item(0).unwrap().extract::<usize>().unwrap())
        };
        assert!(handles.iter().enumerate().all(|(n, handle)| content(handle) == Some(n)));
        // As the collector does, though somebody still holds it.
        tp_clear(&node(&holder));
        assert!(holder.borrow().pool.is_empty(py));
        assert!(handles.iter().all(|handle| content(handle).is_none()));

        let newer = holder.borrow().pool.put_many(py, lists(3_000));
        assert!(handles.iter().all(|handle| content(handle).is_none()), "not another one's object");
        drop(handles);
        assert_eq!(holder.borrow().pool.len(py), 3_000);
        assert!(newer.iter().enumerate().all(|(n, handle)| content(handle) == Some(n)));
        let newest = holder.borrow().pool.put_many(py, lists(3_000));
        assert!(
            newer.iter().chain(&newest).enumerate().all(|(n, handle)| content(handle) == Some(n % 3_000))
        );
        drop((newer, newest));
        assert!(holder.borrow().pool.is_empty(py));
    });
}

#[cfg(feature = "all")]
#[test]
fn a_clone_is_another_holder() {
    alone(|py| {
        let pool = PyGcPool::new(py).unwrap();
        let handle = pool.put(py, object(py).unbind());
        let clone = pool.clone();
        drop(pool);
        assert!(handle.get(py).is_some());
        drop(clone);
        assert!(handle.get(py).is_none());
    });
}
