//! Results of threads, in a channel until somebody asks for them. Exceptions are objects like any others.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::namespace;

/// What lies in the channel owns no Python object, or the fields of the class wouldn't compile.
type Outcome = Result<PyGcPooled<PyAny>, PyGcPooled<PyBaseException>>;

#[pyclass(frozen, weakref)]
pub(crate) struct Tasks {
    pool: PyGcPool,
    sender: Sender<Outcome>,
    receiver: Mutex<Receiver<Outcome>>,
}

#[pymethods]
impl Tasks {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        let (sender, receiver) = channel();
        Ok(Self { pool: PyGcPool::new(py)?, sender, receiver: Mutex::new(receiver) })
    }

    /// Calls `callable` on another thread. While that runs, its clone of the pool keeps all that is in it.
    fn start(&self, py: Python<'_>, callable: Py<PyAny>) {
        let (pool, sender) = (self.pool.clone_ref(py), self.sender.clone());
        thread::spawn(move || {
            Python::attach(|py| {
                let outcome = match callable.call0(py) {
                    Ok(result) => Ok(pool.put(py, result)),
                    Err(error) => Err(pool.put(py, error.into_value(py))),
                };
                drop((pool, callable)); // what is waited for below may be garbage by then
                // An error if nobody wants the outcome any more, which is dropped then.
                let _ = sender.send(outcome);
            });
        });
    }

    /// The next outcome; raises what a task has raised.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let outcome = py.detach(|| self.receiver.lock().unwrap().recv());
        match outcome.expect("the sender is in the same object") {
            Ok(result) => Ok(result.take(py)),
            Err(error) => match error.take(py) {
                Some(error) => Err(PyErr::from_value(error.into_bound(py).into_any())),
                None => Ok(None),
            },
        }
    }
}

/// Tasks with results that lead back to them, which nobody has asked for.
pub(crate) fn tasks(py: Python<'_>) -> PyResult<Bound<'_, Tasks>> {
    let tasks = Bound::new(py, Tasks::new(py)?)?;
    let result = namespace(py)?;
    result.setattr("tasks", &tasks)?;
    let code = c"lambda result: lambda: result";
    for _ in 0..3 {
        tasks.call_method1("start", (py.eval(code, None, None)?.call1((&result,))?,))?;
    }
    // Two are left in the channel.
    assert!(tasks.call_method0("next")?.is(&result));
    while tasks.get().pool.len(py) < 2 {
        py.detach(thread::yield_now);
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use pyo3::exceptions::PyZeroDivisionError;
    use pyo3::types::PyWeakrefReference;

    use super::*;
    use crate::collect;

    #[test]
    fn results_that_lead_back_to_their_channel_are_collected() -> PyResult<()> {
        Python::attach(|py| {
            let tasks = tasks(py)?;
            let weak = PyWeakrefReference::new(&tasks)?;
            assert_eq!(collect(&weak)?, "alive");
            drop(tasks);
            assert_eq!(collect(&weak)?, "collected");
            Ok(())
        })
    }

    #[test]
    fn what_a_task_raises_is_raised() -> PyResult<()> {
        Python::attach(|py| {
            let tasks = Bound::new(py, Tasks::new(py)?)?;
            tasks.call_method1("start", (py.eval(c"lambda: 1 / 0", None, None)?,))?;
            let error = tasks.call_method0("next").unwrap_err();
            assert!(error.is_instance_of::<PyZeroDivisionError>(py));
            Ok(())
        })
    }
}
