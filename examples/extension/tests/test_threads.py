"""Threads share nodes, graphs and memos; where the interpreter has no GIL, importing the module leaves it off."""

import gc
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from conftest import Fate, Token

from pyo3_gc_graph import Event, Graph, Memo, Node

THREADS = 4


def in_threads(work: Callable[[int], None]) -> None:
    """Starts all at once, with as many switches between them as there can be; raises what any of them raises."""
    barrier, interval = Barrier(THREADS), sys.getswitchinterval()

    def start(number: int) -> None:
        barrier.wait()
        work(number)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(start, range(THREADS)))
    finally:
        sys.setswitchinterval(interval)


def test_all_change_one_node() -> None:
    hub = Node("hub", 0)
    events: list[Event] = []
    hub.observe(events.append)

    def work(number: int) -> None:
        for i in range(200):
            edge = hub.connect(Node(f"{number}.{i}"), hub)
            hub.value = i
            assert hub.value is not None and list(hub.walk())
            if i % 2:
                hub.disconnect(edge)

    in_threads(work)
    assert len(hub.edges) == THREADS * 100
    assert sum(isinstance(event, Event.Connected) for event in events) == THREADS * 200


def test_all_change_one_graph() -> None:
    graph = Graph()

    def work(number: int) -> None:
        for i in range(200):
            graph.add(Node(f"{number}.{i}", graph))
            assert f"{number}.{i}" in graph and len(list(graph)) > 0
            if i % 2:
                graph.remove(f"{number}.{i}")

    in_threads(work)
    assert len(graph) == THREADS * 100


def test_all_ask_one_memo() -> None:
    nodes = [Node(str(i)) for i in range(50)]
    memo = Memo(lambda node: (node, memo))

    def work(number: int) -> None:
        for i in range(500):
            node = nodes[(i * (number + 1)) % len(nodes)]
            assert memo(node)[0] is node
            if i % 100 == 0:
                memo.forget(node)
                node.value = i

    in_threads(work)
    assert 0 < len(memo) <= len(nodes)


def test_cycles_die_while_threads_work(fate: Fate) -> None:
    kept = Node("kept", Token())
    gc.enable()

    def work(number: int) -> None:
        for i in range(100):
            node = Node("node")
            node.value = memo = Memo(lambda node: (node, memo))
            memo(node)
            node.connect(kept, node)
            if i % 20 == 0:
                fate.watch(node, memo)
                gc.collect()

    in_threads(work)
    gc.collect()
    gc.collect()
    assert fate.alive == []
    assert isinstance(kept.value, Token)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter has a GIL")
def test_the_import_leaves_the_gil_off() -> None:
    code = "import sys, pyo3_gc_graph; assert not sys._is_gil_enabled()"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
