//! Runs a program: does what it says to the model and to the real objects alike, and compares them after each step.

use std::mem;

use pyo3::prelude::*;

use super::check::{self, Handle};
use super::coverage::Coverage;
use super::graph::Graph;
use super::program::{Op, Program};
use super::world::World;

pub(crate) struct Machine<'py> {
    pub(super) world: World<'py>,
    pub(super) graph: Graph,
    pub(super) handles: Vec<Handle>,
    pub(super) coverage: Coverage,
}

/// Runs a program on an empty graph, and in the end lets go of all handles and collects. What it came by, or what is wrong.
pub(crate) fn run(py: Python<'_>, program: &Program) -> Result<Coverage, String> {
    let world = World::new(py);
    world.environment.freeze(py);
    let (graph, handles) = (Graph::default(), Vec::new());
    let mut machine = Machine { world, graph, handles, coverage: Coverage::default() };
    for (number, op) in program.0.iter().enumerate() {
        let result = machine.step(*op);
        result.map_err(|error| format!("{error}, after step {number}, {op:?}; {}", machine.graph))?;
    }
    machine.finish().map_err(|error| format!("{error}, all handles being dropped; {}", machine.graph))?;
    machine.coverage.finish(&machine.graph);
    Ok(machine.coverage)
}

impl Machine<'_> {
    fn step(&mut self, op: Op) -> Result<(), String> {
        let done = match op {
            Op::Add(kind, label, births) => self.add(kind, label, births),
            Op::Link(from, slot, to) => self.link(from, slot, to),
            Op::Unlink(from, slot, edge) => self.unlink(from, slot, edge),
            Op::Move(from, slot, edge, into, its_slot) => self.move_edge(from, slot, edge, into, its_slot),
            Op::Follow(from, slot, edge, label) => self.follow(from, slot, edge, label),
            Op::Clone(label) => self.clone_handle(label),
            Op::Drop(label) => self.drop_one(label),
            Op::Clear(node) => self.clear(node),
            Op::Poison(node, slot) => self.poison(node, slot),
            Op::LockForever(node, slot, for_writing) => self.lock_forever(node, slot, for_writing),
            Op::CollectWhileBusy(node, slot) => self.collect_while_busy(node, slot),
            Op::Collect => {
                self.collect();
                Some(())
            }
            Op::CollectYoung(one) => {
                self.collect_young(u8::from(!one))?;
                Some(())
            }
        };
        if done.is_some() {
            self.coverage.steps += 1;
            *self.coverage.by_step.entry(op.name()).or_default() += 1;
        }
        self.check(op.clears())
    }

    /// Lets go of everything, also of what destructors bring back while it does.
    fn finish(&mut self) -> Result<(), String> {
        loop {
            for handle in mem::take(&mut self.handles) {
                self.drop_handle(handle);
            }
            self.check(false)?;
            self.collect();
            self.check(true)?;
            if self.handles.is_empty() {
                return Ok(());
            }
        }
    }

    fn check(&mut self, edges: bool) -> Result<(), String> {
        let reports = self.world.environment.reports.bind(self.world.py);
        if !reports.is_empty() {
            return Err(format!("hooks or destructors raise {reports}"));
        }
        self.find_rescued()?;
        check::probes(&self.graph, &self.world)?;
        if edges {
            check::weak_references(&self.graph, &self.world)?;
            check::edges(&self.graph, &self.world, &self.handles)?;
        }
        Ok(())
    }
}
