//! The kinds of nodes that a graph is made of, and the rules for each: what its slots hold, what the collector is shown of
//! them, and what clearing lets go of. Written from the documentation, not from the code under test.

/// What a node is. The simplest first: that is what a failing program is reduced to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A class of Python's own, its attributes for edges.
    Instance,
    List,
    Dict,
    /// A subclass of `list` that can be referred to weakly, which a `list` can't.
    WeakList,
    WeakDict,
    /// A Python class whose `__del__` stores the object where it is found again.
    Finalizer,
    /// `Option`, `Vec` and `HashMap`, whose keys and values are objects.
    Open,
    /// A Python subclass of `Open`.
    Heir,
    /// A Rust subclass of `Open`.
    Sub,
    /// `VecDeque`, `BTreeMap`, a long array in a tuple, `Result`.
    Collections,
    /// Types that name themselves, enums, trait objects.
    Nested,
    /// A bare `Py<PyAny>`.
    Bare,
    /// A bare `Py<Open>`.
    Typed,
    /// Visited, but not cleared: `#[pyo3_gc(clear = false)]`.
    Kept,
    /// `PyGcOpaque`.
    Opaque,
    /// Locks in a class that is cleared through `&mut`.
    Guarded,
    /// Locks in a frozen class.
    Frozen,
    /// Variants of one complex enum, which PyO3 makes a frozen class.
    PairVariant,
    LockedVariant,
    ListVariant,
    /// `Arc`s in a class that is cleared through `&mut`.
    ArcOpen,
    /// `Arc`s in a frozen class.
    ArcFrozen,
    /// What an `Arc` points to; no Python object.
    ArcContents,
    /// `Rc`s and a `Cell`, in an unsendable class.
    RcOpen,
    RcContents,
    GcArcOpen,
    GcArcFrozen,
    /// What a `PyGcArc` points to, and the hidden Python object that owns it.
    GcArcContents,
}

/// What a slot can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Object,
    Open,
    Arc,
    Rc,
    GcArc,
}

/// How many edges a slot has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    One,
    UpTo(usize),
    /// One, which can be replaced but not taken.
    Always,
}

/// When a slot is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Anytime,
    Once,
    AtBirth,
}

/// What is needed to empty a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emptied {
    Never,
    /// `&mut`: a frozen class can't.
    ThroughMut,
    /// `&` will do: there is a lock or a `RefCell` around it.
    ThroughLock,
}

/// What guards a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    None,
    Mutex,
    RwLock,
    RefCell,
}

/// The rules for a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) holds: Holds,
    pub(crate) room: Room,
    pub(crate) written: Written,
    /// Whether the collector is shown what it holds.
    pub(crate) seen: bool,
    pub(crate) emptied: Emptied,
    pub(crate) guard: Guard,
}

const OPTION: Slot = Slot {
    holds: Holds::Object,
    room: Room::One,
    written: Written::Anytime,
    seen: true,
    emptied: Emptied::ThroughMut,
    guard: Guard::None,
};
const VEC: Slot = Slot { room: Room::UpTo(100), ..OPTION };
const ARRAY: Slot = Slot { room: Room::UpTo(12), ..OPTION };
const ONCE_LOCK: Slot = Slot { written: Written::Once, ..OPTION };
const FIXED: Slot = Slot { written: Written::AtBirth, ..OPTION };

const fn behind(guard: Guard, slot: Slot) -> Slot {
    Slot { guard, emptied: Emptied::ThroughLock, ..slot }
}

const fn of(holds: Holds, slot: Slot) -> Slot {
    Slot { holds, ..slot }
}

/// A field that always points to something, and that clearing leaves where it is.
const fn bare(holds: Holds) -> Slot {
    Slot { holds, room: Room::Always, emptied: Emptied::Never, ..OPTION }
}

impl Kind {
    pub(crate) const ALL: [Self; 28] = [
        Self::Instance,
        Self::List,
        Self::Dict,
        Self::WeakList,
        Self::WeakDict,
        Self::Finalizer,
        Self::Open,
        Self::Heir,
        Self::Sub,
        Self::Collections,
        Self::Nested,
        Self::Bare,
        Self::Typed,
        Self::Kept,
        Self::Opaque,
        Self::Guarded,
        Self::Frozen,
        Self::PairVariant,
        Self::LockedVariant,
        Self::ListVariant,
        Self::ArcOpen,
        Self::ArcFrozen,
        Self::ArcContents,
        Self::RcOpen,
        Self::RcContents,
        Self::GcArcOpen,
        Self::GcArcFrozen,
        Self::GcArcContents,
    ];

    /// The slots, in the order of the fields of the class.
    pub(crate) const fn slots(self) -> &'static [Slot] {
        use Guard::{Mutex, RefCell, RwLock};
        use Holds::{Arc, GcArc, Open, Rc};
        match self {
            Self::Instance | Self::List | Self::Dict | Self::WeakList | Self::WeakDict | Self::Finalizer => {
                &[VEC]
            }
            Self::Open => &[OPTION, VEC, VEC, VEC],
            Self::Heir => &[OPTION, VEC, VEC, VEC, VEC],
            Self::Sub => &[OPTION, VEC, VEC, VEC, OPTION],
            Self::Collections => &[VEC, VEC, ARRAY, OPTION],
            Self::Nested => &[VEC, VEC, VEC],
            Self::Bare => &[OPTION],
            Self::Typed => const { &[bare(Open), OPTION] },
            Self::Kept => &[Slot { emptied: Emptied::Never, ..VEC }, OPTION],
            Self::Opaque => {
                const {
                    let hidden = Slot { seen: false, ..VEC };
                    &[Slot { emptied: Emptied::Never, ..hidden }, hidden, OPTION]
                }
            }
            Self::Guarded => const { &[behind(Mutex, VEC), behind(RwLock, OPTION), ONCE_LOCK] },
            Self::Frozen => const { &[behind(Mutex, VEC), behind(RwLock, OPTION), ONCE_LOCK, FIXED] },
            Self::PairVariant => &[FIXED, FIXED],
            Self::LockedVariant => const { &[behind(Mutex, VEC)] },
            Self::ListVariant => {
                const { &[Slot { written: Written::AtBirth, ..VEC }, behind(RwLock, OPTION)] }
            }
            Self::ArcOpen => const { &[bare(Arc), of(Arc, OPTION), of(Arc, VEC)] },
            Self::ArcFrozen => {
                const { &[Slot { written: Written::AtBirth, ..bare(Arc) }, behind(Mutex, of(Arc, OPTION))] }
            }
            Self::ArcContents => const { &[behind(Mutex, VEC), behind(RwLock, of(Arc, OPTION)), FIXED] },
            Self::RcOpen => const { &[bare(Rc), of(Rc, OPTION), OPTION] },
            Self::RcContents => const { &[behind(RefCell, VEC), behind(RefCell, of(Rc, OPTION))] },
            Self::GcArcOpen => const { &[bare(GcArc), of(GcArc, OPTION)] },
            Self::GcArcFrozen => {
                const { &[Slot { written: Written::AtBirth, ..bare(GcArc) }, behind(RwLock, of(GcArc, VEC))] }
            }
            Self::GcArcContents => {
                const {
                    &[
                        behind(Mutex, VEC),
                        behind(RwLock, of(GcArc, OPTION)),
                        FIXED,
                        behind(Mutex, of(Arc, OPTION)),
                    ]
                }
            }
        }
    }

    /// Whether it is Rust's alone: the collector knows of it only through an object that owns it.
    pub(crate) const fn is_contents(self) -> bool {
        matches!(self, Self::ArcContents | Self::RcContents)
    }

    /// Whether it holds contents that may have other owners, of which the collector doesn't know.
    pub(crate) const fn may_share(self) -> bool {
        matches!(self, Self::ArcOpen | Self::ArcFrozen | Self::ArcContents | Self::RcOpen | Self::RcContents)
    }

    /// Whether Python clears it, so that its token goes when it is cleared, not when it is deallocated.
    pub(crate) const fn is_python(self) -> bool {
        matches!(
            self,
            Self::Instance | Self::List | Self::Dict | Self::WeakList | Self::WeakDict | Self::Finalizer
        )
    }

    pub(crate) const fn is_weakly_referable(self) -> bool {
        matches!(
            self,
            Self::Instance
                | Self::WeakList
                | Self::WeakDict
                | Self::Finalizer
                | Self::Open
                | Self::Heir
                | Self::Sub
                | Self::Collections
                | Self::Bare
                | Self::Kept
                | Self::Opaque
                | Self::Frozen
                | Self::PairVariant
                | Self::LockedVariant
                | Self::ListVariant
                | Self::RcOpen
        )
    }

    /// Whether the collector clears it through `&`.
    pub(crate) const fn is_frozen(self) -> bool {
        matches!(
            self,
            Self::Frozen
                | Self::PairVariant
                | Self::LockedVariant
                | Self::ListVariant
                | Self::ArcFrozen
                | Self::GcArcFrozen
                | Self::GcArcContents
        )
    }

    /// Whether `holds` can hold it.
    pub(crate) const fn fits(self, holds: Holds) -> bool {
        match holds {
            Holds::Object => !matches!(self, Self::ArcContents | Self::RcContents | Self::GcArcContents),
            Holds::Open => matches!(self, Self::Open),
            Holds::Arc => matches!(self, Self::ArcContents),
            Holds::Rc => matches!(self, Self::RcContents),
            Holds::GcArc => matches!(self, Self::GcArcContents),
        }
    }
}

impl Holds {
    /// What is made where there is nothing to hold yet.
    pub(crate) const fn fresh(self) -> Kind {
        match self {
            Self::Object | Self::Open => Kind::Open,
            Self::Arc => Kind::ArcContents,
            Self::Rc => Kind::RcContents,
            Self::GcArc => Kind::GcArcContents,
        }
    }
}
