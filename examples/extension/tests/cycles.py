"""Ways to make a cycle through a node. Each returns what else must die with it."""

import gc
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Token

from pyo3_gc_graph import Edge, Event, Graph, Memo, Node, Order

Cycle = Callable[[Node], list[Any]]
CYCLES: list[Cycle] = []


def cycle(make: Cycle) -> Cycle:
    CYCLES.append(make)
    return make


@cycle
def its_own_value(node: Node) -> list[Any]:
    node.value = node
    return []


@cycle
def a_container(node: Node) -> list[Any]:
    node.value = {"self": [node]}
    return []


@cycle
def another_node(node: Node) -> list[Any]:
    node.value = other = Node("other", node)
    return [other]


@cycle
def an_edge(node: Node) -> list[Any]:
    other = Node("other", Token())
    return [node.connect(other), other, other.value]


@cycle
def an_edge_to_itself(node: Node) -> list[Any]:
    return [node.connect(node)]


@cycle
def a_ring_of_edges(node: Node) -> list[Any]:
    ring = [node, *(Node(str(i)) for i in range(50))]
    edges = [source.connect(target) for source, target in zip(ring, [*ring[1:], node])]
    return ring[1:] + edges


@cycle
def the_data_of_an_edge(node: Node) -> list[Any]:
    data: list[Edge] = []
    edge = node.connect(Node("other"), data)
    node.disconnect(edge)
    data.append(edge)
    node.value = node
    return [edge]


@cycle
def a_closure(node: Node) -> list[Any]:
    return [node.observe(lambda event: node.name)]


@cycle
def a_bound_method(node: Node) -> list[Any]:
    node.observe(node.__eq__)
    return []


@cycle
def an_observer_with_state(node: Node) -> list[Any]:
    class Observer:
        def __init__(self) -> None:
            self.node = node

        def __call__(self, event: Event) -> None: ...

    return [node.observe(Observer())]


@cycle
def an_observer_that_keeps_events(node: Node) -> list[Any]:
    events: list[Event] = []
    node.observe(events.append)
    node.value, edge = Token(), node.connect(Node("other"))
    node.disconnect(edge)
    assert len(events) == 3
    return [*events, node.value, edge]


@cycle
def the_event_of_a_change(node: Node) -> list[Any]:
    node.value = event = Event.ValueChanged(node, None, Token())
    return [event, event.new]


@cycle
def the_event_of_a_connection(node: Node) -> list[Any]:
    edge = node.connect(Node("other"))
    node.disconnect(edge)
    node.value = event = Event.Connected(edge)
    return [event, edge]


@cycle
def the_event_of_a_disconnection(node: Node) -> list[Any]:
    edge = node.connect(Node("other"))
    node.disconnect(edge)
    node.value = event = Event.Disconnected(edge)
    return [event, edge]


@cycle
def the_events_of_a_graph(node: Node) -> list[Any]:
    graph = Graph()
    node.value = events = [Event.Added(graph, node), Event.Removed(graph, node)]
    return [graph, *events]


@cycle
def a_graph(node: Node) -> list[Any]:
    node.value = graph = Graph()
    graph.add(node)
    return [graph]


@cycle
def an_observer_of_a_graph(node: Node) -> list[Any]:
    graph = Graph()
    return [graph, graph.observe(lambda event: graph.add(node))]


@cycle
def neighbours(node: Node) -> list[Any]:
    node.value = iterator = node.neighbours()
    return [iterator]


@cycle
def a_walk(node: Node) -> list[Any]:
    node.value = walk = node.walk(Order.DEPTH_FIRST)
    return [walk]


@cycle
def a_walk_under_way(node: Node) -> list[Any]:
    # It holds no more than the neighbour, whose value it is.
    other = Node("other")
    node.connect(other)
    other.value = walk = node.walk()
    assert next(walk) is node
    return [other, walk]


@cycle
def the_iterator_of_a_graph(node: Node) -> list[Any]:
    graph = Graph()
    graph.add(node)
    node.value = iter(graph)
    return []


@cycle
def the_function_of_a_memo(node: Node) -> list[Any]:
    memo = Memo(lambda of: (memo, node))
    return [memo]


class Box:
    content: Any


def box(node: Node) -> Box:
    return Box()


@cycle
def what_a_memo_remembers(node: Node) -> list[Any]:
    # `box` doesn't refer back: the cycle runs through nothing but the entries behind the lock.
    memo = Memo(box)
    remembered = memo(node)
    remembered.content = memo, node
    return [memo, remembered]


@cycle
def a_failure_that_a_memo_remembers(node: Node) -> list[Any]:
    # Its traceback's frame holds the memo and the node; the function holds neither.
    memo = Memo(fail)
    node.value = memo
    with pytest.raises(Failure) as caught:
        memo(node)
    return [memo, caught.value]


class Failure(LookupError):
    """A built-in exception can't be watched."""


def fail(node: Node) -> None:
    memo = node.value
    raise Failure(memo)


@cycle
def an_attribute_of_a_subclass(node: Node) -> list[Any]:
    class Place(Node):
        home: Node

    place = Place("place")
    place.home = place
    place.connect(node)
    node.value = place
    return [place]


@cycle
def a_subclass_that_overrides(node: Node) -> list[Any]:
    class Everything(Graph):
        def __contains__(self, name: str, /) -> bool:
            return True

    graph = Everything()
    graph.add(node)
    node.value = graph
    return [graph]


def a_class_that_refers_back(node: Node) -> list[Any]:
    class Custom(Node):
        def original(self) -> Node:
            return node

    node.value = custom = Custom("custom")
    return [Custom, custom]


# PyO3 visits an object's type from 0.30 on; before, its class keeps such an object alive.
if Node in gc.get_referents(Node("any")):
    cycle(a_class_that_refers_back)
