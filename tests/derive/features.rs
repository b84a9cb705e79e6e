//! Features are additive: an impl that only a feature brings never makes an exclusion an error, also below others, since
//! another crate of the same build may have turned it on. Built with the feature, each of these compiles.

#![cfg(feature = "all")]
#![allow(dead_code, reason = "that it compiles is the test")]

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Derived<T>(T);

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable + Clone")]
struct Bounded<T>(T);

#[derive(PyGcTraversable)]
struct Projected<I: Iterator>(I::Item);

#[derive(PyGcTraversable)]
struct Recursive<T> {
    value: T,
    kids: Vec<Recursive<T>>,
}

macro_rules! excluded {
    ($($ty:ty),* $(,)?) => {
        $(const _: () = {
            #[derive(PyGcTraversable)]
            struct Excluded {
                #[pyo3(gc = false)]
                field: $ty,
            }

            #[derive(PyGcTraversable)]
            struct SkippedInGeneric<T> {
                #[pyo3_gc(skip)]
                field: Option<($ty, T)>,
                other: T,
            }

            const _: bool = SkippedInGeneric::<u8>::MAY_CONTAIN_CYCLES;
            // Without it, the feature would be off, and this test no test.
            const fn is_traversable<T: PyGcTraversable>() {}
            is_traversable::<$ty>();
        };)*
    };
}

type Id = either::Either<u8, u16>;

// An impl of each family, and those written by hand.
excluded!(
    Id,
    ahash::AHashMap<u8, u8>,
    arrayvec::ArrayVec<u8, 3>,
    bytes::Bytes,
    chrono::DateTime<chrono::Utc>,
    chrono::NaiveDate,
    chrono_tz::Tz,
    hashbrown::HashSet<u8>,
    indexmap::IndexMap<u8, u8>,
    once_cell::sync::Lazy<u8>,
    once_cell::sync::OnceCell<u8>,
    parking_lot::Mutex<u8>,
    petgraph::Graph<u8, u8>,
    petgraph::acyclic::Acyclic<petgraph::Graph<u8, u8>>,
    petgraph::matrix_graph::UnMatrix<u8, u8>,
    petgraph::visit::Reversed<u8>,
    serde_json::Value,
    smallvec::SmallVec<[u8; 2]>,
    smallvec::IntoIter<[u8; 2]>,
    tokio::sync::Mutex<u8>,
    tokio::sync::mpsc::Sender<u8>,
    uuid::Uuid,
);

// Below others.
excluded!(
    Option<Id>,
    Result<u8, Id>,
    (u8, Id),
    [Id; 2],
    Vec<Id>,
    Vec<Option<Box<Id>>>,
    Box<[Id]>,
    VecDeque<Id>,
    HashMap<String, Id>,
    BTreeMap<Id, String>,
    Cow<'static, [Id]>,
    RangeInclusive<Id>,
    Pin<Box<Id>>,
    Rc<Id>,
    Arc<Id>,
    Cell<Id>,
    RefCell<Id>,
    OnceCell<Id>,
    Mutex<Id>,
    RwLock<Id>,
    Pin<Arc<Id>>,
    std::array::IntoIter<Id, 2>,
    std::io::Cursor<Id>,
    std::sync::mpsc::Sender<Id>,
    smallvec::SmallVec<[String; 1]>,
    Derived<Id>,
    Bounded<Id>,
    Projected<std::vec::IntoIter<Id>>,
    Recursive<Id>,
    Vec<Derived<(u8, Id)>>,
);

/// There with a newer compiler only.
#[derive(PyGcTraversable)]
struct NewerCompiler {
    #[pyo3(gc = false)]
    lazy: std::sync::LazyLock<u8>,
}

#[test]
fn compiles() {}
