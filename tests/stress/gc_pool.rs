//! `PyGcPool` under stress: threads put, get, share and drop handles, attached and not, while another one collects without
//! pause. Whatever threads do that aren't attached, no live object is taken for garbage, and all garbage is dropped.

use std::env;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::memory::Memory;
use crate::pool::Random;
use crate::support::process::in_a_process_of_its_own;
use crate::support::{DropCounter, DropProbe, alone, collect};
use crate::watchdog::{Progress, Watchdog};

const WORKERS: usize = 4;
const HOLDERS: usize = 8;
const LIMIT: Duration = Duration::from_secs(60);
const SLACK: Memory = Memory { rust_bytes: 32 << 10, python_blocks: 3_000, resident: 16 << 20 };

/// Leads back to its holder. Emptied, it has been taken for garbage.
#[pyclass(frozen, weakref)]
struct Marker {
    holder: Mutex<Option<Py<Holder>>>,
    probe: DropProbe,
}

#[pymethods]
impl Marker {}

#[pyclass(frozen)]
struct Holder {
    pool: PyGcPool,
    /// Hidden, and locked by threads that aren't attached, too.
    #[pyo3(gc = false)]
    entries: Mutex<Vec<Entry>>,
    probe: DropProbe,
}

#[pymethods]
impl Holder {}

#[derive(Clone)]
struct Entry {
    marker: PyGcPooled<Marker>,
    weak: Arc<Py<PyWeakrefReference>>,
}

struct World {
    live: [Mutex<Py<Holder>>; HOLDERS],
    built: AtomicUsize,
    dropped: DropCounter,
    checked: AtomicUsize,
    is_over: AtomicBool,
}

impl World {
    fn new(py: Python<'_>) -> Self {
        let (built, dropped) = (AtomicUsize::new(HOLDERS), DropCounter::default());
        let live = std::array::from_fn(|_| {
            let pool = PyGcPool::new(py).unwrap();
            Mutex::new(
                Py::new(py, Holder { pool, entries: Mutex::default(), probe: dropped.probe() }).unwrap(),
            )
        });
        Self { live, built, dropped, checked: AtomicUsize::new(0), is_over: AtomicBool::new(false) }
    }

    fn pick(&self, py: Python<'_>, random: &mut Random) -> Py<Holder> {
        self.live[random.below(HOLDERS)].lock().unwrap().clone_ref(py)
    }

    fn holder(&self, py: Python<'_>, pool: PyGcPool) -> Py<Holder> {
        self.built.fetch_add(1, Ordering::Relaxed);
        Py::new(py, Holder { pool, entries: Mutex::default(), probe: self.dropped.probe() }).unwrap()
    }

    fn put(&self, py: Python<'_>, holder: &Py<Holder>) {
        self.built.fetch_add(1, Ordering::Relaxed);
        let marker = Marker { holder: Mutex::new(Some(holder.clone_ref(py))), probe: self.dropped.probe() };
        let marker = Bound::new(py, marker).unwrap();
        let weak = PyWeakrefReference::new(marker.as_any()).unwrap().unbind();
        let marker = holder.get().pool.put(py, marker.unbind());
        holder.get().entries.lock().unwrap().push(Entry { marker, weak: Arc::new(weak) });
    }

    /// What a live holder has in its pool is alive, and so is what that leads to.
    fn check(&self, py: Python<'_>, holder: &Py<Holder>, random: &mut Random) {
        let entry = {
            let entries = holder.get().entries.lock().unwrap();
            let place = random.below(entries.len().max(1));
            entries.get(place).cloned()
        };
        let Some(Entry { marker, weak }) = entry else { return };
        let marker = marker.get(py).expect("the pool of a live holder lends");
        let is_whole = marker.get().holder.lock().unwrap().as_ref().is_some_and(|own| own.is(holder));
        assert!(is_whole, "a live object was emptied");
        let itself = weak.bind(py).upgrade().expect("the weak reference to a live object is alive");
        assert!(itself.is(&marker));
        self.checked.fetch_add(1, Ordering::Relaxed);
    }

    fn work(&self, progress: &Progress, mut random: Random) {
        // Handles of holders that may be garbage by now.
        let mut kept: Vec<Entry> = Vec::new();
        while !self.is_over.load(Ordering::Relaxed) {
            Python::attach(|py| {
                let holder = self.pick(py, &mut random);
                progress.step("puts");
                for _ in 0..8 {
                    self.put(py, &holder);
                }
                progress.step("checks");
                for _ in 0..8 {
                    self.check(py, &holder, &mut random);
                }
                progress.step("gets");
                for entry in &kept {
                    let _ = entry.marker.get(py);
                }
                if random.below(4) == 0 {
                    progress.step("replaces");
                    let pool = match random.below(2) {
                        0 => PyGcPool::new(py).unwrap(),
                        _ => self.pick(py, &mut random).get().pool.clone_ref(py),
                    };
                    let newer = self.holder(py, pool);
                    let older = mem::replace(&mut *self.live[random.below(HOLDERS)].lock().unwrap(), newer);
                    drop(older);
                }
                progress.step("detaches");
                py.detach(|| {
                    let gone = {
                        let mut entries = holder.get().entries.lock().unwrap();
                        let some = entries.len().saturating_sub(random.below(16));
                        let gone = entries.split_off(some);
                        kept.extend(entries.iter().take(2).cloned());
                        gone
                    };
                    kept.extend(gone.iter().take(1).cloned());
                    drop(gone);
                    let many = kept.len().saturating_sub(32);
                    kept.drain(..many);
                    drop(holder);
                    thread::yield_now();
                });
                progress.step("drops");
                kept.truncate(16);
            });
        }
    }

    fn run(self: &Arc<Self>, py: Python<'_>, time: Duration) {
        let collector = Progress::new("the collector");
        let workers: [_; WORKERS] = std::array::from_fn(|number| Progress::new(format!("worker {number}")));
        let everybody = workers.iter().chain([&collector]).map(Arc::clone).collect();
        let watchdog = Watchdog::new(py, LIMIT, everybody);
        let gc = py.import("gc").unwrap().unbind();
        self.is_over.store(false, Ordering::Relaxed);
        py.detach(|| {
            thread::scope(|scope| {
                for (progress, seed) in workers.iter().zip(1..) {
                    let (world, progress) = (Arc::clone(self), Arc::clone(progress));
                    scope.spawn(move || progress.run(|| world.work(&progress, Random(seed))));
                }
                let start = Instant::now();
                while start.elapsed() < time && !workers.iter().any(|worker| worker.is_over()) {
                    collector.step("collects");
                    Python::attach(|py| gc.call_method0(py, "collect").map(drop).unwrap());
                }
                self.is_over.store(true, Ordering::Relaxed);
                collector.end();
            });
        });
        drop(watchdog);
        for holder in &self.live {
            let newer = self.holder(py, PyGcPool::new(py).unwrap());
            let older = mem::replace(&mut *holder.lock().unwrap(), newer);
            drop(older);
        }
        collect(py);
        let alive = self.built.load(Ordering::Relaxed) - self.dropped.dropped();
        assert_eq!(alive, HOLDERS, "built, and not dropped");
        for holder in &self.live {
            assert!(holder.lock().unwrap().get().pool.is_empty(py));
        }
    }
}

#[test]
fn no_object_of_a_pool_is_lost_and_none_leaks() {
    in_a_process_of_its_own(|| {
        let seconds = env::var("PYO3_GC_STRESS_SECONDS").map_or(3., |seconds| seconds.parse().unwrap());
        alone(|py| {
            py.import("gc").unwrap().call_method0("freeze").unwrap();
            let world = Arc::new(World::new(py));
            world.run(py, Duration::from_secs_f64(seconds / 4.));
            let before = Memory::now(py);
            world.run(py, Duration::from_secs_f64(seconds * 3. / 4.));
            let after = Memory::now(py);
            println!(
                "built {}, checked {}\nbefore: {before}\nafter:  {after}",
                world.built.load(Ordering::Relaxed),
                world.checked.load(Ordering::Relaxed)
            );
            after.is_back_at(&before, &SLACK);
        });
    });
}
