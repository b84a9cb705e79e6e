//! Python code that ran while a class held its own lock started a collection, which waited for the same lock in
//! `__traverse__`, forever (awolverp/cachebox#84).

use std::io::Write;
use std::sync::{Mutex, RwLock, mpsc};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect};

/// More than enough, also for a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// A cache that compares keys, which are Python's, under its lock.
#[pyclass(frozen)]
struct Cache {
    entries: Mutex<Vec<(Py<PyAny>, Py<PyAny>)>>,
    latest: RwLock<Option<Py<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl Cache {
    fn insert(&self, key: Bound<'_, PyAny>, value: Py<PyAny>) -> PyResult<()> {
        let mut entries = self.entries.lock().unwrap();
        let mut latest = self.latest.write().unwrap();
        for (known, slot) in entries.iter_mut() {
            if key.eq(&*known)? {
                *slot = value;
                return Ok(());
            }
        }
        *latest = Some(key.clone().unbind());
        entries.push((key.unbind(), value));
        Ok(())
    }
}

/// Ends the process if `test` doesn't: a hang keeps the interpreter from everybody.
fn within_limit(test: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let (done, wait_for_done) = mpsc::channel();
        let running = scope.spawn(move || {
            // Dropped on a panic too.
            let _done: mpsc::Sender<()> = done;
            test();
        });
        if let Err(mpsc::RecvTimeoutError::Timeout) = wait_for_done.recv_timeout(LIMIT) {
            // Not by `eprintln!`, which the test harness keeps until the test is over.
            let _ = writeln!(std::io::stderr(), "the collection hangs");
            std::process::abort();
        }
        running.join().unwrap();
    });
}

#[test]
fn a_key_collects_when_it_is_compared() {
    within_limit(|| {
        alone(|py| {
            let dropped = DropCounter::default();
            let cache =
                Cache { entries: Mutex::default(), latest: RwLock::default(), probe: dropped.probe() };
            let cache = Bound::new(py, cache).unwrap();

            // Apart from the cache: functions are immortal on a free-threaded 3.13, with their globals.
            let scope = PyDict::new(py);
            let code = c"
import gc

class Key:
    def __eq__(self, other):
        gc.collect()
        return False
    __hash__ = None
";
            py.run(code, Some(&scope), None).unwrap();
            let key = scope.get_item("Key").unwrap().unwrap();
            for _ in 0..3 {
                cache.call_method1("insert", (key.call0().unwrap(), &cache)).unwrap();
            }
            assert_eq!(cache.get().entries.lock().unwrap().len(), 3, "nothing was lost");
            assert_eq!(dropped.dropped(), 0);

            drop(cache);
            collect(py);
            assert_eq!(dropped.dropped(), 1, "and it is collected in the end");
        });
    });
}
