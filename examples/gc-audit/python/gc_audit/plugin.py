"""The plugin for pytest: `pytest --gc-audit`."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, Literal, Optional

import pytest

from . import Report, _native, audit, read_allow_list
from ._frame import Frame, code_of

# What a worker of pytest-xdist tells its controller.
WORKER_OUTPUT = "gc_audit"

# How many findings of a kind are listed.
LIMIT = 20

WHEN = {
    "session": "audit after each test and at the end; the session fails",
    "test": "audit after each test, which fails",
    "end": "audit at the end of the session only, which is the quickest; the session fails",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gc-audit", "finding garbage-collector bugs in extension modules")
    # Spelled out as options of their own: one with an optional value would take a path that follows it for the value.
    for option, when, what in [
        ("--gc-audit", "session", "the same as --gc-audit=session"),
        *((f"--gc-audit={when}", when, what) for when, what in WHEN.items()),
    ]:
        group.addoption(option, action="store_const", const=when, dest="gc_audit", help=what)
    group.addoption(
        "--gc-audit-allow",
        action="append",
        default=[],
        metavar="FILE",
        help="a list of findings that are all right; can be repeated",
    )
    group.addoption(
        "--gc-audit-suspects",
        action="append",
        default=[],
        metavar="PATTERN",
        help="look for leak suspects as well, in this type or module; can be repeated",
    )
    parser.addini("gc_audit", "when to audit: session, test or end", default=None)
    parser.addini("gc_audit_allow", "lists of findings that are all right", type="paths")
    parser.addini("gc_audit_suspects", "types and modules to look for leak suspects in", type="linelist")


def pytest_configure(config: pytest.Config) -> None:
    when = config.getoption("gc_audit") or config.getini("gc_audit")
    if when and when not in WHEN:
        raise pytest.UsageError(f"gc_audit: expected `session`, `test` or `end`, found `{when}`")
    if when and not config.getoption("collectonly"):
        config.pluginmanager.register(Auditor(config, when), "gc-audit-auditor")


class Auditor:
    """Audits, and fails what has findings."""

    def __init__(self, config: pytest.Config, when: Literal["session", "test", "end"]) -> None:
        self.when = when
        paths = [*config.getini("gc_audit_allow"), *map(Path, config.getoption("gc_audit_allow"))]
        try:
            self.allow = [entry for path in paths for entry in read_allow_list(path)]
        except (OSError, ValueError) as error:
            raise pytest.UsageError(f"gc-audit: {error}") from None
        self.suspects = [*config.getini("gc_audit_suspects"), *config.getoption("gc_audit_suspects")]
        if "" in self.suspects:
            raise pytest.UsageError("gc-audit: a pattern of the suspects is empty")
        self.known: set[object] = set()
        self.seen = Seen()

    def audit(self, where: str) -> Optional[str]:
        """Looks at the heap, and returns a report if there is something in it that wasn't there before."""
        report = audit(suspects=self.suspects, allow=self.allow, limit=None)
        self.seen.add(report)
        found = identities(report)
        fresh, self.known = found - self.known, found
        return marked(report, fresh, where) if fresh else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """The test is over, and its fixtures and its variables are still alive."""
        if self.when == "end":
            return (yield)
        with Frame(code_of(getattr(item, "obj", None))) as variables:
            result = yield  # a test that has failed has failed
        text = self.audit(f" after {item.nodeid}" if self.when == "session" else "")
        variables.release()
        self.seen.without_variables += not variables.found
        if text and self.when == "test":
            self.seen.failed += 1
            pytest.fail(text, pytrace=False)
        elif text:
            self.seen.reports.append(text)
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        config = session.config
        is_controller = config.pluginmanager.hasplugin("dsession")
        if self.when != "test" and not is_controller:
            text = self.audit(" at the end")
            self.seen.reports += [text] if text else []
        output: Optional[dict[str, Any]] = getattr(config, "workeroutput", None)
        if output is not None:
            output[WORKER_OUTPUT] = vars(self.seen)
        if session.exitstatus == pytest.ExitCode.OK and (self.seen.reports or self.seen.unmatched()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended, or has been lost."""
        seen = getattr(node, "workeroutput", {}).get(WORKER_OUTPUT)
        if seen is not None:
            self.seen.add_worker(node.gateway.id, seen)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        seen, unmatched = self.seen, self.seen.unmatched()
        if not seen.audits:
            return
        is_bad = bool(seen.reports or unmatched)
        if seen.reports:
            terminalreporter.section("gc audit", red=True)
        for report in seen.reports:
            terminalreporter.line(report)
            terminalreporter.line("")
        for pattern in unmatched:
            terminalreporter.line(f"gc audit: no type is called {pattern}; is its module imported?", red=True)
        for entry in seen.stale():
            terminalreporter.line(f"gc audit: allowed, but not found: {entry}", yellow=True)
        if seen.without_variables:
            tests = counted(seen.without_variables, "test")
            terminalreporter.line(f"gc audit: the variables of {tests} were gone, and weren't looked at")
        found = len(seen.reports) or seen.failed
        outcome = f"findings in {counted(found, 'of them', 'of them')}" if found else "no findings"
        terminalreporter.line(f"gc audit: {counted(seen.audits, 'audit')} of up to {seen.objects} objects: {outcome}")
        if is_bad:
            # So that the last line, which is what many look at, shows it.
            what = "findings" if seen.reports else "a pattern that names nothing"
            error = pytest.TestReport("gc audit", ("gc audit", None, "gc audit"), {}, "failed", what, "teardown")
            terminalreporter.stats.setdefault("error", []).append(error)


class Seen:
    """What the audits of a session saw."""

    def __init__(self) -> None:
        self.audits = 0
        self.objects = 0
        self.failed = 0
        """Tests that an audit has failed."""
        self.without_variables = 0
        """Tests that weren't functions, or couldn't be looked into."""
        self.reports: list[str] = []
        self.types: dict[str, int] = {}
        """How many types a pattern names, at most."""
        self.allowed: dict[str, int] = {}
        """How many findings an entry of the allow-list kept out."""

    def add(self, report: Report) -> None:
        self.audits += 1
        self.objects = max(self.objects, report.objects)
        self._patterns({one.pattern: one.types for one in report.suspects})
        self._entries({f"{one.pattern} ({one.reason})": one.findings for one in report.allowed})

    def add_worker(self, name: str, seen: dict[str, Any]) -> None:
        self.audits += seen["audits"]
        self.objects = max(self.objects, seen["objects"])
        self.failed += seen["failed"]
        self.without_variables += seen["without_variables"]
        self.reports += [f"[{name}] {report}" for report in seen["reports"]]
        self._patterns(seen["types"])
        self._entries(seen["allowed"])

    def _patterns(self, types: dict[str, int]) -> None:
        for pattern, number in types.items():
            self.types[pattern] = max(number, self.types.get(pattern, 0))

    def _entries(self, allowed: dict[str, int]) -> None:
        for entry, findings in allowed.items():
            self.allowed[entry] = findings + self.allowed.get(entry, 0)

    def unmatched(self) -> list[str]:
        """The patterns that never named a type."""
        return [pattern for pattern, types in self.types.items() if types == 0]

    def stale(self) -> list[str]:
        """The entries of the allow-list that never kept anything out."""
        return [entry for entry, findings in self.allowed.items() if findings == 0]


def identities(report: Report) -> set[object]:
    return {(kind, *one.identity) for kind, findings in report.kinds().items() for one in findings.listed}


def marked(report: Report, fresh: Iterable[object], where: str) -> str:
    """The report, with what is new marked, and the rest counted."""
    fresh = set(fresh)
    head, _, _ = str(report).partition("\n")
    lines = [head.replace("gc audit: ", f"gc audit{where}: ", 1) + f", {len(fresh)} new"]
    for kind, title, meaning in _native.kinds():
        findings = report.kinds()[kind]
        new = [one for one in findings.listed if (kind, *one.identity) in fresh]
        if new:
            lines += ["", f"{title}: {findings.total} ({meaning})"]
            lines += [f"  new: {one}" for one in new[:LIMIT]]
            more, known = len(new[LIMIT:]), findings.total - len(new)
            lines += [f"  … and {more} more that are new"] if more else []
            lines += [f"  … and {known} that were there before"] if known else []
    return "\n".join(lines)


def counted(number: int, one: str, more: Optional[str] = None) -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
