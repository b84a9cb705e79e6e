//! What is done to a graph, and how programs of it are drawn.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::kind::Kind;
use super::shrink::Shrinking;

/// Each handle has a label, and is picked by the label that is closest from above. So a step can be left out of a failing
/// program, and most of the others still mean the same.
pub(crate) type Label = u16;

/// One of those that there are, modulo how many there are.
pub(crate) type Number = u8;

/// A step of a program. Where there is nothing that it could be done to, it does nothing. Nodes are those that the program
/// has handles of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Makes a node, and a handle of it, with this label. What it has to be born with is picked among the handles.
    Add(Kind, Label, [Label; 2]),
    /// Node, slot, target: adds an edge. In a slot that has room for one, it replaces the edge that was there.
    Link(Label, Number, Label),
    /// Node, slot, edge: removes an edge.
    Unlink(Label, Number, Number),
    /// Node, slot, edge, node, slot: moves an edge's reference into a slot of another node; or, where it doesn't fit, into a
    /// handle, which gets the label of that other node.
    Move(Label, Number, Number, Label, Number),
    /// Node, slot, edge: a handle of what the edge leads to, with this label.
    Follow(Label, Number, Number, Label),
    /// Another handle of the same node.
    Clone(Label),
    Drop(Label),
    /// Clears a node as the collector does it, though it is alive.
    Clear(Label),
    /// Node, slot: panics while holding its lock.
    Poison(Label, Number),
    /// Node, slot: takes its lock for good, for reading or for writing.
    LockForever(Label, Number, bool),
    Collect,
    /// Collects the youngest generation, or the two youngest, before everything.
    CollectYoung(bool),
    /// Node, slot: collects while the node is borrowed mutably, or the lock of its slot is held.
    CollectWhileBusy(Label, Number),
}

impl Op {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Add(..) => "add",
            Self::Link(..) => "link",
            Self::Unlink(..) => "unlink",
            Self::Move(..) => "move",
            Self::Follow(..) => "follow",
            Self::Clone(_) => "clone",
            Self::Drop(_) => "drop",
            Self::Clear(_) => "clear",
            Self::Poison(..) => "poison",
            Self::LockForever(..) => "lock forever",
            Self::Collect => "collect",
            Self::CollectYoung(_) => "collect young",
            Self::CollectWhileBusy(..) => "collect while busy",
        }
    }

    /// Whether it has anything cleared. Nothing else changes the edges of what is alive.
    pub(crate) fn clears(self) -> bool {
        matches!(self, Self::Clear(_) | Self::Collect | Self::CollectYoung(_) | Self::CollectWhileBusy(..))
    }
}

/// In the end, all handles are dropped, and everything is collected.
#[derive(Clone)]
pub(crate) struct Program(pub(crate) Vec<Op>);

/// As Rust code, so that it can be pasted into a test.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|op| writeln!(f, "    {op:?},"))
    }
}

/// Programs that build a graph of up to about `nodes` nodes, and change it in up to `changes` ways. Each uses a few kinds of
/// nodes only, so that the graphs differ more, and most of them are free of what leaks by the rules.
pub(crate) fn programs(nodes: usize, changes: usize) -> impl Strategy<Value = Program> {
    let kinds = subsequence(&Kind::ALL[..], 1..=6).prop_map(without_conflicts);
    Shrinking(kinds.prop_flat_map(move |kinds| {
        let build = vec(building(kinds.clone()), 1..=nodes * 3);
        (build, vec(changing(kinds), 0..=changes)).prop_map(|(mut ops, changes)| {
            ops.extend(changes);
            Program(ops)
        })
    }))
}

/// The model can't foretell in which order the collector comes by objects that share contents, which matters where
/// finalizers bring some back. One of both has to go.
fn without_conflicts(mut kinds: Vec<Kind>) -> Vec<Kind> {
    if kinds.contains(&Kind::Finalizer) {
        kinds.retain(|kind| !kind.may_share());
    }
    kinds
}

/// Anything that the closure takes which comes after.
fn any_of<T: Arbitrary>() -> impl Strategy<Value = T> {
    any::<T>()
}

fn building(kinds: Vec<Kind>) -> impl Strategy<Value = Op> {
    prop_oneof![
        1 => (select(kinds), any_of()).prop_map(|(kind, (label, births))| Op::Add(kind, label, births)),
        2 => any_of().prop_map(|(from, slot, to)| Op::Link(from, slot, to)),
    ]
}

fn changing(kinds: Vec<Kind>) -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => building(kinds),
        6 => any_of().prop_map(Op::Drop),
        2 => any_of().prop_map(|(from, slot, edge)| Op::Unlink(from, slot, edge)),
        3 => any_of().prop_map(|(from, slot, edge, into, its)| Op::Move(from, slot, edge, into, its)),
        2 => any_of().prop_map(|(from, slot, edge, label)| Op::Follow(from, slot, edge, label)),
        1 => any_of().prop_map(Op::Clone),
        1 => any_of().prop_map(Op::Clear),
        1 => any_of().prop_map(|(node, slot)| Op::Poison(node, slot)),
        1 => any_of().prop_map(|(node, slot, for_writing)| Op::LockForever(node, slot, for_writing)),
        2 => Just(Op::Collect),
        1 => any_of().prop_map(Op::CollectYoung),
        1 => any_of().prop_map(|(node, slot)| Op::CollectWhileBusy(node, slot)),
    ]
}
