//! `petgraph`: the weights of nodes and edges. A cleared graph is empty. Indices and the state of traversals are leaves.

use std::hash::BuildHasher;
use std::mem;

use petgraph::acyclic::Acyclic;
use petgraph::algo::{Cycle, DfsSpace, NegativeCycle, TarjanScc};
use petgraph::csr::Csr;
use petgraph::data::DataMap;
use petgraph::graph::{EdgeIndex, Graph, IndexType, NodeIndex};
use petgraph::graphmap::{GraphMap, NodeTrait};
use petgraph::matrix_graph::{MatrixGraph, NotZero, Zero};
use petgraph::stable_graph::StableGraph;
use petgraph::unionfind::UnionFind;
use petgraph::visit::{
    Bfs, Dfs, DfsPostOrder, EdgeFiltered, IntoEdgeReferences, NodeFiltered, NodeIndexable, Reversed, Time,
    Topo, UndirectedAdaptor, VisitMap, Visitable,
};
use petgraph::{Directed, Direction, EdgeType, Undirected, adj};
use pyo3::PyVisit;

use crate::impls::{clear_through_graveyard, composed, fields, of_parts};
use crate::traversable::{TraverseResult, again};
use crate::{Graveyard, PyGcTraversable, leaf};

leaf!(Directed, Undirected, Direction, Time, NegativeCycle);
leaf!(impl[Ix] NodeIndex<Ix>);
leaf!(impl[Ix] EdgeIndex<Ix>);
leaf!(impl[Ix: IndexType] adj::EdgeIndex<Ix>);
leaf!(impl[K: IndexType] UnionFind<K>);

// What is `Copy` owns nothing: nodes, as traversals know them.
leaf!(impl[N: Copy, V: VisitMap<N>] Bfs<N, V>);
leaf!(impl[N: Copy, V: VisitMap<N>] Dfs<N, V>);
leaf!(impl[N: Copy, V: VisitMap<N>] DfsPostOrder<N, V>);
leaf!(impl[N: Copy, V: VisitMap<N>] DfsSpace<N, V>);
leaf!(impl[N: Copy, V: VisitMap<N>] Topo<N, V>);
leaf!(impl[N: Copy] Cycle<N>);
leaf!(impl[N: Copy] TarjanScc<N>);

fields!(impl[G] Reversed<G> { Self(graph) => [graph] });
fields!(impl[G] UndirectedAdaptor<G> { Self(graph) => [graph] });
fields!(impl[G, F] EdgeFiltered<G, F> { Self(graph, filter) => [graph, filter] });
fields!(impl[G, F] NodeFiltered<G, F> { Self(graph, filter) => [graph, filter] });

/// Graphs with weights of the types `$weight`: `$weights` iterates over those of each type in turn, `$take` moves the graph
/// out and leaves an empty one.
macro_rules! graph {
    (
        impl[$($generics:tt)*] $graph:ty, |$this:ident| $take:expr,
        $($weight:ident: |$g:ident| $weights:expr),+ $(,)?
    ) => {
        composed!(impl[$($generics)*] $graph: $($weight),+);

        // SAFETY: 1 and 4: each weight once, as stands at `$weights` where it isn't plain. 2: iterating over a shared
        // reference reads. 3: `?`. 5: the weights' own answer. 6: an empty graph is a graph.
        unsafe impl<$($generics)*> PyGcTraversable for $graph
        where
            $($weight: PyGcTraversable),+
        {
            const MAY_CONTAIN_CYCLES: bool = false $(|| $weight::MAY_CONTAIN_CYCLES)+;
            of_parts!($($weight),+);

            fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
                $(if $weight::MAY_CONTAIN_CYCLES {
                    let $g = self;
                    for weight in $weights {
                        weight.traverse(again(&visit))?;
                    }
                })+
                Ok(())
            }

            clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if Self::MAY_CONTAIN_CYCLES {
                    let $this = self;
                    PyGcTraversable::bury($take, graveyard);
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                $(if $weight::MAY_CONTAIN_CYCLES {
                    let $g = self;
                    for weight in $weights {
                        weight.clear_interior_into(graveyard);
                    }
                })+
            }
        }
    };
}

graph!(
    impl[N, E, D: EdgeType, Ix: IndexType] Graph<N, E, D, Ix>, |this| mem::take(this),
    N: |graph| graph.node_weights(),
    E: |graph| graph.edge_weights(),
);
graph!(
    impl[N, E, D: EdgeType, Ix: IndexType] StableGraph<N, E, D, Ix>, |this| mem::take(this),
    N: |graph| graph.node_weights(),
    E: |graph| graph.edge_weights(),
);
graph!(
    impl[N, E, D: EdgeType, Ix: IndexType] Csr<N, E, D, Ix>, |this| mem::take(this),
    N: |graph| nodes(graph).map(|node| &graph[node]),
    // The edges lie in rows, one for each node, and each edge in one of them.
    E: |graph| nodes(graph).flat_map(|node| graph.edges_slice(node)),
);
graph!(
    impl[E, Ix: IndexType] adj::List<E, Ix>, |this| mem::replace(this, adj::List::new()),
    E: |graph| graph.edge_indices().filter_map(|edge| graph.edge_weight(edge)),
);
graph!(
    // Nodes are `Copy`.
    impl[N: NodeTrait, E, D: EdgeType, S: BuildHasher + Default] GraphMap<N, E, D, S>, |this| mem::take(this),
    E: |graph| graph.all_edges().map(|(_, _, weight)| weight),
);

graph!(impl[G: Visitable + Default] Acyclic<G>, |this| mem::take(this), G: |graph| [graph.inner()]);

fn nodes<N, E, D: EdgeType, Ix: IndexType>(graph: &Csr<N, E, D, Ix>) -> impl Iterator<Item = Ix> {
    (0..graph.node_count()).map(Ix::new)
}

/// For each of `petgraph`'s own types of edges: with one of somebody else's, which edges there are could be told by code of
/// his.
macro_rules! matrix_graph {
    ($edges:ty) => {
        graph!(
            impl[N, E, S: BuildHasher + Default, Ix: IndexType] MatrixGraph<N, E, S, $edges, Option<E>, Ix>,
            |this| mem::take(this),
            N: |graph| (0..graph.node_bound()).filter_map(|node| graph.get_node_weight(NodeIndex::new(node))),
            E: |graph| graph.edge_references().map(|(_, _, weight)| weight),
        );
        graph!(
            // What has a zero is a number.
            impl[N, E: Zero, S: BuildHasher + Default, Ix: IndexType] MatrixGraph<N, E, S, $edges, NotZero<E>, Ix>,
            |this| mem::take(this),
            N: |graph| (0..graph.node_bound()).filter_map(|node| graph.get_node_weight(NodeIndex::new(node))),
        );
    };
}

matrix_graph!(Directed);
matrix_graph!(Undirected);
