//! What a check found, as data.

use std::mem;

use crate::hidden::HiddenField;

/// What is wrong with a class, if anything.
///
/// `Display` writes it for people, with a remedy for each fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a report does nothing until it is looked at, see `assert_correct`"]
#[non_exhaustive]
pub struct ClassReport {
    /// The name of the class.
    pub class: String,
    /// The names of the sentinels that its instances were built with.
    pub sentinels: Vec<String>,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// What couldn't be tried.
    pub unchecked: Vec<Unchecked>,
    /// The fields that are marked `#[pyo3_gc(hidden = "reason")]`, of the class, of its base classes, and of what their
    /// fields are made of: the check says nothing about them. Trait objects and the contents of a
    /// [`PyGcArc`](crate::PyGcArc) aren't asked.
    pub hidden: Vec<HiddenField>,
}

/// What couldn't be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unchecked {
    /// The sentinel that it is about, or the name of the class.
    pub name: String,
    /// What was to be tried.
    pub what: Untried,
    /// Why.
    pub reason: String,
}

/// What can be left out of a check, see [`Unchecked::reason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Untried {
    /// A cycle through the sentinel.
    Cycle,
    /// An instance with a different object in each place.
    Distinct,
    /// Whether the instance owns what it visits.
    Owned,
}

/// Something wrong with a class. `name` is that of a sentinel, if nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The class isn't one that the collector looks at, although its instances hold something.
    NoTraverse {
        /// The sentinels that they hold.
        holds: Vec<String>,
    },
    /// The instance doesn't hold the sentinel, so that the check says nothing about it.
    NotOwned {
        /// Which.
        name: String,
    },
    /// The sentinel is visited less often than it is owned: a cycle through it leaks.
    NotVisited {
        /// Which.
        name: String,
        /// How many references the instance owns, itself or through what belongs to it.
        owned: usize,
        /// How often they are visited.
        visits: usize,
    },
    /// The sentinel is visited more often than it is owned: the collector may destroy it while it is in use.
    OverVisited {
        /// Which.
        name: String,
        /// How many references the instance owns, itself or through what belongs to it.
        owned: usize,
        /// How often they are visited.
        visits: usize,
    },
    /// The instance visits an object that isn't a sentinel more often than there are references to it.
    OverVisitedInside {
        /// The name of the object's type.
        type_name: String,
        /// How many references there are, whoever owns them.
        references: usize,
        /// How often the instance visits it.
        visits: usize,
    },
    /// The instance visits an object that it doesn't own, or not as often: dropping it lets go of fewer references.
    VisitedNotOwned {
        /// The sentinel, or the name of the object's type.
        name: String,
        /// How many references it owns.
        owned: usize,
        /// How often it visits the object.
        visits: usize,
    },
    /// `tp_traverse` fails, although the visitor doesn't.
    TraverseFailed,
    /// `tp_traverse` goes on, or succeeds, although the visitor failed.
    FailureIgnored {
        /// At which of its calls the visitor failed, counted from 1.
        call: usize,
    },
    /// `tp_traverse` makes a Python object, or frees one.
    Allocates,
    /// `tp_traverse` waits for a lock that another thread holds, see [`ClassCheck::locking`](super::ClassCheck::locking).
    WaitsForLock,
    /// `tp_clear` drops a reference while it holds a lock, see [`ClassCheck::locking`](super::ClassCheck::locking).
    DropsUnderLock,
    /// Two calls of `tp_traverse` in a row visit something in different numbers.
    Unsteady {
        /// The sentinel, or the name of another object's type.
        name: String,
        /// Visits by the first call.
        first: usize,
        /// Visits by the second call.
        second: usize,
    },
    /// `tp_traverse` changes a reference count, be it only for the time of a visit.
    ReferencesMoved {
        /// The sentinel, or the class.
        name: String,
    },
    /// The instance visits its type in a number that is neither right nor what this version of PyO3 does.
    TypeVisits {
        /// What classes of this version of PyO3 do; none, if the type is static.
        expected: usize,
        /// What the instance does.
        visits: usize,
    },
    /// `tp_clear` fails.
    ClearFailed {
        /// What it raised.
        error: String,
    },
    /// After the first call of `tp_clear` the instance, or what belongs to it, still holds the sentinel.
    KeptAfterClear {
        /// Which.
        name: String,
        /// How many references.
        kept: usize,
        /// Whether the sentinel is an exception, such as a bare [`PyGcErr`](crate::PyGcErr) keeps.
        is_exception: bool,
    },
    /// The instance is gone, and the sentinel still has references.
    LeakedAtDealloc {
        /// Which.
        name: String,
        /// How many references.
        left: usize,
    },
    /// A cycle through the sentinel isn't collected, although it is visited.
    NotCollected {
        /// Which.
        name: String,
    },
    /// After `tp_clear`, another fault appears.
    AfterClear(Box<Fault>),
    /// What was declared of the sentinel isn't true.
    Needless {
        /// Which.
        name: String,
        /// What was declared.
        declaration: Declaration,
    },
}

/// What can be declared of a sentinel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Declaration {
    /// [`ClassCheck::keeps`](super::ClassCheck::keeps).
    Keeps,
    /// [`ClassCheck::hides`](super::ClassCheck::hides).
    Hides,
}

impl ClassReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_correct(&self) -> bool {
        self.faults.is_empty()
    }

    /// For tests.
    ///
    /// # Panics
    ///
    /// If anything is wrong, with the report.
    #[track_caller]
    pub fn assert_correct(&self) {
        assert!(self.is_correct(), "{self}");
    }

    /// Whether there is a fault of the same kind with the same object, before or after `clear`.
    pub(super) fn has_alike(&self, fault: &Fault) -> bool {
        let kind = |fault: &Fault| mem::discriminant(fault.inner());
        self.faults.iter().any(|known| kind(known) == kind(fault) && known.name() == fault.name())
    }
}

impl Fault {
    /// The fault itself, whether it appeared before or after `clear`.
    pub(super) fn inner(&self) -> &Self {
        if let Self::AfterClear(fault) = self { fault.inner() } else { self }
    }

    /// The object that the fault is about, if it is about one.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::NotOwned { name }
            | Self::NotVisited { name, .. }
            | Self::OverVisited { name, .. }
            | Self::VisitedNotOwned { name, .. }
            | Self::OverVisitedInside { type_name: name, .. }
            | Self::Unsteady { name, .. }
            | Self::ReferencesMoved { name }
            | Self::KeptAfterClear { name, .. }
            | Self::LeakedAtDealloc { name, .. }
            | Self::NotCollected { name }
            | Self::Needless { name, .. } => Some(name),
            Self::AfterClear(fault) => fault.name(),
            Self::NoTraverse { .. }
            | Self::TraverseFailed
            | Self::FailureIgnored { .. }
            | Self::Allocates
            | Self::WaitsForLock
            | Self::DropsUnderLock
            | Self::TypeVisits { .. }
            | Self::ClearFailed { .. } => None,
        }
    }

    /// Whether a collection could destroy what is alive, or stop the interpreter: debug builds of CPython abort where
    /// visits exceed references.
    pub(super) fn forbids_collection(&self) -> bool {
        match self {
            Self::OverVisited { .. }
            | Self::OverVisitedInside { .. }
            | Self::VisitedNotOwned { .. }
            | Self::TraverseFailed
            | Self::Allocates
            | Self::Unsteady { .. }
            | Self::ReferencesMoved { .. } => true,
            Self::TypeVisits { visits, .. } => *visits > 0,
            Self::AfterClear(fault) => fault.forbids_collection(),
            Self::NoTraverse { .. }
            | Self::NotOwned { .. }
            | Self::NotVisited { .. }
            | Self::FailureIgnored { .. }
            | Self::WaitsForLock
            | Self::DropsUnderLock
            | Self::ClearFailed { .. }
            | Self::KeptAfterClear { .. }
            | Self::LeakedAtDealloc { .. }
            | Self::NotCollected { .. }
            | Self::Needless { .. } => false,
        }
    }
}
