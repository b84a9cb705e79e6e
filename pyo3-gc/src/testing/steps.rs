//! The steps of a check: several instances are built, one after the other, each for what it can't outlive.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet};

use super::check::ClassCheck;
use super::faults::faults;
use super::look::{call_clear, held, traverse};
use super::report::{ClassReport, Declaration, Fault, Unchecked};
use super::sentinels::{Sentinel, Sentinels};
use super::{DropCounter, collect};
use crate::heap::TypeNames;

/// An instance, and what it was built with.
pub(super) struct Specimen<'py> {
    pub(super) instance: Bound<'py, PyAny>,
    pub(super) sentinels: Vec<Sentinel<'py>>,
}

/// Builds an instance.
type Make<'a, 'py> = &'a mut dyn FnMut(&Sentinels<'py>) -> PyResult<Bound<'py, PyAny>>;

/// A check under way.
pub(super) struct Steps<'a, 'py> {
    py: Python<'py>,
    options: ClassCheck,
    names: TypeNames<'py>,
    make: Make<'a, 'py>,
    report: ClassReport,
}

impl<'a, 'py> Steps<'a, 'py> {
    pub(super) fn new(py: Python<'py>, options: ClassCheck, make: Make<'a, 'py>) -> PyResult<Self> {
        let report = ClassReport {
            class: String::new(),
            sentinels: Vec::new(),
            faults: Vec::new(),
            unchecked: Vec::new(),
        };
        Ok(Self { py, options, names: TypeNames::new(py)?, make, report })
    }

    pub(super) fn run(mut self) -> PyResult<ClassReport> {
        let specimen = self.first()?;
        self.report.class = self.names.of(&specimen.instance.get_type());
        self.report.faults = faults(&specimen, &self.options, &self.names)?;
        let is_collected = traverse(&specimen.instance).is_some();
        self.release(specimen, |fault| fault)?;
        if is_collected {
            let kept = self.clear()?;
            for (at, kept) in kept.into_iter().enumerate() {
                self.cycle(at, kept)?;
            }
        }
        Ok(self.report)
    }

    fn first(&mut self) -> PyResult<Specimen<'py>> {
        let specimen = self.build()?;
        self.report.sentinels = specimen.sentinels.iter().map(|sentinel| sentinel.name.clone()).collect();
        match self.options.declared.iter().find(|(_, name)| !self.report.sentinels.contains(name)) {
            Some((_, name)) => Err(PyValueError::new_err(format!("no sentinel is called {name:?}"))),
            None => Ok(specimen),
        }
    }

    fn build(&mut self) -> PyResult<Specimen<'py>> {
        let sentinels = Sentinels::new(self.py);
        let instance = (self.make)(&sentinels)?;
        Ok(Specimen { instance, sentinels: sentinels.into_list() })
    }

    /// Another one like the first.
    fn rebuild(&mut self) -> PyResult<Specimen<'py>> {
        let specimen = self.build()?;
        if specimen.sentinels.iter().map(|sentinel| &sentinel.name).ne(&self.report.sentinels) {
            return Err(PyValueError::new_err("other sentinels were asked for than the first time"));
        }
        Ok(specimen)
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

    /// Drops the instance.
    fn release(&mut self, specimen: Specimen<'py>, fault: impl Fn(Fault) -> Fault) -> PyResult<()> {
        let Specimen { instance, sentinels } = specimen;
        drop(instance);
        let left = self.settled(&sentinels, None)?;
        for (Sentinel { name, .. }, left) in sentinels.iter().zip(left) {
            let name = name.clone();
            // A count that traverse has changed says nothing about the destructor.
            if left > 0 && !self.report.has_alike(&Fault::ReferencesMoved { name: name.clone() }) {
                self.add(fault(Fault::LeakedAtDealloc { name, left }));
            }
        }
        Ok(())
    }

    /// Clears an instance, and says how many references to each sentinel it keeps.
    fn clear(&mut self) -> PyResult<Vec<usize>> {
        let specimen = self.rebuild()?;
        for _ in 0..2 {
            if let Err(error) = call_clear(&specimen.instance) {
                self.add(Fault::ClearFailed { error });
            }
        }
        let kept = self.settled(&specimen.sentinels, Some(&specimen.instance))?;
        for (Sentinel { name, .. }, &kept) in specimen.sentinels.iter().zip(&kept) {
            let [keeps, hides] =
                [Declaration::Keeps, Declaration::Hides].map(|it| self.options.is_declared(it, name));
            let name = name.clone();
            if kept > 0 && !keeps && !hides {
                self.add(Fault::KeptAfterClear { name, kept });
            } else if kept == 0 && keeps {
                self.add(Fault::Needless { name, declaration: Declaration::Keeps });
            }
        }
        for fault in faults(&specimen, &self.options, &self.names)? {
            // What was cleared is neither owned nor hidden any more.
            if !matches!(fault, Fault::NotOwned { .. } | Fault::Needless { .. }) {
                self.add(Fault::AfterClear(Box::new(fault)));
            }
        }
        self.release(specimen, |fault| Fault::AfterClear(Box::new(fault)))?;
        Ok(kept)
    }

    /// Adds a fault, unless it was known before the instance was cleared.
    fn add(&mut self, fault: Fault) {
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
        if self.options.is_declared(Declaration::Hides, &name) || self.report.faults.iter().any(says_it_all) {
            return Ok(()); // it would leak, or it isn't a cycle
        }
        if !self.is_safe_to_collect() {
            let reason = "a collection could destroy what is alive".to_owned();
            self.report.unchecked.push(Unchecked { name, reason });
            return Ok(());
        }
        let Specimen { instance, mut sentinels } = self.rebuild()?;
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
                self.report.unchecked.push(Unchecked { name, reason });
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
