"""`pytest --gc-audit`. Each session runs in a process of its own."""

import os

import pytest
from conftest import TESTS

FAULT = """
import faulty
holder = faulty.shared_thing()

def test_before(): pass
def test_fault(): holder.take_reference()
def test_after(): pass
"""


@pytest.fixture(autouse=True)
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
    pytester.makefile(".txt", allow="faulty.Thing: the test's own\n", bad="no reason\n")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*arguments, timeout=60)


def test_without_the_option_nothing_is_audited(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAULT)
    result = run(pytester)
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*gc audit*")


@pytest.mark.parametrize("options", [["--gc-audit"], ["--gc-audit=session"]])
def test_session(options: list[str], pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(FAULT)
    result = run(pytester, *options, str(path))  # a path is no value of the option
    result.assert_outcomes(passed=3)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*= gc audit =*", "gc audit: * objects, *: 1 finding", "  faulty.Thing at 0x*: 1 reference, 2 visits"]
    )


def test_session_without_findings(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test(): pass")
    result = run(pytester, "--gc-audit")
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*gc audit*")


def test_session_keeps_another_exit_status(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(f"{FAULT}\ndef test_interrupt(): raise KeyboardInterrupt")
    result = run(pytester, "--gc-audit")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*faulty.Thing*"])


def test_each_test(pytester: pytest.Pytester) -> None:
    """The one that has the fault fails, not those that run while its objects live on."""
    pytester.makepyfile(FAULT)
    result = run(pytester, "--gc-audit=test", "-v")
    result.assert_outcomes(passed=2, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*::test_fault FAILED*", "*::test_after PASSED*", "gc audit: *: 1 finding", "  faulty.Thing at 0x*"]
    )
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_each_test_and_what_its_fixtures_keep_alive(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
import faulty, pytest

@pytest.fixture
def over_visited():
    with faulty.over_visited():
        yield

def test_first(over_visited): pass
def test_second(over_visited): pass
def test_that_fails(over_visited): 1 / 0

@pytest.mark.xfail(strict=True)
def test_expected(over_visited): pass
"""
    )
    result = run(pytester, "--gc-audit=test")
    result.assert_outcomes(failed=3, xfailed=1)
    result.stdout.fnmatch_lines(["*ZeroDivisionError*"])


def test_allow_and_suspects(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAULT)
    run(pytester, "--gc-audit=test", "--gc-audit-allow=allow.txt").assert_outcomes(passed=3)
    assert run(pytester, "--gc-audit", "--gc-audit-allow=allow.txt").ret == 0

    pytester.makepyfile(FAULT.replace("take", "give"))
    run(pytester, "--gc-audit=test", "--gc-audit-suspects=m").assert_outcomes(passed=3)
    suspects = ["--gc-audit-suspects=m", "--gc-audit-suspects=faulty"]
    run(pytester, "--gc-audit=test", *suspects).assert_outcomes(passed=2, failed=1)
    result = run(pytester, "--gc-audit", *suspects)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["  faulty.Thing, 1 object, *"])


def test_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(**{"folder/test_fault": FAULT})
    pytester.makeini("[pytest]\ngc_audit = test")
    run(pytester).assert_outcomes(passed=2, failed=1)
    result = run(pytester, "--gc-audit")
    result.assert_outcomes(passed=3)
    assert result.ret == 1

    # Paths are relative to the file.
    pytester.makeini("[pytest]\ngc_audit = session\ngc_audit_allow = allow.txt")
    pytester.chdir()
    assert run(pytester, "--rootdir=.", "folder").ret == 0

    pytester.makeini("[pytest]\ngc_audit = session\ngc_audit_suspects =\n    m\n    faulty")
    pytester.makepyfile(**{"folder/test_fault": FAULT.replace("take", "give")})
    assert run(pytester).ret == 1


@pytest.mark.parametrize(
    ("options", "ini", "message"),
    [
        (["--gc-audit=never"], "", "*--gc-audit*never*"),
        ([], "gc_audit = never", "*gc_audit: expected `session` or `test`, found `never`"),
        (["--gc-audit", "--gc-audit-allow=bad.txt"], "", "*bad.txt: line 1 of the allow-list: *"),
        (["--gc-audit", "--gc-audit-allow=none.txt"], "", "*No such file or directory: 'none.txt'"),
    ],
)
def test_usage(options: list[str], ini: str, message: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test(): pass")
    pytester.makeini(f"[pytest]\n{ini}")
    result = run(pytester, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_workers(pytester: pytest.Pytester) -> None:
    """pytest-xdist: each worker audits, and its controller reports."""
    pytest.importorskip("xdist")
    pytester.makepyfile(FAULT)
    result = run(pytester, "--gc-audit", "-n1")
    result.assert_outcomes(passed=3)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*= gc audit =*", "[[]gw0[]] gc audit: *", "  faulty.Thing at 0x*"])
    run(pytester, "--gc-audit=test", "-n1").assert_outcomes(passed=2, failed=1)
    assert run(pytester, "--gc-audit", "--gc-audit-allow=allow.txt", "-n1").ret == 0
