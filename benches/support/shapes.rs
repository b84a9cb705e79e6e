//! The shapes that are traversed, each as two classes with the same fields: one with the derive, one by hand.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::{PyClass, PyTraverseError, PyVisit};
use pyo3_gc::PyGcTraversable;

use super::Traversal;

/// Two classes with the same fields, made from a tuple of them: with derived and with hand-written hooks.
macro_rules! twins {
    (
        $derived:ident, $by_hand:ident { $($field:ident: $ty:ty),* $(,)? }
        traverse |$this:ident, $visit:ident| $traverse:expr,
        clear |$cleared:ident| $clear:expr $(,)?
    ) => {
        #[pyo3::pyclass]
        #[derive(PyGcTraversable)]
        pub(crate) struct $derived {
            $($field: $ty,)*
        }

        #[pymethods]
        impl $derived {
            // Not into PyO3's caller: LLVM's limits would decide which of the two classes gains by it.
            #[inline(never)]
            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                PyGcTraversable::traverse(self, visit)
            }

            fn __clear__(&mut self) {
                PyGcTraversable::clear(self);
            }
        }

        #[pyo3::pyclass]
        #[allow(dead_code, reason = "leaves are not looked at by hand")]
        pub(crate) struct $by_hand {
            $($field: $ty,)*
        }

        #[pymethods]
        impl $by_hand {
            #[inline(never)]
            #[allow(
                unused_variables,
                clippy::unused_self,
                clippy::unnecessary_wraps,
                reason = "nothing to visit in a class of leaves"
            )]
            fn __traverse__(&self, $visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                let $this = self;
                $traverse
            }

            #[allow(unused_variables, clippy::unused_self, reason = "nothing to clear in a class of leaves")]
            fn __clear__(&mut self) {
                let $cleared = self;
                $clear
            }
        }

        impl From<($($ty,)*)> for $derived {
            fn from(($($field,)*): ($($ty,)*)) -> Self {
                Self { $($field,)* }
            }
        }

        impl From<($($ty,)*)> for $by_hand {
            fn from(($($field,)*): ($($ty,)*)) -> Self {
                Self { $($field,)* }
            }
        }
    };
}

twins! {
    Empty, EmptyByHand { id: u64 }
    traverse |this, visit| Ok(()),
    clear |this| (),
}

twins! {
    Fields, FieldsByHand {
        id: u64,
        name: String,
        owner: Py<PyAny>,
        parent: Option<Py<PyAny>>,
        callback: Option<Py<PyAny>>,
        children: Vec<Py<PyAny>>,
        weights: Vec<f64>,
        range: (Py<PyAny>, Option<Py<PyAny>>),
    }
    traverse |this, visit| {
        visit.call(&this.owner)?;
        visit.call(&this.parent)?;
        visit.call(&this.callback)?;
        for child in &this.children {
            visit.call(child)?;
        }
        visit.call(&this.range.0)?;
        visit.call(&this.range.1)
    },
    clear |this| {
        this.parent = None;
        this.callback = None;
        this.children = Vec::new();
        this.range.1 = None;
    },
}

/// Nodes of every variant shape.
#[derive(PyGcTraversable)]
pub(crate) enum Tree {
    Dot,
    Value(Py<PyAny>),
    Pair(Box<Tree>, Box<Tree>),
    Group { label: String, owner: Option<Py<PyAny>>, parts: Vec<Tree> },
}

impl Tree {
    #[allow(clippy::clone_on_copy, reason = "a `PyVisit` is `Copy` only from PyO3 0.30 on")]
    fn traverse_by_hand(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Dot => {}
            Self::Value(value) => visit.call(value)?,
            Self::Pair(left, right) => {
                left.traverse_by_hand(visit.clone())?;
                right.traverse_by_hand(visit)?;
            }
            Self::Group { owner, parts, .. } => {
                visit.call(owner)?;
                for part in parts {
                    part.traverse_by_hand(visit.clone())?;
                }
            }
        }
        Ok(())
    }

    /// Exactly `nodes` nodes, at least one, as deep as their number's logarithm.
    fn grow(py: Python<'_>, nodes: usize) -> Self {
        match nodes {
            0 => Self::Dot,
            1 => Self::Value(py.None()),
            2..=4 => {
                let parts = (1..nodes).map(|turn| if turn == 1 { Self::Dot } else { Self::grow(py, 1) });
                Self::Group { label: String::new(), owner: None, parts: parts.collect() }
            }
            _ if nodes % 2 == 1 => {
                let half = (nodes - 1) / 2;
                Self::Pair(Box::new(Self::grow(py, half)), Box::new(Self::grow(py, nodes - 1 - half)))
            }
            _ => {
                let part = (nodes - 1) / 3;
                let parts = [part, part, nodes - 1 - 2 * part].map(|nodes| Self::grow(py, nodes));
                Self::Group { label: "group".into(), owner: Some(py.None()), parts: parts.into() }
            }
        }
    }
}

twins! {
    Forest, ForestByHand { root: Tree }
    traverse |this, visit| this.root.traverse_by_hand(visit),
    clear |this| this.root = Tree::Dot,
}

twins! {
    Objects, ObjectsByHand { objects: Vec<Py<PyAny>> }
    traverse |this, visit| {
        for object in &this.objects {
            visit.call(object)?;
        }
        Ok(())
    },
    clear |this| this.objects = Vec::new(),
}

twins! {
    Named, NamedByHand { objects: HashMap<String, Py<PyAny>> }
    traverse |this, visit| {
        for object in this.objects.values() {
            visit.call(object)?;
        }
        Ok(())
    },
    clear |this| this.objects = HashMap::new(),
}

twins! {
    Leaves, LeavesByHand { numbers: Vec<u64>, options: Vec<Option<u8>> }
    traverse |this, visit| Ok(()),
    clear |this| (),
}

/// A class whose instances are linked to two others, with whatever hooks `$methods` brings. Its variants are twins: the
/// compiler may inline what it likes in all of them.
macro_rules! linked {
    ($(#[$attr:meta])* $class:ident, #[$($methods:tt)*] { $($hooks:tt)* }) => {
        $(#[$attr])*
        pub(crate) struct $class {
            previous: Option<Py<PyAny>>,
            next: Option<Py<PyAny>>,
            payload: u64,
        }

        #[$($methods)*]
        impl $class {
            $($hooks)*
        }

        impl From<(Option<Py<PyAny>>, Option<Py<PyAny>>, u64)> for $class {
            fn from((previous, next, payload): (Option<Py<PyAny>>, Option<Py<PyAny>>, u64)) -> Self {
                Self { previous, next, payload }
            }
        }
    };
}

linked!(
    /// With the hooks that the import line installs.
    #[pyo3_gc::pyclass]
    Wired,
    #[pyo3_gc::pymethods] {}
);

linked!(
    /// With hooks by hand.
    #[pyo3::pyclass]
    #[allow(dead_code, reason = "leaves are not looked at by hand")]
    WiredByHand,
    #[pyo3::pymethods] {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.previous)?;
            visit.call(&self.next)
        }

        fn __clear__(&mut self) {
            self.previous = None;
            self.next = None;
        }
    }
);

linked!(
    /// The derive alone: the hooks call it.
    #[pyo3::pyclass]
    #[derive(PyGcTraversable)]
    Derived,
    #[pyo3::pymethods] {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            PyGcTraversable::traverse(self, visit)
        }

        fn __clear__(&mut self) {
            PyGcTraversable::clear(self);
        }
    }
);

/// Links two neighbours of a ring.
macro_rules! join {
    ($class:ident) => {
        impl $class {
            pub(crate) fn join(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) {
                let node = |object| Bound::cast::<$class>(object).expect("a node").borrow_mut();
                node(left).next = Some(right.clone().unbind());
                node(right).previous = Some(left.clone().unbind());
            }

            pub(crate) fn alone(py: Python<'_>) -> Bound<'_, PyAny> {
                Bound::new(py, Self::from((None, None, 0))).expect("an instance").into_any()
            }
        }
    };
}

join!(Derived);
join!(Wired);
join!(WiredByHand);

/// An instance of each class of a pair, with the same contents.
pub(crate) struct Twins {
    pub(crate) shape: &'static str,
    pub(crate) derived: Traversal,
    pub(crate) by_hand: Traversal,
}

impl Twins {
    fn new<F, D, H>(py: Python<'_>, shape: &'static str, fields: impl Fn() -> F) -> Self
    where
        D: From<F> + Into<PyClassInitializer<D>> + PyClass,
        H: From<F> + Into<PyClassInitializer<H>> + PyClass,
    {
        let derived = Bound::new(py, D::from(fields())).expect("an instance").into_any();
        let by_hand = Bound::new(py, H::from(fields())).expect("an instance").into_any();
        let twins = Self { shape, derived: Traversal::new(derived), by_hand: Traversal::new(by_hand) };
        assert_eq!(twins.derived.run(py), twins.by_hand.run(py), "{shape}: visits");
        twins
    }
}

/// How much each shape holds.
pub(crate) struct Sizes {
    pub(crate) nodes: usize,
    pub(crate) objects: usize,
    pub(crate) named: usize,
    pub(crate) leaves: usize,
}

/// No fields to look at: what PyO3 and the caller spend on a traversal.
pub(crate) fn empty(py: Python<'_>) -> Twins {
    Twins::new::<_, Empty, EmptyByHand>(py, "nothing", || (0,))
}

/// All shapes.
pub(crate) fn all(py: Python<'_>, sizes: &Sizes) -> [Twins; 6] {
    let objects = |count| (0..count).map(|_| py.None()).collect::<Vec<_>>();
    let fields = || {
        let range = (py.None(), Some(py.None()));
        (1, "name".to_owned(), py.None(), Some(py.None()), None, objects(4), vec![0.5; 16], range)
    };
    let named = || {
        (objects(sizes.named).into_iter().enumerate().map(|(id, object)| (id.to_string(), object)).collect(),)
    };
    let leaves = || (vec![1; sizes.leaves], vec![Some(1); sizes.leaves]);
    [
        Twins::new::<_, Fields, FieldsByHand>(py, "struct of eight fields", fields),
        Twins::new::<_, Forest, ForestByHand>(py, "enum tree", || (Tree::grow(py, sizes.nodes),)),
        Twins::new::<_, Objects, ObjectsByHand>(py, "Vec<Py<PyAny>>", || (objects(sizes.objects),)),
        Twins::new::<_, Named, NamedByHand>(py, "HashMap<String, Py<PyAny>>", named),
        Twins::new::<_, Leaves, LeavesByHand>(py, "vectors of leaves", leaves),
        Twins::new::<_, Wired, WiredByHand>(py, "wired class", || (Some(py.None()), Some(py.None()), 0)),
    ]
}
