//! What the benches share: the classes, a counting visitor, and timing in pairs.

#![allow(dead_code, reason = "each bench uses what it needs")]

use std::env;
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::mem;
use std::time::{Duration, Instant};

use pyo3::ffi;
use pyo3::prelude::*;

pub(crate) mod c_slots;
pub(crate) mod shapes;

/// Whether `cargo bench` asks for measurements. Elsewhere (`cargo test --benches`) a bench only shows that it runs.
pub(crate) fn is_measuring() -> bool {
    env::args().any(|argument| argument == "--bench") && !env::args().any(|argument| argument == "--list")
}

/// An object and its type's `tp_traverse`, to be called as the collector calls it.
pub(crate) struct Traversal {
    object: Py<PyAny>,
    traverse: ffi::traverseproc,
}

impl Traversal {
    pub(crate) fn new(object: Bound<'_, PyAny>) -> Self {
        let class = object.get_type();
        // SAFETY: `class` is alive, and PyO3's classes are heap types, as older versions of the function want.
        let slot = unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_traverse) };
        assert!(!slot.is_null(), "{class} is not a class that the collector looks into");
        // SAFETY: what stands in the slot of that name is a `traverseproc`.
        let traverse = unsafe { mem::transmute::<*mut c_void, ffi::traverseproc>(slot) };
        Self { object: object.unbind(), traverse }
    }

    /// One traversal; how many visits it makes.
    #[inline]
    pub(crate) fn run(&self, _: Python<'_>) -> usize {
        let mut visits: usize = 0;
        let counter = (&raw mut visits).cast();
        // SAFETY: the object is alive and of the type that the slot comes from, the thread is attached, and the
        // visitor gets the pointer to a counter that it expects.
        let error = unsafe { (self.traverse)(self.object.as_ptr(), count, counter) };
        assert_eq!(error, 0);
        visits
    }
}

/// The cheapest visitor whose calls can't be optimised away.
extern "C" fn count(_object: *mut ffi::PyObject, visits: *mut c_void) -> c_int {
    // SAFETY: only `Traversal::run` passes this function on, together with a pointer to its counter.
    let visits = unsafe { &mut *visits.cast::<usize>() };
    *visits += 1;
    0
}

/// How long `run` takes, called `times` times.
pub(crate) fn time<R>(times: u32, mut run: impl FnMut() -> R) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        black_box(run());
    }
    start.elapsed() / times
}

/// How long `run` takes, once, and what it gives.
pub(crate) fn timed<R>(run: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = run();
    (start.elapsed(), result)
}

/// Whose turn it is: in each round all of `N` contenders, another one first. What disturbs the machine then disturbs
/// them alike, and their ratio in a round means more than any of their times.
pub(crate) fn turns<const N: usize>(rounds: usize) -> impl Iterator<Item = usize> {
    (0..rounds).flat_map(|round| (0..N).map(move |turn| (round + turn) % N))
}

/// The times of `N` contenders, one a round each.
pub(crate) struct Times<const N: usize>([Vec<Duration>; N]);

impl<const N: usize> Times<N> {
    pub(crate) fn new() -> Self {
        Self([const { Vec::new() }; N])
    }

    pub(crate) fn push(&mut self, contender: usize, time: Duration) {
        self.0[contender].push(time);
    }

    pub(crate) fn shortest(&self, contender: usize) -> Duration {
        self.0[contender].iter().copied().min().unwrap_or_default()
    }

    pub(crate) fn median(&self, contender: usize) -> Duration {
        Duration::from_secs_f64(median(self.0[contender].iter().map(Duration::as_secs_f64)))
    }

    /// A contender's time over another's in the median round.
    pub(crate) fn ratio(&self, contender: usize, to: usize) -> f64 {
        let rounds = self.0[contender].iter().zip(&self.0[to]);
        median(rounds.map(|(time, to)| time.as_secs_f64() / to.as_secs_f64()))
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}
