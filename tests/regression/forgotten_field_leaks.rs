//! A field was left out of a list of fields that was kept by hand, or the hooks stood in a block that PyO3 doesn't read,
//! so that cycles leaked (pydantic/pydantic#13621, #13819).
//!
//! The second doesn't compile: `tests/ui/class/hooks_outside_of_methods.rs`.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, object, visits};

/// As they grow over the years: plain structs inside of the class, and a field that was added last.
#[derive(PyGcTraversable)]
struct Fields {
    name: String,
    default: Option<Py<PyAny>>,
    validators: Vec<Py<PyAny>>,
    #[pyo3_gc(clear = false)]
    added_later: Option<Py<PyAny>>,
}

#[derive(PyGcTraversable)]
enum Schema {
    Any,
    Union { choices: Vec<(Py<PyAny>, u8)>, custom_error: Option<Py<PyAny>> },
    Function(Py<PyAny>, Box<Schema>),
}

#[pyclass]
struct Model {
    strict: bool,
    class: Py<PyAny>,
    post_init: Option<Py<PyAny>>,
    fields: Fields,
    schema: Schema,
    by_name: HashMap<String, Py<PyAny>>,
    cache: Mutex<Option<Py<PyAny>>>,
    frozen_at: OnceLock<Py<PyAny>>,
    probe: DropProbe,
    added_later: Option<Py<PyAny>>,
}

#[pymethods]
impl Model {}

/// A model in which each field leads to an object of its own.
fn model<'py>(objects: &[Bound<'py, PyAny>; 13], dropped: &DropCounter) -> Bound<'py, Model> {
    let py = objects[0].py();
    let mut rest = objects.iter().map(|object| object.clone().unbind());
    let mut next = || rest.next().unwrap();
    let model = Model {
        strict: true,
        class: next(),
        post_init: Some(next()),
        fields: Fields {
            name: String::from("name"),
            default: Some(next()),
            validators: vec![next(), next()],
            added_later: Some(next()),
        },
        schema: Schema::Function(
            next(),
            Box::new(Schema::Union { choices: vec![(next(), 1)], custom_error: Some(next()) }),
        ),
        by_name: HashMap::from([(String::from("key"), next())]),
        cache: Mutex::new(Some(next())),
        frozen_at: OnceLock::from(next()),
        probe: dropped.probe(),
        added_later: Some(next()),
    };
    assert!(rest.next().is_none(), "each object has its field");
    Bound::new(py, model).unwrap()
}

#[test]
fn every_field_is_visited() {
    alone(|py| {
        let objects = [(); 13].map(|()| object(py));
        let model = model(&objects, &DropCounter::default());
        let seen = objects.each_ref().map(|object| visits(model.as_any(), object));
        assert_eq!(seen, [1; 13]);
    });
}

/// A cycle through any one of them.
#[test]
fn a_cycle_through_each_field_is_collected() {
    alone(|py| {
        for position in 0..13 {
            let (objects, dropped) = ([(); 13].map(|()| object(py)), DropCounter::default());
            let model = model(&objects, &dropped);
            objects[position].setattr("model", &model).unwrap();
            drop(objects);
            collect(py);
            assert_eq!(dropped.dropped(), 0);
            assert!(model.borrow().strict && model.borrow().fields.name == "name");
            drop(model);
            collect(py);
            assert_eq!(dropped.dropped(), 1, "through the object {position}");
        }
        assert!(!matches!(Schema::Any, Schema::Union { .. }));
    });
}
