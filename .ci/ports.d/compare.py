"""Compares what a project's tests and shapes did before and after the port, and adds a line to the table."""

import argparse
import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


# As wide as the heading that .ci/ports writes.
ROW = "{:20} {:30} {:14} {:9} {:11} {:9} {:>9}"


def outcomes(report):
    """What became of each test. Some names stand there several times."""
    found = collections.defaultdict(list)
    if report.exists():
        for test in ElementTree.parse(report).iter("testcase"):
            kinds = {child.tag for child in test} & {"failure", "error", "skipped"}
            outcome = "failed" if kinds & {"failure", "error"} else "skipped" if kinds else "passed"
            found[f"{test.get('classname')}.{test.get('name')}"].append(outcome)
    return {name: sorted(several) for name, several in found.items()}


def numbers(found):
    count = collections.Counter(outcome for several in found.values() for outcome in several)
    return "/".join(str(count[outcome]) for outcome in ("passed", "failed", "skipped")) if found else "none"


def read(file):
    return json.loads(file.read_text("utf-8"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--expect", type=int)
    parser.add_argument("--seconds", nargs=2)
    parser.add_argument("--name")
    parser.add_argument("--table", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder
    tests = [outcomes(folder / f"{side}.xml") for side in ("before", "after")]
    shapes = [read(folder / f"{side}.json") for side in ("before", "after")]
    checks = [read(folder / f"check-{side}.json") for side in ("before", "after")]
    port = read(folder / "port.json")
    leaking = [set(side["leaking"]) for side in shapes]

    wrong = [
        f"{name}: {' '.join(tests[0].get(name, ['missing']))} before, {' '.join(tests[1].get(name, ['missing']))} after"
        for name in sorted(tests[0].keys() | tests[1].keys())
        if tests[0].get(name) != tests[1].get(name)
    ]
    if shapes[0]["shapes"].keys() != shapes[1]["shapes"].keys():
        wrong.append("the shapes aren't the same before and after")
    wrong += [f"leaks since the port: {name}" for name in sorted(leaking[1] - leaking[0])]
    if len(leaking[1]) != arguments.expect:
        wrong.append(f"{len(leaking[1])} shapes leak after the port, not {arguments.expect}")

    same = "equal" if tests[0] == tests[1] else numbers(tests[1])
    columns = (
        arguments.name,
        f"{numbers(tests[0])}, {same}" if tests[0] else "none in the sdist",
        f"{len(leaking[0])} → {len(leaking[1])} of {len(shapes[0]['shapes'])}",
        f"{checks[0]['findings']} → {checks[1]['findings']}",
        f"+{port['lines_added']} -{port['lines_removed']}",
        len(port["decisions"]),
        " of ".join(arguments.seconds),
    )
    with arguments.table.open("a", encoding="utf-8") as table:
        print(ROW.format(*columns), file=table)
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
