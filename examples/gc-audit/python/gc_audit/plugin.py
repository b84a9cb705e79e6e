"""The plugin for pytest: `pytest --gc-audit`."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, Literal, Optional

import pytest

from . import Report, audit, read_allow_list

# What a worker of pytest-xdist tells its controller.
WORKER_OUTPUT = "gc_audit"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gc-audit", "finding garbage-collector bugs in extension modules")
    # Spelled out as options of their own: one with an optional value would take a path that follows it for the value.
    for option, when, what in [
        ("--gc-audit", "session", "audit at the end of the session"),
        ("--gc-audit=session", "session", "the same"),
        ("--gc-audit=test", "test", "audit after each test"),
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
    parser.addini("gc_audit", "when to audit: session or test", default=None)
    parser.addini("gc_audit_allow", "lists of findings that are all right", type="paths")
    parser.addini("gc_audit_suspects", "types and modules to look for leak suspects in", type="linelist")


def pytest_configure(config: pytest.Config) -> None:
    when = config.getoption("gc_audit") or config.getini("gc_audit")
    if when not in (None, "", "session", "test"):
        raise pytest.UsageError(f"gc_audit: expected `session` or `test`, found `{when}`")
    if when and not config.getoption("collectonly"):
        config.pluginmanager.register(Auditor(config, when), "gc-audit-auditor")


class Auditor:
    """Audits, and fails what has findings."""

    def __init__(self, config: pytest.Config, when: Literal["session", "test"]) -> None:
        self.when = when
        paths = [*config.getini("gc_audit_allow"), *map(Path, config.getoption("gc_audit_allow"))]
        try:
            self.allow = [entry for path in paths for entry in read_allow_list(path)]
        except (OSError, ValueError) as error:
            raise pytest.UsageError(f"gc-audit: {error}") from None
        self.suspects = [*config.getini("gc_audit_suspects"), *config.getoption("gc_audit_suspects")]
        self.known: set[object] = set()
        self.reports: list[str] = []

    def audit(self, limit: Optional[int] = 20) -> Report:
        return audit(suspects=self.suspects, allow=self.allow, limit=limit)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        """The test is over, and its fixtures are still alive."""
        result = yield  # a test that has failed has failed
        if self.when == "test":
            report = self.audit(limit=None)
            found = identities(report)
            fresh = found - self.known
            self.known = found  # which the next test isn't to blame for
            if fresh:
                pytest.fail(str(report), pytrace=False)
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        config = session.config
        is_controller = config.pluginmanager.hasplugin("dsession")
        if self.when == "session" and not is_controller:
            report = self.audit()
            if not report.is_clean:
                self.reports.append(str(report))
        output: Optional[dict[str, Any]] = getattr(config, "workeroutput", None)
        if output is not None:
            output[WORKER_OUTPUT] = self.reports
        if self.reports and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended, or has been lost."""
        reports = getattr(node, "workeroutput", {}).get(WORKER_OUTPUT, [])
        self.reports += [f"[{node.gateway.id}] {report}" for report in reports]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for report in self.reports:
            terminalreporter.section("gc audit", red=True)
            terminalreporter.line(report)


def identities(report: Report) -> set[object]:
    """What tells a finding from others, whatever its numbers."""
    return {
        *(("over-visited", one.type_name, one.address) for one in report.over_visited.listed),
        *(("unsteady", one.type_name) for one in report.unsteady.listed),
        *(("type visits", one.type_name) for one in report.type_visits.listed),
        *(("holders", one.type_name) for one in report.holders.listed),
        *(("unexplained", one.type_name) for one in report.unexplained.listed),
    }
