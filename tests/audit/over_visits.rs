//! The audit finds objects that are visited more often than they are referred to, and names who visits them. Nothing is
//! collected here: a debug build of CPython would abort, and a release build might destroy what is in use.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::audit::{Audit, Kind, OverVisited, Report, audit};

use crate::support::{self, alone, object};

/// Visits its field as often as it is told.
#[pyo3::pyclass(module = "over")]
struct Visitor {
    value: Py<PyAny>,
    visits: usize,
}

#[pyo3::pymethods]
impl Visitor {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        #[allow(clippy::clone_on_copy, reason = "Copy from PyO3 0.30 on")]
        (0..self.visits).try_for_each(|_| visit.clone().call(&self.value))
    }
}

/// Visits what its contents own, as every other owner of them does.
#[pyo3::pyclass(module = "over")]
struct Sharer(Arc<Vec<Py<PyAny>>>);

#[pyo3::pymethods]
impl Sharer {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        #[allow(clippy::clone_on_copy, reason = "Copy from PyO3 0.30 on")]
        self.0.iter().try_for_each(|value| visit.clone().call(value))
    }
}

fn of<'r>(report: &'r Report, object: &Bound<'_, PyAny>) -> Option<&'r OverVisited> {
    report.over_visited().find(|found| found.address == object.as_ptr() as usize)
}

/// The types that visit, how many objects of each, how often.
fn visitors(found: &OverVisited) -> Vec<(&str, usize, usize)> {
    found.visitors.iter().map(|visitor| (&*visitor.type_name, visitor.objects, visitor.visits)).collect()
}

#[test]
fn a_field_visited_twice() {
    alone(|py| {
        let value = object(py);
        let address = value.as_ptr() as usize;
        let visitor = Bound::new(py, Visitor { value: value.unbind(), visits: 2 }).unwrap();
        let report = audit(py).unwrap();
        assert_eq!((report.total(Kind::OverVisited), report.findings()), (1, 1), "{report}");
        let found = &report.over_visited().next().unwrap();
        assert_eq!((found.address, found.references, found.visits), (address, 1, 2));
        assert_eq!((&*found.type_name, found.class_name.as_deref()), ("__main__.Object", None));
        assert_eq!(visitors(found), [("over.Visitor", 1, 2)]);

        visitor.borrow_mut().visits = 1;
        audit(py).unwrap().assert_clean();
    });
}

#[test]
fn contents_that_two_owners_visit() {
    alone(|py| {
        let value = PyList::empty(py).into_any();
        let contents = Arc::new(vec![value.clone().unbind()]);
        let sharers = [0, 1].map(|_| Bound::new(py, Sharer(Arc::clone(&contents))).unwrap());
        let list = PyList::new(py, [&value]).unwrap();
        // Handles hide what is wrong.
        let handles = [(); 2].map(|()| value.clone());
        assert_eq!(of(&audit(py).unwrap(), &value), None);

        drop(handles);
        let address = value.as_ptr() as usize;
        drop(value);
        let report = audit(py).unwrap();
        let found = report.over_visited().find(|found| found.address == address).unwrap();
        assert_eq!((found.references, found.visits), (2, 3));
        assert_eq!(visitors(found), [("over.Sharer", 2, 2), ("list", 1, 1)]);
        drop(sharers);
        drop(list);
    });
}

#[test]
fn a_class_that_its_instances_visit_without_owning_it() {
    alone(|py| {
        // Visits more often than the class has references. In a free-threaded build it is immortal, and has billions.
        let class = py.eval(c"type('Class', (), {'__module__': 'over'})", None, None).unwrap();
        let refs = support::refcount(&class).unsigned_abs().min(100);
        let visitor = Bound::new(py, Visitor { value: class.clone().unbind(), visits: refs + 3 }).unwrap();
        let report = audit(py).unwrap();
        let found = of(&report, &class);
        if cfg!(Py_GIL_DISABLED) {
            // Its references aren't counted.
            assert_eq!(found, None);
        } else {
            let found = found.unwrap();
            assert_eq!((&*found.type_name, found.class_name.as_deref()), ("type", Some("over.Class")));
            assert!(visitors(found).contains(&("over.Visitor", 1, refs + 3)), "{report}");
        }
        visitor.borrow_mut().visits = 1;
    });
}

#[test]
fn a_borrowed_reference_is_not_to_be_visited() {
    /// Has an address, and no reference.
    #[pyo3::pyclass]
    struct Borrower(ManuallyDrop<Py<PyAny>>);

    #[pyo3::pymethods]
    impl Borrower {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&*self.0)
        }
    }

    alone(|py| {
        let value = object(py).unbind();
        let borrower = Bound::new(py, Borrower(ManuallyDrop::new(value.clone_ref(py)))).unwrap();
        // SAFETY: gives back the reference of the borrower, which never will, and is gone before the object.
        unsafe { pyo3::ffi::Py_DECREF(value.as_ptr()) };
        let owner = Bound::new(py, Visitor { value, visits: 1 }).unwrap();
        let report = audit(py).unwrap();
        let found = of(&report, &owner.borrow().value.bind(py).clone());
        let found = found.map(|found| (found.references, found.visits));
        assert_eq!(found, Some((1, 2)), "{report}");
        drop(borrower);
        audit(py).unwrap().assert_clean();
    });
}

#[test]
fn the_list_is_cut_and_the_total_is_not() {
    alone(|py| {
        let visitors =
            (0..30).map(|_| Bound::new(py, Visitor { value: object(py).unbind(), visits: 2 }).unwrap());
        let visitors = visitors.collect::<Vec<_>>();
        let report = audit(py).unwrap();
        assert_eq!((report.total(Kind::OverVisited), report.over_visited().count()), (30, 20));
        assert!(report.to_string().contains("\n  … and 10 more\n"), "{report}");
        let report = Audit::new().limit(0).run(py).unwrap();
        assert_eq!((report.total(Kind::OverVisited), report.over_visited().count()), (30, 0));
        drop(visitors);
    });
}

#[test]
fn an_allowed_visitor_is_counted_apart() {
    alone(|py| {
        let visitor = Bound::new(py, Visitor { value: object(py).unbind(), visits: 3 }).unwrap();
        let audit = || Audit::new().allow("elsewhere", "never met").allow("over.Visitor", "known");
        let report = audit().run(py).unwrap();
        report.assert_clean();
        let allowed =
            report.allowed.iter().map(|it| (&*it.pattern, &*it.reason, it.findings)).collect::<Vec<_>>();
        assert_eq!(allowed, [("elsewhere", "never met", 0), ("over.Visitor", "known", 1)]);
        let text = report.to_string();
        assert!(text.contains("allowed, but not found: elsewhere (never met)\n"), "{text}");
        assert!(text.contains("allowed: 1 finding about over.Visitor (known)\n"), "{text}");
        drop(visitor);
    });
}
