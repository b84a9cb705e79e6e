//! `petgraph`: the weights of nodes and edges, in every kind of graph, and what goes through graphs.

#![cfg(feature = "all")]

use petgraph::acyclic::Acyclic;
use petgraph::csr::Csr;
use petgraph::data::Build;
use petgraph::graph::{Graph, NodeIndex, UnGraph};
use petgraph::graphmap::{DiGraphMap, UnGraphMap};
use petgraph::matrix_graph::{DiMatrix, MatrixGraph, NotZero, UnMatrix};
use petgraph::stable_graph::{StableDiGraph, StableGraph};
use petgraph::visit::{self, Visitable};
use petgraph::{Directed, Direction, Undirected, adj, algo, unionfind};
use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;

type Object = Py<PyAny>;

/// `Csr` keeps the weight of an undirected edge twice.
#[derive(PyGcTraversable)]
struct Weight(Option<Object>);

impl Clone for Weight {
    fn clone(&self) -> Self {
        Self(Python::attach(|py| self.0.as_ref().map(|object| object.clone_ref(py))))
    }
}

fn matrix<Ty: petgraph::EdgeType>(
    own: impl Fn() -> Object,
) -> MatrixGraph<Object, Object, std::hash::RandomState, Ty> {
    let mut graph = MatrixGraph::default();
    let [a, b, c, d] = std::array::from_fn(|_| graph.add_node(own()));
    for (from, to) in [(a, b), (b, c), (c, c), (d, a), (c, d)] {
        graph.add_edge(from, to, own());
    }
    graph.remove_edge(a, b);
    graph.remove_node(b); // leaves a hole, and takes an edge along
    graph
}

fn csr<Ty: petgraph::EdgeType>(own: impl Fn() -> Object) -> Csr<Object, Weight, Ty> {
    let mut graph = Csr::default();
    let [a, b, c] = std::array::from_fn(|_| graph.add_node(own()));
    for (from, to) in [(a, b), (c, a), (b, b)] {
        graph.add_edge(from, to, Weight(Some(own())));
    }
    graph
}

field_tests!(LetsGo {
    nodes: Graph<Object, ()> = |own| {
        let mut graph = Graph::new();
        let (a, b) = (graph.add_node(own()), graph.add_node(own()));
        graph.add_edge(a, b, ());
        graph
    };
    edges: UnGraph<u8, Object> = |own| {
        let mut graph = UnGraph::new_undirected();
        let (a, b) = (graph.add_node(1), graph.add_node(2));
        graph.add_edge(a, b, own());
        graph
    };
    stable: StableGraph<Object, Object> = |own| {
        let mut graph = StableGraph::new();
        let (a, b, c) = (graph.add_node(own()), graph.add_node(own()), graph.add_node(own()));
        graph.add_edge(a, b, own());
        graph.add_edge(b, c, own());
        graph.remove_node(c); // leaves a hole, and takes an edge along
        graph
    };
    acyclic: Acyclic<StableDiGraph<Object, Object>> = |own| {
        let mut graph = Acyclic::<StableDiGraph<Object, Object>>::new();
        let (a, b) = (graph.add_node(own()), graph.add_node(own()));
        graph.try_add_edge(a, b, own()).unwrap();
        graph
    };
    map: DiGraphMap<u8, Object> = |own| DiGraphMap::from_edges([(1, 2, own()), (2, 1, own()), (3, 3, own())]);
    undirected_map: UnGraphMap<&'static str, Vec<Object>> =
        |own| UnGraphMap::from_edges([("a", "b", vec![own(), own()]), ("b", "c", vec![])]);
    directed_matrix: DiMatrix<Object, Object> = |own| matrix(own);
    undirected_matrix: UnMatrix<Object, Object> = |own| matrix(own);
    matrix_of_numbers: MatrixGraph<Object, f64, std::hash::RandomState, Undirected, NotZero<f64>> = |own| {
        let mut graph = MatrixGraph::default();
        let (a, b) = (graph.add_node(own()), graph.add_node(own()));
        graph.add_edge(a, b, 1.5);
        graph
    };
    directed_csr: Csr<Object, Weight, Directed> = |own| csr(own);
    undirected_csr: Csr<Object, Weight, Undirected> = |own| csr(own);
    list: adj::List<Object> = |own| {
        let mut graph = adj::List::new();
        let (a, b) = (graph.add_node(), graph.add_node());
        for (from, to) in [(a, b), (a, b), (b, b)] {
            graph.add_edge(from, to, own());
        }
        graph
    };
    reversed: visit::Reversed<Graph<Object, ()>> = |own| {
        let mut graph = Graph::new();
        graph.add_node(own());
        visit::Reversed(graph)
    };
    filtered: visit::NodeFiltered<Graph<Object, ()>, fn(NodeIndex) -> bool> = |own| {
        let mut graph = Graph::new();
        graph.add_node(own());
        visit::NodeFiltered(graph, |_| false)
    };
});

macro_rules! leaves {
    ($($ty:ty),+ $(,)?) => {
        $(const _: () = assert!(!<$ty as PyGcTraversable>::MAY_CONTAIN_CYCLES, stringify!($ty));)+
    };
}

type Visited = <Graph<(), ()> as Visitable>::Map;

leaves!(Direction, Directed, Undirected, NodeIndex, petgraph::graph::EdgeIndex<u16>, adj::EdgeIndex);
leaves!(unionfind::UnionFind<u32>, Graph<u8, String>, StableGraph<(), ()>, DiGraphMap<u8, ()>);
leaves!(Acyclic<StableDiGraph<(), ()>>, UnMatrix<u8, u8>, Csr<(), f32>, adj::UnweightedList<u32>);
leaves!(visit::Dfs<NodeIndex, Visited>, visit::DfsPostOrder<NodeIndex, Visited>, visit::Bfs<NodeIndex, Visited>);
leaves!(visit::Topo<NodeIndex, Visited>, visit::Dfs<u8, std::collections::HashSet<u8>>, visit::Time);
leaves!(algo::DfsSpace<NodeIndex, Visited>, algo::TarjanScc<NodeIndex>, algo::Cycle<NodeIndex>, algo::NegativeCycle);
