"""Bugs of released packages are found, and named. In an environment with those releases: see `bugs` in pyproject.toml."""

import json
import os
import re
import subprocess
import sys
import textwrap
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

BUGS = Path(__file__).parent
README = (BUGS.parent / "README.md").read_text(encoding="utf-8")


def run(program: str, *options: str) -> str:
    command = [sys.executable, "-Xutf8", "-m", "gc_audit", *options, program]
    run = subprocess.run(command, cwd=BUGS, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (1, "")
    return run.stdout


def over_visited(program: str) -> list[dict[str, Any]]:
    """The findings, of which there are no others."""
    report = json.loads(run(program, "--json").splitlines()[-1])
    assert [kind for kind, found in report.items() if isinstance(found, dict) and found["total"]] == ["over_visited"]
    found = report["over_visited"]
    assert len(found["listed"]) == found["total"]
    return list(found["listed"])


def test_pydantic_13817() -> None:
    """A validator is a tree of shared parts, and each of its owners visits all of it."""
    assert version("pydantic") == "2.12.5"
    core = "pydantic_core._pydantic_core"
    model, validator = over_visited("pydantic_13817.py")

    assert (model["type_name"].split(".")[-1], model["class_name"]) == ("ModelMetaclass", "__main__.Line")
    assert model["visits"] == model["references"] + 1
    visitors = {visitor["type_name"]: visitor["visits"] for visitor in model["visitors"]}
    assert sum(visitors.values()) == model["visits"]
    assert visitors[f"{core}.SchemaValidator"] == visitors[f"{core}.ValidatorCallable"] == 1

    assert (validator["type_name"], validator["class_name"]) == (f"{core}.SchemaValidator", None)
    assert (validator["references"], validator["visits"]) == (2, 3)
    assert {visitor["type_name"]: visitor["visits"] for visitor in validator["visitors"]} == {
        "dict": 1,  # that of the nested model
        f"{core}.SchemaValidator": 1,
        f"{core}.ValidatorCallable": 1,
    }


@pytest.mark.parametrize("when", ["session", "test"])
def test_pydantic_13817_in_a_test(when: str, tmp_path: Path) -> None:
    """The bug as somebody would write it down in a test: all that shows it are variables of the test."""
    program = (BUGS / "pydantic_13817.py").read_text(encoding="utf-8")
    imports, body = program.split("\n", 1)
    test = tmp_path / "test_line.py"
    test.write_text(f"{imports}\n\ndef test_line():\n{textwrap.indent(body, '    ')}", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, f"--gc-audit={when}", test]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert "over-visited: 2 " in run.stdout and "  new: the class test_line.test_line.<locals>.Line at 0x" in run.stdout
    assert (" 1 failed in " if when == "test" else " 1 passed, 1 error in ") in run.stdout.splitlines()[-1]


def test_pyreqwest() -> None:
    """A chain of middlewares is shared by the client and its request builders, and each visits all of it."""
    assert version("pyreqwest") == "0.15.1"
    (middleware,) = over_visited("pyreqwest_middleware.py")
    assert middleware["type_name"] == "__main__.Middleware"
    assert (middleware["references"], middleware["visits"]) == (1, 4)
    assert middleware["visitors"] == [
        {"type_name": "pyreqwest.request.SyncRequestBuilder", "objects": 3, "visits": 3},
        {"type_name": "pyreqwest.client.SyncClient", "objects": 1, "visits": 1},
    ]


def test_the_readme_shows_what_is_printed() -> None:
    program = (BUGS / "pydantic_13817.py").read_text(encoding="utf-8")
    assert f"```python\n{program}```" in README
    printed = re.search(r"\$ python -m gc_audit pydantic_13817\.py\n(.*?)```", README, re.DOTALL)
    assert printed and numberless(printed[1]) == numberless(run("pydantic_13817.py"))


def numberless(text: str) -> list[str]:
    """Without what differs from interpreter to interpreter: addresses, numbers, and what CPython itself holds."""
    lines = re.sub(r"0x[0-9a-f]+|\d+ (object|reference|visit)s?", "…", text).splitlines()
    return [line for line in lines if " by " not in line or "pydantic" in line]
