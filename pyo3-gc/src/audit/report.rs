//! What an audit found, as data.

/// What an audit looked at and what it found.
///
/// `Display` writes it for people; with the feature `serde` it can be serialised. Addresses are those of the objects, as
/// Python's `id()` gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// How many objects the collector tracks; each was looked at.
    pub objects: usize,
    /// How many references there are to them, of which the audit's own are left out.
    pub references: u64,
    /// How often they were visited, by all of their owners together.
    pub visits: u64,
    /// How many objects have no reference count: immortal ones, and, in a free-threaded build, those whose count is
    /// deferred. They can't be checked.
    pub uncounted: usize,
    /// How many objects [`gc.freeze()`](https://docs.python.org/3/library/gc.html#gc.freeze) hides from the audit; what
    /// they hold looks unexplained.
    pub frozen: usize,
    /// Objects that are visited more often than they are referred to.
    pub over_visited: Findings<OverVisited>,
    /// Types whose traverse doesn't keep still.
    pub unsteady: Findings<Unsteady>,
    /// Types whose instances visit their type as they shouldn't.
    pub type_visits: Findings<TypeVisits>,
    /// Leak suspects: types whose instances hold objects that they don't visit. Only if asked for, see
    /// [`Audit::suspects`](super::Audit::suspects).
    pub holders: Findings<Holder>,
    /// Leak suspects: types whose instances have references that nothing explains. Only if asked for, see
    /// [`Audit::suspects`](super::Audit::suspects).
    pub unexplained: Findings<Unexplained>,
    /// The entries of the allow-list, and how many findings each kept out of the lists above.
    pub allowed: Vec<Allowed>,
}

/// Findings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Findings<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them, up to the [limit](super::Audit::limit).
    pub listed: Vec<T>,
}

/// An object that is visited more often than it is referred to. A certain bug of one of its visitors: the collector
/// takes the object for garbage as soon as the surplus visits make up for the references from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OverVisited {
    /// The name of its type.
    pub type_name: String,
    /// If it is itself a class, the name of that.
    pub class_name: Option<String>,
    /// Where it is.
    pub address: usize,
    /// How many references there are to it.
    pub references: usize,
    /// How many visits.
    pub visits: usize,
    /// Who visits it; the most visits first.
    pub visitors: Vec<Visitor>,
}

/// The visits to one object by all instances of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Visitor {
    /// The name of the type.
    pub type_name: String,
    /// How many of its instances visit the object.
    pub objects: usize,
    /// How often all together do.
    pub visits: usize,
}

/// A type whose traverse breaks the collector's rules by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Unsteady {
    /// The name of the type.
    pub type_name: String,
    /// How many of its instances do so.
    pub objects: usize,
    /// Where the first of them is.
    pub address: usize,
    /// What it does.
    pub fault: Fault,
}

/// What is wrong with a traverse.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Fault {
    /// It failed, although the visitor didn't: it panicked, or stopped half-way.
    Failed,
    /// Two calls in a row made different visits: so many, then so many.
    Answers {
        /// Visits of the first call.
        first: usize,
        /// Visits of the second call.
        second: usize,
    },
    /// It changed reference counts, be it only for the time of a visit.
    References {
        /// The name of the type of an object whose count it changed.
        of: String,
    },
}

/// A type whose instances visit it in another number than they own references to it: one if it is a
/// [heap type](https://docs.python.org/3/howto/isolating-extensions.html#garbage-collection-protocol), none if it is
/// static.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TypeVisits {
    /// The name of the type.
    pub type_name: String,
    /// How many instances there are.
    pub objects: usize,
    /// How often an instance should visit its type.
    pub expected: usize,
    /// How often one does; the least of all, if there are too many.
    pub visits: usize,
}

/// A type whose instances hold objects without visiting them: cycles through them are never collected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Holder {
    /// The name of the type.
    pub type_name: String,
    /// Whether the collector tracks its instances; if not, they have no traverse at all.
    pub tracked: bool,
    /// How many of its instances hold hidden references.
    pub objects: usize,
    /// To what.
    pub held: Vec<Held>,
    /// How this is known.
    pub evidence: Evidence,
}

/// What the instances of a type hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Held {
    /// The name of the type of the objects that are held.
    pub type_name: String,
    /// How many references.
    pub references: usize,
}

/// How an audit knows what holds a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Evidence {
    /// The address of the object stands in the holder's memory. (On Linux.)
    Memory,
    /// The object leads to the holder, which shows nothing of what it holds: it may close a cycle. (Where memory can't be
    /// looked at.)
    Reaches,
}

/// A type whose instances have more references than visits. Code that is running holds some; so do C, Rust and the
/// interpreter's own structures. Those that never go away are leaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Unexplained {
    /// The name of the type.
    pub type_name: String,
    /// How many of its instances have such references.
    pub objects: usize,
    /// How many such references.
    pub references: usize,
    /// Where the first of the instances is.
    pub address: usize,
}

/// What an entry of the allow-list was good for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Allowed {
    /// The type or module.
    pub pattern: String,
    /// Why its findings are all right.
    pub reason: String,
    /// How many findings it kept out; none: the entry can go.
    pub findings: usize,
}

impl<T> Default for Findings<T> {
    fn default() -> Self {
        Self { total: 0, listed: Vec::new() }
    }
}

impl Report {
    /// How many findings there are, of all kinds.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.over_visited.total
            + self.unsteady.total
            + self.type_visits.total
            + self.holders.total
            + self.unexplained.total
    }

    /// Whether there is no finding.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings() == 0
    }

    /// For tests.
    ///
    /// # Panics
    ///
    /// If there are findings, with the report.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "the audit has findings\n{self}");
    }
}
