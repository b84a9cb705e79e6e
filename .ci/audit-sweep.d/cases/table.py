"""The table of cases, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Cases = Callable[[], Iterator[tuple[str, Callable[[Any], Any]]]]

PACKAGES: dict[str, Cases] = {}


def package(cases: Cases) -> Cases:
    """Enters the cases of a package, under the name of the function."""
    PACKAGES[cases.__name__] = cases
    return cases


def carrying(held: object, base: type[Any], *arguments: Any, **methods: Any) -> Any:
    """An instance of a subclass, with an attribute that leads to what is held."""
    carrier = type(f"Carrier_{base.__name__}", (base,), methods)(*arguments)
    carrier.held = held
    return carrier


def returning(held: object, value: object = None) -> Callable[..., Any]:
    """A function that leads to what is held."""
    return lambda *_, **__: (held, value)[1]
