//! A pool against plain `Py`s in the same place: a vector of handles beside a pool, and a vector of `Py`s that the class visits
//! itself. Putting, reading, sharing, collecting and dropping a million of them.

use std::hint::black_box;
use std::mem;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use support::{Times, is_measuring, timed, turns};

mod support;

#[pyclass]
struct Plain {
    objects: Vec<Py<PyAny>>,
}

#[pymethods]
impl Plain {}

#[pyclass]
struct Pooled {
    pool: PyGcPool,
    objects: Vec<PyGcPooled<PyAny>>,
}

#[pymethods]
impl Pooled {}

const OPERATIONS: [&str; 6] = ["put", "get", "share", "drop what is shared", "collect, alive", "drop"];

fn pooled(py: Python<'_>, objects: &[Py<PyAny>]) -> PyResult<[Duration; 6]> {
    let holder = Bound::new(py, Pooled { pool: PyGcPool::new(py)?, objects: Vec::new() })?;
    let (put, ()) = timed(|| {
        let holder = &mut *holder.borrow_mut();
        let handles = objects.iter().map(|object| holder.pool.put(py, object.clone_ref(py)));
        holder.objects.extend(handles);
    });
    let (get, ()) = timed(|| {
        holder.borrow().objects.iter().for_each(|handle| drop(black_box(handle.get(py))));
    });
    let (share, shared) = timed(|| holder.borrow().objects.clone());
    let (drop_shared, ()) = timed(|| drop(shared));
    let (collect, ()) = timed(|| collect(py));
    let all = mem::take(&mut holder.borrow_mut().objects);
    let (dropped, ()) = timed(|| drop(all));
    Ok([put, get, share, drop_shared, collect, dropped])
}

fn plain(py: Python<'_>, objects: &[Py<PyAny>]) -> PyResult<[Duration; 6]> {
    let holder = Bound::new(py, Plain { objects: Vec::new() })?;
    let (put, ()) = timed(|| {
        let holder = &mut *holder.borrow_mut();
        holder.objects.extend(objects.iter().map(|object| object.clone_ref(py)));
    });
    let (get, ()) = timed(|| {
        holder.borrow().objects.iter().for_each(|object| drop(black_box(object.bind(py).clone())));
    });
    let (share, shared) =
        timed(|| holder.borrow().objects.iter().map(|object| object.clone_ref(py)).collect::<Vec<_>>());
    let (drop_shared, ()) = timed(|| drop(shared));
    let (collect, ()) = timed(|| collect(py));
    let all = mem::take(&mut holder.borrow_mut().objects);
    let (dropped, ()) = timed(|| drop(all));
    Ok([put, get, share, drop_shared, collect, dropped])
}

fn collect(py: Python<'_>) {
    py.import("gc").unwrap().call_method0("collect").unwrap();
}

fn main() -> PyResult<()> {
    let (count, rounds) = if is_measuring() { (1_000_000, 7) } else { (1_000, 1) };
    Python::attach(|py| {
        let gc = py.import("gc")?;
        gc.call_method0("disable")?;
        gc.call_method0("freeze")?;
        let objects: Vec<Py<PyAny>> = (0..count).map(|_| PyList::empty(py).into_any().unbind()).collect();

        let mut times = OPERATIONS.map(|_| Times::<2>::new());
        for turn in turns::<2>(rounds) {
            let taken = if turn == 0 { pooled(py, &objects)? } else { plain(py, &objects)? };
            for (times, taken) in times.iter_mut().zip(taken) {
                times.push(turn, taken);
            }
        }

        println!("{:<20} {:>10} {:>10} {:>8}", format!("{count} of them"), "PyGcPooled", "Py", "ratio");
        for (operation, times) in OPERATIONS.iter().zip(&times) {
            println!(
                "{operation:<20} {:>10.1?} {:>10.1?} {:>8.2}",
                times.median(0),
                times.median(1),
                times.ratio(0, 1)
            );
        }
        Ok(())
    })
}
