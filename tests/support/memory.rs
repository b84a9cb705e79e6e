//! How much memory the process uses: what Rust has allocated, what Python has, and what the system has given.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fmt, fs};

use pyo3::prelude::*;

/// The bytes that Rust has allocated, exactly. Python's own are not among them.
static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static COUNTING: Counting = Counting;

/// The system's allocator, which counts.
struct Counting;

// SAFETY: all of it is the system's; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What is in use.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) rust_bytes: usize,
    /// The blocks of Python's allocator of small objects.
    pub(crate) python_blocks: usize,
    /// What the process has in main memory; what was freed need not go back to the system.
    pub(crate) resident: usize,
}

impl Memory {
    pub(crate) fn now(py: Python<'_>) -> Self {
        let blocks = py.import("sys").unwrap().call_method0("getallocatedblocks").unwrap();
        Self {
            python_blocks: blocks.extract().unwrap(),
            resident: resident(),
            rust_bytes: ALLOCATED.load(Ordering::Relaxed),
        }
    }

    /// Fails where there is more of anything than `before`, and than `slack` allows for.
    pub(crate) fn is_back_at(&self, before: &Self, slack: &Self) {
        assert!(self.rust_bytes <= before.rust_bytes + slack.rust_bytes, "Rust's memory grows");
        assert!(self.python_blocks <= before.python_blocks + slack.python_blocks, "Python's memory grows");
        assert!(self.resident <= before.resident + slack.resident, "the process grows");
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rust_bytes, python_blocks, resident } = self;
        write!(f, "Rust {rust_bytes} bytes, Python {python_blocks} blocks, resident {} KiB", resident >> 10)
    }
}

/// Linux's answer; elsewhere nothing is known. Under valgrind, what that needs would be counted, too.
fn resident() -> usize {
    if env::var_os("PYO3_GC_VALGRIND").is_some() {
        return 0;
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or(0, |line| line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10)
}

/// Makes as many cycles as `PYO3_GC_MEMORY_CYCLES` says, with the help of `make`, which makes so many; drops and collects
/// them, and fails if that takes more and more memory.
pub(crate) fn stays_flat(py: Python<'_>, class: &str, mut make: impl FnMut(usize)) {
    /// Buffers that grow by doubling, free lists and caches, fragments.
    const SLACK: Memory = Memory { rust_bytes: 4 << 10, python_blocks: 500, resident: 1 << 20 };

    let cycles = env::var("PYO3_GC_MEMORY_CYCLES").map_or(20_000, |cycles| cycles.parse::<usize>().unwrap());
    let batch = (cycles / 20).clamp(1, 1_000);
    let gc = py.import("gc").unwrap();
    gc.call_method0("disable").unwrap();
    // What is there already needn't be looked at each time.
    gc.call_method0("freeze").unwrap();
    let mut run = |batches| {
        for _ in 0..batches {
            make(batch);
            let found: usize = gc.call_method0("collect").unwrap().extract().unwrap();
            assert!(found >= batch, "{found} objects of {batch} cycles were collected");
        }
    };
    run(10);
    let (before, start) = (Memory::now(py), Instant::now());
    run(cycles / batch);
    let after = Memory::now(py);
    println!(
        "{class:<12} {cycles:>8} cycles {:>5.1} s; before: {before}; after: {after}",
        start.elapsed().as_secs_f64()
    );
    after.is_back_at(&before, &SLACK);
}
