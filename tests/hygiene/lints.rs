//! The expansion under lints that most crates allow, and where unsafe code is forbidden.

#![forbid(unsafe_code)]
#![deny(warnings)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]
#![deny(
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    deprecated_in_future,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    keyword_idents,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_abi,
    missing_docs,
    nonstandard_style,
    redundant_imports,
    redundant_lifetimes,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
// Restriction lints of clippy that a derive runs into if it isn't careful.
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::exhaustive_structs,
    clippy::if_then_some_else_none,
    clippy::indexing_slicing,
    clippy::missing_inline_in_public_items,
    clippy::pattern_type_mismatch,
    clippy::question_mark_used,
    clippy::ref_patterns,
    clippy::renamed_function_params,
    clippy::same_name_method,
    clippy::shadow_reuse,
    clippy::shadow_unrelated,
    clippy::undocumented_unsafe_blocks,
    clippy::unneeded_field_pattern,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]
#![allow(
    clippy::multiple_crate_versions,
    clippy::cargo_common_metadata,
    reason = "these are about Cargo.toml"
)]

use std::marker::PhantomData;

use pyo3::{Py, PyAny};
use pyo3_gc::PyGcTraversable;

use crate::stand_in::{Foreign, StandIn};

#[derive(PyGcTraversable)]
struct Unit;

#[derive(PyGcTraversable)]
struct Tuple(Option<Py<PyAny>>, u8, (), Vec<Self>, #[pyo3(gc = false)] Foreign);

#[derive(PyGcTraversable)]
struct Named<'a, T, U: ?Sized, const N: usize = 1>
where
    T: Copy,
{
    object: Option<Py<PyAny>>,
    list: Vec<T>,
    text: &'a str,
    #[pyo3_gc(clear = false)]
    kept: Option<Py<PyAny>>,
    #[pyo3_gc(with = StandIn)]
    foreign: Foreign,
    #[pyo3(gc = false)]
    excluded: Foreign,
    #[pyo3_gc(recursive)]
    nodes: Vec<Node>,
    marker: PhantomData<U>,
    array: [u8; N],
}

#[derive(PyGcTraversable)]
enum Node {
    Unit,
    Tuple(u8, Option<Py<PyAny>>, #[pyo3_gc(skip)] Foreign),
    Named {
        next: Option<Box<Self>>,
        #[pyo3_gc(with = StandIn)]
        foreign: Foreign,
        text: String,
    },
    Leaf(String),
}

#[derive(PyGcTraversable)]
enum OneVariant {
    Only(Option<Py<PyAny>>),
}

#[derive(PyGcTraversable)]
enum Leaves {
    First,
    Second,
}

#[derive(PyGcTraversable)]
enum Never {}

/// What the user allows for the item is allowed in the impl, which repeats the item's parameters and types.
#[derive(PyGcTraversable)]
#[allow(non_camel_case_types, non_upper_case_globals, reason = "this is the test")]
#[expect(unused_qualifications, clippy::absolute_paths, reason = "this is the test")]
struct Allowing<lower, const digits: usize> {
    value: lower,
    array: [u8; digits],
    option: std::option::Option<u8>,
    #[pyo3(gc = false)]
    excluded: std::option::Option<Foreign>,
}

/// Exported, so that lints about public items look at it.
#[derive(Debug, PyGcTraversable)]
#[non_exhaustive]
#[pyo3_gc(bound = "T: PyGcTraversable", crate = "::pyo3_gc")]
pub struct Public<T> {
    /// A field.
    pub value: Option<T>,
    object: Option<Py<PyAny>>,
}

#[test]
fn everything_is_used() {
    let foreign = || Foreign(1);
    let node = Node::Named { next: None, foreign: foreign(), text: String::from("text") };
    let nodes = vec![node, Node::Unit, Node::Tuple(1, None, foreign()), Node::Leaf(String::new())];
    let mut named = Named::<'_, u8, str, 1> {
        object: None,
        list: vec![1],
        text: "text",
        kept: None,
        foreign: foreign(),
        excluded: foreign(),
        nodes,
        marker: PhantomData,
        array: [1],
    };
    named.clear();
    named.clear_interior();
    assert_eq!((named.foreign.0, named.excluded.0), (0, 1));
    assert_eq!(named.text.len() + named.list.len() + named.array.len(), 6);
    assert!(named.nodes.is_empty() && named.object.is_none() && named.kept.is_none());
    let PhantomData = named.marker;

    let mut tuple = Tuple(None, 1, (), Vec::new(), foreign());
    tuple.clear();
    assert!(tuple.0.is_none() && tuple.1 == 1 && tuple.3.is_empty() && tuple.4.0 == 1);
    Unit.clear();
    OneVariant::Only(None).clear();
    Leaves::First.clear();
    Leaves::Second.clear();
    let mut public = Public { value: Some(1_u8), object: None };
    public.clear();
    assert!(public.value.is_some() && public.object.is_none());
    let _: Option<Never> = None;
    let allowing = Allowing { value: 1_u8, array: [1], option: Some(1), excluded: None };
    assert!(allowing.value == 1 && allowing.array == [1] && allowing.option == Some(1));
    assert!(allowing.excluded.is_none());
    if let Node::Tuple(_, _, excluded) = Node::Tuple(1, None, foreign()) {
        assert_eq!(excluded.0, 1);
    }
}
