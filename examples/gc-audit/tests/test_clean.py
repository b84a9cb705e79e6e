"""On what has no such bugs, nothing is reported."""

import pytest
from conftest import PROGRAMS, Command


@pytest.mark.parametrize("program", ["nothing", "standard_library", "third_party", "threads"])
def test_no_findings(program: str, command: Command) -> None:
    run = command(PROGRAMS / f"{program}.py")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"{program} done\ngc audit: ")
    assert ": no findings\n" in run.stdout
