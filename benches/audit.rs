//! An audit of a heap of a million tracked objects, and of five million, against one full `gc.collect()` of the same heap
//! in the same run: how much longer it takes, and how much memory for each object.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use pyo3_gc::audit::audit;

use support::shapes::Wired;
use support::{Times, is_measuring, turns};

mod support;

fn main() -> PyResult<()> {
    let (sizes, rounds) = if is_measuring() { (&[1_000_000, 5_000_000][..], 7) } else { (&[1_000][..], 1) };
    Python::attach(|py| {
        py.import("gc")?.call_method0("disable")?;
        println!(
            "{:<28} {:>12} {:>12} {:>10} {:>14}",
            "audit of a heap", "audit", "gc.collect()", "ratio", "bytes/object"
        );
        for (name, fill) in [("instances", instances as Fill), ("containers", containers)] {
            for &size in sizes {
                let heap = fill(py, size)?;
                measure(py, &format!("{name}, {size}"), rounds)?;
                drop(heap);
            }
        }
        Ok(())
    })
}

/// What an object takes in the list of all objects, in bytes: a pointer, and what lists grow ahead, an eighth.
const LIST_ITEM: usize = 9;

type Fill = for<'py> fn(Python<'py>, usize) -> PyResult<Bound<'py, PyAny>>;

fn measure(py: Python<'_>, name: &str, rounds: usize) -> PyResult<()> {
    let gc = py.import("gc")?;
    let mut times = Times::<2>::new();
    for turn in turns::<2>(rounds) {
        let start = Instant::now();
        if turn == 0 {
            audit(py)?.assert_clean();
        } else {
            gc.call_method0("collect")?;
        }
        times.push(turn, start.elapsed());
    }
    let mut objects = 0;
    let bytes = peak(|| objects = audit(py).map_or(0, |report| report.objects)) / objects + LIST_ITEM;
    let ratio = times.ratio(0, 1);
    let (time, collect) = (times.median(0), times.median(1));
    println!("{name:<28} {time:>12.1?} {collect:>12.1?} {ratio:>10.2} {bytes:>14}");
    assert!(!is_measuring() || ratio <= 5.0, "an audit takes longer than five collections");
    assert!(!is_measuring() || bytes <= 200, "an audit takes more than 200 bytes an object");
    Ok(())
}

/// Instances of a wired class, each linked to both of its neighbours.
#[expect(clippy::unnecessary_wraps, reason = "one signature with `containers`")]
fn instances(py: Python<'_>, size: usize) -> PyResult<Bound<'_, PyAny>> {
    let first = Wired::alone(py);
    let mut last = first.clone();
    for _ in 1..size {
        let node = Wired::alone(py);
        Wired::join(&last, &node);
        last = node;
    }
    Wired::join(&last, &first);
    Ok(first)
}

/// Dicts, lists and tuples, a few in each other.
fn containers(py: Python<'_>, size: usize) -> PyResult<Bound<'_, PyAny>> {
    let all = PyList::empty(py);
    for number in 0..size / 4 {
        let list = PyList::new(py, [number])?;
        let tuple = PyTuple::new(py, [list.as_any(), list.as_any()])?;
        let dict = PyDict::new(py);
        dict.set_item("tuple", &tuple)?;
        dict.set_item("list", &list)?;
        all.append(PyList::new(py, [dict.as_any(), tuple.as_any()])?)?;
    }
    Ok(all.into_any())
}

/// The allocator of the system, and how much of it Rust code has in use: what an audit takes, but for the list of the
/// objects, which is Python's.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls go to the system's allocator, unchanged; the counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What `work` has in use at its height, in bytes.
fn peak(work: impl FnOnce()) -> usize {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}
