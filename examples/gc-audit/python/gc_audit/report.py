"""What an audit found, as data. The same as in JSON, and named alike.

Addresses are those of the objects, as `id()` gives them. They are valid as long as the object lives.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Optional, TypeVar, Union

T = TypeVar("T")


class AuditError(AssertionError):
    """An audit has findings: they are the message."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


@dataclass(frozen=True)
class Findings(Generic[T]):
    """Findings of one kind: how many there are, and the first of them."""

    total: int
    listed: tuple[T, ...]

    @classmethod
    def of(cls, data: dict[str, Any], one: Callable[[dict[str, Any]], T]) -> Findings[T]:
        return cls(data["total"], tuple(map(one, data["listed"])))


@dataclass(frozen=True)
class Visitor:
    """The visits to one object by all instances of one type."""

    type_name: str
    objects: int
    visits: int


@dataclass(frozen=True)
class OverVisited:
    """An object with more visits than references: the collector may destroy it while it is in use."""

    type_name: str
    class_name: Optional[str]
    """If the object is itself a class, the name of that."""
    address: int
    references: int
    visits: int
    visitors: tuple[Visitor, ...]

    @classmethod
    def of(cls, data: dict[str, Any]) -> OverVisited:
        visitors = tuple(Visitor(**visitor) for visitor in data["visitors"])
        return cls(**{**data, "visitors": visitors})


@dataclass(frozen=True)
class Failed:
    """The traverse fails on its own."""


@dataclass(frozen=True)
class Answers:
    """Two calls of the traverse in a row made different numbers of visits."""

    first: int
    second: int


@dataclass(frozen=True)
class References:
    """The traverse changes the reference count of an object of this type."""

    of: str


Fault = Union[Failed, Answers, References]


@dataclass(frozen=True)
class Unsteady:
    """A type whose traverse breaks the collector's rules by itself."""

    type_name: str
    objects: int
    address: int
    fault: Fault

    @classmethod
    def of(cls, data: dict[str, Any]) -> Unsteady:
        fault: Fault
        if data["fault"] == "failed":
            fault = Failed()
        else:
            ((kind, details),) = data["fault"].items()
            fault = {"answers": Answers, "references": References}[kind](**details)
        return cls(**{**data, "fault": fault})


@dataclass(frozen=True)
class TypeVisits:
    """A type whose instances visit it more or less often than they own a reference to it."""

    type_name: str
    objects: int
    expected: int
    visits: int


@dataclass(frozen=True)
class Held:
    """What the instances of a type hold: so many references to objects of that type."""

    type_name: str
    references: int


@dataclass(frozen=True)
class Holder:
    """A type whose instances hold objects without visiting them: cycles through them leak."""

    type_name: str
    tracked: bool
    objects: int
    held: tuple[Held, ...]
    evidence: Literal["memory", "reaches"]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Holder:
        return cls(**{**data, "held": tuple(Held(**held) for held in data["held"])})


@dataclass(frozen=True)
class Unexplained:
    """A type whose instances have references that nobody visits: those of running code, or a leak."""

    type_name: str
    objects: int
    references: int
    address: int


@dataclass(frozen=True)
class Allowed:
    """How many findings an entry of the allow-list kept out."""

    pattern: str
    reason: str
    findings: int


@dataclass(frozen=True)
class Report:
    """What an audit looked at and what it found. `str()` writes it for people, `json()` for programs."""

    objects: int
    references: int
    visits: int
    uncounted: int
    frozen: int
    over_visited: Findings[OverVisited]
    unsteady: Findings[Unsteady]
    type_visits: Findings[TypeVisits]
    holders: Findings[Holder]
    unexplained: Findings[Unexplained]
    allowed: tuple[Allowed, ...]
    _text: str = field(repr=False)
    _json: str = field(repr=False)

    @classmethod
    def of(cls, text: str, data: str) -> Report:
        """What the native half returns."""
        read = json.loads(data)
        findings = {
            "over_visited": Findings.of(read["over_visited"], OverVisited.of),
            "unsteady": Findings.of(read["unsteady"], Unsteady.of),
            "type_visits": Findings.of(read["type_visits"], lambda one: TypeVisits(**one)),
            "holders": Findings.of(read["holders"], Holder.of),
            "unexplained": Findings.of(read["unexplained"], lambda one: Unexplained(**one)),
            "allowed": tuple(Allowed(**one) for one in read["allowed"]),
        }
        return cls(**{**read, **findings}, _text=text.rstrip("\n"), _json=data)

    @property
    def findings(self) -> int:
        """How many findings there are, of all kinds, those beyond the limit included."""
        kinds = self.over_visited, self.unsteady, self.type_visits, self.holders, self.unexplained
        return sum(kind.total for kind in kinds)

    @property
    def is_clean(self) -> bool:
        """Whether there is no finding."""
        return self.findings == 0

    def assert_clean(self) -> None:
        """Raises an `AuditError` with the report, if there are findings."""
        if not self.is_clean:
            raise AuditError(self)

    def json(self) -> str:
        """The report in one line of JSON."""
        return self._json

    def __str__(self) -> str:
        return self._text
