//! From what was seen to the report: types get names, the allow-list is applied, lists are cut.

use std::collections::HashMap;

use pyo3::PyResult;

use super::count::Count;
use super::finding::{
    Fault, Finding, Held, Holder, Kind, Listed, OverVisited, TypeVisits, Unexplained, Unread, Unsteady,
    Untracked, Visitor,
};
use super::heap::Heap;
use super::names::Names;
use super::pattern::Patterns;
use super::report::{Allowed, Report};
use super::search::{Holders, Suspects};
use super::type_visits::TypeVisits as Visits;
use super::violations::Violation;
use super::walk::Walk;
use crate::heap::{Object, Type};

/// A report being written.
pub(super) struct Writer<'h, 'py> {
    heap: &'h Heap<'py>,
    names: &'h Names<'py>,
    allow: Patterns<'h>,
    limit: usize,
    report: Report,
}

impl<'h, 'py> Writer<'h, 'py> {
    pub(super) fn new(
        heap: &'h Heap<'py>,
        names: &'h Names<'py>,
        allow: Vec<(String, String)>,
        limit: usize,
    ) -> PyResult<Self> {
        let allowed = allow.into_iter().map(|(pattern, reason)| Allowed { pattern, reason, findings: 0 });
        let allowed = allowed.collect::<Vec<_>>();
        let patterns = allowed.iter().map(|entry| entry.pattern.clone()).collect();
        let allow = Patterns::new(heap, names, patterns)?;
        let report = Report { allowed, totals: vec![0; Kind::ALL.len()], ..Report::default() };
        Ok(Self { heap, names, allow, limit, report })
    }

    pub(super) fn finish(self) -> Report {
        self.report
    }

    /// Adds a finding, unless it is allowed by one of the types that it is about.
    fn add(&mut self, types: impl IntoIterator<Item = Type<'h>>, finding: impl Into<Finding>) {
        let allowed = types.into_iter().flat_map(|ty| self.allow.naming(ty, &self.names.of(ty))).min();
        if let Some(entry) = allowed {
            self.report.allowed[entry].findings += 1;
            return;
        }
        let finding = finding.into();
        let kind = Kind::ALL.iter().position(|kind| *kind == finding.kind()).expect("all are there");
        self.report.totals[kind] += 1;
        if self.report.totals[kind] <= self.limit {
            self.report.findings.push(finding);
        }
    }

    fn text(&self, ty: Type<'_>) -> String {
        self.names.text(ty)
    }

    /// What the default audit finds.
    pub(super) fn walk(&mut self, walk: &Walk<'h>) {
        self.numbers(&walk.count);
        for found in &walk.over_visits {
            let visitors = found.visitors.iter().map(|visitors| Visitor {
                type_name: self.text(visitors.ty),
                objects: visitors.objects,
                visits: visitors.visits,
            });
            let mut visitors = visitors.collect::<Vec<_>>();
            visitors.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.type_name.cmp(&b.type_name)));
            let class = found.object.as_type();
            let types = found.visitors.iter().map(|visitors| visitors.ty);
            self.add(
                types.chain([found.object.ty()]).chain(class),
                OverVisited {
                    type_name: self.text(found.object.ty()),
                    class_name: class.map(|class| self.text(class)),
                    address: found.object.address(),
                    references: found.references as usize,
                    visits: found.visits as usize,
                    visitors,
                },
            );
        }
        for found in &walk.count.violators {
            let fault = match found.violation {
                Violation::Failed => Fault::Failed,
                Violation::Answers { first, second } => Fault::Answers { first, second },
                Violation::References { of } => Fault::References { of: self.text(of) },
            };
            self.add(
                [found.ty],
                Unsteady {
                    type_name: self.text(found.ty),
                    objects: found.objects,
                    address: found.first.address(),
                    fault,
                },
            );
        }
        let forgotten = walk.count.untracked.forgotten(&walk.count.types);
        let untracked =
            forgotten.filter(|(others, _)| !self.is_cpythons(others.ty)).map(|(others, found)| {
                let finding = Untracked {
                    type_name: self.text(others.ty),
                    objects: found.objects,
                    tracked: others.objects,
                    address: found.first,
                    references: found.held,
                };
                (others.ty, finding)
            });
        self.add_sorted(untracked.collect(), |it| it.type_name.clone());
    }

    fn numbers(&mut self, count: &Count<'_>) {
        let counted = || count.tallies.iter().filter_map(|tally| tally.references());
        let visits = count.tallies.iter().map(|tally| tally.visits).chain(count.borrowed.iter().copied());
        self.report.objects = self.heap.len();
        self.report.references = counted().map(u64::from).sum();
        self.report.visits = visits.map(u64::from).sum();
        self.report.uncounted = self.heap.len() - counted().count();
    }

    /// Whether a type is one of the interpreter's own.
    fn is_cpythons(&self, ty: Type<'_>) -> bool {
        !ty.is_heap_type() && self.names.of(ty).module.is_none_or(|module| module == "builtins")
    }

    pub(super) fn type_visits(&mut self, found: &[Visits<'h>]) {
        let all = found.iter().map(|&Visits { ty, objects, expected, visits }| {
            let [expected, visits] = [expected, visits].map(|number| number as usize);
            (ty, TypeVisits { type_name: self.text(ty), objects, expected, visits })
        });
        self.add_sorted(all.collect(), |it| it.type_name.clone());
    }

    pub(super) fn suspects(&mut self, suspects: &Suspects<'h>) {
        let holders = self.holders(&suspects.holders);
        self.add_sorted(holders, |it| it.type_name.clone());
        let unexplained = suspects.unexplained.iter().map(|(&ty, &(objects, references, first))| {
            let (type_name, address) = (self.text(ty), Object::address(first));
            (ty, Unexplained { type_name, objects, references, address })
        });
        self.add_sorted(unexplained.collect(), |it| (usize::MAX - it.references, it.type_name.clone()));
        let hidden = self.holders(&suspects.hidden);
        self.report.hidden = self.listed(hidden, |it| it.type_name.clone());
        let unread =
            suspects.unread.iter().map(|(&ty, &objects)| (ty, Unread { type_name: self.text(ty), objects }));
        self.report.unread = self.listed(unread.collect(), |it| it.type_name.clone());
    }

    fn holders(&self, holders: &Holders<'h>) -> Vec<(Type<'h>, Holder)> {
        let holders = holders.iter().map(|(&(ty, tracked, evidence), holding)| {
            // Types that were made by the same code have the same name.
            let mut by_name = HashMap::<String, usize>::new();
            for (&ty, references) in &holding.held {
                *by_name.entry(self.text(ty)).or_default() += references;
            }
            let held = by_name.into_iter().map(|(type_name, references)| Held { type_name, references });
            let mut held = held.collect::<Vec<_>>();
            held.sort_by(|a, b| b.references.cmp(&a.references).then_with(|| a.type_name.cmp(&b.type_name)));
            (ty, Holder { type_name: self.text(ty), tracked, objects: holding.objects(), held, evidence })
        });
        holders.collect()
    }

    /// A note's list, without what is allowed.
    fn listed<T>(&self, mut all: Vec<(Type<'h>, T)>, key: impl Fn(&T) -> String) -> Listed<T> {
        all.retain(|(ty, _)| self.allow.naming(*ty, &self.names.of(*ty)).is_empty());
        all.sort_by_key(|(_, note)| key(note));
        let total = all.len();
        Listed { total, listed: all.into_iter().take(self.limit).map(|(_, note)| note).collect() }
    }

    fn add_sorted<T: Into<Finding>, K: Ord>(&mut self, mut all: Vec<(Type<'h>, T)>, key: impl Fn(&T) -> K) {
        all.sort_by_key(|(_, finding)| key(finding));
        for (ty, finding) in all {
            self.add([ty], finding);
        }
    }
}
