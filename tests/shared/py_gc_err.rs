//! `PyGcErr`: a stored exception is seen by the collector, and comes out as it went in.

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTracebackMethods};
use pyo3_gc::{PyGcErr, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, object, visits};

#[pyclass]
struct Task {
    #[pyo3(get, set)]
    failure: Option<PyGcErr>,
    result: Option<Result<Py<PyAny>, PyGcErr>>,
    probe: DropProbe,
}

impl Task {
    fn new<'py>(py: Python<'py>, dropped: &DropCounter) -> Bound<'py, Self> {
        Bound::new(py, Self { failure: None, result: None, probe: dropped.probe() }).unwrap()
    }
}

#[pymethods]
impl Task {
    fn run(slf: &Bound<'_, Self>, callable: &Bound<'_, PyAny>) {
        let result = callable.call1((slf,)).map(Bound::unbind).map_err(PyGcErr::from);
        slf.borrow_mut().result = Some(result);
    }

    fn get(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match &self.result {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value.clone_ref(py))),
            Some(Err(error)) => Err(error.clone_ref(py).into_err(py)),
        }
    }
}

/// Raises in the second way, through `From`.
#[pyclass(frozen)]
struct Converts {
    error: PyGcErr,
}

#[pymethods]
impl Converts {
    fn get(&self, py: Python<'_>) -> PyResult<()> {
        Err(self.error.clone_ref(py))?
    }
}

fn raising<'py>(py: Python<'py>, body: &str) -> Bound<'py, PyAny> {
    let code = std::ffi::CString::new(format!("def f(task):\n{body}\n")).unwrap();
    PyModule::from_code(py, &code, c"raising.py", c"raising").unwrap().getattr("f").unwrap()
}

#[test]
fn a_traceback_that_leads_back_to_the_object_is_collected() {
    alone(|py| {
        let dropped = DropCounter::default();
        let task = Task::new(py, &dropped);
        Task::run(&task, &raising(py, "    local = task\n    raise ValueError('x')"));
        collect(py);
        assert!(task.call_method0("get").is_err(), "kept while the task is held");
        drop(task);
        assert_eq!(dropped.dropped(), 0, "the frame's locals hold it");
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn causes_and_contexts_are_part_of_the_cycle() {
    for body in [
        "    try:\n        raise KeyError(task)\n    except KeyError as e:\n        raise ValueError('x') from e",
        "    try:\n        raise KeyError(task)\n    except KeyError:\n        raise ValueError('x')",
    ] {
        alone(|py| {
            let dropped = DropCounter::default();
            let task = Task::new(py, &dropped);
            Task::run(&task, &raising(py, body));
            drop(task);
            collect(py);
            assert_eq!(dropped.dropped(), 1);
        });
    }
}

#[test]
fn re_raising_keeps_type_value_and_traceback() {
    alone(|py| {
        let dropped = DropCounter::default();
        let task = Task::new(py, &dropped);
        Task::run(&task, &raising(py, "    raise ValueError('here')"));
        let value = match &task.borrow().result {
            Some(Err(error)) => error.value().clone_ref(py),
            _ => panic!("the call failed"),
        };
        for _ in 0..2 {
            let error = task.call_method0("get").unwrap_err();
            assert!(error.get_type(py).is(py.get_type::<PyValueError>()));
            assert!(error.value(py).is(value.bind(py)));
            let traceback = error.traceback(py).unwrap().format().unwrap();
            assert!(traceback.contains("raising.py") && traceback.contains("in f"), "{traceback}");
        }
    });
}

#[test]
fn an_error_that_was_only_described_is_created_when_it_is_stored() {
    alone(|py| {
        let error = PyGcErr::from(PyValueError::new_err(("a", 1)));
        assert!(error.value().bind(py).is_instance_of::<PyValueError>());
        assert_eq!(error.to_string(), "ValueError: ('a', 1)");
        assert!(format!("{error:?}").starts_with("PyGcErr(PyErr"));
        let error: &dyn std::error::Error = &error;
        assert!(error.source().is_none());
    });
}

#[test]
fn an_error_whose_creation_fails_stores_that_failure() {
    alone(|py| {
        let class =
            py.eval(c"type('Picky', (Exception,), {'__init__': lambda self, a: None})", None, None).unwrap();
        let error = PyErr::from_type(class.cast_into().unwrap(), ("too", "many"));
        let stored = PyGcErr::from(error);
        assert!(stored.value().bind(py).is_instance_of::<pyo3::exceptions::PyTypeError>(), "{stored}");
    });
}

#[test]
fn it_converts_both_ways_and_works_with_the_question_mark() {
    fn store(error: PyErr) -> Result<(), PyGcErr> {
        Err(error)?
    }
    fn raise(error: PyErr) -> PyResult<()> {
        Ok(store(error)?)
    }
    alone(|py| {
        let error = raise(PyKeyError::new_err("k")).unwrap_err();
        assert!(error.is_instance_of::<PyKeyError>(py));
        assert_eq!(error.to_string(), "KeyError: 'k'");
    });
}

#[test]
fn a_getter_shows_the_exception() {
    alone(|py| {
        let task = Task::new(py, &DropCounter::default());
        assert!(task.getattr("failure").unwrap().is_none());
        let error = PyGcErr::from(PyValueError::new_err("x"));
        let value = error.value().clone_ref(py);
        task.borrow_mut().failure = Some(error);
        assert!(task.getattr("failure").unwrap().is(&value));
    });
}

#[test]
fn the_exception_is_visited_as_often_as_it_is_owned() {
    #[pyclass]
    struct Pair {
        errors: [PyGcErr; 2],
    }
    #[pymethods]
    impl Pair {}

    alone(|py| {
        let first = PyGcErr::from(PyValueError::new_err(object(py).unbind()));
        let value = first.value().clone_ref(py);
        let errors = [first.clone_ref(py), first];
        let pair = Bound::new(py, Pair { errors }).unwrap();
        assert_eq!(visits(pair.as_any(), value.bind(py)), 2);
        assert_eq!(pair.borrow().errors.len(), 2);
    });
}

/// Else each would add its caller's frame, and keep the caller's locals alive.
#[test]
fn every_raise_starts_from_the_stored_traceback() {
    alone(|py| {
        let task = Task::new(py, &DropCounter::default());
        Task::run(&task, &raising(py, "    raise ValueError('here')"));
        let error = match &task.borrow().result {
            Some(Err(error)) => error.clone_ref(py),
            _ => panic!("the call failed"),
        };
        let value = error.value().clone_ref(py);
        let converts = Bound::new(py, Converts { error }).unwrap();
        let scope = PyDict::new(py);
        for (name, object) in [("get", task.getattr("get")), ("converted", converts.getattr("get"))] {
            scope.set_item(name, object.unwrap()).unwrap();
        }
        scope.set_item("error", value).unwrap();
        let code = c"
import traceback, weakref
class Local: pass
locals_of_callers = []
def caller(get):
    local = Local()
    locals_of_callers.append(weakref.ref(local))
    try:
        get()
    except ValueError as caught:
        assert caught is error
        names = [frame.name for frame in traceback.extract_tb(caught.__traceback__)]
        assert names == ['caller', 'f'], names
for _ in range(250):
    caller(get)
    caller(converted)
    # The exception shows where it was raised last.
    assert [ref() is None for ref in locals_of_callers[-2:]] == [True, False]
assert sum(ref() is not None for ref in locals_of_callers) == 1
";
        py.run(code, Some(&scope), None).unwrap();
        scope.clear();
    });
}

#[test]
fn an_error_without_a_traceback_starts_from_none() {
    alone(|py| {
        let converts = Bound::new(py, Converts { error: PyValueError::new_err("x").into() }).unwrap();
        let scope = PyDict::new(py);
        scope.set_item("converts", converts).unwrap();
        let code = c"
def length():
    try:
        converts.get()
    except ValueError as error:
        entries, traceback = 0, error.__traceback__
        while traceback is not None:
            entries, traceback = entries + 1, traceback.tb_next
        return entries
assert [length() for _ in range(3)] == [1, 1, 1]
";
        py.run(code, Some(&scope), None).unwrap();
        scope.clear();
    });
}

/// Somebody may be on the way with it.
#[test]
fn printing_leaves_the_traceback_alone() {
    alone(|py| {
        let error = PyGcErr::from(PyValueError::new_err("x"));
        let raised = error.clone_ref(py).into_err(py);
        let traceback = py.run(c"raise ValueError", None, None).unwrap_err().traceback(py).unwrap();
        raised.value(py).setattr("__traceback__", &traceback).unwrap();
        assert_eq!(error.to_string(), "ValueError: x");
        assert!(format!("{error:?}").contains("ValueError"));
        assert!(raised.value(py).getattr("__traceback__").unwrap().is(&traceback));
    });
}

#[test]
fn a_setter_takes_exceptions_alone() {
    alone(|py| {
        let task = Task::new(py, &DropCounter::default());
        let error = py.run(c"raise ValueError('x')", None, None).unwrap_err();
        let traceback = error.traceback(py).unwrap();
        let value = error.into_value(py);
        task.setattr("failure", &value).unwrap();
        assert!(task.getattr("failure").unwrap().is(&value));
        let raised = task.borrow().failure.as_ref().unwrap().clone_ref(py).into_err(py);
        assert!(raised.traceback(py).unwrap().is(&traceback));
        for wrong in [py.get_type::<PyValueError>().into_any(), object(py)] {
            let error = task.setattr("failure", wrong).unwrap_err();
            assert!(error.is_instance_of::<PyTypeError>(py), "{error}");
        }
        task.setattr("failure", py.None()).unwrap();
        assert!(task.borrow().failure.is_none());
    });
}

#[test]
fn the_stored_traceback_is_visited_and_cleared() {
    alone(|py| {
        let dropped = DropCounter::default();
        let task = Task::new(py, &dropped);
        let error = py.run(c"raise ValueError('x')", None, None).unwrap_err();
        let traceback = error.traceback(py).unwrap();
        task.borrow_mut().failure = Some(error.into());
        assert_eq!(visits(task.as_any(), traceback.as_any()), 1);
        // From now on only what is stored leads to the frame that holds the task.
        Task::run(&task, &raising(py, "    local = task\n    raise ValueError('x')"));
        let Some(Err(error)) = task.borrow_mut().result.take() else { panic!("the call failed") };
        error.value().bind(py).setattr("__traceback__", py.None()).unwrap();
        task.borrow_mut().failure = Some(error);
        drop(task);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[cfg(feature = "all")]
#[test]
fn a_clone_is_another_reference_to_the_same() {
    alone(|py| {
        let error = PyGcErr::from(py.run(c"raise ValueError('x')", None, None).unwrap_err());
        let value = error.value().clone_ref(py);
        let clone = error.clone();
        assert!(clone.value().is(&value));
        assert!(clone.into_err(py).traceback(py).is_some());
    });
}
