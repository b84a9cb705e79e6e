//! The report for people.

use std::fmt::{self, Display, Formatter};

use super::report::{ClassReport, Declaration, Fault, Unchecked, Untried};
use crate::hidden::HiddenField;

impl Display for ClassReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { class, sentinels, faults, unchecked, hidden } = self;
        match faults.len() {
            0 => write!(f, "{class}: no faults")?,
            1 => write!(f, "{class}: 1 fault")?,
            faults => write!(f, "{class}: {faults} faults")?,
        }
        writeln!(f, ", {}", Number(sentinels.len(), "sentinel"))?;
        for fault in faults {
            writeln!(f, "- {fault}")?;
        }
        for Unchecked { name, what, reason } in unchecked {
            match what {
                Untried::Cycle => write!(f, "not tried: a cycle through `{name}`")?,
                Untried::Distinct => write!(f, "not tried: {name} with a different object in each place")?,
                Untried::Owned => write!(f, "not tried: whether {name} owns what it visits")?,
            }
            writeln!(f, ", since {reason}")?;
        }
        for HiddenField { type_name, field, reason } in hidden {
            writeln!(f, "hidden: `{field}` of {type_name}: {reason}")?;
        }
        Ok(())
    }
}

/// `1 visit`, `2 visits`.
struct Number(usize, &'static str);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(number, what) = self;
        write!(f, "{number} {what}{}", if *number == 1 { "" } else { "s" })
    }
}

/// Two lines: what is wrong, and what to do.
impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::AfterClear(fault) = self {
            return write!(f, "after `clear`: {fault}");
        }
        self.finding(f)?;
        write!(f, "\n    {}", self.remedy())
    }
}

impl Fault {
    fn finding(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTraverse { holds } => {
                let holds = holds.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                write!(f, "the collector doesn't look into the class, which holds {holds}")
            }
            Self::NotOwned { name } => {
                write!(f, "`{name}` isn't held by the instance: nothing is known of it")
            }
            Self::NotVisited { name, owned, visits } | Self::OverVisited { name, owned, visits } => {
                write!(f, "`{name}`: {}, {}", Number(*owned, "reference"), Number(*visits, "visit"))?;
                match self {
                    Self::NotVisited { .. } => write!(f, ": a cycle through it leaks"),
                    _ => write!(f, ": the collector may destroy it while it is in use"),
                }
            }
            Self::OverVisitedInside { type_name, references, visits } => {
                let (references, visits) = (Number(*references, "reference"), Number(*visits, "visit"));
                write!(f, "an object of type {type_name}: {references}, {visits}: ")?;
                write!(f, "the collector may destroy it while it is in use")
            }
            Self::VisitedNotOwned { name, owned, visits } => {
                let visits = Number(*visits, "visit");
                write!(f, "`{name}`: {visits}, but the instance owns {owned} of its references: ")?;
                write!(f, "the collector may destroy it while it is in use")
            }
            Self::TraverseFailed => write!(f, "traverse fails by itself"),
            Self::FailureIgnored { call } => {
                write!(f, "traverse goes on although the visitor failed at its call number {call}")
            }
            Self::Allocates => write!(f, "traverse makes a Python object, or frees one"),
            Self::WaitsForLock => write!(f, "traverse waits for a lock: a collection under that lock hangs"),
            Self::DropsUnderLock => {
                write!(f, "clear drops a reference under a lock: a destructor that takes the lock hangs")
            }
            Self::Unsteady { name, first, second } => {
                let first = Number(*first, "visit");
                write!(f, "`{name}`: two calls of traverse in a row differ: {first}, then {second}")
            }
            Self::ReferencesMoved { name } => write!(f, "`{name}`: traverse changes its reference count"),
            Self::TypeVisits { expected, visits } => {
                let visits = Number(*visits, "visit");
                write!(f, "{visits} of the instance's type, where {expected} is right")
            }
            Self::ClearFailed { error } => write!(f, "clear fails: {error}"),
            Self::KeptAfterClear { name, kept, .. } => {
                write!(f, "`{name}`: {} kept after `clear`", Number(*kept, "reference"))
            }
            Self::LeakedAtDealloc { name, left } => {
                write!(f, "`{name}`: {} left once the instance is gone", Number(*left, "reference"))
            }
            Self::NotCollected { name } => write!(f, "`{name}`: a cycle through it isn't collected"),
            Self::Needless { name, declaration: Declaration::Keeps } => {
                write!(f, "`{name}` isn't kept, but declared so")
            }
            Self::Needless { name, declaration: Declaration::Hides } => {
                write!(f, "`{name}` isn't hidden, but declared so")
            }
            Self::AfterClear(fault) => fault.finding(f),
        }
    }

    fn remedy(&self) -> &'static str {
        match self {
            Self::NoTraverse { .. } => {
                "put `#[pyo3_gc::pymethods]` on its impl block, or write `__traverse__`"
            }
            Self::NotOwned { .. } => "build the instance so that it holds it, or don't ask for it",
            Self::NotVisited { .. } => {
                "visit it once for each reference; if it is hidden on purpose, declare it with `hides`"
            }
            Self::OverVisited { .. } | Self::OverVisitedInside { .. } => {
                "visit only what the instance owns itself, and that once for each reference"
            }
            Self::VisitedNotOwned { .. } => {
                "visit what the instance's own fields hold; not itself, a static, or what it borrows. If its destructor \
                 hands the reference on, clone it there"
            }
            Self::FailureIgnored { .. } => "return the visitor's error at once: `visit.call(…)?`",
            Self::Allocates => {
                "only read in `__traverse__`: an object that is made there can start a collection within the collection"
            }
            Self::WaitsForLock => "use `try_lock`, and visit nothing if that fails",
            Self::DropsUnderLock => "take the value out, release the lock, then drop the value",
            Self::TraverseFailed => {
                "let `__traverse__` return the visitor's errors alone; it mustn't panic or attach"
            }
            Self::Unsteady { .. } => "visit what the fields hold, whatever happened before",
            Self::ReferencesMoved { .. } => {
                "visit through a borrow: clone and drop nothing in `__traverse__`"
            }
            Self::TypeVisits { visits: 0, .. } => {
                "visit the type once: each instance of a heap type owns a reference to it"
            }
            Self::TypeVisits { .. } => "leave the type to PyO3, or to the base class",
            Self::ClearFailed { .. } => "let `__clear__` do what can't fail: take out and drop",
            Self::KeptAfterClear { is_exception: true, .. } => {
                "a bare `PyGcErr` has nothing to put in its place: use `Option<PyGcErr>` where a cycle may run through the \
                 exception alone; if it rightly stays, declare it with `keeps`"
            }
            Self::KeptAfterClear { .. } => {
                "take it out in `__clear__` (from an `Option`, or a lock if the class is frozen); if it rightly stays, \
                 declare it with `keeps`"
            }
            Self::LeakedAtDealloc { .. } => {
                "drop it with the instance, unless something else holds it by intent"
            }
            Self::NotCollected { .. } => {
                "it is visited, and `clear` works when called: the instance may be untracked, or a finalizer revive it"
            }
            Self::Needless { declaration: Declaration::Keeps, .. } => "remove `keeps`",
            Self::Needless { declaration: Declaration::Hides, .. } => "remove `hides`",
            Self::AfterClear(fault) => fault.remedy(),
        }
    }
}
