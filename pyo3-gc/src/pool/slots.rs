use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use super::let_go::LetGo;
use super::wakeup::Wakeup;
use crate::__private::{PyVisit, TraverseResult};
use crate::Graveyard;
use crate::attached::{HAS_GIL, if_attached};
use crate::impls::held;
use crate::trashcan::drop_hidden_reference;

/// The objects of a pool, and what its handles refer to.
///
/// A table is locked by attached threads alone, and while they have it they call nothing of Python's but for a reference
/// count that goes up. So they can't be stopped there: with a GIL no other thread runs meanwhile, without one a thread
/// stops only where it calls Python. Hence no table is ever locked while a collection visits, and a thread that waits for
/// one waits for no more than a few instructions.
///
/// Threads that aren't attached touch no table. What they let go of is visited on until an attached thread frees it, so that
/// all passes of a collection see the same.
pub(super) struct Slots {
    tables: [Table; TABLES as usize],
    let_go: LetGo,
    wakeup: Wakeup,
    clearings: AtomicU32,
}

/// Where a slot is.
#[derive(Clone, Copy)]
pub(super) struct Address {
    table: u32,
    index: usize,
}

/// Without a GIL several, for threads that would wait for one another.
const TABLES: u32 = if HAS_GIL { 1 } else { 16 };

/// In a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Table(Mutex<Objects>);

#[derive(Default)]
struct Objects {
    /// `None` for a slot that is free, and for one that was cleared and still has a handle.
    slots: Vec<Option<Py<PyAny>>>,
    free: Vec<usize>,
    len: usize,
}

impl Objects {
    fn insert(&mut self, object: Py<PyAny>) -> usize {
        self.len += 1;
        if let Some(index) = self.free.pop() {
            self.slots[index] = Some(object);
            return index;
        }
        self.slots.push(Some(object));
        self.slots.len() - 1
    }

    /// Frees a slot, whose last handle is gone.
    fn remove(&mut self, index: usize) -> Option<Py<PyAny>> {
        let object = self.slots[index].take();
        self.len -= usize::from(object.is_some());
        self.free.push(index);
        if self.free.len() == self.slots.len() && self.slots.len() > 1024 {
            // All are free. A collection is to walk through no more than it must.
            self.slots = Vec::new();
            self.free = Vec::new();
        }
        object
    }
}

impl Slots {
    pub(super) fn new(py: Python<'_>) -> PyResult<Arc<Self>> {
        let slots = Arc::new(Self {
            tables: Default::default(),
            let_go: LetGo::default(),
            wakeup: Wakeup::default(),
            clearings: AtomicU32::new(0),
        });
        slots.wakeup.set(py, &slots)?;
        Ok(slots)
    }

    fn lock(&self, _: Python<'_>, table: u32) -> MutexGuard<'_, Objects> {
        self.tables[table as usize].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn insert(&self, py: Python<'_>, object: Py<PyAny>) -> Address {
        let table = table_of_this_thread(TABLES);
        Address { index: self.lock(py, table).insert(object), table }
    }

    pub(super) fn get<'py>(&self, py: Python<'py>, slot: Address) -> Option<Bound<'py, PyAny>> {
        let objects = self.lock(py, slot.table);
        Some(objects.slots[slot.index].as_ref()?.bind(py).clone())
    }

    /// Frees a slot, whose last handle is gone, and drops its object: at once if the thread is attached, else as soon as one
    /// is.
    pub(super) fn free(self: &Arc<Self>, slot: Address) {
        let freed = if_attached(|py| {
            self.free_now(py, slot);
            // Mostly done by the wakeup. There is none if there was no memory for it.
            if !self.let_go.is_empty() {
                self.free_let_go(py);
            }
        });
        if freed.is_none() {
            self.let_go.push(slot);
            // Either this thread finds the wakeup, or whoever sets the next one finds the slot.
            fence(Ordering::SeqCst);
            self.wakeup.drop();
        }
    }

    fn free_now(&self, py: Python<'_>, slot: Address) {
        let object = self.lock(py, slot.table).remove(slot.index);
        if let Some(object) = object {
            drop_hidden_reference(object.into_bound(py));
        }
    }

    /// Frees what threads that weren't attached have let go of.
    pub(super) fn free_let_go(self: &Arc<Self>, py: Python<'_>) {
        // Without memory for it, it is the next slot that an attached thread frees that frees all.
        let _ = self.wakeup.set(py, self);
        fence(Ordering::SeqCst);
        for slot in self.let_go.take() {
            self.free_now(py, slot);
        }
    }

    /// Lets go of all objects. The slots stay taken for as long as they have handles.
    pub(super) fn clear(&self, py: Python<'_>, graveyard: &mut Graveyard<'_>) {
        self.clearings.fetch_add(1, Ordering::Relaxed);
        for table in 0..TABLES {
            let mut objects = self.lock(py, table);
            objects.len = 0;
            objects
                .slots
                .iter_mut()
                .filter_map(Option::take)
                .for_each(|object| graveyard.bury_object(object));
        }
    }

    /// How often it was cleared.
    pub(super) fn clearings(&self) -> u32 {
        self.clearings.load(Ordering::Relaxed)
    }

    /// How many objects there are.
    pub(super) fn len(&self, py: Python<'_>) -> usize {
        (0..TABLES).map(|table| self.lock(py, table).len).sum()
    }

    /// Visits every object.
    pub(super) fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        for table in &self.tables {
            // Not locked while a collection visits. Whoever else visits, such as a test, sees a part of the pool.
            let Some(objects) = held(table.0.try_lock()) else { continue };
            for object in &objects.slots {
                visit.call(object)?;
            }
        }
        Ok(())
    }
}

/// Threads take turns.
fn table_of_this_thread(tables: u32) -> u32 {
    static THREADS: AtomicU32 = AtomicU32::new(0);
    thread_local! {
        static THREAD: u32 = THREADS.fetch_add(1, Ordering::Relaxed);
    }
    if tables == 1 { 0 } else { THREAD.with(|thread| thread % tables) }
}
