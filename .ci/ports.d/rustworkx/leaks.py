import rustworkx as rx
from shapes import leak


def graph(kind, node=None, edge=None):
    """Two nodes, and an edge from the first to the second."""
    graph = kind()
    first = graph.add_node(node)
    graph.add_edge(first, graph.add_node(node), edge)
    return graph


for kind in (rx.PyGraph, rx.PyDiGraph):
    name = kind.__name__
    leak(f"{name}, a node", lambda thing: graph(kind, thing))
    leak(f"{name}, an edge", lambda thing: graph(kind, edge=thing))
    leak(f"{name}, its attrs", lambda thing: kind(attrs=thing))
    leak(f"{name}, an instance of a subclass", lambda thing: graph(type("Mine", (kind,), {}), thing))
    leak(f"{name}.copy()", lambda thing: graph(kind, thing).copy())
    leak(f"{name}.subgraph()", lambda thing: graph(kind, thing).subgraph([0, 1]))

# A node of a DAG is the object, and views of the graph hold it.
leak("BFSSuccessors", lambda thing: rx.bfs_successors(graph(rx.PyDiGraph, thing), 0))
leak("BFSSuccessors, an iterator", lambda thing: iter(rx.bfs_successors(graph(rx.PyDiGraph, thing), 0)))
leak("BFSSuccessors, reversed", lambda thing: reversed(rx.bfs_successors(graph(rx.PyDiGraph, thing), 0)))
leak("BFSPredecessors", lambda thing: rx.bfs_predecessors(graph(rx.PyDiGraph, thing), 1))
leak("BFSPredecessors, an iterator", lambda thing: iter(rx.bfs_predecessors(graph(rx.PyDiGraph, thing), 1)))
leak("BFSPredecessors, reversed", lambda thing: reversed(rx.bfs_predecessors(graph(rx.PyDiGraph, thing), 1)))
leak("WeightedEdgeList", lambda thing: graph(rx.PyGraph, edge=thing).weighted_edge_list())
leak("WeightedEdgeList, an iterator", lambda thing: iter(graph(rx.PyGraph, edge=thing).weighted_edge_list()))
leak("WeightedEdgeList, reversed", lambda thing: reversed(graph(rx.PyGraph, edge=thing).weighted_edge_list()))
leak("EdgeIndexMap", lambda thing: graph(rx.PyGraph, edge=thing).edge_index_map())
leak("EdgeIndexMap.values()", lambda thing: graph(rx.PyGraph, edge=thing).edge_index_map().values())
leak("EdgeIndexMap.items()", lambda thing: graph(rx.PyGraph, edge=thing).edge_index_map().items())


def mapping(kind, compare):
    def make(thing):
        graphs = graph(kind, thing, thing), graph(kind, thing, thing)
        return compare(*graphs, node_matcher=lambda one, other: thing is not None)

    return make


leak("GraphVf2Mapping", mapping(rx.PyGraph, rx.graph_vf2_mapping))
leak("DiGraphVf2Mapping", mapping(rx.PyDiGraph, rx.digraph_vf2_mapping))
leak("TopologicalSorter", lambda thing: rx.TopologicalSorter(graph(rx.PyDiGraph, thing)))


def circle(thing):
    graph = rx.PyDiGraph()
    graph.add_nodes_from([thing, thing])
    graph.add_edges_from([(0, 1, None), (1, 0, None)])
    return rx.simple_cycles(graph)


leak("SimpleCycleIter", circle)
