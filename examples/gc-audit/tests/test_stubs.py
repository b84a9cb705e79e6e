"""The stub agrees with the module, and the package and its tests are typed."""

import subprocess
import sys

import pytest
from conftest import TESTS


@pytest.mark.parametrize(
    "command",
    [
        ["mypy.stubtest", "gc_audit"],
        ["mypy", "--strict", "-p", "gc_audit"],
        ["mypy", "--strict", *map(str, TESTS.glob("*.py"))],
    ],
    ids=["stubtest", "package", "tests"],
)
def test_types(command: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("mypy")
    folder = tmp_path_factory.getbasetemp()  # one cache for all
    run = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
