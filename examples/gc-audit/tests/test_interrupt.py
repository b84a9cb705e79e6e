"""An audit that is broken off leaves the interpreter as it was."""

import re
import signal
import subprocess
import sys
import time
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


SUSPECTS = """
import gc, signal
import faulty
signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()
suspects = [faulty.Large(1 << 16) for _ in range(3_000)]
over_visited = faulty.shared_thing(); over_visited.take_reference()
"""


def interrupt(arguments: list[str], stage: str = "counting visits") -> tuple[int, str, str]:
    """Runs a program, and interrupts it when a line on stderr says that a stage of an audit has begun."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout and program.stderr
        lines = [program.stderr.readline()]
        while not lines[-1].startswith(f"gc audit: {stage}: 0 of "):
            assert lines[-1].startswith("gc audit: "), "".join(lines) + program.stderr.read()
            lines.append(program.stderr.readline())
        program.send_signal(signal.SIGINT)
        sent = time.monotonic()
        lines = [program.stderr.readline()]
        while re.match(r"gc audit: [a-z ]+: \d+ of", lines[-1]):
            lines.append(program.stderr.readline())
        if lines[-1]:  # what breaks off the command, which says so
            assert time.monotonic() - sent < 1, "an interrupt acts within a second"
        stdout, stderr = program.stdout.read(), "".join(lines) + program.stderr.read()
    return program.returncode, stdout, stderr


@pytest.mark.parametrize(
    ("program", "output"),
    [
        (INTERRUPTED, r"the audit was broken off, counting visits: \d+ of 20\d{5}\n"),
        (HANDLED, "1 True\n"),
        (RAISED, "by the handler\n"),
    ],
    ids=["interrupted", "handled", "raised"],
)
def test_an_interrupt(program: str, output: str, command: Command) -> None:
    code, stdout, stderr = interrupt([sys.executable, str(command.script(program))])
    assert code == 0 and re.fullmatch(output, stdout), stdout + stderr


def test_an_interrupt_of_the_command(command: Command, tmp_path: Path) -> None:
    code, stdout, stderr = interrupt(command.arguments("--progress", 0, command.script(HEAP)))
    assert (code, stdout) == (130, "")
    assert re.fullmatch(
        r"gc audit: the audit was broken off, counting visits: \d+ of 20\d{5}", stderr.splitlines()[-1]
    )


@pytest.mark.skipif(sys.platform != "linux", reason="suspects are sought in memory on Linux")
@pytest.mark.parametrize(
    "stage",
    [
        "looking for untracked objects",
        "reading what is owned by the interpreter and allocators",
        "searching what the suspects lead to",
    ],
)
def test_an_interrupt_of_the_search_for_suspects(stage: str, command: Command) -> None:
    """What was certain before it is told."""
    script = command.script(SUSPECTS)
    code, stdout, stderr = interrupt(command.arguments("--progress", 0, "--suspects", "faulty", script), stage)
    assert (code, stdout) == (130, "")
    assert f"gc audit: the audit was broken off, {stage}: " in stderr
    if stage != "looking for untracked objects":
        assert "\nover-visited: 1 " in stderr
