//! What programs came by: a test that never gets anywhere passes, too.

use std::collections::BTreeMap;

use super::graph::Graph;
use super::kind::Kind;

#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    pub(crate) programs: usize,
    pub(crate) nodes: usize,
    pub(crate) most_nodes: usize,
    /// Steps that had something to be done to.
    pub(crate) steps: usize,
    pub(crate) by_step: BTreeMap<&'static str, usize>,
    pub(crate) collections: usize,
    /// Nodes that a collection came by, and let live.
    pub(crate) kept: BTreeMap<Kind, usize>,
    /// Nodes that nothing but a collection could let go of.
    pub(crate) collected: BTreeMap<Kind, usize>,
    /// Nodes that no handle leads to, and that are kept by the rules, to the end.
    pub(crate) leaked: BTreeMap<Kind, usize>,
    /// Nodes brought back by their finalizers.
    pub(crate) rescued: usize,
}

impl Coverage {
    /// A collection has come by a graph of which these nodes were alive.
    pub(crate) fn collection(&mut self, graph: &Graph, before: &[bool]) {
        self.collections += 1;
        for (node, _) in graph.nodes.iter().zip(before).filter(|(_, was_alive)| **was_alive) {
            let outcome = if node.is_alive { &mut self.kept } else { &mut self.collected };
            *outcome.entry(node.kind).or_default() += 1;
        }
    }

    pub(crate) fn finish(&mut self, graph: &Graph) {
        self.programs = 1;
        self.nodes = graph.nodes.len();
        self.most_nodes = graph.nodes.len();
        for node in graph.nodes.iter().filter(|node| node.is_alive) {
            *self.leaked.entry(node.kind).or_default() += 1;
        }
        self.rescued = graph.nodes.iter().filter(|node| node.is_finalized).count();
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.programs += other.programs;
        self.nodes += other.nodes;
        self.most_nodes = self.most_nodes.max(other.most_nodes);
        self.steps += other.steps;
        self.collections += other.collections;
        self.rescued += other.rescued;
        for (name, count) in other.by_step {
            *self.by_step.entry(name).or_default() += count;
        }
        let kinds = [
            (&mut self.kept, other.kept),
            (&mut self.collected, other.collected),
            (&mut self.leaked, other.leaked),
        ];
        for (mine, others) in kinds {
            for (kind, count) in others {
                *mine.entry(kind).or_default() += count;
            }
        }
    }
}
