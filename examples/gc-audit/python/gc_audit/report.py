"""What an audit found, as data. The same as in JSON, and named alike.

Addresses are those of the objects, as `id()` gives them. They are valid as long as the object lives.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, Optional, TypeVar, Union

__all__ = [
    "Allowed",
    "Answers",
    "AuditError",
    "Failed",
    "Finding",
    "Findings",
    "Held",
    "Holder",
    "OverVisited",
    "References",
    "Report",
    "Suspected",
    "TypeVisits",
    "Unexplained",
    "Unread",
    "Unsteady",
    "Untracked",
    "Visitor",
]


class AuditError(AssertionError):
    """An audit isn't clean: the report is the message."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


@dataclass(frozen=True)
class Finding:
    """What all findings have. `str()` writes one as the report does."""

    type_name: str
    _text: ClassVar[str] = ""

    @classmethod
    def of(cls, data: dict[str, Any]) -> Any:
        return cls(**data)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells it from others of its kind, whatever its numbers."""
        return (self.type_name,)

    def __str__(self) -> str:
        return self._text


T = TypeVar("T", bound=Finding)


@dataclass(frozen=True)
class Findings(Generic[T]):
    """Findings of one kind: how many there are, and the first of them."""

    total: int
    listed: tuple[T, ...]

    @classmethod
    def of(cls, data: dict[str, Any], kind: type[T], texts: Iterator[str]) -> Findings[T]:
        listed: list[T] = []
        for one in data["listed"]:
            found: T = kind.of(one)
            object.__setattr__(found, "_text", next(texts))
            listed.append(found)
        return cls(data["total"], tuple(listed))


@dataclass(frozen=True)
class Visitor:
    """The visits to one object by all instances of one type."""

    type_name: str
    objects: int
    visits: int


@dataclass(frozen=True)
class OverVisited(Finding):
    """An object with more visits than references: the collector may destroy it while it is in use."""

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

    @property
    def identity(self) -> tuple[object, ...]:
        return (self.type_name, self.address)


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
class Unsteady(Finding):
    """A type whose traverse breaks the collector's rules by itself."""

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
class Untracked(Finding):
    """A type of which the collector tracks some instances and not others, which hold objects that are tracked."""

    objects: int
    """How many aren't tracked."""
    tracked: int
    """How many are."""
    address: int
    references: int


@dataclass(frozen=True)
class TypeVisits(Finding):
    """A type whose instances visit it more or less often than they own a reference to it."""

    objects: int
    expected: int
    visits: int


@dataclass(frozen=True)
class Held:
    """What the instances of a type hold: so many references to objects of that type."""

    type_name: str
    references: int


@dataclass(frozen=True)
class Holder(Finding):
    """A type whose instances hold objects without visiting them: cycles through them leak."""

    tracked: bool
    objects: int
    held: tuple[Held, ...]
    evidence: Literal["memory", "reaches"]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Holder:
        return cls(**{**data, "held": tuple(Held(**held) for held in data["held"])})


@dataclass(frozen=True)
class Unexplained(Finding):
    """A type whose instances have references that nobody visits: those of running code, or a leak."""

    objects: int
    references: int
    address: int


@dataclass(frozen=True)
class Unread(Finding):
    """A type with instances that own memory which couldn't be looked through. No finding."""

    objects: int


@dataclass(frozen=True)
class Suspected:
    """What a pattern of the suspects names."""

    pattern: str
    types: int
    """With none, nothing was sought."""
    objects: int
    """How many instances are alive."""


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
    untracked: Findings[Untracked]
    type_visits: Findings[TypeVisits]
    holders: Findings[Holder]
    unexplained: Findings[Unexplained]
    hidden: Findings[Holder]
    """References that weren't seen to lead back to who hides them, or may be others'. No findings."""
    unread: Findings[Unread]
    """Types asked for of whose instances not all memory could be looked through. No findings."""
    suspects: tuple[Suspected, ...]
    allowed: tuple[Allowed, ...]
    _text: str = field(repr=False)
    _json: str = field(repr=False)

    @classmethod
    def of(cls, text: str, data: str, texts: list[str]) -> Report:
        """What the native half returns; `texts` are those of the findings, in the order of the kinds, and then of the notes."""
        read, rest = json.loads(data), iter(texts)
        for key, kind in {**KINDS, **NOTES}.items():
            read[key] = Findings.of(read[key], kind, rest)
        read["suspects"] = tuple(Suspected(**one) for one in read["suspects"])
        read["allowed"] = tuple(Allowed(**one) for one in read["allowed"])
        return cls(**read, _text=text.rstrip("\n"), _json=data)

    def kinds(self) -> dict[str, Findings[Any]]:
        """The findings by the names of their kinds."""
        return {key: getattr(self, key) for key in KINDS}

    @property
    def findings(self) -> int:
        """How many findings there are, of all kinds, those beyond the limit included."""
        return sum(kind.total for kind in self.kinds().values())

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The patterns that name no type, so that nothing was sought for them."""
        return tuple(one.pattern for one in self.suspects if one.types == 0)

    @property
    def is_clean(self) -> bool:
        """Whether there is no finding, and no pattern that names nothing."""
        return self.findings == 0 and not self.unmatched

    def assert_clean(self) -> None:
        """Raises an `AuditError` with the report, unless it is clean."""
        if not self.is_clean:
            raise AuditError(self)

    def json(self) -> str:
        """The report in one line of JSON."""
        return self._json

    def __str__(self) -> str:
        return self._text


# The kinds of findings, in the order of the reports.
KINDS: dict[str, type[Finding]] = {
    "over_visited": OverVisited,
    "unsteady": Unsteady,
    "untracked": Untracked,
    "type_visits": TypeVisits,
    "holders": Holder,
    "unexplained": Unexplained,
}

# What is told beside them.
NOTES: dict[str, type[Finding]] = {"hidden": Holder, "unread": Unread}
