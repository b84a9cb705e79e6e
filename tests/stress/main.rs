//! Threads that build, share, change and drop cycles while others collect.

mod attached;
mod detached;
mod gc_pool;
#[path = "../support/memory.rs"]
mod memory;
mod pool;
mod run;
#[path = "../support/shapes/mod.rs"]
mod shapes;
#[path = "../support/mod.rs"]
mod support;
mod walks;
#[path = "../support/watchdog.rs"]
mod watchdog;
mod watched;
