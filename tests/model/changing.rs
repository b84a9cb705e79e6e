//! The steps of a program that build and change the graph. Each answers `None` if there is nothing that it could be done to.

use super::check::Handle;
use super::graph::{Field, Taken};
use super::kind::{Guard, Holds, Kind, Room, Written};
use super::machine::Machine;
use super::program::{Label, Number};
use super::slot::Slot;
use super::world::with_slot;

/// No more nodes than this are made, with what one may have to be born with.
const MOST_NODES: usize = 200;

fn modulo<T>(among: &[T], number: Number) -> Option<usize> {
    (!among.is_empty()).then(|| usize::from(number) % among.len())
}

impl Machine<'_> {
    pub(super) fn kind(&self, handle: &Handle) -> Kind {
        self.graph.nodes[handle.id].kind
    }

    pub(super) fn has_finalizers(&self) -> bool {
        self.graph.nodes.iter().any(|node| node.kind == Kind::Finalizer)
    }

    /// The handle whose label is the closest from above, among those of some kinds.
    fn pick(&self, label: Label, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        let fitting = (0..self.handles.len()).filter(|index| fits(self.kind(&self.handles[*index])));
        fitting.min_by_key(|index| self.handles[*index].label.wrapping_sub(label))
    }

    /// A handle, and a field of its node.
    pub(super) fn field(&self, node: Label, slot: Number) -> Option<(usize, usize, &Field)> {
        let handle = self.pick(node, |_| true)?;
        let fields = &self.graph.nodes[self.handles[handle].id].fields;
        let index = modulo(fields, slot)?;
        Some((handle, index, &fields[index]))
    }

    /// Lends a field of the node that a handle holds.
    pub(super) fn with_slot<R>(
        &self,
        handle: usize,
        index: usize,
        act: impl FnOnce(&mut dyn Slot) -> R,
    ) -> R {
        let handle = &self.handles[handle];
        with_slot(self.world.py, self.kind(handle), &handle.value, index, act)
    }

    /// One more handle like one that there is.
    pub(super) fn again(&mut self, handle: usize, label: Label) -> Handle {
        let Handle { id, value, .. } = &self.handles[handle];
        self.graph.hold(*id);
        Handle { id: *id, label, value: value.again(self.world.py) }
    }

    pub(super) fn drop_handle(&mut self, handle: Handle) {
        let Handle { id, value, .. } = handle;
        drop(value);
        self.graph.let_go(id);
    }

    pub(super) fn add(&mut self, kind: Kind, label: Label, births: [Label; 2]) -> Option<()> {
        if self.graph.nodes.len() + 1 >= MOST_NODES {
            return None;
        }
        let handle = self.make(kind, label, births);
        self.handles.push(handle);
        Some(())
    }

    fn make(&mut self, kind: Kind, label: Label, births: [Label; 2]) -> Handle {
        let mut labels = births.into_iter().cycle();
        let (mut values, mut edges) = (Vec::new(), Vec::new());
        for (index, rules) in kind.slots().iter().enumerate() {
            if rules.written != Written::AtBirth && rules.room != Room::Always {
                continue;
            }
            let label = labels.next().unwrap_or_default();
            let birth = match self.pick(label, |kind| kind.fits(rules.holds)) {
                Some(fitting) => Some(self.again(fitting, label)),
                None if rules.room == Room::Always => Some(self.make(rules.holds.fresh(), label, births)),
                None => None,
            };
            edges.extend(birth.as_ref().map(|handle| (index, handle.id)));
            values.push(birth.map(|handle| handle.value));
        }
        let id = self.graph.add(kind);
        for (index, to) in edges {
            self.graph.move_in(id, index, to);
        }
        assert!(
            !(self.has_finalizers() && self.graph.nodes.iter().any(|node| node.kind.is_contents())),
            "the model can't foretell what becomes of these"
        );
        Handle { id, label, value: self.world.make(kind, values) }
    }

    pub(super) fn link(&mut self, from: Label, slot: Number, to: Label) -> Option<()> {
        let holds: Holds = self.field(from, slot)?.2.rules.holds;
        let target = self.pick(to, |kind| kind.fits(holds))?;
        let target = self.again(target, to);
        let rejected = self.put(from, slot, target);
        let is_done = rejected.is_none().then_some(());
        if let Some(rejected) = rejected {
            self.drop_handle(rejected);
        }
        is_done
    }

    /// Moves a handle into a slot, or gives it back if it doesn't fit.
    fn put(&mut self, into: Label, slot: Number, target: Handle) -> Option<Handle> {
        let Some((handle, index, field)) = self.field(into, slot) else { return Some(target) };
        let is_open = match field.rules.written {
            Written::Anytime => field.taken == Taken::No && !field.is_crowded(),
            Written::Once => field.edges.is_empty(),
            Written::AtBirth => false,
        };
        if !is_open || !self.kind(&target).fits(field.rules.holds) {
            return Some(target);
        }
        let (key, replaced) = self.graph.move_in(self.handles[handle].id, index, target.id);
        let old = self.with_slot(handle, index, |slot| slot.put(key, target.value));
        drop(old);
        self.graph.release(replaced);
        None
    }

    /// Moves an edge's reference out of a slot.
    fn take(&mut self, from: Label, slot: Number, edge: Number, label: Label) -> Option<Handle> {
        let (handle, index, field) = self.field(from, slot)?;
        let is_open = field.rules.written == Written::Anytime
            && field.rules.room != Room::Always
            && field.taken == Taken::No;
        let position = modulo(&field.edges, edge).filter(|_| is_open)?;
        let key = field.edges[position].key;
        let value = self.with_slot(handle, index, |slot| slot.take(position, key));
        let id = self.graph.move_out(self.handles[handle].id, index, position);
        Some(Handle { id, label, value })
    }

    pub(super) fn unlink(&mut self, from: Label, slot: Number, edge: Number) -> Option<()> {
        let handle = self.take(from, slot, edge, from)?;
        self.drop_handle(handle);
        Some(())
    }

    pub(super) fn move_edge(
        &mut self,
        from: Label,
        slot: Number,
        edge: Number,
        into: Label,
        its_slot: Number,
    ) -> Option<()> {
        let handle = self.take(from, slot, edge, into)?;
        let left = self.put(into, its_slot, handle);
        self.handles.extend(left);
        Some(())
    }

    pub(super) fn follow(&mut self, from: Label, slot: Number, edge: Number, label: Label) -> Option<()> {
        let (handle, index, field) = self.field(from, slot)?;
        let id = field.edges[modulo(&field.edges, edge).filter(|_| field.taken != Taken::ForWriting)?].to;
        let values = self.with_slot(handle, index, |slot| slot.values(self.world.py));
        let address = self.world.nodes[id].address;
        let value = values
            .into_iter()
            .find(|value| value.address() == address)
            .expect("it is an edge of the model's");
        self.graph.hold(id);
        self.handles.push(Handle { id, label, value });
        Some(())
    }

    pub(super) fn clone_handle(&mut self, label: Label) -> Option<()> {
        let again = self.again(self.pick(label, |_| true)?, label);
        self.handles.push(again);
        Some(())
    }

    pub(super) fn drop_one(&mut self, label: Label) -> Option<()> {
        let handle = self.handles.swap_remove(self.pick(label, |_| true)?);
        self.drop_handle(handle);
        Some(())
    }

    pub(super) fn clear(&mut self, node: Label) -> Option<()> {
        let index = self.pick(node, |kind| !kind.is_python())?;
        self.graph.clear(self.handles[index].id);
        self.world.clear(&mut self.handles[index].value);
        Some(())
    }

    pub(super) fn poison(&mut self, node: Label, slot: Number) -> Option<()> {
        let (handle, index, field) = self.field(node, slot)?;
        if field.rules.guard == Guard::None || field.taken != Taken::No {
            return None;
        }
        self.with_slot(handle, index, |slot| slot.poison());
        Some(())
    }

    pub(super) fn lock_forever(&mut self, node: Label, slot: Number, for_writing: bool) -> Option<()> {
        let (handle, index, field) = self.field(node, slot)?;
        if field.rules.guard == Guard::None || field.taken != Taken::No {
            return None;
        }
        // A mutex knows no readers.
        let for_writing = for_writing || field.rules.guard == Guard::Mutex;
        self.with_slot(handle, index, |slot| slot.lock_forever(for_writing));
        let taken = if for_writing { Taken::ForWriting } else { Taken::ForReading };
        self.graph.nodes[self.handles[handle].id].fields[index].taken = taken;
        Some(())
    }
}
