//! The trait and its contract: traversing, clearing, and the graveyard.

mod borrows;
mod contract;
mod graveyard;
#[path = "../support/mod.rs"]
mod support;
