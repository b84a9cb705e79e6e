"""An audit that is broken off leaves the interpreter as it was."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals to send")

# With the handler that Python installs, unless it is started by a shell in the background.
HEAP = """
import gc, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()
heap = [[] for _ in range(2_000_000)]
"""

INTERRUPTED = f"""
import gc_audit
{HEAP}
def numbers(progress):
    report = gc_audit.audit(progress=progress)
    return f"{{report.objects}} {{report.references}} {{report.visits}} {{report.findings}}"
def counts():
    return hash(tuple(map(sys.getrefcount, heap))), sys.getrefcount(heap), sys.getrefcount(None) < 1 << 28

numbers(None)
before = counts()
first = numbers(None)
try:
    outcome = numbers(0)
except KeyboardInterrupt as interrupt:
    outcome = str(interrupt)
assert counts() == before
after = numbers(None)
assert after == first and first.endswith(" 0"), (first, after)
print(outcome)
"""

HANDLED = f"""
import gc_audit
{HEAP}
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
report = gc_audit.audit(progress=0)
print(len(seen), report.is_clean)
"""

RAISED = f"""
import gc_audit
{HEAP}
def handler(*_): raise TimeoutError("by the handler")
signal.signal(signal.SIGINT, handler)
try:
    print(gc_audit.audit(progress=0))
except TimeoutError as error:
    print(error)
"""


def interrupt(arguments: list[str]) -> tuple[int, str, str]:
    """Runs a program, and interrupts it when the first line on stderr says that an audit has begun."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout and program.stderr
        begun = program.stderr.readline()
        program.send_signal(signal.SIGINT)
        stdout, stderr = program.communicate(timeout=60)
    assert begun.startswith("gc audit: 0 of 2"), begun + stderr
    return program.returncode, stdout, stderr


@pytest.mark.parametrize(
    ("program", "output"),
    [
        (INTERRUPTED, "the audit was broken off\n"),
        (HANDLED, "1 True\n"),
        (RAISED, "by the handler\n"),
    ],
    ids=["interrupted", "handled", "raised"],
)
def test_an_interrupt(program: str, output: str, command: Command) -> None:
    code, stdout, stderr = interrupt([sys.executable, str(command.script(program))])
    assert (code, stdout) == (0, output), stderr


def test_an_interrupt_of_the_command(command: Command, tmp_path: Path) -> None:
    code, stdout, stderr = interrupt(command.arguments("--progress", 0, command.script(HEAP)))
    assert (code, stdout) == (130, "")
    assert stderr.splitlines()[-1] == "gc audit: the audit was broken off"
