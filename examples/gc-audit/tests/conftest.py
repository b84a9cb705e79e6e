"""What all tests share."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = "pytester"

TESTS = Path(__file__).parent
PROGRAMS = TESTS / "programs"


class Command:
    """`python -m gc_audit`, run in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def arguments(self, *arguments: object) -> list[str]:
        # UTF-8, so that the output doesn't depend on the environment.
        return [sys.executable, "-Xutf8", "-m", "gc_audit", *map(str, arguments)]

    def __call__(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.arguments(*arguments), cwd=self.folder, capture_output=True, text=True, timeout=60
        )

    def script(self, text: str, name: str = "script.py") -> Path:
        """Writes a script, which can import `faulty`."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"import sys; sys.path.append({str(TESTS)!r})\n{text}", encoding="utf-8")
        return path


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)
