//! Compares the real objects with the model.

use std::mem;

use super::graph::{Graph, Id, Node, Past, Taken};
use super::program::Label;
use super::value::Value;
use super::world::{World, with_slot};
use crate::support::is_alive;

/// A handle that the program holds.
pub(crate) struct Handle {
    pub(crate) id: Id,
    pub(crate) label: Label,
    pub(crate) value: Value,
}

/// Whether its token went before it, as that of Python's own objects does when they are cleared.
fn has_no_token(node: &Node) -> bool {
    node.kind.is_python() && node.past == Past::Cleared
}

/// Of each node there ever was: whether it has been deallocated, by its probe; of one that Python clears, whether it has
/// been deallocated or cleared, by its token's. Neither early, nor late, nor twice.
pub(crate) fn probes(graph: &Graph, world: &World<'_>) -> Result<(), String> {
    for (id, (node, real)) in graph.nodes.iter().zip(&world.nodes).enumerate() {
        let is_gone = !node.is_alive || has_no_token(node);
        match (is_gone, real.dropped.dropped()) {
            (false, 0) | (true, 1) => {}
            (false, _) => return Err(format!("node {id} ({:?}) is lost", node.kind)),
            (true, 0) => return Err(format!("node {id} ({:?}) is left", node.kind)),
            (true, times) => return Err(format!("node {id} ({:?}) was dropped {times} times", node.kind)),
        }
    }
    Ok(())
}

/// Weak references, which tell less: they die when the collector takes their object for garbage, whatever becomes of it.
pub(crate) fn weak_references(graph: &Graph, world: &World<'_>) -> Result<(), String> {
    for (id, (node, real)) in graph.nodes.iter().zip(&world.nodes).enumerate() {
        let Some(weak) = &real.weak else { continue };
        if (!node.is_alive || node.past == Past::Unharmed) && is_alive(weak) != node.is_alive {
            let what = if node.is_alive { "dead" } else { "alive" };
            return Err(format!("the weak reference to node {id} ({:?}) is {what}", node.kind));
        }
    }
    Ok(())
}

/// Whatever a handle leads to is there, and whole: it has the edges that it has in the model, no less and no more.
pub(crate) fn edges(graph: &Graph, world: &World<'_>, handles: &[Handle]) -> Result<(), String> {
    let mut seen = vec![false; graph.nodes.len()];
    let mut left: Vec<(Id, Value)> =
        handles.iter().map(|handle| (handle.id, handle.value.again(world.py))).collect();
    while let Some((id, value)) = left.pop() {
        if mem::replace(&mut seen[id], true) {
            continue;
        }
        let (node, real) = (&graph.nodes[id], &world.nodes[id]);
        let is_itself = || has_no_token(node) || world.id(real.kind, &value) == id;
        if real.dropped.dropped() != usize::from(has_no_token(node)) || !is_itself() {
            return Err(format!("node {id} ({:?}) isn't itself", node.kind));
        }
        for (index, field) in node.fields.iter().enumerate() {
            if field.taken == Taken::ForWriting {
                continue;
            }
            let mut expected: Vec<(usize, Id)> =
                field.edges.iter().map(|edge| (world.nodes[edge.to].address, edge.to)).collect();
            let values = with_slot(world.py, real.kind, &value, index, |slot| slot.values(world.py));
            let mut values: Vec<_> = values.into_iter().map(|value| (value.address(), value)).collect();
            expected.sort_unstable();
            values.sort_unstable_by_key(|(address, _)| *address);
            let is_same = |(expected, actual): (&(usize, Id), &(usize, Value))| expected.0 == actual.0;
            if expected.len() != values.len() || !expected.iter().zip(&values).all(is_same) {
                return Err(format!(
                    "slot {index} of node {id} ({:?}), which is alive, has {} edges, not those to {:?}",
                    node.kind,
                    values.len(),
                    expected.iter().map(|(_, id)| id).collect::<Vec<_>>(),
                ));
            }
            left.extend(expected.iter().zip(values).map(|((_, id), (_, value))| (*id, value)));
        }
    }
    Ok(())
}
