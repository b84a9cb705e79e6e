//! The model of the collector: what it finds, and what is left when it is done.

use std::mem;

use super::graph::{Field, Graph, Id, Past};
use super::kind::Kind;

impl Graph {
    /// Collects until nothing changes any more, and answers how many rounds that takes at most.
    ///
    /// Whoever clears garbage one object after another finds an `Arc` to be shared or not by the order in which the
    /// objects come. Here, each round judges by how things were when it began, so that a real round gets at least as far.
    /// The end is the same: every step takes an edge away or shows one that was hidden, which only makes more garbage.
    /// (A `__del__` that stores its object does the opposite. Programs with finalizers therefore share no `Arc`.)
    pub(crate) fn collect(&mut self) -> usize {
        let mut rounds = 0;
        while self.collect_once() {
            rounds += 1;
        }
        rounds
    }

    /// One round; whether it changed anything.
    fn collect_once(&mut self) -> bool {
        let is_object = |id: &Id| self.nodes[*id].is_alive && !self.nodes[*id].kind.is_contents();
        let objects: Vec<Id> = (0..self.nodes.len()).filter(is_object).collect();
        let suspects = self.not_held_from_outside(&objects);
        let mut changed = false;
        for &id in &suspects {
            self.nodes[id].past = self.nodes[id].past.max(Past::Suspected);
            if self.nodes[id].kind == Kind::Finalizer && !self.nodes[id].is_finalized {
                self.finalize(id);
                changed = true;
            }
        }
        let garbage = if changed { self.not_held_from_outside(&suspects) } else { suspects };
        let mut emptied = Vec::new();
        for &id in &garbage {
            self.nodes[id].past = Past::Cleared;
            self.find_emptied(id, !self.nodes[id].kind.is_frozen(), &mut emptied);
        }
        let references = self.empty(&emptied);
        changed |= !references.is_empty();
        self.release(references);
        changed
    }

    /// Those of `objects` that are garbage, if only they are asked what they hold. Held from outside is what a handle
    /// leads to, and where a reference leads that none of them shows; and whatever those show.
    fn not_held_from_outside(&self, objects: &[Id]) -> Vec<Id> {
        let mut shown: Vec<Vec<bool>> =
            self.nodes.iter().map(|node| vec![false; node.fields.len()]).collect();
        for &id in objects {
            self.for_shown_fields(id, &mut |owner, index, _| {
                assert!(!mem::replace(&mut shown[owner][index], true), "shown twice");
            });
        }
        let mut left: Vec<Id> = objects.iter().copied().filter(|id| self.handles[*id] > 0).collect();
        for (owner, node) in self.nodes.iter().enumerate() {
            for (index, field) in node.fields.iter().enumerate() {
                if !field.edges.is_empty() && !shown[owner][index] {
                    left.extend(field.edges.iter().map(|edge| edge.to));
                }
            }
        }
        let mut is_suspect = vec![false; self.nodes.len()];
        for &id in objects {
            is_suspect[id] = true;
        }
        while let Some(id) = left.pop() {
            if mem::replace(&mut is_suspect[id], false) {
                self.for_shown_fields(id, &mut |_, _, field| {
                    left.extend(field.edges.iter().map(|edge| edge.to));
                });
            }
        }
        objects.iter().copied().filter(|id| is_suspect[*id]).collect()
    }

    /// The fields that an object shows: its own, and those of contents that it shares with nobody.
    fn for_shown_fields(&self, id: Id, act: &mut dyn FnMut(Id, usize, &Field)) {
        for (index, field) in self.nodes[id].fields.iter().enumerate() {
            if field.is_seen() && !field.edges.is_empty() {
                act(id, index, field);
                for edge in self.edges_to_sole_contents(field) {
                    self.for_shown_fields(edge.to, act);
                }
            }
        }
    }
}
