//! What counts as a finding: the kinds, in the order in which reports have them, and the data of each.

use std::fmt::{self, Display, Formatter};

use super::kinds::kinds;

kinds! {
    OverVisited: over_visited, "over-visited", "the collector may destroy these while they are in use";
    Unsteady: unsteady, "unsteady", "the traverse of these types breaks the collector's rules";
    Untracked: untracked, "untracked", "the collector isn't told of these: a cycle through them leaks";
    TypeVisits: type_visits, "type visits", "instances visit their type as often as they own a reference to it";
    Holder: holders, "holders", "what these hold and don't visit leaks when it leads back to them";
    Unexplained: unexplained, "unexplained", "referred to by what no traverse shows: running code, or a leak";
}

/// The data of findings, in structures that have their texts beside them.
macro_rules! data {
    ($($item:item)*) => {
        $(#[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        $item)*
    };
}

data! {
    /// An object that is visited more often than it is referred to. A certain bug of one of its visitors: the collector
    /// takes the object for garbage as soon as the visits too many make up for the references from outside.
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
    pub struct Visitor {
        /// The name of the type.
        pub type_name: String,
        /// How many of its instances visit the object.
        pub objects: usize,
        /// How often all together do.
        pub visits: usize,
    }

    /// A type whose traverse breaks the collector's rules by itself.
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
    #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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

    /// A type of which the collector tracks some instances and not others, and these hold objects that are tracked: they
    /// were never [tracked](https://docs.python.org/3/c-api/gcsupport.html#c.PyObject_GC_Track), or not again after they
    /// had been on a freelist.
    pub struct Untracked {
        /// The name of the type.
        pub type_name: String,
        /// How many instances aren't tracked.
        pub objects: usize,
        /// How many are.
        pub tracked: usize,
        /// Where the first of those is that aren't.
        pub address: usize,
        /// How many references to tracked objects they hold.
        pub references: usize,
    }

    /// A type whose instances visit it in another number than they own references to it: one if it is a
    /// [heap type](https://docs.python.org/3/howto/isolating-extensions.html#garbage-collection-protocol), none if it is
    /// static.
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
    pub struct Holder {
        /// The name of the type.
        pub type_name: String,
        /// Whether the collector tracks its instances; if not, they have no traverse at all.
        pub tracked: bool,
        /// How many of its instances hold hidden references.
        pub objects: usize,
        /// To what; the most references first.
        pub held: Vec<Held>,
        /// How this is known.
        pub evidence: Evidence,
    }

    /// What the instances of a type hold.
    pub struct Held {
        /// The name of the type of the objects that are held.
        pub type_name: String,
        /// How many references.
        pub references: usize,
    }

    /// How an audit knows what holds a reference.
    #[derive(Copy, Hash)]
    #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
    pub enum Evidence {
        /// The address of the object stands in the holder's memory. (On Linux.)
        Memory,
        /// The object alone keeps the holder alive, and memory of the holder's couldn't be looked through: it may close a
        /// cycle. (Where no memory can be looked at, a holder is meant that shows nothing of what it holds.)
        Reaches,
    }

    /// A type whose instances have more references than visits. Code that is running holds some; so do C, Rust and the
    /// interpreter's own structures. Those that never go away are leaks.
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

    /// A type with instances that own memory which couldn't be looked through: what it holds, no finding tells. It belongs to
    /// an allocator that isn't known, as modules bring with them, or is too large.
    pub struct Unread {
        /// The name of the type.
        pub type_name: String,
        /// How many of its instances own such memory.
        pub objects: usize,
    }

    /// What isn't a finding: the number of all, and the first of them.
    pub struct Listed<T> {
        /// How many there are.
        pub total: usize,
        /// Up to the [limit](super::Audit::limit).
        pub listed: Vec<T>,
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { total: 0, listed: Vec::new() }
    }
}

/// `1 visit`, `2 visits`.
pub(super) struct Number(pub(super) usize, pub(super) &'static str);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(number, what) = self;
        write!(f, "{number} {what}{}", if *number == 1 { "" } else { "s" })
    }
}

/// Within one finding, text lists so many types. Data list all.
pub(super) const MOST_TYPES: usize = 10;

impl Display for OverVisited {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.class_name {
            Some(class) => write!(f, "the class {class}")?,
            None => write!(f, "{}", self.type_name)?,
        }
        let (references, visits) = (Number(self.references, "reference"), Number(self.visits, "visit"));
        write!(f, " at {:#x}: {references}, {visits}", self.address)?;
        for Visitor { type_name, objects, visits } in self.visitors.iter().take(MOST_TYPES) {
            write!(f, "\n    {} by {type_name}", Number(*visits, "visit"))?;
            if *objects > 1 {
                write!(f, " ({objects} objects)")?;
            }
        }
        match self.visitors.get(MOST_TYPES..).unwrap_or_default() {
            [] => Ok(()),
            more => {
                let visits = Number(more.iter().map(|visitor| visitor.visits).sum(), "visit");
                write!(f, "\n    … and {visits} by {}", Number(more.len(), "more type"))
            }
        }
    }
}

impl Display for Unsteady {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, address, fault } = self;
        write!(f, "{type_name}, {}, the first at {address:#x}: ", Number(*objects, "object"))?;
        match fault {
            Fault::Failed => write!(f, "traverse fails by itself"),
            Fault::Answers { first, second } => {
                write!(f, "two calls of traverse in a row differ: {}, then {second}", Number(*first, "visit"))
            }
            Fault::References { of } => write!(f, "traverse changes the reference count of {of}"),
        }
    }
}

impl Display for Untracked {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, tracked, address, references } = self;
        let (objects, references) = (Number(*objects, "object"), Number(*references, "reference"));
        write!(f, "{type_name}, {objects}, the first at {address:#x}: ")?;
        write!(f, "not tracked, with {references} to what is; {tracked} others are tracked")
    }
}

impl Display for TypeVisits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, expected, visits } = self;
        let (objects, visits) = (Number(*objects, "object"), Number(*visits, "visit"));
        write!(f, "{type_name}, {objects}: {visits} of the type, where {expected} is right")
    }
}

impl Display for Holder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, tracked, objects, held, evidence } = self;
        let tracked = if *tracked { "" } else { ", not tracked" };
        let holds = match evidence {
            Evidence::Memory => "holds",
            Evidence::Reaches => "may hold, since that alone keeps it alive,",
        };
        write!(f, "{type_name}, {}{tracked}: {holds}", Number(*objects, "object"))?;
        for (at, Held { type_name, references }) in held.iter().take(MOST_TYPES).enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma} {} to {type_name}", Number(*references, "reference"))?;
        }
        match held.get(MOST_TYPES..).unwrap_or_default() {
            [] => Ok(()),
            more => {
                let references = Number(more.iter().map(|held| held.references).sum(), "reference");
                write!(f, ", and {references} to {}", Number(more.len(), "more type"))
            }
        }
    }
}

impl Display for Unexplained {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, references, address } = self;
        let (objects, references) = (Number(*objects, "object"), Number(*references, "reference"));
        write!(f, "{type_name}, {objects}, the first at {address:#x}: {references} that nobody visits")
    }
}

impl Display for Unread {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.type_name, Number(self.objects, "object"))
    }
}
