"""Cycles die, live objects don't, and the collector is shown each reference once."""

import ctypes
import gc
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Fate, Token, referents
from cycles import CYCLES, Cycle

from pyo3_gc_graph import Event, Graph, Memo, Node


@pytest.mark.parametrize("make", CYCLES, ids=lambda make: make.__name__)
def test_a_cycle_is_collected(make: Cycle, fate: Fate) -> None:
    node = Node("node")
    fate.watch(node, *make(node))
    del node
    fate.assert_collected()


@pytest.mark.parametrize("make", CYCLES, ids=lambda make: make.__name__)
def test_a_cycle_that_is_held_is_kept(make: Cycle, fate: Fate) -> None:
    node = Node("node")
    held = [node, *make(node)]
    fate.watch(*held)
    del node
    fate.assert_alive()
    held.clear()
    fate.assert_collected()


def test_the_last_node_of_a_ring_keeps_all_of_it(fate: Fate) -> None:
    ring = [Node(str(i), Token()) for i in range(100)]
    for i, node in enumerate(ring):
        node.connect(ring[i - 1])
        node.observe(lambda event, node=node: node)
    fate.watch(*ring, *(node.value for node in ring))
    last = ring[-1]
    ring.clear()
    del node
    fate.assert_alive()
    assert len(list(last.walk())) == 100 and all(node.value for node in last.walk())
    del last
    fate.assert_collected()


def test_an_iterator_keeps_what_is_left(fate: Fate) -> None:
    first, second = Node("first"), Node("second")
    first.connect(second)
    second.connect(first)
    walk = first.walk()
    fate.watch(first, second)
    del first, second
    fate.assert_alive()
    assert [node.name for node in walk] == ["first", "second"]
    fate.assert_collected()


def test_a_memo_keeps_what_it_remembers(fate: Fate) -> None:
    memo, node = Memo(lambda node: Token()), Node("node")
    fate.watch(memo(node))
    fate.assert_alive()
    memo.clear()
    assert not fate.alive


def test_a_destructor_may_come_back_to_a_memo(fate: Fate) -> None:
    memo, sizes = Memo(value_of), []

    def visit(memo: Memo) -> None:
        sizes.append(len(memo))
        memo.clear()

    memo(Node("itself", memo))
    memo(Node("revenant", revenant(memo, visit)))
    fate.watch(memo)
    del memo
    fate.assert_collected()
    assert sizes == [0]


def value_of(node: Node) -> Any:
    return node.value


def test_a_destructor_may_come_back_to_a_node(fate: Fate) -> None:
    node, seen = Node("node"), []

    def visit(node: Node) -> None:
        seen.append((node.value, node.edges))
        node.value = "set"

    node.connect(node)
    node.value = revenant(node, visit)
    fate.watch(node)
    del node
    fate.assert_collected()
    assert seen == [(None, [])]


DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, DESTRUCTOR)(
    ("PyCapsule_New", ctypes.pythonapi)
)
destructors: list[object] = []


def revenant(owner: Any, visit: Callable[[Any], None]) -> object:
    """An object that goes back to its owner when the owner lets go of it.

    An object of a class made in Python is finalised before anything is cleared, and weak references are gone by then.
    So this is one that the collector doesn't know, and that knows its owner by the address. The owner must be part of
    a cycle that nothing but its own clearing can break, or it isn't there any more.
    """
    address = id(owner)
    destructor = DESTRUCTOR(lambda capsule: visit(ctypes.cast(address, ctypes.py_object).value))
    destructors.append(destructor)
    capsule: object = new_capsule(address, None, destructor)
    return capsule


def test_referents() -> None:
    """Each reference that an object owns is shown once, as often as it is owned, and no other."""
    token = Token()
    node = Node("node", token)
    edges = [node.connect(node, token), node.connect(Node("other"))]
    observer = node.observe(lambda event: None)
    node.observe(observer)
    assert counted(node) == Counter(map(id, [token, *edges, observer, observer]))
    assert counted(edges[0]) == Counter(map(id, [node, node, token]))
    assert counted(edges[1]) == Counter(map(id, [node, edges[1].target]))
    assert counted(Event.ValueChanged(node, token, token)) == Counter(map(id, [node, token, token]))
    assert counted(Event.Connected(edges[0])) == Counter(map(id, [edges[0]]))

    graph = Graph()
    graph.add(node)
    assert counted(graph) == Counter(map(id, [node]))
    assert counted(Event.Added(graph, node)) == Counter(map(id, [graph, node]))

    iterator, walk = node.neighbours(), node.walk()
    assert counted(iterator) == counted(walk) == Counter(map(id, [node]))
    assert len(list(iterator)) == len(list(walk)) == 2
    assert counted(iterator) == counted(walk) == Counter()

    def compute(of: Node) -> Token:
        if of is node:
            return token
        raise failure

    failure, memo = ValueError(), Memo(compute)
    memo(node)
    with pytest.raises(ValueError):
        memo(edges[1].target)
    assert counted(memo) == Counter(map(id, [compute, token, failure]))


def counted(of: object) -> Counter[int]:
    return Counter(map(id, referents(of)))


def test_traversal_leaves_reference_counts_alone() -> None:
    token = Token()
    node = Node("node", token)
    before = sys.getrefcount(node), sys.getrefcount(token)
    gc.collect()
    gc.get_referrers(token)
    assert (sys.getrefcount(node), sys.getrefcount(token)) == before
