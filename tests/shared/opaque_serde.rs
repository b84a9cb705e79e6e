//! `PyGcOpaque` is serialised as its contents are.
#![cfg(feature = "all")]

use std::collections::HashMap;

use pyo3_gc::PyGcOpaque;
use serde_json::{from_str, to_string};

#[test]
fn serialises_as_its_contents() {
    assert_eq!(to_string(&PyGcOpaque::new(vec![1, 2])).unwrap(), "[1,2]");
    assert_eq!(to_string(&PyGcOpaque::new("text")).unwrap(), "\"text\"");
    let unsized_list: &PyGcOpaque<[u8]> = &PyGcOpaque::new([1, 2]);
    assert_eq!(to_string(unsized_list).unwrap(), "[1,2]");
    let ages = HashMap::from([(PyGcOpaque::new(String::from("Ann")), Some(30))]);
    assert_eq!(to_string(&ages).unwrap(), "{\"Ann\":30}");
}

#[test]
fn deserialises_as_its_contents() {
    assert_eq!(from_str::<PyGcOpaque<Vec<u8>>>("[1,2]").unwrap(), PyGcOpaque::new(vec![1, 2]));
    // Borrowed from the input.
    assert_eq!(from_str::<PyGcOpaque<&str>>("\"text\"").unwrap(), PyGcOpaque::new("text"));
    let ages: HashMap<PyGcOpaque<String>, PyGcOpaque<u8>> = from_str("{\"Ann\":30}").unwrap();
    assert_eq!(*ages[&String::from("Ann")], 30);
}

#[test]
fn fails_as_its_contents() {
    let opaque = from_str::<PyGcOpaque<u8>>("\"text\"").unwrap_err();
    let plain = from_str::<u8>("\"text\"").unwrap_err();
    assert_eq!(opaque.to_string(), plain.to_string());
}
