"""A small graph library, written in Rust: nodes, edges, observers, walks and a memo."""

from ._native import (
    Edge,
    Event,
    Graph,
    GraphError,
    Memo,
    Neighbours,
    Node,
    Order,
    UnknownNode,
    Walk,
)

__all__ = [
    "Edge",
    "Event",
    "Graph",
    "GraphError",
    "Memo",
    "Neighbours",
    "Node",
    "Order",
    "UnknownNode",
    "Walk",
]
