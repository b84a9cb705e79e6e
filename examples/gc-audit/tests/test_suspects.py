"""Leak suspects in an extension module that has some: crate-py/rpds#264."""

import json

from conftest import PROGRAMS, Command


def test_the_holder_is_named(command: Command) -> None:
    program = PROGRAMS / "rpds_264.py"
    assert command(program).returncode == 0, "only when asked for"
    run = command("--json", "--suspects", "rpds", program)
    assert run.returncode == 1
    report = json.loads(run.stdout)
    (holder,) = report["holders"]["listed"]
    assert holder["type_name"] == "rpds.HashTrieMap"
    assert holder["held"] == [{"type_name": "__main__.Node", "references": 1}]
    assert (holder["objects"], holder["tracked"]) == (1, False)
