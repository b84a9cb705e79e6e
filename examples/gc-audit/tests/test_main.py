"""`python -m gc_audit`."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import pytest
from conftest import Command

FAULT = "import faulty; holder = faulty.shared_thing(); holder.take_reference()\n"


def test_a_script_without_findings(command: Command) -> None:
    run = command(command.script("print('hello')"))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("hello\ngc audit: ") and ": no findings\n" in run.stdout


def test_findings(command: Command) -> None:
    """Also those in what only the script's namespace keeps alive."""
    run = command(command.script(FAULT))
    assert (run.returncode, run.stderr) == (1, "")
    assert "faulty.Thing at 0x" in run.stdout and ": 1 finding\n" in run.stdout


def test_findings_in_what_an_exception_keeps_alive(command: Command) -> None:
    run = command(command.script(f"def function():\n    {FAULT}    1 / 0\nfunction()"))
    assert run.returncode == 1 and "faulty.Thing at 0x" in run.stdout
    assert "ZeroDivisionError" in run.stderr


def test_json(command: Command) -> None:
    run = command("--json", "--limit", 0, command.script(f"print('hello'); {FAULT}"))
    assert run.returncode == 1
    hello, line = run.stdout.splitlines()
    assert hello == "hello"
    assert json.loads(line)["over_visited"] == {"total": 1, "listed": []}


def test_output(command: Command, tmp_path: Path) -> None:
    output = tmp_path / "report"
    run = command("--json", "--output", output, command.script(f"print('hello'); {FAULT}"))
    assert (run.returncode, run.stdout, run.stderr) == (1, "hello\n", "")
    assert json.loads(output.read_text(encoding="utf-8"))["over_visited"]["total"] == 1


def test_the_report_goes_to_stdout_whatever_the_script_puts_there(command: Command) -> None:
    run = command(command.script("import os; sys.stdout = open(os.devnull, 'w')"))
    assert run.returncode == 0 and "no findings" in run.stdout


def test_a_name_that_stdout_cannot_encode(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("PYTHONUTF8", "0")
    script = "class Ünï: pass\nÜnï.__module__ = 'm'\n" + FAULT.replace("shared_thing()", "shared_thing(Ünï)")
    run = command(command.script(script))
    assert run.returncode == 1 and r"m.\xdcn\xef at 0x" in run.stdout


@pytest.mark.parametrize(
    ("statement", "code", "error"),
    [
        ("sys.exit()", 0, ""),
        ("sys.exit(5)", 5, ""),
        ("sys.exit('a message')", 3, "a message\n"),
        ("raise SystemExit(True)", 1, ""),
        ("raise KeyboardInterrupt", 130, "KeyboardInterrupt\n"),
        ("raise ValueError('no')", 3, "ValueError: no\n"),
        ("def", 3, "SyntaxError: invalid syntax\n"),
    ],
)
def test_exit_codes(statement: str, code: int, error: str, command: Command) -> None:
    run = command(command.script(statement))
    assert run.returncode == code and run.stderr.endswith(error)
    assert "no findings" in run.stdout
    assert run.stderr == error or "gc_audit" not in run.stderr, "frames of ours in the traceback"
    if error != "SyntaxError: invalid syntax\n":
        assert command(command.script(f"{FAULT}{statement}")).returncode == 1


SPAWN = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
def spawn(function):
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(function).result()
"""


def test_a_script_is_the_main_program(command: Command) -> None:
    """As it would be without the audit: the same output."""
    command.script("value = 42", "folder/neighbour.py")
    command.script(
        f"""{SPAWN}
import pickle, neighbour
class Class: pass
def function(): return neighbour.value
if __name__ == "__main__":
    print(__name__, __file__, __package__, __spec__, sys.argv, sys.path[0])
    print(function(), type(pickle.loads(pickle.dumps(Class()))) is Class, spawn(function))
    print(sys.modules["__main__"].__dict__ is globals(), sorted({{*globals()}} - {{"__annotations__"}}))
""",
        "folder/script.py",
    )
    assert same_output(command, "folder/script.py", "--json", "-m", "--", "x") == 3


@pytest.mark.parametrize(("name", "lines"), [("package", 1), ("package.__main__", 1), ("package.program", 2)])
def test_a_module_is_the_main_program(name: str, lines: int, command: Command) -> None:
    command.script("", "package/__init__.py")
    command.script("value = 42", "package/value.py")
    program = """
from . import value
def function(): return value.value
if __name__ == "__main__":
    print(__name__, __file__, __package__, __spec__.name, sys.argv, sys.path[0])
"""
    command.script(program, "package/__main__.py")
    command.script(f"{SPAWN}{program}    print(spawn(function))", "package/program.py")
    assert same_output(command, "-m", name, "--json", "x") == lines


def same_output(command: Command, *arguments: str) -> int:
    """Runs it with and without the audit, and returns the number of lines that it wrote."""
    plain = subprocess.run(
        [sys.executable, "-Xutf8", *arguments], cwd=command.folder, capture_output=True, text=True, timeout=60
    )
    assert (plain.returncode, plain.stderr) == (0, "")
    report = command.folder / "report"
    audited = command("--output", report, *arguments)
    assert (audited.returncode, audited.stderr, audited.stdout) == (0, "", plain.stdout)
    assert "no findings" in report.read_text(encoding="utf-8")
    return len(plain.stdout.splitlines())


def test_the_script_inherits_no_future(command: Command) -> None:
    run = command(command.script("def function() -> 1 + 1: pass\nprint(function.__annotations__)"))
    assert run.stdout.startswith("{'return': 2}\n")


def test_handlers_of_atexit_run_after_the_audit(command: Command) -> None:
    run = command(command.script("import atexit; atexit.register(print, 'bye')"))
    audited, bye = run.stdout.split("no findings\n")
    assert audited.startswith("gc audit: ") and bye.endswith("bye\n")


def test_allow(command: Command, tmp_path: Path) -> None:
    allow, other = tmp_path / "allow.txt", tmp_path / "other.txt"
    allow.write_text("faulty.Thing: the test's own\n")
    other.write_text("m: another\n")
    run = command("--allow", allow, "--allow", other, command.script(FAULT))
    assert run.returncode == 0
    allowed = "allowed: 1 finding about faulty.Thing (the test's own)\nallowed, but not found: m (another)\n"
    assert allowed in run.stdout


def test_suspects(command: Command) -> None:
    script = command.script(FAULT.replace("take", "give"))
    assert command(script).returncode == 0
    run = command("--suspects", "json", "--suspects", "faulty", script)
    assert run.returncode == 1 and "faulty.Thing, 1 object" in run.stdout


def test_the_statuses_differ(command: Command) -> None:
    """Findings, then a pattern that names nothing, then what the script did; and an audit that can't take place."""
    fault, raising = FAULT, "raise ValueError('no')"
    misspelt = ["--suspects", "no.such"]
    assert command(*misspelt, command.script(f"{fault}{raising}")).returncode == 1
    run = command(*misspelt, command.script(raising))
    assert run.returncode == 4
    assert "no findings, but a pattern names nothing\n" in run.stdout
    assert "suspects: no type is called no.such; is its module imported?\n" in run.stdout
    run = command("--json", *misspelt, command.script("pass"))
    assert run.returncode == 4 and json.loads(run.stdout)["suspects"] == [
        {"pattern": "no.such", "types": 0, "objects": 0}
    ]
    assert command(command.script(raising)).returncode == 3
    run = command(command.script("import gc; gc.get_objects = lambda: 1 / 0"))
    assert (run.returncode, run.stdout) == (5, "")
    assert run.stderr == "gc audit: ZeroDivisionError: division by zero\n"
    assert command("--output", command.folder, command.script(fault)).returncode == 5


def test_the_help_says_what_is_not_audited(command: Command) -> None:
    run = command("--help")
    assert run.returncode == 0 and "os._exit" in run.stdout
    for status in range(1, 6):
        assert re.search(rf"^ *{status} ", run.stdout, re.MULTILINE), status


@pytest.mark.parametrize("arguments", [["script.py", "--json"], ["-m", "package.program", "--json"]])
def test_the_console_script(arguments: list[str], command: Command) -> None:
    """It is the same, and finds modules where Python would."""
    command.script("value = 42", "neighbour.py")
    command.script("", "package/__init__.py")
    for name in ["script.py", "package/program.py"]:
        command.script("import neighbour; print(neighbour.value, sys.argv[1:], sys.path[0])", name)
    console_script = Path(sysconfig.get_path("scripts"), "gc-audit")
    runs = [
        subprocess.run([*program, *arguments], cwd=command.folder, capture_output=True, text=True, timeout=60)
        for program in ([console_script], [sys.executable, "-m", "gc_audit"])
    ]
    assert [(run.returncode, run.stderr) for run in runs] == [(0, "")] * 2
    first, second = (run.stdout.splitlines()[0] for run in runs)
    assert first == second and first.startswith("42 ['--json'] ")
    usage = subprocess.run([console_script], capture_output=True, text=True, timeout=60)
    assert usage.returncode == 2 and usage.stderr.startswith("usage: gc-audit ")


def test_the_licence_is_in_the_wheel() -> None:
    """As PEP 639 has it: an expression, and the texts."""
    package = distribution("gc-audit")
    assert package.metadata["License-Expression"] == "MIT OR Apache-2.0"
    assert sorted(package.metadata.get_all("License-File") or []) == ["LICENSE-APACHE", "LICENSE-MIT"]
    for name, words in [("LICENSE-MIT", "Permission is hereby granted"), ("LICENSE-APACHE", "Apache License")]:
        text = package.read_text(f"licenses/{name}")
        assert text is not None and words in text, name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: script"),
        (["none.py"], "No such file or directory"),
        (["-m", "none"], "no module named 'none'"),
        (["-m", "none.none"], "No module named 'none'"),
        (["-m", "package"], "no module named 'package.__main__'"),
        (["--allow", "bad.txt", "script.py"], "bad.txt: line 2 of the allow-list: expected `module.Type: reason`"),
        (["--allow", "none.txt", "script.py"], "No such file or directory: 'none.txt'"),
        (["--limit", "-1", "script.py"], "argument --limit: invalid natural value: '-1'"),
        (["--progress", "nan", "script.py"], "argument --progress: invalid seconds value: 'nan'"),
        (["--suspects", "", "script.py"], "argument --suspects: invalid pattern value: ''"),
        (["--nonsense", "script.py"], ""),
    ],
)
def test_usage(arguments: list[str], message: str, command: Command, tmp_path: Path) -> None:
    """The script doesn't run."""
    command.script("print('it ran')")
    command.script("", "package/__init__.py")
    (tmp_path / "bad.txt").write_text("a: b\nno reason\n")
    run = command(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("usage: python -m gc_audit ") and message in run.stderr


def test_progress(command: Command) -> None:
    script = command.script("heap = [[] for _ in range(100_000)]")
    assert command(script).stderr == ""
    assert command("--progress", "100", script).stderr == ""
    first = command("--progress", "0", script).stderr.splitlines()[0]
    assert first.startswith("gc audit: counting visits: 0 of 1")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals")
def test_progress_on_a_terminal(command: Command) -> None:
    """One line, written over, and gone in the end."""
    script = command.script("heap = [[] for _ in range(100_000)]")
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as terminal:
        subprocess.run(command.arguments("--progress", 0, script), stderr=theirs, stdout=subprocess.DEVNULL)
        written = terminal.read(10_000).decode()
        os.close(theirs)
    assert written.startswith("\rgc audit: counting visits: 0 of 1") and written.endswith("\x1b[K\r\x1b[K")
    assert "\n" not in written
