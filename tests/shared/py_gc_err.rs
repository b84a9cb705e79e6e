//! `PyGcErr`: a stored exception is seen by the collector, and comes out as it went in.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTracebackMethods;
use pyo3_gc::{PyGcErr, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, object, visits};

#[pyclass]
struct Task {
    #[pyo3(get)]
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
