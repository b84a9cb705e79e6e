//! The steps of a check: several instances are built, one after the other, each for what it can't outlive.

use pyo3::exceptions::{PyBaseException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet};

use super::allocations::allocates;
use super::declared::Declared;
use super::faults::{faults, may_be_stopped};
use super::locked::Locking;
use super::observe::{
    Traversal, belongings, call_clear, count, held, passes_failures_on, show_visits, traverse,
};
use super::owned::{NotOwned, Visited};
use super::report::{ClassReport, Declaration, Fault, Unchecked, Untried};
use super::sentinels::{Make, Sentinel, Specimen};
use super::{DropCounter, collect};
use crate::hidden::list_while;
use crate::type_names::TypeNames;

/// A check under way.
pub(super) struct Steps<'a, 'py> {
    py: Python<'py>,
    declared: Declared,
    locking: Option<Locking>,
    names: TypeNames<'py>,
    make: Make<'a, 'py>,
    report: ClassReport,
}

/// How many calls of the visitor are made to fail, one after the other.
const FAILING_CALLS: usize = 100;

impl<'a, 'py> Steps<'a, 'py> {
    pub(super) fn new(
        py: Python<'py>,
        declared: Declared,
        locking: Option<Locking>,
        make: Make<'a, 'py>,
    ) -> PyResult<Self> {
        let report = ClassReport {
            class: String::new(),
            sentinels: Vec::new(),
            faults: Vec::new(),
            unchecked: Vec::new(),
            hidden: Vec::new(),
        };
        Ok(Self { py, declared, locking, names: TypeNames::new(py)?, make, report })
    }

    pub(super) fn run(mut self) -> PyResult<ClassReport> {
        let specimen = self.first()?;
        let (is_collected, shares) = (traverse(&specimen.instance).is_some(), specimen.shares);
        self.look_at(specimen, Some)?;
        if is_collected {
            if shares {
                self.distinct()?;
            }
            self.drop_under_lock()?;
            let kept = self.clear()?;
            for (at, kept) in kept.into_iter().enumerate() {
                self.cycle(at, kept)?;
            }
        }
        Ok(self.report)
    }

    fn first(&mut self) -> PyResult<Specimen<'py>> {
        let specimen = Specimen::build(self.py, self.make, false)?;
        self.report.class = self.names.of(&specimen.instance.get_type());
        self.report.sentinels = specimen.sentinels.iter().map(|sentinel| sentinel.name.clone()).collect();
        match self.declared.unknown(&self.report.sentinels) {
            Some(name) => Err(PyValueError::new_err(format!("no sentinel is called {name:?}"))),
            None => Ok(specimen),
        }
    }

    /// Another one like the first.
    fn rebuild(&mut self) -> PyResult<Specimen<'py>> {
        let specimen = Specimen::build(self.py, self.make, false)?;
        if specimen.sentinels.iter().map(|sentinel| &sentinel.name).ne(&self.report.sentinels) {
            return Err(PyValueError::new_err("other sentinels were asked for than the first time"));
        }
        Ok(specimen)
    }

    /// All that an instance shows as it is, and when it is dropped. `judge` says what that means.
    fn look_at(&mut self, specimen: Specimen<'py>, judge: impl Fn(Fault) -> Option<Fault>) -> PyResult<()> {
        for found in faults(&specimen, &self.declared, &self.names)? {
            self.add(judge(found));
        }
        let instance = &specimen.instance;
        let fails = self.report.has_alike(&Fault::TraverseFailed);
        let Some(traverse) = traverse(instance).filter(|_| !fails) else {
            return self.release(specimen, None, judge);
        };
        if allocates(instance, traverse)? {
            self.add(judge(Fault::Allocates));
        }
        let traversal = Traversal::of(instance, traverse, &[], &[]);
        let is_steady = !self.report.faults.iter().any(|it| matches!(it.inner(), Fault::Unsteady { .. }));
        if is_steady && may_be_stopped(instance)? {
            let calls = 1..=traversal.calls().min(FAILING_CALLS);
            let ignored = |call: &usize| !passes_failures_on(instance, traverse, *call);
            if let Some(call) = calls.clone().find(ignored) {
                self.add(judge(Fault::FailureIgnored { call }));
            }
        }
        if let Some(locking) = self.locking.clone() {
            if locking.is_waited_for(instance, || show_visits(instance, traverse, |_| ()))? {
                self.add(judge(Fault::WaitsForLock));
            }
        }
        let visited = Visited::by(instance, &traversal);
        self.release(specimen, Some(visited), judge)
    }

    /// What can't be seen where the same object stands in several places: that one of them is visited for another.
    fn distinct(&mut self) -> PyResult<()> {
        match Specimen::build(self.py, self.make, true) {
            // One that the instance doesn't hold may be part of another sentinel.
            Ok(specimen) => self.look_at(specimen, |fault| (!speaks_of_owners(&fault)).then_some(fault)),
            Err(error) => {
                self.leave_out(Untried::Distinct, format!("it can't be built so: {error}"));
                Ok(())
            }
        }
    }

    fn is_safe_to_collect(&self) -> bool {
        !self.report.faults.iter().any(Fault::forbids_collection)
    }

    /// What is [`held`] once what is garbage already is gone.
    fn settled(
        &self,
        sentinels: &[Sentinel<'py>],
        instance: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<usize>> {
        let held_now = held(sentinels, instance);
        if held_now.iter().all(|&held| held == 0) || !self.is_safe_to_collect() {
            return Ok(held_now);
        }
        collect(self.py)?;
        Ok(held(sentinels, instance))
    }

    /// Drops the instance, and compares what that lets go of with what was visited.
    fn release(
        &mut self,
        specimen: Specimen<'py>,
        visited: Option<Visited<'py>>,
        judge: impl Fn(Fault) -> Option<Fault>,
    ) -> PyResult<()> {
        let Specimen { instance, sentinels, .. } = specimen;
        let mut ends_here = count(&instance) == Some(1);
        if !ends_here && visited.is_some() && self.is_safe_to_collect() {
            // In a cycle of its own: it lets go when it is cleared. What that raises is seen in `clear`.
            let _ = call_clear(&instance);
            ends_here = count(&instance) == Some(1);
        }
        drop(instance);
        for NotOwned { object, visits, owned } in visited.map(Visited::not_owned).unwrap_or_default() {
            // Each reference to a sentinel is accounted for already.
            if sentinels.iter().any(|sentinel| sentinel.object.is(&object)) {
                continue;
            }
            let name = self.names.of(&object.get_type());
            let known = Fault::OverVisitedInside { type_name: name.clone(), references: 0, visits: 0 };
            if !ends_here {
                self.leave_out(Untried::Owned, format!("something else refers to it, and it keeps {name}"));
            } else if !self.report.has_alike(&known) {
                self.add(judge(Fault::VisitedNotOwned { name, owned, visits }));
            }
        }
        let left = self.settled(&sentinels, None)?;
        for (Sentinel { name, .. }, left) in sentinels.iter().zip(left) {
            let name = name.clone();
            // A count that traverse has changed says nothing about the destructor.
            if left > 0 && !self.report.has_alike(&Fault::ReferencesMoved { name: name.clone() }) {
                self.add(judge(Fault::LeakedAtDealloc { name, left }));
            }
        }
        Ok(())
    }

    /// Clears an instance whose sentinels nobody else holds, so that clearing drops them.
    fn drop_under_lock(&mut self) -> PyResult<()> {
        let Some(locking) = self.locking.clone() else { return Ok(()) };
        let Specimen { instance, sentinels, .. } = self.rebuild()?;
        let belongings = self.belongings(&instance, &sentinels);
        drop(sentinels);
        // What it raises, and what it leaves, is seen without a lock, in `clear`.
        if locking.is_held_at_drops(&instance, || drop(call_clear_all(&instance, &belongings)))? {
            self.add(Fault::DropsUnderLock);
        }
        Ok(())
    }

    /// Clears an instance, and says how many references to each sentinel it keeps.
    fn clear(&mut self) -> PyResult<Vec<usize>> {
        let specimen = self.rebuild()?;
        let Specimen { instance, sentinels, .. } = &specimen;
        let belongings = self.belongings(instance, sentinels);
        let (cleared, hidden) = list_while(|| call_clear_all(instance, &belongings));
        self.report.hidden = hidden;
        drop(belongings);
        let kept = self.settled(sentinels, Some(instance))?;
        for error in [cleared, call_clear(instance)].into_iter().filter_map(Result::err) {
            self.add(Fault::ClearFailed { error });
        }
        for (Sentinel { name, object, .. }, &kept) in sentinels.iter().zip(&kept) {
            let [keeps, hides] =
                [Declaration::Keeps, Declaration::Hides].map(|it| self.declared.has(it, name));
            let name = name.clone();
            if kept > 0 && !keeps && !hides {
                let is_exception = object.is_instance_of::<PyBaseException>();
                self.add(Fault::KeptAfterClear { name, kept, is_exception });
            } else if kept == 0 && keeps {
                self.add(Fault::Needless { name, declaration: Declaration::Keeps });
            }
        }
        // What was cleared is neither owned nor hidden any more.
        self.look_at(specimen, |fault| {
            (!speaks_of_owners(&fault)).then(|| Fault::AfterClear(Box::new(fault)))
        })?;
        Ok(kept)
    }

    /// What is cleared with the instance; nothing, where its visits can't be believed.
    fn belongings(
        &self,
        instance: &Bound<'py, PyAny>,
        sentinels: &[Sentinel<'py>],
    ) -> Vec<Bound<'py, PyAny>> {
        if !self.is_safe_to_collect() {
            return Vec::new();
        }
        belongings(instance, &sentinels.iter().map(|sentinel| &sentinel.object).collect::<Vec<_>>())
    }

    fn leave_out(&mut self, what: Untried, reason: impl Into<String>) {
        let unchecked = Unchecked { name: self.report.class.clone(), what, reason: reason.into() };
        if !self.report.unchecked.contains(&unchecked) {
            self.report.unchecked.push(unchecked);
        }
    }

    /// Adds a fault, unless it was known before the instance was cleared.
    fn add(&mut self, fault: impl Into<Option<Fault>>) {
        let Some(fault) = fault.into() else { return };
        if !self.report.has_alike(&fault) {
            self.report.faults.push(fault);
        }
    }

    /// Closes a cycle through the sentinel in this place. `kept` says whether the class lets go of it.
    fn cycle(&mut self, at: usize, kept: usize) -> PyResult<()> {
        let name = self.report.sentinels[at].clone();
        let says_it_all = |fault: &Fault| {
            let fault = fault.inner();
            fault.name() == Some(&name)
                && matches!(
                    fault,
                    Fault::NotVisited { .. } | Fault::NotOwned { .. } | Fault::LeakedAtDealloc { .. }
                )
        };
        if self.declared.has(Declaration::Hides, &name) || self.report.faults.iter().any(says_it_all) {
            return Ok(()); // it would leak, or it isn't a cycle
        }
        if !self.is_safe_to_collect() {
            let reason = "a collection could destroy what is alive".to_owned();
            self.report.unchecked.push(Unchecked { name, what: Untried::Cycle, reason });
            return Ok(());
        }
        let Specimen { instance, mut sentinels, .. } = self.rebuild()?;
        let Sentinel { object, drops, .. } = sentinels.swap_remove(at);
        let back = if kept == 0 { instance } else { PyList::new(self.py, [instance])?.into_any() };
        let drops = if let Some(drops) = drops {
            object.setattr("peer", back)?;
            drops
        } else {
            let drops = DropCounter::new();
            let link = drops.object(self.py)?;
            link.setattr("peer", back)?;
            if let Err(error) = attach(&object, &link) {
                let reason = format!("nothing can be attached to that: {error}");
                self.report.unchecked.push(Unchecked { name, what: Untried::Cycle, reason });
                return Ok(());
            }
            drops
        };
        drop((object, sentinels));
        collect(self.py)?;
        if drops.alive() > 0 {
            self.add(Fault::NotCollected { name });
        }
        Ok(())
    }
}

fn speaks_of_owners(fault: &Fault) -> bool {
    matches!(fault, Fault::NotOwned { .. } | Fault::Needless { .. })
}

/// Clears the instance, and what belongs to it, as the collector does.
fn call_clear_all(instance: &Bound<'_, PyAny>, belongings: &[Bound<'_, PyAny>]) -> Result<(), String> {
    let all = [instance].into_iter().chain(belongings).map(call_clear).collect::<Vec<_>>();
    all.into_iter().collect()
}

/// Makes an object that may be of any type refer to another.
fn attach(object: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(dict) = object.cast::<PyDict>() {
        dict.set_item("pyo3_gc_testing", to)
    } else if let Ok(list) = object.cast::<PyList>() {
        list.append(to)
    } else if let Ok(set) = object.cast::<PySet>() {
        set.add(to)
    } else {
        object.setattr("pyo3_gc_testing", to)
    }
}
