//! Threads that build, share, change and drop cycles through every shape while another one collects without pause.

use std::env;
use std::ffi::CStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::memory::Memory;
use crate::pool::{Pool, Random};
use crate::shapes::{
    Bare, Derived, Either, Failed, GcOnce, GcShared, Generic, Listed, Local, Locked, Mapped, Once, Optional,
    ReadLocked, Recursive, Shape, Shared, WithDict,
};
use crate::support::{DropCounter, alone, collect};
use crate::watchdog::{Progress, Watchdog};

type Object = Py<PyAny>;

const WORKERS: usize = 4;
/// More than enough for any step, also on a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Buffers that grow by doubling, free lists and caches of several threads, the arenas that malloc makes for them.
const SLACK: Memory = Memory { rust_bytes: 16 << 10, python_blocks: 3_000, resident: 16 << 20 };

/// What a thread does while it is detached.
#[derive(Clone, Copy, PartialEq)]
#[allow(dead_code, reason = "each test uses one")]
pub(crate) enum Detached {
    /// What is safe: to drop, and to read what never changes.
    Safe,
    /// All that Rust allows: it also holds locks and clones `Arc`s, so that a collection sees what they hide at one time
    /// and not at another.
    Anything,
}

/// Each shape's turn.
const SHAPES: [fn(&mut Worker, Python<'_>, &Pool); 16] = [
    Worker::turn::<Optional>,
    Worker::turn::<Bare>,
    Worker::turn::<Listed>,
    Worker::turn::<Mapped>,
    Worker::turn::<Recursive>,
    Worker::turn::<Generic>,
    Worker::turn::<Failed>,
    Worker::turn::<Derived>,
    Worker::turn::<WithDict>,
    Worker::turn::<Either>,
    Worker::turn::<Locked>,
    Worker::turn::<ReadLocked>,
    Worker::turn::<Once>,
    Worker::turn::<Shared>,
    Worker::turn::<GcShared>,
    Worker::turn::<GcOnce>,
];

/// A marker shows whether the collector has taken it for garbage: then its weak reference is dead, and it has lost its
/// owner. Before that, its finalizer still finds one.
const MARKER: &CStr = c"
import weakref

class Marker:
    def __init__(self, other):
        self.other = other
        self.itself = weakref.ref(self)

    def __del__(self):
        self.owner
";

struct World {
    detached: Detached,
    marker: Object,
    /// What threads share: objects of each shape, and some of any shape.
    pools: [Pool; SHAPES.len()],
    mixed: Pool,
    built: AtomicUsize,
    dropped: DropCounter,
    /// Live objects that had lost what they hold, or weak references to it.
    emptied: AtomicUsize,
    doubted: AtomicUsize,
    collections: AtomicUsize,
    /// The workers are to end; the collector has ended.
    is_over: AtomicBool,
    is_quiet: AtomicBool,
}

struct Worker {
    world: Arc<World>,
    progress: Arc<Progress>,
    random: Random,
}

impl Worker {
    fn run(&mut self) {
        // Of a class whose instances belong to one thread.
        let (world, local) = (Arc::clone(&self.world), Pool::default());
        while !world.is_over.load(Ordering::Relaxed) {
            Python::attach(|py| {
                for (turn, pool) in SHAPES.iter().zip(&world.pools) {
                    turn(self, py, pool);
                }
                self.turn::<Local>(py, &local);
            });
        }
        // Their cycles are garbage that nobody else can collect.
        while !world.is_quiet.load(Ordering::Relaxed) {
            self.progress.step("waits for the collector to end");
            thread::sleep(Duration::from_millis(10));
        }
        alone(|py| {
            local.clear();
            self.progress.step("collects");
            collect(py);
        });
    }

    /// Builds cycles, of which some are shared and some garbage at once; changes what somebody has shared; and drops some
    /// of it. Then looks at what is alive.
    fn turn<S: Shape>(&mut self, py: Python<'_>, pool: &Pool) {
        if S::leaks(py) {
            return;
        }
        for _ in 0..4 {
            self.progress.step("builds");
            let object = self.build::<S>(py);
            if self.random.below(2) == 0 {
                pool.put(object.into_any().unbind(), &mut self.random);
            }
        }
        self.progress.step("shares");
        let mut markers = vec![self.share::<S>(py)];

        let Some(object) = pool.pick(py, &mut self.random) else { return };
        let object = object.cast::<S>().unwrap();
        if S::IS_SENDABLE {
            self.world.mixed.put(object.clone().into_any().unbind(), &mut self.random);
        }
        self.progress.step("changes");
        let marker = self.marker(py);
        marker.setattr("owner", object).unwrap();
        S::put(object, marker.unbind());
        // Unless somebody else is at it.
        markers.extend(S::marker(object).ok());

        self.progress.step("detaches");
        let dropped: Vec<_> = (0..4).filter_map(|_| pool.take(&mut self.random)).collect();
        let (object, detached) = (object.clone().unbind(), self.world.detached);
        py.detach(|| {
            drop(dropped);
            if detached == Detached::Anything || S::NEVER_CHANGES {
                S::touch(&object);
            }
            thread::yield_now();
        });
        self.progress.step("touches");
        S::touch(&object);
        self.progress.step("checks");
        for marker in markers {
            self.check(py, marker);
        }
    }

    /// Of two owners of the same contents one is garbage, and the other one is reached through the contents alone: through
    /// the marker that is returned. Were its reference visited by both, it would look like garbage, too.
    fn share<S: Shape>(&mut self, py: Python<'_>) -> Option<Object> {
        let object = self.build::<S>(py);
        if let Some(sharer) = S::share(&object, &self.world.dropped) {
            self.world.built.fetch_add(1, Ordering::Relaxed);
            let garbage = PyList::new(py, [sharer]).unwrap();
            garbage.append(&garbage).unwrap();
        }
        S::marker(&object).unwrap()
    }

    fn build<'py, S: Shape>(&mut self, py: Python<'py>) -> Bound<'py, S> {
        self.world.built.fetch_add(1, Ordering::Relaxed);
        let marker = self.marker(py);
        let object = S::new(py, marker.clone().unbind(), &self.world.dropped).into_bound(py);
        marker.setattr("owner", &object).unwrap();
        object
    }

    fn marker<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyAny> {
        let other = self.world.mixed.pick(py, &mut self.random);
        self.world.marker.bind(py).call1((other,)).unwrap()
    }

    /// The marker of a live object is alive, and so is what it refers to.
    fn check(&self, py: Python<'_>, marker: Option<Object>) {
        let marker = marker.map(|marker| marker.into_bound(py));
        let is_whole = marker.as_ref().is_some_and(|marker| marker.hasattr("owner").unwrap());
        let is_referred_to =
            marker.is_some_and(|marker| marker.call_method0("itself").is_ok_and(|itself| itself.is(&marker)));
        let world = &self.world;
        for (is_right, wrong) in [(is_whole, &world.emptied), (is_referred_to, &world.doubted)] {
            assert!(is_right || world.detached == Detached::Anything, "a live object was taken for garbage");
            wrong.fetch_add(usize::from(!is_right), Ordering::Relaxed);
        }
    }
}

impl World {
    fn new(py: Python<'_>, detached: Detached) -> Self {
        let scope = PyDict::new(py);
        py.run(MARKER, Some(&scope), None).unwrap();
        Self {
            detached,
            marker: scope.get_item("Marker").unwrap().unwrap().unbind(),
            pools: Default::default(),
            mixed: Pool::default(),
            built: AtomicUsize::new(0),
            dropped: DropCounter::default(),
            emptied: AtomicUsize::new(0),
            doubted: AtomicUsize::new(0),
            collections: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            is_quiet: AtomicBool::new(false),
        }
    }

    /// All threads, for so long. In the end nothing is left of what they have built.
    fn run(self: &Arc<Self>, py: Python<'_>, time: Duration) {
        let gc = py.import("gc").unwrap().unbind();
        let call = |function| Python::attach(|py| gc.call_method0(py, function).map(drop).unwrap());
        let collector = Progress::new("the collector");
        let workers: [_; WORKERS] = std::array::from_fn(|number| Progress::new(format!("worker {number}")));
        let everybody = workers.iter().chain([&collector]).map(Arc::clone).collect();
        let watchdog = Watchdog::new(py, LIMIT, everybody);
        for flag in [&self.is_over, &self.is_quiet] {
            flag.store(false, Ordering::Relaxed);
        }
        call("enable");
        py.detach(|| {
            thread::scope(|scope| {
                for (progress, seed) in workers.iter().zip(1..) {
                    let (world, progress) = (Arc::clone(self), Arc::clone(progress));
                    let mut worker = Worker { world, progress, random: Random(seed) };
                    scope.spawn(move || worker.progress.clone().run(|| worker.run()));
                }
                let start = Instant::now();
                while start.elapsed() < time {
                    collector.step("collects");
                    call("collect");
                    self.collections.fetch_add(1, Ordering::Relaxed);
                }
                self.is_over.store(true, Ordering::Relaxed);
                call("disable");
                self.is_quiet.store(true, Ordering::Relaxed);
                collector.end();
            });
        });
        drop(watchdog);
        for pool in self.pools.iter().chain([&self.mixed]) {
            pool.clear();
        }
        collect(py);
        assert_eq!(self.built.load(Ordering::Relaxed), self.dropped.dropped(), "built, and dropped");
    }
}

/// For as many seconds as `PYO3_GC_STRESS_SECONDS` says, of which the first quarter is to warm up.
pub(crate) fn stress(detached: Detached) {
    let seconds = env::var("PYO3_GC_STRESS_SECONDS").map_or(3., |seconds| seconds.parse().unwrap());
    Python::attach(|py| {
        let (sys, errors) = (py.import("sys").unwrap(), PyList::empty(py));
        sys.setattr("unraisablehook", errors.getattr("append").unwrap()).unwrap();
        // What is there already needn't be looked at in each collection.
        py.import("gc").unwrap().call_method0("freeze").unwrap();
        let world = Arc::new(World::new(py, detached));

        world.run(py, Duration::from_secs_f64(seconds / 4.));
        let before = Memory::now(py);
        world.run(py, Duration::from_secs_f64(seconds * 3. / 4.));
        let after = Memory::now(py);

        println!("{seconds} seconds, {WORKERS} workers and the collector, {} shapes", SHAPES.len() + 1);
        let [built, collections, emptied, doubted] =
            [&world.built, &world.collections, &world.emptied, &world.doubted]
                .map(|count| count.load(Ordering::Relaxed));
        println!("built and dropped {built}, collections {collections}");
        println!("live objects without their contents {emptied}, without weak references {doubted}");
        println!("before: {before}\nafter:  {after}");
        assert_eq!(errors.len(), 0, "{errors:?}");
        after.is_back_at(&before, &SLACK);
    });
}
