"""What all tests share."""

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest


def collect() -> None:
    """Collects until nothing more goes; free-threaded builds need several rounds."""
    for _ in range(3):
        gc.collect()


class Fate:
    """Tells whether objects still live, without keeping them alive.

    A weak reference goes when its object is *found* to be garbage, also if nothing then lets go of it. So the collector
    is asked as well whether it still knows the object.
    """

    def __init__(self) -> None:
        self._references: list[tuple[str, weakref.ref[Any]]] = []
        self._tracked: list[tuple[str, int, type]] = []

    def watch(self, *objects: object) -> None:
        for one in objects:
            self._references.append((repr(one), weakref.ref(one)))
            # Only ours: another lambda may soon live at the address of the one that has gone, and holding on to a class
            # of the test's would keep what its methods refer to.
            if type(one).__module__.startswith("pyo3_gc_graph"):
                self._tracked.append((repr(one), id(one), type(one)))

    @property
    def known(self) -> list[str]:
        types = {id(one): type(one) for one in gc.get_objects()}
        return [name for name, address, kind in self._tracked if types.get(address) is kind]

    @property
    def alive(self) -> list[str]:
        return [name for name, reference in self._references if reference() is not None]

    def assert_alive(self) -> None:
        collect()
        assert len(self.alive) == len(self._references) > 0

    def assert_collected(self) -> None:
        """All of them, and by the collector: were reference counts enough, the test would prove nothing."""
        assert len(self.alive) == len(self._references) > 0, "no cycle"
        collect()
        assert self.alive == []
        assert self.known == [], "found, but not freed"


@pytest.fixture
def fate() -> Iterator[Fate]:
    """With the collector off, so that it runs only where a test says so."""
    collect()
    gc.disable()
    try:
        yield Fate()
    finally:
        gc.enable()


class Token:
    """An object that a weak reference can watch."""


def referents(of: object) -> list[object]:
    """What an object shows to the collector, but its type, which PyO3 visits from 0.30 on."""
    found = gc.get_referents(of)
    assert sum(one is type(of) for one in found) <= 1
    return [one for one in found if one is not type(of)]
