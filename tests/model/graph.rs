//! The model: what owns what, in plain Rust. Counting alone decides here who lives; `collector.rs` adds the collector.

use std::{fmt, mem};

use super::kind::{Emptied, Guard, Kind, Room, Slot};

/// A node, by the order in which they are made.
pub(crate) type Id = usize;

/// One reference, owned by the slot that it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Id,
    /// Unlike that of any other edge in the slot, as the keys of a map are.
    pub(crate) key: u8,
}

/// What has become of a slot's lock for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    No,
    ForReading,
    ForWriting,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) rules: &'static Slot,
    pub(crate) edges: Vec<Edge>,
    pub(crate) taken: Taken,
}

impl Field {
    /// Whether the collector is shown the edges.
    pub(crate) fn is_seen(&self) -> bool {
        self.rules.seen && self.taken != Taken::ForWriting
    }

    /// Whether clearing lets go of the edges, through `&mut` or only through `&`.
    pub(crate) fn is_emptied(&self, exclusive: bool) -> bool {
        match self.rules.emptied {
            Emptied::Never => false,
            Emptied::ThroughMut => exclusive,
            Emptied::ThroughLock => exclusive || self.taken == Taken::No,
        }
    }

    /// Whether there is no room for one more edge, though there is room for several.
    pub(crate) fn is_crowded(&self) -> bool {
        matches!(self.rules.room, Room::UpTo(most) if self.edges.len() >= most)
    }
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) fields: Vec<Field>,
    /// The reference count: edges that lead here, and handles.
    pub(crate) owners: usize,
    pub(crate) is_alive: bool,
    /// Its `__del__` has run, which happens once.
    pub(crate) is_finalized: bool,
    pub(crate) past: Past,
}

/// What the collector has done to a node, whatever became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Past {
    Unharmed,
    /// It was found to be garbage: its weak references may be dead.
    Suspected,
    Cleared,
}

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// How many handles the test holds of each node.
    pub(crate) handles: Vec<usize>,
    /// Nodes whose `__del__` has stored them, and that have a handle for it.
    pub(crate) rescued: Vec<Id>,
}

impl Graph {
    /// Adds a node without edges, and a handle of it.
    pub(crate) fn add(&mut self, kind: Kind) -> Id {
        let fields = kind.slots().iter();
        let fields = fields.map(|rules| Field { rules, edges: Vec::new(), taken: Taken::No }).collect();
        self.nodes.push(Node {
            kind,
            fields,
            owners: 1,
            is_alive: true,
            is_finalized: false,
            past: Past::Unharmed,
        });
        self.handles.push(1);
        self.nodes.len() - 1
    }

    /// One more handle.
    pub(crate) fn hold(&mut self, id: Id) {
        self.nodes[id].owners += 1;
        self.handles[id] += 1;
    }

    /// One handle less.
    pub(crate) fn let_go(&mut self, id: Id) {
        self.handles[id] -= 1;
        self.release([id]);
    }

    /// Moves a handle into a field: the reference count stays. What the field held before, if it has room for one only, is
    /// no longer in there, but not yet released.
    pub(crate) fn move_in(&mut self, from: Id, field: usize, to: Id) -> (u8, Option<Id>) {
        self.handles[to] -= 1;
        let field = &mut self.nodes[from].fields[field];
        let has_room = matches!(field.rules.room, Room::UpTo(_));
        let replaced = if has_room { None } else { field.edges.pop() };
        let is_free = |key: &u8| field.edges.iter().all(|edge| edge.key != *key);
        let key = (0..=u8::MAX).find(is_free).expect("a field has fewer edges than there are keys");
        field.edges.push(Edge { to, key });
        (key, replaced.map(|edge| edge.to))
    }

    /// Moves an edge out of a field, into a handle of what it leads to.
    pub(crate) fn move_out(&mut self, from: Id, field: usize, position: usize) -> Id {
        let to = self.nodes[from].fields[field].edges.remove(position).to;
        self.handles[to] += 1;
        to
    }

    /// References that nobody owns any more: what has no other goes, and so does what only that held.
    pub(crate) fn release(&mut self, references: impl IntoIterator<Item = Id>) {
        let mut references = Vec::from_iter(references);
        while let Some(id) = references.pop() {
            let node = &mut self.nodes[id];
            node.owners -= 1;
            if node.owners > 0 {
                continue;
            }
            if node.kind == Kind::Finalizer && !node.is_finalized {
                self.finalize(id);
                continue;
            }
            node.is_alive = false;
            for field in &mut node.fields {
                references.extend(mem::take(&mut field.edges).iter().map(|edge| edge.to));
            }
        }
    }

    /// Runs `__del__`.
    pub(crate) fn finalize(&mut self, id: Id) {
        self.nodes[id].is_finalized = true;
        self.hold(id);
        self.rescued.push(id);
    }

    /// Clears a node by hand, as its hooks do: through `&mut` or `&`, as the kind of class has it. Contents are cleared by
    /// their only owner, and by no other.
    pub(crate) fn clear(&mut self, id: Id) {
        if self.nodes[id].kind.is_contents() && self.nodes[id].owners > 1 {
            return;
        }
        let mut emptied = Vec::new();
        self.find_emptied(id, !self.nodes[id].kind.is_frozen(), &mut emptied);
        let references = self.empty(&emptied);
        self.release(references);
    }

    /// The fields that clearing `id` empties: its own, and those of contents that it shares with nobody.
    pub(crate) fn find_emptied(&self, id: Id, exclusive: bool, emptied: &mut Vec<(Id, usize)>) {
        for (index, field) in self.nodes[id].fields.iter().enumerate() {
            if field.is_emptied(exclusive) {
                emptied.push((id, index));
            } else if field.rules.guard == Guard::None {
                for edge in self.edges_to_sole_contents(field) {
                    self.find_emptied(edge.to, exclusive, emptied);
                }
            }
        }
    }

    pub(crate) fn edges_to_sole_contents<'a>(&'a self, field: &'a Field) -> impl Iterator<Item = &'a Edge> {
        let is_sole = |edge: &&Edge| {
            let to = &self.nodes[edge.to];
            to.kind.is_contents() && to.owners == 1
        };
        field.edges.iter().filter(is_sole)
    }

    /// Empties fields. What they held isn't released yet: everything is moved out before anything is dropped.
    pub(crate) fn empty(&mut self, fields: &[(Id, usize)]) -> Vec<Id> {
        let mut references = Vec::new();
        for &(id, field) in fields {
            let edges = mem::take(&mut self.nodes[id].fields[field].edges);
            references.extend(edges.iter().map(|edge| edge.to));
        }
        references
    }
}

/// Who is alive, and what it leads to.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "in the model, these are alive:")?;
        for (id, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.is_alive) {
            write!(f, "    node {id} {:?}, {} handles:", node.kind, self.handles[id])?;
            for field in &node.fields {
                let targets: Vec<Id> = field.edges.iter().map(|edge| edge.to).collect();
                write!(f, " {targets:?}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
