//! What the chapter on locks says of threads that walk from lock to lock while another one collects. Attached, they hide
//! nothing at one time that they show at another, and nothing is lost. Detached, they do: then live objects are emptied,
//! in safe Rust. Nothing crashes, and in the end nothing leaks.

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, PyGcTraversable, pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;
use crate::support::{DropCounter, DropProbe, alone, collect};
use crate::watchdog::{Progress, Watchdog};

const LENGTH: usize = 10;

/// Something that is reached through a lock, and has one.
trait Link: Send + Sync + Sized + 'static {
    fn new(py: Python<'_>, next: Option<Self>, probe: DropProbe) -> Self;

    /// How many there are from here on. Whatever is locked or cloned on the way stays so until the end has been reached.
    fn walk(&self) -> usize;
}

macro_rules! links {
    ($($link:ty: |$py:ident, $next:ident, $probe:ident| $new:expr, |$this:ident| $walk:expr;)+) => {$(
        impl Link for $link {
            fn new($py: Python<'_>, $next: Option<Self>, $probe: DropProbe) -> Self {
                $new
            }

            fn walk(&self) -> usize {
                let $this = self;
                1 + $walk.as_ref().map_or(0, Self::walk)
            }
        }
    )+};
}
links! {
    Py<Locked>:
        |py, next, probe| Self::new(py, Locked { next: Mutex::new(next), probe }).unwrap(),
        |this| this.get().next.lock().unwrap();
    Py<Cloned>:
        |py, next, probe| Self::new(py, Cloned { next: Arc::new(RwLock::new(next)), probe }).unwrap(),
        |this| Arc::clone(&this.get().next).read().unwrap();
    PyGcArc<Contents>:
        |py, next, probe| Self::new(py, Contents { next: Mutex::new(next), probe }).unwrap(),
        |this| this.next.lock().unwrap();
}

#[pyclass(frozen)]
struct Locked {
    next: Mutex<Option<Py<Locked>>>,
    probe: DropProbe,
}

#[pymethods]
impl Locked {}

/// A reader doesn't hide what is behind the lock, but the clone of the pointer does.
#[pyclass(frozen)]
struct Cloned {
    next: Arc<RwLock<Option<Py<Cloned>>>>,
    probe: DropProbe,
}

#[pymethods]
impl Cloned {}

#[derive(PyGcTraversable)]
struct Contents {
    next: Mutex<Option<PyGcArc<Contents>>>,
    probe: DropProbe,
}

/// How often a chain was found to be shorter than it was made.
fn stress<L: Link>(walk: impl Fn(&L) -> usize + Send + Sync + 'static) -> usize {
    // For all six of them.
    let seconds = env::var("PYO3_GC_STRESS_SECONDS").map_or(3., |seconds| seconds.parse().unwrap());
    let time = Duration::from_secs_f64(seconds / 6.);
    alone(|py| {
        py.import("gc").unwrap().call_method0("freeze").unwrap();
        let (walker, collector) = (Progress::new("the walker"), Progress::new("the collector"));
        let both = vec![Arc::clone(&walker), Arc::clone(&collector)];
        let watchdog = Watchdog::new(py, Duration::from_secs(60), both);
        let (is_over, dropped) = (Arc::new(AtomicBool::new(false)), DropCounter::default());
        let thread = {
            let (is_over, dropped) = (Arc::clone(&is_over), dropped.clone());
            thread::spawn(move || {
                let (mut made, mut lost) = (0, 0);
                while !is_over.load(Ordering::Relaxed) {
                    let first = Python::attach(|py| {
                        (0..LENGTH).fold(None, |next, _| Some(L::new(py, next, dropped.probe()))).unwrap()
                    });
                    made += LENGTH;
                    let lost_before = lost;
                    while lost == lost_before && !is_over.load(Ordering::Relaxed) {
                        walker.step("walks");
                        lost += usize::from(walk(&first) < LENGTH);
                    }
                }
                walker.end();
                (made, lost)
            })
        };
        let start = Instant::now();
        while start.elapsed() < time {
            collector.step("collects");
            collect(py);
            py.detach(thread::yield_now);
        }
        is_over.store(true, Ordering::Relaxed);
        let (made, lost) = py.detach(|| thread.join().unwrap());
        drop(watchdog);
        collect(py);
        assert_eq!(made, dropped.dropped());
        lost
    })
}

#[test]
fn attached() {
    in_a_process_of_its_own(|| {
        assert_eq!(stress::<Py<Locked>>(|first| Python::attach(|_| first.walk())), 0);
        assert_eq!(stress::<Py<Cloned>>(|first| Python::attach(|_| first.walk())), 0);
        assert_eq!(stress::<PyGcArc<Contents>>(|first| Python::attach(|_| first.walk())), 0);
    });
}

#[test]
fn detached() {
    in_a_process_of_its_own(|| {
        let locked = stress(Py::<Locked>::walk);
        let cloned = stress(Py::<Cloned>::walk);
        let shared = stress(PyGcArc::<Contents>::walk);
        println!(
            "chains that lost links: {locked} of locks, {cloned} of Arcs, {shared} of PyGcArcs with locks"
        );
    });
}
