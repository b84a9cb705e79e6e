"""What the library does."""

import sys
from collections.abc import Iterable

import pytest

from pyo3_gc_graph import Edge, Event, Graph, GraphError, Memo, Node, Order, UnknownNode


def names(nodes: Iterable[Node]) -> str:
    return "".join(node.name for node in nodes)


def diamond() -> Node:
    """a -> b, c; b -> d; c -> d; d -> a"""
    nodes = {name: Node(name) for name in "abcd"}
    for source, target in zip("aabcd", "bcdda"):
        nodes[source].connect(nodes[target])
    return nodes["a"]


def test_nodes() -> None:
    node = Node("n", 1)
    assert (node.name, node.value, node.edges) == ("n", 1, [])
    node.value = None
    assert node.value is None
    assert repr(node) == "Node('n')"


def test_edges() -> None:
    a, b = Node("a"), Node("b")
    edge = a.connect(b, data=7)
    assert (edge.source, edge.target, edge.data) == (a, b, 7)
    assert a.edges == [edge] and b.edges == []
    a.disconnect(edge)
    assert a.edges == []
    with pytest.raises(GraphError, match="doesn't leave Node"):
        a.disconnect(edge)


def test_graphs() -> None:
    graph = Graph()
    b, a = graph.add(Node("b")), graph.add(Node("a"))
    assert list(graph) == [a, b] and len(graph) == 2
    assert graph["a"] is a and "a" in graph and "z" not in graph
    with pytest.raises(GraphError, match="already"):
        graph.add(Node("a"))
    assert graph.remove("a") is a and "a" not in graph
    for missing in (graph.remove, graph.__getitem__):
        with pytest.raises(UnknownNode, match='"a"'):
            missing("a")
    assert repr(graph) == "<Graph of 1 nodes>"


def test_walks() -> None:
    start = diamond()
    assert names(start.neighbours()) == "bc"
    assert names(start.walk()) == "abcd"
    assert names(start.walk(Order.DEPTH_FIRST)) == "abdc"
    walk = start.walk(order=Order.DEPTH_FIRST)
    assert iter(walk) is walk and walk.order == Order.DEPTH_FIRST
    assert names(walk) == "abdc" and names(walk) == ""


def test_observers() -> None:
    a, b = Node("a", 1), Node("b")
    seen: list[Event] = []
    assert a.observe(seen.append) == seen.append
    a.value = 2
    edge = a.connect(b)
    a.disconnect(edge)
    b.value = "not observed"
    a.unobserve(seen.append)
    a.value = "no longer observed"

    changed, connected, disconnected = seen
    assert isinstance(changed, Event.ValueChanged)
    assert (changed.node, changed.old, changed.new) == (a, 1, 2)
    assert isinstance(connected, Event.Connected) and connected.edge is edge
    assert isinstance(disconnected, Event.Disconnected) and disconnected.edge is edge
    with pytest.raises(GraphError, match="is no observer"):
        a.unobserve(seen.append)
    with pytest.raises(TypeError, match="callable"):
        a.observe(1)  # type: ignore[type-var]


def test_observers_of_graphs() -> None:
    graph, seen = Graph(), []

    @graph.observe
    def remember(event: Event) -> None:
        assert isinstance(event, (Event.Added, Event.Removed)) and event.graph is graph
        seen.append((type(event).__name__, event.node.name))

    graph.add(Node("a"))
    graph.remove("a")
    graph.unobserve(remember)
    graph.add(Node("a"))
    assert [name.rpartition("_")[2] for name, _ in seen] == ["Added", "Removed"]


def test_an_observer_may_change_what_it_observes() -> None:
    node = Node("n", 0)

    @node.observe
    def increase(event: Event) -> None:
        if isinstance(event, Event.ValueChanged) and event.new < 5:
            node.value += 1
            node.connect(Node("m"))

    node.value = 1
    assert node.value == 5 and len(node.edges) == 4


def test_all_observers_are_told_whatever_they_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    node, told, unraisable = Node("n"), [], []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: unraisable.append(str(hook.exc_value)))

    for which in ("first", "second"):

        @node.observe
        def fail(event: Event, which: str = which) -> None:
            told.append(which)
            raise ValueError(which)

    with pytest.raises(ValueError, match="first"):
        node.value = 1
    assert node.value == 1, "the change stands"
    assert told == ["first", "second"] and unraisable == ["second"]


def test_memos() -> None:
    a, b = Node("a"), Node("b")
    computed: list[Node] = []

    def compute(node: Node) -> int:
        computed.append(node)
        if node is b:
            raise KeyError("b")
        return len(computed)

    memo = Memo(compute)
    assert [memo(a), memo(a)] == [1, 1] and len(memo) == 1
    a.value = 1
    assert memo(a) == 2 and len(memo) == 1
    with pytest.raises(KeyError) as first:
        memo(b)
    with pytest.raises(KeyError) as second:
        memo(b)
    assert first.value is second.value and computed == [a, a, b]
    assert memo.forget(a) and not memo.forget(a)
    memo.clear()
    assert len(memo) == 0 and memo.compute is compute


def test_subclasses() -> None:
    class Place(Node):
        size: int

        def __new__(cls, name: str, size: int) -> "Place":
            place = super().__new__(cls, name)
            assert isinstance(place, Place)
            place.size = size
            return place

    place = Place("p", 3)
    assert (place.name, place.size, repr(place)) == ("p", 3, "Place('p')")
    assert place.connect(Node("n")).source is place
    with pytest.raises(TypeError):
        type("Sub", (Edge,), {})


def test_a_long_chain_does_not_overflow_the_stack() -> None:
    first = node = Node("0")
    for i in range(1, 200_000):
        node.value = node = Node(str(i))
    assert first.value.value.name == "2"
    del first, node
