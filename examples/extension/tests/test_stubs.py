"""The stub agrees with the module, and the tests with the stub."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    "command",
    [["mypy.stubtest", "pyo3_gc_graph"], ["mypy", "--strict", str(TESTS)]],
    ids=["stubtest", "mypy"],
)
def test_types(command: list[str], tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    run = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
