//! Cycles through a class of each shape, made, dropped and collected again and again, leave the memory as it was.

use pyo3::prelude::*;

use crate::memory::stays_flat;
use crate::shapes::{
    Bare, Derived, Either, Failed, GcOnce, GcShared, Generic, Listed, Local, Locked, Mapped, Once, Optional,
    ReadLocked, Recursive, Shape, Shared, WithDict,
};
use crate::support::process::in_a_process_of_its_own;
use crate::support::{DropCounter, alone};

/// All in one test, since they would disturb each other.
#[test]
fn memory_stays_flat() {
    in_a_process_of_its_own(|| {
        alone(|py| {
            flat::<Optional>(py);
            flat::<Bare>(py);
            flat::<Listed>(py);
            flat::<Mapped>(py);
            flat::<Recursive>(py);
            flat::<Generic>(py);
            flat::<Failed>(py);
            flat::<Derived>(py);
            flat::<WithDict>(py);
            flat::<Either>(py);
            flat::<Locked>(py);
            flat::<ReadLocked>(py);
            flat::<Once>(py);
            flat::<Shared>(py);
            flat::<GcShared>(py);
            flat::<GcOnce>(py);
            flat::<Local>(py);
        });
    });
}

fn flat<S: Shape>(py: Python<'_>) {
    if S::leaks(py) {
        return;
    }
    let class = py.eval(c"type('Marker', (), {})", None, None).unwrap();
    let (mut made, dropped) = (0, DropCounter::default());
    stays_flat(py, &py.get_type::<S>().name().unwrap().to_string(), |cycles| {
        assert_eq!(made, dropped.dropped());
        for cycle in 0..cycles {
            let marker = || class.call0().unwrap();
            let older = marker();
            let object = S::new(py, older.clone().unbind(), &dropped).into_bound(py);
            let sharer = S::share(&object, &dropped);
            made += 1 + usize::from(sharer.is_some());
            older.setattr("owner", &object).unwrap();
            // What is older is cleared first: so it is the object itself in every second cycle.
            if cycle % 2 == 0 {
                let younger = marker();
                younger.setattr("owner", &object).unwrap();
                S::put(&object, younger.unbind());
            }
        }
    });
    assert_eq!(made, dropped.dropped());
}
