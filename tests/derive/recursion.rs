//! Types that name themselves: whatever is owned on the way is visited, and what owns nothing stays a leaf.

use std::collections::{BTreeMap, HashMap};
use std::rc::Weak;

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{self, DropCounter, DropProbe, alone, collect, visits};

type Object = Py<PyAny>;

#[derive(PyGcTraversable)]
struct List {
    value: Object,
    next: Option<Box<List>>,
}

#[derive(PyGcTraversable)]
struct Tree {
    value: Option<Object>,
    kids: Vec<Self>,
    pair: [Option<Box<Tree>>; 2],
    by_name: HashMap<String, Tree>,
}

impl Tree {
    fn new(value: Option<Object>, kids: Vec<Self>) -> Self {
        Self { value, kids, pair: [None, None], by_name: HashMap::new() }
    }
}

#[derive(PyGcTraversable)]
enum Expr {
    Nil,
    Value(Object),
    Add(Box<Expr>, Box<Expr>),
    Call { function: Box<Self>, arguments: Box<[Self]> },
}

/// Its only references stand beside its own name.
#[derive(PyGcTraversable)]
struct Pairs {
    pairs: Vec<(Pairs, Object)>,
}

#[derive(PyGcTraversable)]
struct ByKey {
    map: BTreeMap<u8, (Option<Object>, Vec<ByKey>)>,
}

#[derive(PyGcTraversable)]
enum Results {
    End,
    Next(Result<Box<Results>, Object>),
}

/// Behind a type that the derive knows nothing of.
#[derive(PyGcTraversable)]
struct Wrapper<T>(T, Option<Object>);

#[derive(PyGcTraversable)]
struct Wrapped {
    kids: Vec<Wrapper<Wrapped>>,
}

/// Which looks like a type that the derive does know.
mod mine {
    #[derive(pyo3_gc::PyGcTraversable)]
    pub(super) struct Vec<T>(pub(super) std::vec::Vec<(T, super::Object)>);
}

#[derive(PyGcTraversable)]
struct Disguised {
    kids: mine::Vec<Disguised>,
}

/// Two types of one name.
mod ast {
    #[derive(pyo3_gc::PyGcTraversable)]
    pub(super) struct Named(pub(super) Option<super::Object>);
}

#[derive(PyGcTraversable)]
struct Named {
    inner: Vec<ast::Named>,
}

#[derive(PyGcTraversable)]
struct Generic<T> {
    value: Option<T>,
    next: Option<Box<Generic<T>>>,
    others: Vec<Self>,
}

/// Names itself with other arguments.
#[derive(PyGcTraversable)]
struct Other<T> {
    value: Option<T>,
    object: Vec<Other<Object>>,
}

#[derive(PyGcTraversable)]
struct File {
    owner: Option<Object>,
    #[pyo3_gc(recursive)]
    parent: Option<Box<Folder>>,
}

#[derive(PyGcTraversable)]
struct Folder {
    files: Vec<File>,
}

field_tests!(LetsGo {
    list: List = |own| List {
        value: own(),
        next: Some(Box::new(List { value: own(), next: Some(Box::new(List { value: own(), next: None })) })),
    };
    tree: Tree = |own| {
        let mut tree = Tree::new(Some(own()), vec![
            Tree::new(None, vec![Tree::new(Some(own()), vec![])]),
            Tree::new(Some(own()), vec![]),
        ]);
        tree.pair[1] = Some(Box::new(Tree::new(Some(own()), vec![])));
        tree.by_name.insert(String::from("a"), Tree::new(Some(own()), vec![]));
        tree
    };
    tree_in_place: (Tree, u8) = |own| (Tree::new(Some(own()), vec![]), 1);
    expr: Expr = |own| Expr::Add(
        Box::new(Expr::Value(own())),
        Box::new(Expr::Call {
            function: Box::new(Expr::Value(own())),
            arguments: Box::new([Expr::Nil, Expr::Value(own()), Expr::Value(own())]),
        }),
    );
    several_beside_their_name: Vec<Pairs> = |own| vec![Pairs { pairs: vec![(Pairs { pairs: vec![] }, own())] }];
    beside_its_name: Pairs =
        |own| Pairs { pairs: vec![(Pairs { pairs: vec![(Pairs { pairs: vec![] }, own())] }, own())] };
    beside_its_name_in_a_map: ByKey = |own| ByKey {
        map: BTreeMap::from([(1, (Some(own()), vec![ByKey { map: BTreeMap::from([(1, (Some(own()), vec![]))]) }]))]),
    };
    beside_its_name_in_a_result: Vec<Results> =
        |own| vec![Results::Next(Ok(Box::new(Results::Next(Err(own()))))), Results::End];
    in_a_wrapper: Wrapped =
        |own| Wrapped { kids: vec![Wrapper(Wrapped { kids: vec![Wrapper(Wrapped { kids: vec![] }, Some(own()))] }, Some(own()))] };
    in_a_vec_of_ones_own: Disguised = |own| Disguised {
        kids: mine::Vec(vec![(Disguised { kids: mine::Vec(vec![(Disguised { kids: mine::Vec(vec![]) }, own())]) }, own())]),
    };
    same_name_elsewhere: Named = |own| Named { inner: vec![ast::Named(Some(own())), ast::Named(None)] };
    generic: Generic<Object> = |own| {
        let end = |value| Generic { value, next: None, others: vec![] };
        Generic { value: Some(own()), next: Some(Box::new(end(Some(own())))), others: vec![end(None), end(Some(own()))] }
    };
    generic_with_other_arguments: Other<u8> = |own| Other {
        value: Some(1),
        object: vec![Other { value: Some(own()), object: vec![Other { value: Some(own()), object: vec![] }] }],
    };
    mutual: Folder = |own| Folder {
        files: vec![File {
            owner: Some(own()),
            parent: Some(Box::new(Folder { files: vec![File { owner: Some(own()), parent: None }] })),
        }],
    };
});

/// Owns no reference, however deep.
#[derive(PyGcTraversable)]
struct LeafTree {
    _value: u8,
    _next: Option<Box<LeafTree>>,
    _kids: Vec<(Self, String)>,
    _parent: Weak<LeafTree>,
    _root: Option<&'static LeafTree>,
    _raw: *const LeafTree,
    _make: fn(u8) -> LeafTree,
}

const _: () = {
    assert!(!LeafTree::MAY_CONTAIN_CYCLES);
    assert!(!Generic::<u8>::MAY_CONTAIN_CYCLES);
    assert!(Generic::<Object>::MAY_CONTAIN_CYCLES);
    assert!(Pairs::MAY_CONTAIN_CYCLES);
    assert!(Results::MAY_CONTAIN_CYCLES);
    assert!(Wrapped::MAY_CONTAIN_CYCLES);
    assert!(Disguised::MAY_CONTAIN_CYCLES);
    assert!(Named::MAY_CONTAIN_CYCLES);
    assert!(Peer::MAY_CONTAIN_CYCLES);
};

/// A class whose only references are to its own kind.
#[pyclass]
#[derive(PyGcTraversable)]
struct Peer {
    next: Option<Py<Peer>>,
    kids: Vec<Py<Self>>,
    probe: DropProbe,
}
support::hooks!(Peer);

#[test]
fn references_to_its_own_kind() {
    alone(|py| {
        let dropped = DropCounter::default();
        let peer = || Bound::new(py, Peer { next: None, kids: Vec::new(), probe: dropped.probe() }).unwrap();
        let (root, kid) = (peer(), peer());
        root.borrow_mut().kids.extend([kid.clone().unbind(), kid.clone().unbind()]);
        root.borrow_mut().next = Some(root.clone().unbind());
        kid.borrow_mut().next = Some(root.clone().unbind());
        assert_eq!(visits(root.as_any(), kid.as_any()), 2);
        assert_eq!(visits(root.as_any(), root.as_any()), 1);
        assert_eq!(visits(kid.as_any(), root.as_any()), 1);

        drop(kid);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        assert_eq!(root.borrow().kids.len(), 2);
        drop(root);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}

/// What `Cow` owns is `ToOwned`'s to say.
mod owned_elsewhere {
    use std::borrow::{Borrow, Cow};

    use pyo3::prelude::*;
    use pyo3_gc::PyGcTraversable;

    #[derive(PyGcTraversable)]
    pub(super) struct Doc {
        parent: Option<Cow<'static, Doc>>,
    }

    #[derive(PyGcTraversable)]
    pub(super) struct OwnedDoc {
        doc: Box<Doc>,
        object: Py<PyAny>,
    }

    impl Borrow<Doc> for OwnedDoc {
        fn borrow(&self) -> &Doc {
            &self.doc
        }
    }

    impl ToOwned for Doc {
        type Owned = OwnedDoc;

        fn to_owned(&self) -> OwnedDoc {
            unreachable!("not in this test")
        }
    }

    pub(super) fn holding(object: Py<PyAny>) -> Doc {
        Doc { parent: Some(Cow::Owned(OwnedDoc { doc: Box::new(Doc { parent: None }), object })) }
    }
}

/// A type of one's own that has the name of one of std's, and owns what a trait says.
mod same_name {
    use pyo3::prelude::*;
    use pyo3_gc::PyGcTraversable;

    pub(super) trait Data {
        type D;
    }

    impl Data for () {
        type D = u8;
    }

    macro_rules! named {
        ($module:ident, $name:ident) => {
            pub(super) mod $module {
                use super::*;

                #[derive(PyGcTraversable)]
                pub(in super::super) struct $name<T: Data> {
                    pub(in super::super) d: T::D,
                }

                #[derive(PyGcTraversable)]
                pub(in super::super) struct Node {
                    pub(in super::super) inner: Option<$name<Node>>,
                }

                impl Data for Node {
                    type D = Py<PyAny>;
                }
            }
        };
    }

    named!(cell, Cell);
    named!(weak, Weak);
    named!(boxed, Box);
    named!(phantom, PhantomData);
    named!(opaque, PyGcOpaque);
}

#[test]
fn what_only_looks_like_std_may_contain_cycles() {
    const {
        assert!(owned_elsewhere::Doc::MAY_CONTAIN_CYCLES);
        assert!(same_name::cell::Node::MAY_CONTAIN_CYCLES);
        assert!(same_name::weak::Node::MAY_CONTAIN_CYCLES);
        assert!(same_name::boxed::Node::MAY_CONTAIN_CYCLES);
        assert!(same_name::phantom::Node::MAY_CONTAIN_CYCLES);
        assert!(same_name::opaque::Node::MAY_CONTAIN_CYCLES);
    }
}

field_tests!(LetsGo {
    cow: owned_elsewhere::Doc = |own| owned_elsewhere::holding(own());
    cell: same_name::cell::Node = |own| same_name::cell::Node { inner: Some(same_name::cell::Cell { d: own() }) };
    boxed: same_name::boxed::Node = |own| same_name::boxed::Node { inner: Some(same_name::boxed::Box { d: own() }) };
});

/// A loop of types in which all fields of one are marked at once.
mod marked_whole {
    use pyo3::prelude::*;
    use pyo3_gc::PyGcTraversable;

    #[derive(PyGcTraversable)]
    #[pyo3_gc(recursive)]
    pub(super) enum Expr {
        Object(Py<PyAny>),
        Sum(Sum),
        Call(Box<Call>),
    }

    #[derive(PyGcTraversable)]
    pub(super) struct Sum {
        pub(super) terms: Vec<Expr>,
    }

    #[derive(PyGcTraversable)]
    pub(super) struct Call {
        pub(super) function: Expr,
        pub(super) arguments: Vec<Expr>,
    }
}

field_tests!(LetsGo {
    whole: marked_whole::Expr = |own| {
        use marked_whole::{Call, Expr, Sum};
        Expr::Sum(Sum {
            terms: vec![
                Expr::Object(own()),
                Expr::Call(Box::new(Call { function: Expr::Object(own()), arguments: vec![Expr::Object(own())] })),
            ],
        })
    };
});
