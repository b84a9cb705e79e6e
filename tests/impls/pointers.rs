//! Pointers with one owner.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{self, DropCounter, DropProbe, alone, collect, object, visits};

type Object = Py<PyAny>;

/// Like `str` and `String`: `Items` is lent, `ItemsBuf` is owned.
struct Items([Object; 1]);

#[derive(PyGcTraversable)]
struct ItemsBuf(Vec<Object>);

impl ToOwned for Items {
    type Owned = ItemsBuf;

    fn to_owned(&self) -> ItemsBuf {
        Python::attach(|py| ItemsBuf(self.0.iter().map(|item| item.clone_ref(py)).collect()))
    }
}

impl std::borrow::Borrow<Items> for ItemsBuf {
    fn borrow(&self) -> &Items {
        unreachable!("nobody borrows from what is owned")
    }
}

field_tests!(LetsGo {
    boxed: Box<Object> = |own| Box::new(own());
    boxed_twice: Box<Box<Option<Object>>> = |own| Box::new(Box::new(Some(own())));
    boxed_option: Option<Box<Object>> = |own| Some(Box::new(own()));
    boxed_slice: Box<[Option<Object>]> = |own| Box::new([Some(own()), None, Some(own())]);
    boxed_mutex: Box<Mutex<Vec<Object>>> = |own| Box::new(Mutex::new(vec![own()]));
    pinned_mutex: Pin<Box<Mutex<Vec<Object>>>> = |own| Box::pin(Mutex::new(vec![own(), own()]));
    pinned_option: Option<Pin<Box<Object>>> = |own| Some(Box::pin(own()));
    cow_owned: Cow<'static, Items> = |own| Cow::Owned(ItemsBuf(vec![own(), own()]));
});

field_tests!(Keeps {
    // What is pinned can't be moved out, and so can't be let go of.
    pinned: Pin<Box<Object>> = |own| Box::pin(own());
});

#[pyclass]
#[derive(PyGcTraversable)]
struct Holder {
    cow: Cow<'static, Items>,
    probe: DropProbe,
}
support::hooks!(Holder);

#[test]
fn a_borrowed_cow_is_not_visited() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        // Its owner is nobody whom the collector knows.
        let items: &Items = Box::leak(Box::new(Items([target.clone().unbind()])));
        let holder = Holder { cow: Cow::Borrowed(items), probe: dropped.probe() };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(holder.as_any(), &target), 0);

        collect(py);
        holder.borrow_mut().clear();
        assert!(matches!(&holder.borrow().cow, Cow::Borrowed(items) if items.0[0].is(&target)));

        holder.borrow_mut().cow.to_mut();
        assert_eq!(visits(holder.as_any(), &target), 1);
        holder.borrow_mut().clear();
        assert_eq!(visits(holder.as_any(), &target), 0);
        assert_eq!(dropped.dropped(), 0);
    });
}

#[test]
fn pinned_contents_stay_where_they_are() {
    alone(|py| {
        let mut pinned = Box::pin(Mutex::new(vec![py.None()]));
        let address = &raw const *pinned;
        pinned.clear();
        assert_eq!(&raw const *pinned, address);
        assert!(pinned.lock().unwrap().is_empty());
    });
}
