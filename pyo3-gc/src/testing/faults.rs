//! What an instance does that it mustn't, as far as `tp_traverse` shows it.

use std::cmp::Ordering;
use std::collections::HashSet;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::declared::Declared;
use super::observe::{Reached, Traversal, among, count, has_flag, held, traverse, traverse_of_class};
use super::sentinels::{Object, Sentinel, Specimen};
use super::{Declaration, DropCounter, Fault};
use crate::type_names::TypeNames;

/// The faults of the traverse of an instance as it is now.
pub(super) fn faults<'py>(
    specimen: &Specimen<'py>,
    declared: &Declared,
    type_names: &TypeNames<'py>,
) -> PyResult<Vec<Fault>> {
    let Specimen { instance, sentinels, .. } = specimen;
    let owned = held(sentinels, Some(instance));
    let (holds, strangers) = sentinels.iter().zip(&owned).partition::<Vec<_>, _>(|(_, owned)| **owned > 0);
    let names =
        |list: Vec<(&Sentinel<'_>, _)>| list.into_iter().map(|(it, _)| it.name.clone()).collect::<Vec<_>>();
    let mut faults = names(strangers).into_iter().map(|name| Fault::NotOwned { name }).collect::<Vec<_>>();
    let Some(traverse) = traverse(instance) else {
        if !holds.is_empty() {
            faults.push(Fault::NoTraverse { holds: names(holds) });
        }
        return Ok(faults);
    };

    let watched = sentinels.iter().map(|sentinel| &sentinel.object).chain([instance]).collect::<Vec<_>>();
    let before = watched.iter().map(|object| count(object)).collect::<Vec<_>>();
    let [first, second] = [(); 2].map(|()| Traversal::of(instance, traverse, &watched, &before));
    if first.failed || second.failed {
        faults.push(Fault::TraverseFailed);
        return Ok(faults);
    }
    // One reference to the instance is the check's own.
    let own = before[watched.len() - 1].map_or(0, |count| count.saturating_sub(1) as usize);
    let among = among(sentinels, Some(instance));
    let reached = Reached::from(watched.iter().copied(), None);
    let sentinel = |object: Object| sentinels.iter().find(|sentinel| sentinel.pointer() == object);
    let name = |object: Object| match (sentinel(object), reached.get(object)) {
        (Some(sentinel), _) => sentinel.name.clone(),
        (None, Some(object)) => type_names.of(&object.get_type()),
        (None, None) => "an object".to_owned(),
    };

    let unsteady = unsteady(&first, &second);
    let differ =
        unsteady.iter().map(|&(object, first, second)| Fault::Unsteady { name: name(object), first, second });
    faults.extend(sorted(differ));
    let is_unsteady = |object: Object| unsteady.iter().any(|&(known, ..)| known == object);
    for ((object, first), second) in watched.iter().zip(&first.moved).zip(&second.moved) {
        if *first || *second {
            faults.push(Fault::ReferencesMoved { name: name(object.as_ptr()) });
        }
    }
    for ((sentinel, &owned), among) in sentinels.iter().zip(&owned).zip(among) {
        if !is_unsteady(sentinel.pointer()) {
            let visits = reached.visits_of(sentinel.pointer()).saturating_sub(among);
            let hidden = declared.has(Declaration::Hides, &sentinel.name);
            faults.extend(compare(&sentinel.name, owned, visits, hidden));
        }
    }
    let class = instance.get_type();
    let visits = first.visits_of(instance.as_ptr());
    if visits > own && !is_unsteady(instance.as_ptr()) {
        faults.push(Fault::VisitedNotOwned { name: type_names.of(&class), owned: own, visits });
    }
    let inside = |object| {
        let is_judged_elsewhere = object == instance.as_ptr() || object == class.as_ptr();
        sentinel(object).is_none() && !is_unsteady(object) && !is_judged_elsewhere
    };
    let surplus = first.surplus().filter(|&(object, ..)| inside(object));
    faults.extend(sorted(surplus.map(|(object, references, visits)| Fault::OverVisitedInside {
        type_name: name(object),
        references,
        visits,
    })));
    faults.extend(type_visits(instance, first.visits_of(class.as_ptr()))?);
    Ok(faults)
}

/// In an order that doesn't depend on addresses.
fn sorted(faults: impl Iterator<Item = Fault>) -> Vec<Fault> {
    let mut faults = faults.collect::<Vec<_>>();
    faults.sort_by(|a, b| a.name().cmp(&b.name()));
    faults
}

/// What two traversals visit in different numbers, and in which.
fn unsteady(first: &Traversal, second: &Traversal) -> Vec<(Object, usize, usize)> {
    let objects = first.visits.keys().chain(second.visits.keys()).copied().collect::<HashSet<_>>();
    let numbers =
        objects.into_iter().map(|object| (object, first.visits_of(object), second.visits_of(object)));
    numbers.filter(|(_, first, second)| first != second).collect()
}

/// A sentinel's visits against its references.
fn compare(name: &str, owned: usize, visits: usize, hidden: bool) -> Option<Fault> {
    let name = name.to_owned();
    match visits.cmp(&owned) {
        Ordering::Greater => Some(Fault::OverVisited { name, owned, visits }),
        Ordering::Less if !hidden => Some(Fault::NotVisited { name, owned, visits }),
        Ordering::Equal if hidden => Some(Fault::Needless { name, declaration: Declaration::Hides }),
        _ => None,
    }
}

/// Once is right for an instance of a heap type, whatever this version of PyO3 makes of it.
fn type_visits(instance: &Bound<'_, PyAny>, visits: usize) -> PyResult<Option<Fault>> {
    let is_heap_type = has_flag(instance, ffi::Py_TPFLAGS_HEAPTYPE);
    let expected = if is_heap_type { type_visits_by_pyo3(instance.py())? } else { 0 };
    let is_right = visits == expected || is_heap_type && visits == 1;
    Ok((!is_right).then_some(Fault::TypeVisits { expected, visits }))
}

/// Whether the instance's traverse may be stopped: PyO3 0.28 aborts where that of a base class is. (0.29 doesn't, and can't
/// be told from it here.)
pub(super) fn may_be_stopped(instance: &Bound<'_, PyAny>) -> PyResult<bool> {
    let base = instance.get_type().getattr(intern!(instance.py(), "__base__"))?;
    let base_traverses = base.cast::<PyType>().is_ok_and(|base| traverse_of_class(base).is_some());
    Ok(!base_traverses || type_visits_by_pyo3(instance.py())? > 0)
}

/// How often an instance of a PyO3 class visits its type: once from 0.30 on, not at all before.
/// [PyO3/pyo3#6269](https://github.com/PyO3/pyo3/pull/6269)
fn type_visits_by_pyo3(py: Python<'_>) -> PyResult<usize> {
    let object = DropCounter::new().object(py)?;
    let visits = traverse(&object)
        .map(|traverse| Traversal::of(&object, traverse, &[], &[]).visits_of(object.get_type().as_ptr()));
    Ok(visits.unwrap_or(0))
}
