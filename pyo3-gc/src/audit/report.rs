//! What an audit looked at and what it found.

use std::fmt::{self, Display, Formatter};

use super::finding::{Finding, Holder, Kind, Listed, Number, Unread};

/// What an audit looked at and what it found.
///
/// `Display` writes it for people; with the feature `serde` it can be serialised. Addresses are those of the objects, as
/// Python's `id()` gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// The findings, by their kinds, and of each kind the first, up to the [limit](super::Audit::limit).
    pub findings: Vec<Finding>,
    /// How many findings of each kind there are, as in [`Kind::ALL`]; or none.
    pub(super) totals: Vec<usize>,
    /// Types asked for whose instances hide references that weren't seen to lead back, and that may be others'. No findings.
    pub hidden: Listed<Holder>,
    /// Types asked for of whose instances not all memory could be looked through. No findings, but what they hold there isn't
    /// known.
    pub unread: Listed<Unread>,
    /// What the patterns of [`Audit::suspects`](super::Audit::suspects) name.
    pub suspects: Vec<Suspected>,
    /// The entries of the allow-list, and how many findings each kept out.
    pub allowed: Vec<Allowed>,
}

/// What a pattern of [`Audit::suspects`](super::Audit::suspects) names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Suspected {
    /// The type or module.
    pub pattern: String,
    /// How many types it names. With none, nothing was sought: it is misspelt, or the module isn't imported.
    pub types: usize,
    /// How many instances of these types are alive, and known to the collector's objects.
    pub objects: usize,
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

impl Report {
    /// How many findings there are of one kind, those beyond the limit included.
    #[must_use]
    pub fn total(&self, kind: Kind) -> usize {
        let at = Kind::ALL.iter().position(|it| *it == kind);
        at.and_then(|at| self.totals.get(at)).copied().unwrap_or(0)
    }

    /// How many findings there are, of all kinds.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.totals.iter().sum()
    }

    /// The patterns that name no type, so that nothing was sought for them.
    pub fn unmatched(&self) -> impl Iterator<Item = &str> {
        self.suspects.iter().filter(|suspected| suspected.types == 0).map(|suspected| &*suspected.pattern)
    }

    /// Whether there is no finding, and no pattern that names nothing.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings() == 0 && self.unmatched().next().is_none()
    }

    /// For tests.
    ///
    /// # Panics
    ///
    /// If there are findings, or a pattern that names nothing, with the report.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "the audit isn't clean\n{self}");
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { objects, references, visits, .. } = self;
        write!(f, "gc audit: {objects} objects, {references} references, {visits} visits: ")?;
        match self.findings() {
            0 => write!(f, "no findings")?,
            findings => write!(f, "{}", Number(findings, "finding"))?,
        }
        match self.unmatched().count() {
            0 => {}
            1 => write!(f, ", but a pattern names nothing")?,
            patterns => write!(f, ", but {patterns} patterns name nothing")?,
        }
        match self.unread.total {
            0 => writeln!(f)?,
            types => writeln!(f, "; memory of {} wasn't read", Number(types, "type"))?,
        }
        for &kind in Kind::ALL {
            self.section(f, kind)?;
        }
        self.hidden.note(f, "hidden", "not seen to lead back, or perhaps not theirs: no findings")?;
        self.unread.note(
            f,
            "unread",
            "some of their memory has an allocator that isn't known: what is there wasn't seen",
        )?;
        for suspected in &self.suspects {
            suspected.fmt(f)?;
        }
        for allowed in &self.allowed {
            writeln!(f, "{allowed}")?;
        }
        if self.frozen > 0 {
            writeln!(f, "{} objects are frozen, and weren't looked at", self.frozen)?;
        }
        Ok(())
    }
}

impl<T: Display> Listed<T> {
    /// A section, if there is something to say.
    fn note(&self, f: &mut Formatter<'_>, title: &str, meaning: &str) -> fmt::Result {
        let Self { total, listed } = self;
        if *total == 0 {
            return Ok(());
        }
        writeln!(f, "\n{title}: {total} ({meaning})")?;
        listed.iter().try_for_each(|note| writeln!(f, "  {note}"))?;
        if *total > listed.len() { writeln!(f, "  … and {} more", total - listed.len()) } else { Ok(()) }
    }
}

impl Report {
    fn section(&self, f: &mut Formatter<'_>, kind: Kind) -> fmt::Result {
        let total = self.total(kind);
        if total == 0 {
            return Ok(());
        }
        writeln!(f, "\n{}: {total} ({})", kind.title(), kind.meaning())?;
        let mut more = total;
        for finding in self.findings.iter().filter(|finding| finding.kind() == kind) {
            writeln!(f, "  {finding}")?;
            more -= 1;
        }
        if more > 0 { writeln!(f, "  … and {more} more") } else { Ok(()) }
    }
}

impl Display for Suspected {
    /// A line, if there is something to say.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { pattern, types, objects } = self;
        match (types, objects) {
            (0, _) => writeln!(f, "suspects: no type is called {pattern}; is its module imported?"),
            (1, 0) => writeln!(f, "suspects: no instance of {pattern} is alive"),
            (_, 0) => writeln!(f, "suspects: no instance of the {types} types called {pattern} is alive"),
            _ => Ok(()),
        }
    }
}

impl Display for Allowed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { pattern, reason, findings } = self;
        match findings {
            0 => write!(f, "allowed, but not found: {pattern} ({reason})"),
            _ => write!(f, "allowed: {} about {pattern} ({reason})", Number(*findings, "finding")),
        }
    }
}

#[cfg(feature = "serde")]
mod serialize {
    use serde::ser::{Serialize, SerializeMap, Serializer};

    use super::{Finding, Kind, Report};

    /// The findings of one kind: how many there are, and the first of them.
    #[derive(serde::Serialize)]
    struct OfKind<'a> {
        total: usize,
        listed: Vec<&'a Finding>,
    }

    impl Serialize for Report {
        /// With a key for each kind.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Self {
                objects,
                references,
                visits,
                uncounted,
                frozen,
                findings,
                totals: _,
                hidden,
                unread,
                suspects,
                allowed,
            } = self;
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("objects", objects)?;
            map.serialize_entry("references", references)?;
            map.serialize_entry("visits", visits)?;
            map.serialize_entry("uncounted", uncounted)?;
            map.serialize_entry("frozen", frozen)?;
            for &kind in Kind::ALL {
                let listed = findings.iter().filter(|finding| finding.kind() == kind).collect();
                map.serialize_entry(kind.key(), &OfKind { total: self.total(kind), listed })?;
            }
            map.serialize_entry("hidden", hidden)?;
            map.serialize_entry("unread", unread)?;
            map.serialize_entry("suspects", suspects)?;
            map.serialize_entry("allowed", allowed)?;
            map.end()
        }
    }
}
