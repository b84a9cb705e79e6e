//! What can be seen of an instance from outside: what it visits, and what becomes of reference counts meanwhile.

use std::collections::{HashMap, HashSet};
use std::ffi::{c_int, c_ulong};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::sentinels::{Object, Sentinel};
use crate::heap::{Object as Live, Traverse, Type};

/// How many references there are to the object.
pub(super) fn count(object: &Bound<'_, PyAny>) -> Option<u32> {
    Live::of(object).references()
}

/// Whether the object's type has one of the flags `Py_TPFLAGS_…`.
pub(super) fn has_flag(object: &Bound<'_, PyAny>, flag: c_ulong) -> bool {
    Live::of(object).ty().has(flag)
}

/// The `tp_traverse` that the collector calls for the object, if it looks at it at all.
pub(super) fn traverse<'a>(object: &'a Bound<'_, PyAny>) -> Option<Traverse<'a>> {
    Live::of(object).ty().traverse()
}

/// The `tp_traverse` of a class.
pub(super) fn traverse_of_class<'a>(class: &'a Bound<'_, PyType>) -> Option<Traverse<'a>> {
    Type::of(class).traverse()
}

/// Calls the object's `tp_clear`, if it has one, as the collector does. What it raises comes out as text.
pub(super) fn call_clear(object: &Bound<'_, PyAny>) -> Result<(), String> {
    let Some(clear) = Live::of(object).ty().clear() else { return Ok(()) };
    // SAFETY: `object` is alive and the slot its type's.
    let returned = unsafe { clear(object.as_ptr()) };
    // PyO3 has made a panic an exception, and makes it a panic again.
    match catch_unwind(AssertUnwindSafe(|| PyErr::take(object.py()))) {
        Ok(Some(error)) => Err(error.to_string()),
        Ok(None) if returned != 0 => Err("an error without an exception".to_owned()),
        Ok(None) => Ok(()),
        Err(payload) => Err(payload.downcast().map_or_else(|_| "a panic".to_owned(), |text| *text)),
    }
}

/// One call of an instance's `tp_traverse`.
pub(super) struct Traversal {
    pub(super) failed: bool,
    /// What it visited: how often, and the least reference count that was seen.
    pub(super) visits: HashMap<Object, (usize, Option<u32>)>,
    /// Which of the objects watched had another reference count than before, at any visit or afterwards.
    pub(super) moved: Vec<bool>,
}

impl Traversal {
    pub(super) fn of(
        instance: &Bound<'_, PyAny>,
        traverse: Traverse<'_>,
        watched: &[&Bound<'_, PyAny>],
        before: &[Option<u32>],
    ) -> Self {
        let mut seen = HashMap::<Object, (usize, Option<u32>)>::new();
        let mut moved = vec![false; watched.len()];
        let mut watch = || {
            for ((object, before), moved) in watched.iter().zip(before).zip(&mut moved) {
                *moved |= count(object) != *before;
            }
        };
        let mut see = |target: Live<'_>| {
            watch();
            let references = target.references();
            let (visits, least) = seen.entry(target.as_ptr()).or_insert((0, references));
            *visits += 1;
            *least = references.min(*least);
        };
        let failed = !traverse.call(Live::of(instance), &mut see);
        watch();
        Self { failed, visits: seen, moved }
    }

    pub(super) fn visits_of(&self, object: Object) -> usize {
        self.visits.get(&object).map_or(0, |&(visits, _)| visits)
    }

    /// How often the visitor was called.
    pub(super) fn calls(&self) -> usize {
        self.visits.values().map(|(visits, _)| visits).sum()
    }

    /// New references to what was visited, and how often each was. To be asked before anything is let go of.
    pub(super) fn visited<'py>(&self, py: Python<'py>) -> impl Iterator<Item = (Bound<'py, PyAny>, usize)> {
        self.visits.iter().map(move |(&object, &(visits, _))| {
            // SAFETY: the instance is as it was when it visited this, which is alive; the thread is attached.
            (unsafe { Bound::from_borrowed_ptr(py, object) }, visits)
        })
    }

    /// What was visited more often than there are references to it: the object, its references and visits.
    pub(super) fn surplus(&self) -> impl Iterator<Item = (Object, usize, usize)> {
        let counted = |(&object, &(visits, least)): (&Object, &(usize, Option<u32>))| {
            Some((object, least? as usize, visits))
        };
        self.visits.iter().filter_map(counted).filter(|(_, references, visits)| visits > references)
    }
}

/// Shows `see` what the instance visits. It must not panic.
pub(super) fn show_visits(instance: &Bound<'_, PyAny>, traverse: Traverse<'_>, mut see: impl FnMut(Object)) {
    traverse.call(Live::of(instance), &mut |target| see(target.as_ptr()));
}

/// Whether the instance's `tp_traverse` returns the failure of a visitor that fails at its call number `at`, and visits
/// nothing more.
pub(super) fn passes_failures_on(instance: &Bound<'_, PyAny>, traverse: Traverse<'_>, at: usize) -> bool {
    /// What a visitor may return that isn't 0.
    const FAILURE: c_int = 7;

    let mut calls = 0;
    let returned = traverse.call_with(Live::of(instance), &mut |_| {
        calls += 1;
        if calls == at { FAILURE } else { 0 }
    });
    returned == FAILURE && calls == at
}

/// What the instance alone keeps alive, of what it visits and of what that visits in turn: what the collector clears with
/// it, once it is garbage. `others` and what they lead to aren't part of it.
pub(super) fn belongings<'py>(
    instance: &Bound<'py, PyAny>,
    others: &[&Bound<'py, PyAny>],
) -> Vec<Bound<'py, PyAny>> {
    let mut graph = HashMap::<Object, (Bound<'py, PyAny>, Vec<Object>)>::new();
    let mut pending = vec![instance.clone()];
    while let Some(object) = pending.pop() {
        let mut targets = Vec::new();
        let is_looked_into = !is_shared(&object) && !others.iter().any(|other| other.is(&object));
        if let (true, Some(traverse)) = (is_looked_into, traverse(&object)) {
            show_visits(&object, traverse, |target| targets.push(target));
        }
        for &target in &targets {
            if target != object.as_ptr() && !graph.contains_key(&target) {
                // SAFETY: `object` visited this just now, and is as it was; the thread is attached.
                pending.push(unsafe { Bound::from_borrowed_ptr(object.py(), target) });
            }
        }
        graph.insert(object.as_ptr(), (object, targets));
        pending.retain(|object| !graph.contains_key(&object.as_ptr()));
    }
    // As the collector does it: what has references but for the visits and the one in the graph is held from outside, and
    // keeps alive what it leads to.
    let mut visited = HashMap::<Object, usize>::new();
    for target in graph.values().flat_map(|(_, targets)| targets) {
        *visited.entry(*target).or_default() += 1;
    }
    let is_held = |object: &Bound<'py, PyAny>| {
        let visits = visited.get(&object.as_ptr()).map_or(0, |visits| *visits);
        is_shared(object) || count(object).is_none_or(|references| references as usize > visits + 1)
    };
    let mut alive =
        graph.values().filter(|(object, _)| !object.is(instance) && is_held(object)).collect::<Vec<_>>();
    let mut reached = alive.iter().map(|(object, _)| object.as_ptr()).collect::<HashSet<_>>();
    while let Some((_, targets)) = alive.pop() {
        for target in targets {
            if reached.insert(*target) {
                alive.extend(graph.get(target));
            }
        }
    }
    reached.insert(instance.as_ptr());
    let is_own = |object: &Bound<'py, PyAny>| !reached.contains(&object.as_ptr());
    graph.into_values().map(|(object, _)| object).filter(is_own).collect()
}

/// Classes and modules lead to half of the interpreter.
fn is_shared(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<PyType>().is_ok() || object.cast::<PyModule>().is_ok()
}

/// What can be reached from some objects, and how often it is visited. Keeps all of it alive.
pub(super) struct Reached<'py>(HashMap<Object, (Bound<'py, PyAny>, usize)>);

impl<'py> Reached<'py> {
    /// Classes and modules aren't looked into, nor what `stop_at` visits: it would be half of the interpreter.
    pub(super) fn from<'a>(
        roots: impl IntoIterator<Item = &'a Bound<'py, PyAny>>,
        stop_at: Option<&Bound<'py, PyAny>>,
    ) -> Self
    where
        'py: 'a,
    {
        let mut pending = roots.into_iter().cloned().collect::<Vec<_>>();
        let mut reached =
            pending.iter().map(|root| (root.as_ptr(), (root.clone(), 0))).collect::<HashMap<_, _>>();
        while let Some(object) = pending.pop() {
            if is_shared(&object) || stop_at.is_some_and(|stop| stop.is(&object)) {
                continue;
            }
            let Some(traverse) = traverse(&object) else { continue };
            let mut see = |target: Live<'_>| {
                let (_, visits) = reached.entry(target.as_ptr()).or_insert_with(|| {
                    let target = target.to_bound(object.py());
                    pending.push(target.clone());
                    (target, 0)
                });
                *visits += 1;
            };
            traverse.call(Live::of(&object), &mut see);
        }
        Self(reached)
    }

    pub(super) fn visits_of(&self, object: Object) -> usize {
        self.0.get(&object).map_or(0, |&(_, visits)| visits)
    }

    pub(super) fn get(&self, object: Object) -> Option<&Bound<'py, PyAny>> {
        self.0.get(&object).map(|(object, _)| object)
    }
}

/// How many references to each sentinel there are but for the check's own, and for those that other sentinels visit:
/// what the instance holds, itself or through what belongs to it. Those that come through the instance are its own.
pub(super) fn held<'py>(sentinels: &[Sentinel<'py>], instance: Option<&Bound<'py, PyAny>>) -> Vec<usize> {
    let among = among(sentinels, instance);
    let references =
        sentinels.iter().map(|sentinel| count(&sentinel.object).map_or(0, |count| count as usize));
    references.zip(among).map(|(references, among)| references.saturating_sub(1 + among)).collect()
}

/// How often the sentinels visit each other.
pub(super) fn among<'py>(sentinels: &[Sentinel<'py>], instance: Option<&Bound<'py, PyAny>>) -> Vec<usize> {
    let reached = Reached::from(sentinels.iter().map(|sentinel| &sentinel.object), instance);
    sentinels.iter().map(|sentinel| reached.visits_of(sentinel.pointer())).collect()
}
