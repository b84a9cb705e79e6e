"""`pytest --gc-audit`. Each session runs in a process of its own."""

import os
import sys

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


LOCAL = """
import faulty
def test_before(): pass
def test_fault():
    holder = faulty.shared_thing()
    holder.take_reference()
def test_after(): pass
"""

FOUND = "  new: faulty.Thing at 0x*: 1 reference, 2 visits"


@pytest.mark.parametrize("program", [FAULT, LOCAL], ids=["global", "local"])
@pytest.mark.parametrize("options", [["--gc-audit"], ["--gc-audit=session"]])
def test_session(options: list[str], program: str, pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(program)
    result = run(pytester, *options, str(path))  # a path is no value of the option
    result.assert_outcomes(passed=3, errors=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*= gc audit =*",
            "gc audit after *::test_fault: * objects, *: 1 finding, 1 new",
            "over-visited: 1 (*",
            FOUND,
            "gc audit: 4 audits of up to * objects: findings in 1 of them",
            "ERROR gc audit - findings",
            "*3 passed, 1 error in *",
        ]
    )


def test_session_without_findings(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test(): pass")
    result = run(pytester, "--gc-audit")
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["gc audit: 2 audits of up to * objects: no findings", "*= 1 passed in *"])
    result.stdout.no_fnmatch_line("*= gc audit =*")


def test_the_end(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(LOCAL)
    result = run(pytester, "--gc-audit=end")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["gc audit: 1 audit of up to * objects: no findings"])
    pytester.makepyfile(FAULT)
    result = run(pytester, "--gc-audit=end")
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["gc audit at the end: * objects, *: 1 finding, 1 new", FOUND])


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
        [
            "*::test_fault FAILED*",
            "*::test_after PASSED*",
            "gc audit: *: 1 finding, 1 new",
            FOUND,
            "gc audit: 3 audits of up to * objects: findings in 1 of them",
        ]
    )
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_what_is_new_is_marked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
import faulty
holders = [faulty.shared_thing() for _ in range(30)]
def test_one(): holders[0].take_reference()
def test_two():
    for holder in holders[1:]: holder.take_reference()
"""
    )
    result = run(pytester, "--gc-audit=test")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "gc audit: *: 1 finding, 1 new",
            "gc audit: *: 30 findings, 29 new",
            "over-visited: 30 (*",
            *[FOUND, "    2 visits by faulty.Holder"] * 20,
            "  … and 9 more that are new",
            "  … and 1 that were there before",
        ],
        consecutive=False,
    )


def test_variables(pytester: pytest.Pytester) -> None:
    """A test's variables are seen, however the test is written."""
    body = "holder = faulty.shared_thing(); holder.take_reference()"
    pytester.makepyfile(
        f"""
import sys, unittest, unittest.mock
import faulty, hypothesis, hypothesis.strategies, pytest

def test_function(): {body}

class TestClass:
    def test_method(self): {body}

class Case(unittest.TestCase):
    def test_case(self): {body}

@unittest.mock.patch("json.dumps")
def test_wrapped(dumps): {body}

@pytest.mark.parametrize("a", [1])
def test_with_arguments(a, tmp_path): {body}

@hypothesis.given(hypothesis.strategies.just(1))
def test_hypothesis(a): {body}

@pytest.fixture
def fixture(): yield

def test_not_profiled(fixture):
    assert sys.getprofile() is None
    {body}
"""
    )
    result = run(pytester, "--gc-audit=test")
    result.assert_outcomes(failed=7)
    result.stdout.fnmatch_lines([FOUND] * 7)
    result.stdout.no_fnmatch_line("*weren't looked at*")


def test_variables_are_let_go_of(pytester: pytest.Pytester) -> None:
    """When the test is over, and before its fixtures are."""
    pytester.makepyfile(
        """
import pytest, weakref
class Thing: pass
gone = []

@pytest.fixture
def fixture():
    yield
    assert gone == [None]

def test(fixture):
    thing = Thing()
    weakref.finalize(thing, gone.append, None)
"""
    )
    run(pytester, "--gc-audit").assert_outcomes(passed=1)


PROFILED = """
import sys, faulty
def test():
    holder = faulty.shared_thing()
    holder.take_reference()
    assert {state}
"""


def test_a_profiler_and_a_tracer_go_on(pytester: pytest.Pytester) -> None:
    """What they are set to stays. Where both are in use, the variables can't be seen, which is told."""
    for setup, state in [
        ("sys.setprofile(function)", "sys.getprofile() is not None"),
        ("sys.settrace(function)", "sys.gettrace() is not None"),
        ("sys.setprofile(function); sys.settrace(function)", "sys.getprofile() and sys.gettrace()"),
    ]:
        pytester.makeconftest(
            f"""
import sys, pytest
function = lambda *_: None
@pytest.fixture(autouse=True)
def in_use():
    {setup}
    yield
    sys.setprofile(None); sys.settrace(None)
"""
        )
        pytester.makepyfile(PROFILED.format(state=state))
        result = run(pytester, "--gc-audit=test")
        if ";" in setup and sys.version_info < (3, 12):
            result.assert_outcomes(passed=1)
            result.stdout.fnmatch_lines(["gc audit: the variables of 1 test were gone, and weren't looked at"])
        else:
            result.assert_outcomes(failed=1)


def test_a_pattern_that_names_nothing(pytester: pytest.Pytester) -> None:
    """It fails the session; one that names something after any of the tests doesn't."""
    pytester.makepyfile("def test_one(): pass\ndef test_two(): import wave")
    for when in ["session", "test", "end"]:
        result = run(pytester, f"--gc-audit={when}", "--gc-audit-suspects=no.such", "--gc-audit-suspects=wave")
        result.assert_outcomes(passed=2, errors=1)
        assert result.ret == 1
        result.stdout.fnmatch_lines(["gc audit: no type is called no.such; is its module imported?"])
        result.stdout.no_fnmatch_line("*is called wave*")


def test_an_entry_that_keeps_nothing_out(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAULT)
    pytester.makefile(".txt", more="faulty.Thing: the test's own\nm.Never: nobody knows\n")
    for when in ["session", "test", "end"]:
        result = run(pytester, f"--gc-audit={when}", "--gc-audit-allow=more.txt")
        result.assert_outcomes(passed=3)
        result.stdout.fnmatch_lines(["gc audit: allowed, but not found: m.Never (nobody knows)"])
        result.stdout.no_fnmatch_line("*not found: faulty*")


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
    run(pytester, "--gc-audit=test", "--gc-audit-suspects=json").assert_outcomes(passed=3)
    suspects = ["--gc-audit-suspects=json", "--gc-audit-suspects=faulty"]
    run(pytester, "--gc-audit=test", *suspects).assert_outcomes(passed=2, failed=1)
    result = run(pytester, "--gc-audit", *suspects)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["  new: faulty.Thing, 1 object, *"])


def test_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(**{"folder/test_fault": FAULT})
    pytester.makeini("[pytest]\ngc_audit = test")
    run(pytester).assert_outcomes(passed=2, failed=1)
    result = run(pytester, "--gc-audit")
    result.assert_outcomes(passed=3, errors=1)
    assert result.ret == 1

    # Paths are relative to the file.
    pytester.makeini("[pytest]\ngc_audit = session\ngc_audit_allow = allow.txt")
    pytester.chdir()
    assert run(pytester, "--rootdir=.", "folder").ret == 0

    pytester.makeini("[pytest]\ngc_audit = session\ngc_audit_suspects =\n    json\n    faulty")
    pytester.makepyfile(**{"folder/test_fault": FAULT.replace("take", "give")})
    assert run(pytester).ret == 1


@pytest.mark.parametrize(
    ("options", "ini", "message"),
    [
        (["--gc-audit=never"], "", "*--gc-audit*never*"),
        ([], "gc_audit = never", "*gc_audit: expected `session`, `test` or `end`, found `never`"),
        (["--gc-audit", "--gc-audit-suspects="], "", "*gc-audit: a pattern of the suspects is empty"),
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
    result.assert_outcomes(passed=3, errors=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*= gc audit =*", "[[]gw0[]] gc audit after *", FOUND, "gc audit: 4 audits *: findings in 1 of them"]
    )
    run(pytester, "--gc-audit=test", "-n1").assert_outcomes(passed=2, failed=1)
    result = run(pytester, "--gc-audit", "--gc-audit-allow=allow.txt", "-n2")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*not found*")
    result = run(pytester, "--gc-audit", "--gc-audit-suspects=no.such", "--gc-audit-suspects=faulty", "-n2")
    result.stdout.fnmatch_lines(["gc audit: no type is called no.such; is its module imported?"])
    result.stdout.no_fnmatch_line("*is called faulty*")
