"""An audit, as it is called from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Optional, Union

from . import _native
from .report import Report

__all__ = ["Auditing", "audit", "auditing", "read_allow_list"]

Suspects = Union[str, Iterable[str]]
Allow = Union[Mapping[str, str], Iterable[tuple[str, str]]]


def audit(
    *,
    suspects: Suspects = (),
    allow: Allow = (),
    limit: Optional[int] = 20,
    progress: Optional[float] = None,
) -> Report:
    """Looks at every object of the program.

    It runs no Python code while it looks, changes nothing and collects nothing. What is garbage, but not collected yet,
    is looked at as well; call `gc.collect()` first if that isn't wanted.

    `suspects` are types, or modules with all of their types, in which leak suspects are sought: `"rpds"`,
    `["rpds.HashTrieMap", "lxml"]`. Without it, nothing is reported but what is certainly wrong. A report with a pattern
    that names no type isn't clean: see `Report.unmatched`.

    `allow` keeps out findings about types or modules, each for a reason: `{"rpds.HashTrieMap": "shares its nodes"}`.

    `limit` is how many findings of each kind are listed; `None` for all of them.

    `progress` is the number of seconds after which a line on stderr begins to tell how far the audit is.
    """
    suspects = [suspects] if isinstance(suspects, str) else list(suspects)
    allow = list(allow.items() if isinstance(allow, Mapping) else allow)
    return Report.of(*_native.audit(suspects, allow, limit, progress))


class Auditing:
    """What `auditing` gives its block."""

    report: Optional[Report] = None
    """The report, once the block is left."""


@contextmanager
def auditing(
    *,
    suspects: Suspects = (),
    allow: Allow = (),
    limit: Optional[int] = 20,
    progress: Optional[float] = None,
) -> Iterator[Auditing]:
    """Audits when its block is left, unless by an exception, and raises an `AuditError` unless the report is clean.

    Keep what is to be audited alive until then. The options are those of `audit`. It can also decorate a function,
    whose variables are gone by the time of the audit.
    """
    block = Auditing()
    yield block
    block.report = audit(suspects=suspects, allow=allow, limit=limit, progress=progress)
    block.report.assert_clean()


def read_allow_list(path: Union[str, PathLike[str]]) -> list[tuple[str, str]]:
    """Reads an allow-list from a file, for the option `allow`.

    In each line stands a type or a module, a colon, and the reason why its findings are all right; lines that begin
    with `#` are skipped. A `ValueError` names the first line that has no reason.
    """
    try:
        return _native.allow_list(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
