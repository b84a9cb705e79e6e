//! The automatic collection is off during a check, and on again however that ends. (A process of its own: it is everybody's.)

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_gc::testing::{assert_kept_alive, check_class};

use crate::support::process::in_a_process_of_its_own;

#[test]
fn it_is_off_meanwhile_and_on_afterwards() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            let gc = py.import("gc").unwrap();
            let is_on = || gc.call_method0("isenabled").unwrap().is_truthy().unwrap();
            let build = |_: &_| {
                assert!(!is_on());
                py.eval(c"object()", None, None)
            };
            assert!(is_on());

            check_class(py, build).unwrap().assert_correct();
            assert!(is_on(), "it was well");

            let nested = check_class(py, |sentinels| {
                check_class(py, build)?.assert_correct();
                build(sentinels)
            });
            nested.unwrap().assert_correct();
            assert!(is_on(), "there was another inside");

            check_class(py, |_| Err::<Bound<'_, PyAny>, _>(PyValueError::new_err("no"))).unwrap_err();
            assert!(is_on(), "it failed");

            let panics = || assert_kept_alive(py, |_| -> PyResult<()> { panic!("expected by the test") });
            catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
            assert!(is_on(), "it panicked");

            gc.call_method0("disable").unwrap();
            check_class(py, build).unwrap().assert_correct();
            assert!(!is_on(), "it was off before");
        });
    });
}
