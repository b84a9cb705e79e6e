//! The types that stand in the fields of published extension modules: each is collected with its class, or owns nothing
//! and compiles without an attribute.

#![cfg(feature = "all")]

use std::collections::{HashMap, VecDeque};
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use petgraph::visit::{DfsPostOrder, Visitable};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3_gc::{DynPyGcTraversable, PyGcErr, PyGcPool, PyGcPooled, PyGcTraversable, pyclass, pymethods};
use tokio::sync::{Notify, Semaphore, mpsc, oneshot, watch};

use crate::support::field::field_tests;
use crate::support::key::Key;
use crate::support::{DropCounter, DropProbe, alone, collect, object};

type Object = Py<PyAny>;

#[derive(PyGcTraversable)]
struct Plain {
    object: Option<Object>,
    name: String,
}

#[derive(PyGcTraversable)]
enum Payload {
    #[allow(dead_code, reason = "one of several")]
    Nothing,
    Objects(Vec<Object>),
}

trait Validator: DynPyGcTraversable + Send + Sync {}
pyo3_gc::dyn_traversable!(Validator);
impl Validator for Plain {}

fn plain(object: Object) -> Plain {
    Plain { object: Some(object), name: String::from("a") }
}

fn once_lock<T>(value: T) -> OnceLock<T> {
    OnceLock::from(value)
}

field_tests!(LetsGo {
    bare: Object = |own| own();
    optional: Option<Object> = |own| Some(own());
    nested: Plain = |own| plain(own());
    payload: Payload = |own| Payload::Objects(vec![own(), own()]);
    shared: Arc<Plain> = |own| Arc::new(plain(own()));
    shared_list: Arc<RwLock<Vec<Object>>> = |own| Arc::new(RwLock::new(vec![own()]));
    queue: VecDeque<(Object, u8)> = |own| [(own(), 1), (own(), 2)].into();
    slice: Box<[Object]> = |own| Box::new([own(), own()]);
    result_written_once: OnceLock<Result<Object, PyGcErr>> = |own| once_lock(Ok(own()));
    py_once_lock: PyOnceLock<Object> = |own| Python::attach(|py| {
        let lock = PyOnceLock::new();
        lock.set(py, own()).unwrap();
        lock
    });
    by_name: HashMap<String, Object> = |own| [(String::from("a"), own())].into();
    ahash: ahash::AHashMap<Number, Object> = |own| [(Number(1), own())].into_iter().collect();
    hashbrown: hashbrown::HashMap<Key, Object, std::hash::RandomState> = |own| [(Key(1, own()), own())].into_iter().collect();
    hash_table: hashbrown::HashTable<(Object, Object)> = |own| {
        let mut table = hashbrown::HashTable::new();
        table.insert_unique(1, (own(), own()), |_| 1);
        table
    };
    index_map: indexmap::IndexMap<u64, Object> = |own| [(1, own())].into_iter().collect();
    parking_lot: parking_lot::Mutex<Option<Object>> = |own| parking_lot::Mutex::new(Some(own()));
    small: smallvec::SmallVec<[Object; 2]> = |own| smallvec::smallvec![own()];
    dynamic: Vec<Arc<dyn Validator>> = |own| vec![Arc::new(plain(own()))];
    graph: StableDiGraph<Object, Object> = |own| {
        let mut graph = StableDiGraph::new();
        let (a, b) = (graph.add_node(own()), graph.add_node(own()));
        graph.add_edge(a, b, own());
        graph
    };
    values: std::vec::IntoIter<Object> = |own| vec![own(), own()].into_iter();
});

#[derive(PartialEq, Eq, Hash)]
struct Number(u8);
pyo3_gc::leaf!(Number);

/// None of these needs an attribute.
#[pyclass]
struct Server {
    callback: Option<Object>,
    alias: PyBackedStr,
    lookup: HashMap<String, PyBackedStr>,
    pool: PyGcPool,
    #[cfg(unix)]
    socket: Option<OwnedFd>,
    stop: Arc<Notify>,
    limit: Arc<Semaphore>,
    cancel: tokio_util::sync::CancellationToken,
    runtime: tokio::runtime::Handle,
    started: Mutex<Option<oneshot::Sender<()>>>,
    results: mpsc::UnboundedSender<Result<PyGcPooled<PyAny>, String>>,
    requests: Mutex<mpsc::Receiver<Vec<u8>>>,
    state: watch::Sender<bool>,
    headers: http::HeaderMap,
    method: http::Method,
    uri: http::Uri,
    pattern: regex::Regex,
    direction: petgraph::Direction,
    walk: DfsPostOrder<NodeIndex, <StableDiGraph<(), ()> as Visitable>::Map>,
    coroutine: pyo3::coroutine::CancelHandle,
    probe: DropProbe,
}

#[pymethods]
impl Server {}

#[test]
fn what_owns_nothing_needs_no_attribute() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    alone(|py| {
        let dropped = DropCounter::default();
        let alias: PyBackedStr = object(py).get_type().name().unwrap().extract().unwrap();
        let (started, _) = oneshot::channel();
        let (results, _) = mpsc::unbounded_channel();
        let (_, requests) = mpsc::channel(1);
        let server = Server {
            callback: None,
            lookup: HashMap::from([(String::from("a"), alias.clone_ref(py))]),
            alias,
            pool: PyGcPool::new(py).unwrap(),
            #[cfg(unix)]
            socket: None,
            stop: Arc::default(),
            limit: Arc::new(Semaphore::new(1)),
            cancel: tokio_util::sync::CancellationToken::default(),
            runtime: runtime.handle().clone(),
            started: Mutex::new(Some(started)),
            results,
            requests: Mutex::new(requests),
            state: watch::channel(true).0,
            headers: http::HeaderMap::default(),
            method: http::Method::default(),
            uri: http::Uri::default(),
            pattern: regex::Regex::new("a").unwrap(),
            direction: petgraph::Direction::Outgoing,
            walk: DfsPostOrder::default(),
            coroutine: pyo3::coroutine::CancelHandle::default(),
            probe: dropped.probe(),
        };
        let server = Bound::new(py, server).unwrap();
        server.borrow_mut().callback = Some(server.clone().into_any().unbind());
        drop(server);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
