//! How much memory the process uses: what Rust has allocated, what Python has, and what the system has given.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

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

    /// Fails where there is more of anything than `before`, beyond what caches and arenas may account for.
    pub(crate) fn is_back_at(&self, before: &Self) {
        assert!(self.rust_bytes <= before.rust_bytes + RUST_BYTES, "Rust's memory grows");
        assert!(self.python_blocks <= before.python_blocks + PYTHON_BLOCKS, "Python's memory grows");
        assert!(self.resident <= before.resident + RESIDENT, "the process grows");
    }
}

/// A few of the buffers of Rust's and PyO3's that grow by doubling.
const RUST_BYTES: usize = 16 << 10;
/// Free lists, caches of method lookups, interned strings.
const PYTHON_BLOCKS: usize = 1_000;
/// Fragmentation, and the arenas that malloc makes for threads.
const RESIDENT: usize = 16 << 20;

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rust_bytes, python_blocks, resident } = self;
        write!(f, "Rust {rust_bytes} bytes, Python {python_blocks} blocks, resident {} KiB", resident >> 10)
    }
}

/// Linux's answer; elsewhere nothing is known, and so nothing grows.
fn resident() -> usize {
    // `statm` counts in pages of 4 KiB on all but a few machines; `status` in KiB everywhere.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or(0, |line| line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10)
}
