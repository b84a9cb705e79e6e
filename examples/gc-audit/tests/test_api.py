"""What `import gc_audit` offers."""

import ctypes
import gc
import json
import pickle
import sys
import sysconfig
from dataclasses import asdict
from pathlib import Path

import faulty
import pytest

import gc_audit


def test_no_findings() -> None:
    report = gc_audit.audit()
    report.assert_clean()
    assert report.is_clean and report.findings == 0
    assert min(report.objects, report.references, report.visits) > 10_000
    assert str(report).startswith(f"gc audit: {report.objects} objects, ")


def test_over_visited() -> None:
    with faulty.over_visited():
        report = gc_audit.audit()
    assert report.findings == report.over_visited.total == 1 and not report.is_clean
    (found,) = report.over_visited.listed
    assert found.address > 0
    assert found == gc_audit.OverVisited(
        type_name="faulty.Thing",
        class_name=None,
        address=found.address,
        references=1,
        visits=2,
        visitors=(gc_audit.Visitor("faulty.Holder", objects=1, visits=2),),
    )
    assert f"faulty.Thing at {found.address:#x}: 1 reference, 2 visits\n    2 visits by faulty.Holder" in str(report)
    with pytest.raises(gc_audit.AuditError, match="faulty.Thing") as raised:
        report.assert_clean()
    assert raised.value.report is report
    assert isinstance(raised.value, AssertionError)


@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="classes aren't counted")
def test_a_class() -> None:
    # A class refers to itself as well: by its `__mro__`, its descriptors.
    holder = faulty.Holder([type("Class", (), {"__module__": "m"})] * 2)
    holder.take_reference()
    report = gc_audit.audit()
    holder.give_reference()
    (found,) = report.over_visited.listed
    assert (found.type_name, found.class_name, found.visits - found.references) == ("type", "m.Class", 1)
    assert found.address == id(holder[0])


def test_unsteady() -> None:
    failing = faulty.failing()()
    report = gc_audit.audit()
    assert report.findings == 1
    assert report.unsteady.listed == (
        gc_audit.Unsteady("faulty.Failing", objects=1, address=id(failing), fault=gc_audit.Failed()),
    )


def test_type_visits() -> None:
    silent = [faulty.silent()() for _ in range(1)]
    assert gc_audit.audit().is_clean
    report = gc_audit.audit(suspects=silent[0].__module__)
    assert report.type_visits.listed == (
        gc_audit.TypeVisits("faulty.Silent", objects=1, expected=1, visits=0),
    )


def test_suspects() -> None:
    thing = faulty.Thing()
    holder = faulty.Holder([thing])
    holder.give_reference()
    assert gc_audit.audit().is_clean
    reports = [gc_audit.audit(suspects=pattern) for pattern in ["faulty.Thing", ["json", "faulty.Thing"]]]
    holder.take_reference()
    for report in reports:
        assert report.findings == 1
        # One more is that of this function's variable, where frames show theirs to the collector only if they must.
        (found,) = report.unexplained.listed
        assert (found.type_name, found.objects, found.address) == ("faulty.Thing", 1, id(thing))
    assert gc_audit.audit(suspects="json").is_clean


def test_a_pattern_that_names_nothing() -> None:
    """A misspelt one is no all-clear."""
    report = gc_audit.audit(suspects=["faulty.Thnig", "faulty"])
    misspelt, faulty_module = report.suspects
    assert misspelt == gc_audit.Suspected("faulty.Thnig", types=0, objects=0)
    assert faulty_module.types >= 2
    assert report.unmatched == ("faulty.Thnig",)
    assert report.findings == 0 and not report.is_clean
    with pytest.raises(gc_audit.AuditError, match="no type is called faulty.Thnig"):
        report.assert_clean()
    assert json.loads(report.json())["suspects"][0] == {"pattern": "faulty.Thnig", "types": 0, "objects": 0}


def test_untracked() -> None:
    """Of one type some instances are tracked, and one is not."""
    kept = [faulty.Holder([faulty.Thing()]) for _ in range(3)]
    python = ctypes.pythonapi
    python.PyObject_GC_UnTrack(ctypes.py_object(kept[1]))
    report = gc_audit.audit()
    python.PyObject_GC_Track(ctypes.py_object(kept[1]))
    assert report.findings == 1
    assert report.untracked.listed == (
        gc_audit.Untracked("faulty.Holder", objects=1, tracked=2, address=id(kept[1]), references=1),
    )
    assert str(report.untracked.listed[0]) in str(report)
    assert gc_audit.audit().is_clean


def test_allow() -> None:
    reason = "the test's own"
    with faulty.over_visited():
        report = gc_audit.audit(allow={"faulty.Thing": reason, "m": "another"})
        pairs = gc_audit.audit(allow=[("faulty.Thing", reason), ("m", "another")])
        others = gc_audit.audit(allow={"m": "another"})
    assert report.is_clean
    assert (
        report.allowed
        == pairs.allowed
        == (
            gc_audit.Allowed("faulty.Thing", reason, findings=1),
            gc_audit.Allowed("m", "another", findings=0),
        )
    )
    assert "allowed: 1 finding about faulty.Thing (the test's own)" in str(report)
    assert not others.is_clean


def test_limit() -> None:
    with faulty.over_visited(), faulty.over_visited(), faulty.over_visited():
        reports = {limit: gc_audit.audit(limit=limit) for limit in [0, 2, 3, None]}
    assert {limit: len(report.over_visited.listed) for limit, report in reports.items()} == {
        0: 0,
        2: 2,
        3: 3,
        None: 3,
    }
    assert {report.findings for report in reports.values()} == {3}
    assert "… and 1 more" in str(reports[2])


def test_json() -> None:
    with faulty.over_visited():
        report = gc_audit.audit(allow={"m": "a reason"})
    data = {name: value for name, value in asdict(report).items() if not name.startswith("_")}
    assert json.loads(report.json()) == json.loads(json.dumps(data))
    assert "\n" not in report.json()


def test_all_of_json_is_read() -> None:
    """The faults that no test can make without an extension module."""
    report = gc_audit.Report.of(
        "",
        json.dumps(
            {
                **json.loads(gc_audit.audit().json()),
                "unsteady": {
                    "total": 3,
                    "listed": [
                        {"type_name": "m.T", "objects": 1, "address": 8, "fault": fault}
                        for fault in ["failed", {"answers": {"first": 2, "second": 1}}, {"references": {"of": "m.U"}}]
                    ],
                },
            }
        ),
        ["one", "two", "three"],
    )
    assert [str(found) for found in report.unsteady.listed] == ["one", "two", "three"]
    faults = [found.fault for found in report.unsteady.listed]
    assert faults == [gc_audit.Failed(), gc_audit.Answers(2, 1), gc_audit.References("m.U")]


def test_a_report_can_be_pickled() -> None:
    report = gc_audit.audit()
    assert pickle.loads(pickle.dumps(report)) == report


def test_auditing() -> None:
    with gc_audit.auditing(limit=3) as block:
        assert block.report is None
    assert block.report is not None and block.report.is_clean

    with faulty.over_visited():
        with pytest.raises(gc_audit.AuditError) as raised:
            with gc_audit.auditing(allow={"m": "a reason"}) as block:
                pass
        with gc_audit.auditing(allow={"faulty": "known"}):
            pass
    assert raised.value.report is block.report and block.report is not None
    assert block.report.over_visited.total == 1


def test_an_exception_is_not_covered_up() -> None:
    with faulty.over_visited(), pytest.raises(ZeroDivisionError):
        with gc_audit.auditing() as block:
            1 / 0
    assert block.report is None


def test_wrong_options(tmp_path: Path) -> None:
    for wrong in [{"suspects": ""}, {"allow": {"": "reason"}}, {"allow": {"m": ""}}, {"progress": -1.0}]:
        with pytest.raises(ValueError):
            gc_audit.audit(**wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gc_audit.audit(suspects=[1])  # type: ignore[list-item]
    with pytest.raises(OverflowError):
        gc_audit.audit(limit=-1)


def test_read_allow_list(tmp_path: Path) -> None:
    path = tmp_path / "allow.txt"
    path.write_text("# known\n\nrpds.HashTrieMap: shares: nodes\n ünï : code \n", encoding="utf-8")
    assert gc_audit.read_allow_list(path) == [("rpds.HashTrieMap", "shares: nodes"), ("ünï", "code")]
    path.write_text("a: b\n\nc\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"allow\.txt: line 3 of the allow-list: .* found `c`"):
        gc_audit.read_allow_list(str(path))
    with pytest.raises(FileNotFoundError):
        gc_audit.read_allow_list(tmp_path / "none")


def test_nothing_is_changed() -> None:
    """No object is left, no reference count moves, nothing is collected."""

    class Cycle:
        pass

    objects = [Cycle() for _ in range(100)]
    for cycle in objects:
        cycle.itself = cycle  # type: ignore[attr-defined]
    addresses = set(map(id, objects))
    del cycle
    gc.disable()
    try:
        counts = [sys.getrefcount(cycle) for cycle in objects]
        first, second = numbers(), numbers()
        assert first == second
        assert counts == [sys.getrefcount(cycle) for cycle in objects]
        objects.clear()
        gc_audit.audit()
        assert sum(id(one) in addresses for one in gc.get_objects()) == 100
    finally:
        gc.enable()


def numbers() -> str:
    report = gc_audit.audit()
    return f"{report.objects} {report.references} {report.visits}"
