//! The impls of the trait, by family.

mod cells;
mod collections;
mod compound;
mod dynamic;
mod io;
mod iterators;
mod leaf;
mod locks;
mod pointers;
mod python;
mod real_classes;
#[path = "../support/mod.rs"]
mod support;
mod third_party_containers;
mod third_party_leaves;
mod third_party_petgraph;
