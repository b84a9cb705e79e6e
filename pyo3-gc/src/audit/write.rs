//! From what was counted to the report: types get names, the allow-list is applied, lists are cut.

use std::cell::RefCell;
use std::collections::HashMap;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::allow::names as pattern_names;
use super::count::{TypeCount, UNCOUNTED};
use super::heap::Heap;
use super::report::{
    Allowed, Evidence, Fault, Findings, Held, Holder, OverVisited, Report, TypeVisits, Unexplained, Unsteady,
    Visitor,
};
use super::slips::Slip;
use super::surplus::owned;
use super::survey::Survey;
use super::suspects::{Shape, Shapes, Suspects};
use crate::heap::{Object, Type, TypeNames, type_of};

/// The names of the types that were met.
pub(super) struct Names<'py> {
    py: Python<'py>,
    getters: TypeNames<'py>,
    known: RefCell<HashMap<Type, String>>,
}

impl<'py> Names<'py> {
    pub(super) fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { py, getters: TypeNames::new(py)?, known: RefCell::default() })
    }

    /// `ty` has been met in the walk.
    fn of(&self, ty: Type) -> String {
        if let Some(name) = self.known.borrow().get(&ty) {
            return name.clone();
        }
        let name = self.getters.of(&self.bound(ty));
        self.known.borrow_mut().insert(ty, name.clone());
        name
    }

    fn bound(&self, ty: Type) -> Bound<'py, PyType> {
        // SAFETY: a type that has been met is alive: it is static, or its instance is, which owns a reference to it and
        // is itself kept by the heap, or owned by such an object.
        let object = unsafe { Bound::from_borrowed_ptr(self.py, ty.cast()) };
        // SAFETY: the type of an object is a type.
        unsafe { object.cast_into_unchecked() }
    }

    /// The types that were met, those that one of the patterns names first, and how large their instances are.
    pub(super) fn shapes(&self, patterns: &[String], survey: &Survey) -> PyResult<[Shapes; 2]> {
        let sizes = self.py.get_type::<PyType>().getattr(intern!(self.py, "__dict__"))?;
        let size = |name: &str, ty: &Bound<'py, PyType>| {
            sizes.get_item(name)?.call_method1(intern!(self.py, "__get__"), (ty,))?.extract::<usize>()
        };
        let mut shapes = [Shapes::default(), Shapes::default()];
        let met = survey.count.types.iter().map(|known| known.ty).chain(survey.untracked.iter().copied());
        for ty in met.filter(|_| !patterns.is_empty()) {
            let is_wanted = patterns.iter().any(|pattern| pattern_names(pattern, &self.of(ty)));
            let bound = self.bound(ty);
            let shape = Shape { basic: size("__basicsize__", &bound)?, item: size("__itemsize__", &bound)? };
            shapes[usize::from(!is_wanted)].insert(ty, shape);
        }
        Ok(shapes)
    }

    /// The name of a class.
    fn class(&self, object: Object) -> Option<String> {
        // SAFETY: the object is kept alive by the heap.
        let is_class = unsafe { ffi::PyType_Check(object) } != 0;
        is_class.then(|| self.getters.of(&self.bound(object.cast())))
    }
}

/// Applies the allow-list and the limit.
pub(super) struct Writer<'py> {
    names: Names<'py>,
    allowed: RefCell<Vec<Allowed>>,
    limit: usize,
}

impl<'py> Writer<'py> {
    pub(super) fn new(names: Names<'py>, allow: Vec<(String, String)>, limit: usize) -> Self {
        let allowed = allow.into_iter().map(|(pattern, reason)| Allowed { pattern, reason, findings: 0 });
        Self { names, allowed: RefCell::new(allowed.collect()), limit }
    }

    pub(super) fn report(
        self,
        heap: &Heap<'_>,
        survey: &Survey,
        suspects: &Suspects,
        wanted: &Shapes,
    ) -> Report {
        let count = &survey.count;
        let counted = || count.cells.iter().filter(|cell| cell.references != UNCOUNTED);
        let visits = count.cells.iter().map(|cell| cell.visits).chain(count.borrowed.iter().copied());
        Report {
            objects: heap.objects().len(),
            references: counted().map(|cell| u64::from(owned(cell.references))).sum(),
            visits: visits.map(u64::from).sum(),
            uncounted: heap.objects().len() - counted().count(),
            frozen: 0,
            over_visited: self.over_visited(survey),
            unsteady: self.unsteady(survey),
            type_visits: self.type_visits(heap, survey, wanted),
            holders: self.holders(suspects),
            unexplained: self.unexplained(suspects),
            allowed: self.allowed.into_inner(),
        }
    }

    /// Keeps out what is allowed by one of the names, and lists the first of the rest.
    fn findings<T>(&self, all: impl Iterator<Item = T>, names: impl Fn(&T) -> Vec<&str>) -> Findings<T> {
        let mut findings = Findings::default();
        for finding in all {
            let names = names(&finding);
            let mut allowed = self.allowed.borrow_mut();
            let entry =
                allowed.iter_mut().find(|entry| names.iter().any(|name| pattern_names(&entry.pattern, name)));
            if let Some(entry) = entry {
                entry.findings += 1;
                continue;
            }
            findings.total += 1;
            if findings.listed.len() < self.limit {
                findings.listed.push(finding);
            }
        }
        findings
    }

    fn over_visited(&self, survey: &Survey) -> Findings<OverVisited> {
        let all = survey.surplus.iter().map(|surplus| {
            let visitors = surplus.visitors.iter().map(|visitors| Visitor {
                type_name: self.names.of(visitors.ty),
                objects: visitors.objects,
                visits: visitors.visits,
            });
            let mut visitors = visitors.collect::<Vec<_>>();
            visitors.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.type_name.cmp(&b.type_name)));
            OverVisited {
                // SAFETY: the object is kept alive by the heap.
                type_name: self.names.of(unsafe { type_of(surplus.object) }),
                class_name: self.names.class(surplus.object),
                address: surplus.object as usize,
                references: surplus.references as usize,
                visits: surplus.visits as usize,
                visitors,
            }
        });
        self.findings(all, |it| {
            let visitors = it.visitors.iter().map(|visitor| &*visitor.type_name);
            visitors.chain([&*it.type_name]).chain(it.class_name.as_deref()).collect()
        })
    }

    fn unsteady(&self, survey: &Survey) -> Findings<Unsteady> {
        let all = survey.count.slips.iter().map(|(ty, slip, objects, first)| Unsteady {
            type_name: self.names.of(*ty),
            objects: *objects,
            address: *first as usize,
            fault: match slip {
                Slip::Failed => Fault::Failed,
                Slip::Answers { first, second } => Fault::Answers { first: *first, second: *second },
                Slip::References { of } => Fault::References { of: self.names.of(*of) },
            },
        });
        self.findings(all, |it| vec![&it.type_name])
    }

    fn type_visits(&self, heap: &Heap<'_>, survey: &Survey, wanted: &Shapes) -> Findings<TypeVisits> {
        let all = survey.count.types.iter().filter_map(|known| {
            let (least, most) = known.own;
            let (expected, visits) = if is_heap_type(known) {
                // A type that is missed is never collected, which matters for few: a suspect. One that is visited too
                // often is a bug only if the references don't allow for it: an instance may hold its type as a value.
                match () {
                    () if most == 0 && wanted.contains_key(&known.ty) => (1, 0),
                    () if least > 1 && least != u32::MAX && has_surplus(heap, survey, known) => (1, least),
                    () => return None,
                }
            } else if least > 0 && least != u32::MAX {
                (0, least)
            } else {
                return None;
            };
            let type_name = self.names.of(known.ty);
            Some(TypeVisits { type_name, objects: known.objects, expected, visits: visits as usize })
        });
        let mut all = all.collect::<Vec<_>>();
        all.sort_by(|a, b| a.type_name.cmp(&b.type_name));
        self.findings(all.into_iter(), |it| vec![&it.type_name])
    }

    fn holders(&self, suspects: &Suspects) -> Findings<Holder> {
        let all = suspects.holders.iter().map(|(&(ty, tracked), holding)| {
            // Types that were made by the same code have the same name.
            let mut by_name = HashMap::<String, usize>::new();
            for (&ty, references) in &holding.held {
                *by_name.entry(self.names.of(ty)).or_default() += references;
            }
            let held = by_name.into_iter().map(|(type_name, references)| Held { type_name, references });
            let mut held = held.collect::<Vec<_>>();
            held.sort_by(|a, b| b.references.cmp(&a.references).then_with(|| a.type_name.cmp(&b.type_name)));
            let evidence = suspects.evidence.unwrap_or(Evidence::Reaches);
            Holder { type_name: self.names.of(ty), tracked, objects: holding.objects, held, evidence }
        });
        let mut all = all.collect::<Vec<_>>();
        all.sort_by(|a, b| a.type_name.cmp(&b.type_name));
        self.findings(all.into_iter(), |it| vec![&it.type_name])
    }

    fn unexplained(&self, suspects: &Suspects) -> Findings<Unexplained> {
        let all = suspects.unexplained.iter().map(|(&ty, &(objects, references, first))| Unexplained {
            type_name: self.names.of(ty),
            objects,
            references,
            address: first as usize,
        });
        let mut all = all.collect::<Vec<_>>();
        all.sort_by(|a, b| b.references.cmp(&a.references).then_with(|| a.type_name.cmp(&b.type_name)));
        self.findings(all.into_iter(), |it| vec![&it.type_name])
    }
}

fn is_heap_type(known: &TypeCount) -> bool {
    // SAFETY: a type that has been met is alive, see `Names::bound`.
    let flags = unsafe { ffi::PyType_GetFlags(known.ty) };
    flags & ffi::Py_TPFLAGS_HEAPTYPE != 0
}

/// Whether the type is surely visited more often than it is referred to.
fn has_surplus(heap: &Heap<'_>, survey: &Survey, known: &TypeCount) -> bool {
    heap.find(known.ty.cast()).is_some_and(|at| {
        let cell = survey.count.cells[at];
        cell.references != UNCOUNTED && cell.visits > owned(cell.references)
    })
}
