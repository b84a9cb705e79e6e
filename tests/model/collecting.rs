//! The steps of a program that collect, and what comes back by them.

use std::mem;

use pyo3::prelude::*;
use pyo3::types::PyList;

use super::check::{self, Handle};
use super::graph::{Id, Taken};
use super::machine::Machine;
use super::program::{Label, Number};
use super::value::Value;
use super::world::with_slot;

impl Machine<'_> {
    /// Collects as often as the model says that it takes at most.
    pub(super) fn collect(&mut self) {
        let before: Vec<bool> = self.graph.nodes.iter().map(|node| node.is_alive).collect();
        for _ in 0..self.graph.collect().max(1) {
            self.world.environment.collect(self.world.py, 2);
        }
        self.coverage.collection(&self.graph, &before);
    }

    /// Collects the young generations, which must leave alone whatever a handle leads to. What else they leave alone can't
    /// be foretold, so that the others follow at once. (Where finalizers bring something back in between, the end
    /// isn't the same as without.)
    pub(super) fn collect_young(&mut self, generation: u8) -> Result<(), String> {
        if !self.has_finalizers() {
            self.world.environment.collect(self.world.py, generation);
            check::edges(&self.graph, &self.world, &self.handles)?;
        }
        self.collect();
        Ok(())
    }

    /// What is busy is neither looked into nor waited for, and nothing of it is lost.
    pub(super) fn collect_while_busy(&mut self, node: Label, slot: Number) -> Option<()> {
        let (handle, index, field) = self.field(node, slot)?;
        if field.taken != Taken::No {
            return None;
        }
        let busy = self.again(handle, node);
        let (py, kind) = (self.world.py, self.kind(&busy));
        with_slot(py, kind, &busy.value, index, |slot| slot.while_locked(&mut || self.collect()));
        self.drop_handle(busy);
        Some(())
    }

    /// What the last step's destructors stored is held by the program from now on.
    pub(super) fn find_rescued(&mut self) -> Result<(), String> {
        let rescued = self.world.environment.rescued.bind(self.world.py);
        let mut expected = mem::take(&mut self.graph.rescued);
        for object in rescued.iter() {
            let value = Value::Object(object.unbind());
            let address = value.address();
            let is_it = |id: &Id| self.world.nodes[*id].address == address;
            let position = expected.iter().position(is_it).ok_or("an object is finalized that is alive")?;
            let id = expected.swap_remove(position);
            let label = Label::try_from(id * 300 % 65_536).unwrap_or_default(); // far from each other
            self.handles.push(Handle { id, label, value });
        }
        rescued.set_slice(0, rescued.len(), &PyList::empty(self.world.py)).unwrap();
        if expected.is_empty() { Ok(()) } else { Err(format!("nodes {expected:?} aren't finalized")) }
    }
}
