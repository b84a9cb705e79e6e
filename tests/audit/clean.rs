//! The audit reports nothing where there is nothing to report, and changes nothing.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::audit::{Audit, audit};
use pyo3_gc::{PyGcArc, PyGcErr, pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;
use crate::support::{self, alone, object};

/// Runs code, and audits while all that it has made is alive.
#[track_caller]
fn clean_after(code: &CStr) {
    alone(|py| {
        let names = PyDict::new(py);
        py.run(code, Some(&names), Some(&names)).unwrap();
        audit(py).unwrap().assert_clean();
        drop(names);
    });
}

#[test]
fn an_untouched_interpreter() {
    alone(|py| {
        let report = audit(py).unwrap();
        assert!(report.objects > 1_000 && report.visits > 1_000, "{report}");
        report.assert_clean();
        // A line more where CPython has frozen some of its own: 3.12 has.
        assert_eq!(report.to_string().lines().count(), 1 + usize::from(report.frozen > 0), "{report}");
    });
}

/// In a process of its own, since an audit of the others would take the longer, the more there is.
#[test]
fn the_larger_modules_of_the_standard_library_in_use() {
    in_a_process_of_its_own(|| {
        clean_after(
            c"
import asyncio, concurrent.futures, collections, contextlib, contextvars, ctypes, dataclasses, datetime, decimal
import email.message, enum, functools, hashlib, inspect, io, itertools, json, logging, multiprocessing, operator, pathlib
import pickle, queue, random, re, socket, sqlite3, ssl, struct, threading, types, typing, unittest, weakref
import xml.dom.minidom, xml.etree.ElementTree as tree, zlib

async def task(number):
    await asyncio.sleep(0)
    return number

async def tasks():
    return await asyncio.gather(*map(task, range(10)))

numbers = asyncio.run(tasks())
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    futures = [pool.submit(pow, 2, number) for number in range(10)]
context = decimal.Context(prec=50)
database = sqlite3.connect(':memory:')
database.create_function('double', 1, lambda x: 2 * x)
rows = database.execute('select double(21)')
tls = ssl.create_default_context()
element = tree.fromstring('<a><b/><c>text</c></a>')
document = xml.dom.minidom.parseString('<a><b/></a>')
message = email.message.EmailMessage()
message.set_content('hello')
Vector = typing.NamedTuple('Vector', [('x', int), ('y', int)])
lock, manager = multiprocessing.Lock(), multiprocessing.get_context('spawn')

@dataclasses.dataclass
class Point:
    x: int
    y: typing.Optional['Point'] = None

point = Point(1); point.y = point

class Case(unittest.TestCase):
    def test(self): pass

suite = unittest.defaultTestLoader.loadTestsFromTestCase(Case)
variable = contextvars.ContextVar('variable')
contexts = [contextvars.copy_context() for _ in range(3)]
partials = [functools.partial(print, *'abc', sep=';') for _ in range(3)]
cached = functools.lru_cache(None)(lambda x: [x]); [cached(n) for n in range(9)]
iterators = [itertools.tee('abc'), itertools.chain('a', [object()]), zip([1], {}), map(str, []), iter({}.items())]
deque = collections.deque([object()] * 3); ordered = collections.OrderedDict(a=1); ordered['self'] = ordered
class Colour(enum.Enum):
    RED = 1
array = (ctypes.py_object * 2)(object(), [])
",
        );
    });
}

#[test]
fn generators_coroutines_and_frames_in_every_state() {
    clean_after(
        c"
import sys, types

def generator(depth):
    value = [object()]
    try:
        yield value
        if depth:
            yield from generator(depth - 1)
        1 / 0
    except ZeroDivisionError as error:
        yield error

async def coroutine(value):
    async def inner():
        await suspend()
    await inner()

@types.coroutine
def suspend():
    yield sys._getframe()

async def async_generator():
    yield [object()]

fresh, started, nested, failed, done = (generator(2) for _ in range(5))
next(started)
next(nested), next(nested)
for _ in range(5): next(failed)
list(done)
waiting = coroutine([object()])
frame = waiting.send(None)
stepping = async_generator()
step = stepping.__anext__()
try: step.send(None)
except StopIteration as stop: pass
stepped = stepping.__anext__()
",
    );
}

#[test]
fn called_from_running_code() {
    // The frames of those who call are running, one of them a generator's.
    #[pyfunction]
    fn findings(py: Python<'_>) -> PyResult<String> {
        let report = audit(py)?;
        Ok(if report.is_clean() { String::new() } else { report.to_string() })
    }

    alone(|py| {
        let names = PyDict::new(py);
        names.set_item("findings", wrap_pyfunction!(findings, py).unwrap()).unwrap();
        let code = c"
def deep(level, *args, **kwargs):
    mine = [args, kwargs, object()]
    return findings() if level == 0 else deep(level - 1, mine, [*args], up=level)

def generator():
    value = [object()]
    yield deep(3, value, value)

class Manager:
    def __enter__(self): return [self]
    def __exit__(self, *error): self.found = findings()

found = [*generator()]
sorted([3, 1, 2], key=lambda number: found.append(findings()) or number)
manager = Manager()
try:
    with manager as list_: raise ValueError(list_)
except ValueError as error:
    found += [manager.found, findings()]
";
        py.run(code, Some(&names), Some(&names)).unwrap();
        let found: Vec<String> = names.get_item("found").unwrap().unwrap().extract().unwrap();
        assert_eq!(found, [""; 6]);
    });
}

#[pyclass(module = "clean", weakref)]
#[derive(Default)]
struct Everything {
    bare: Option<Py<PyAny>>,
    list: Vec<Py<PyAny>>,
    error: Option<PyGcErr>,
    shared: Option<PyGcArc<Vec<Py<PyAny>>>>,
}

#[pymethods]
impl Everything {}

#[test]
fn wired_classes_and_one_that_is_borrowed() {
    alone(|py| {
        let shared = PyGcArc::new(py, vec![object(py).unbind()]).unwrap();
        let all = [(); 3].map(|()| {
            let everything = Everything {
                bare: Some(object(py).unbind()),
                list: vec![object(py).unbind(), py.None()],
                error: Some(pyo3::exceptions::PyValueError::new_err("stored").into()),
                shared: Some(shared.clone_ref(py)),
            };
            let everything = Bound::new(py, everything).unwrap();
            let myself = everything.clone().into_any().unbind();
            everything.borrow_mut().list.push(myself);
            everything
        });
        audit(py).unwrap().assert_clean();
        let borrowed = all[0].borrow_mut();
        audit(py).unwrap().assert_clean();
        drop(borrowed);
        for everything in &all {
            everything.borrow_mut().list.clear();
        }
    });
}

#[test]
fn an_audit_changes_nothing() {
    alone(|py| {
        let object = object(py);
        let count = || {
            let blocks: usize =
                py.import("sys").unwrap().call_method0("getallocatedblocks").unwrap().extract().unwrap();
            let objects = py.import("gc").unwrap().call_method0("get_objects").unwrap().len().unwrap();
            (support::refcount(&object), objects, blocks)
        };
        audit(py).unwrap(); // interns the names that it asks for
        Audit::new().suspects("__main__").run(py).unwrap();
        count();
        let before = count();
        audit(py).unwrap();
        Audit::new().suspects("__main__").run(py).unwrap();
        let broken_off = Audit::new().progress(|_| std::ops::ControlFlow::Break(())).run(py);
        assert!(broken_off.unwrap_err().is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py));
        let after = count();
        assert_eq!((before.0, before.1), (after.0, after.1));
        assert!(before.2.abs_diff(after.2) <= 8, "{before:?}, {after:?}");
    });
}
