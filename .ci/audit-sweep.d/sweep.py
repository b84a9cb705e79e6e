"""Asks the audit about what is known: each case is an object that holds another, and closes a cycle with it.

    python sweep.py run PACKAGE [large]    a line of JSON a case, and one of times
    python sweep.py packages               the packages that there are cases for
    python sweep.py sum FILE…              the figures of all these lines
    python sweep.py findings REPORT        the kinds of findings of a report, and the packages that they are about

Whether a case leaks isn't written down: five cycles are made and collected, and those that stay are counted. Each case
runs in a child of the process, so that none sees what another left behind. In a large process there are 150,000
objects more, and as many have been freed.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import sys
import time
import weakref
from collections import Counter
from typing import Any

import gc_audit

from cases import PACKAGES

CYCLES = 5


class Held:
    """What the object of a case holds."""


def names(value: object) -> set[str]:
    """What to ask the audit for: the types of what a case made."""
    if type(value) in (tuple, list):
        return {name for item in value for name in names(item)}
    return {f"{type(value).__module__}.{type(value).__qualname__}"}


def cycles(make: Any) -> list[tuple[Any, Any]]:
    made = []
    for _ in range(CYCLES):
        held = Held()
        holder = make(held)
        held.holder = holder
        made.append((weakref.ref(held), holder))
    return made


def leaks(make: Any) -> tuple[bool, set[str]]:
    made = cycles(make)
    suspects = {name for _, holder in made for name in names(holder)}
    held = [reference for reference, _ in made]
    del made
    for _ in range(3):
        gc.collect()
    return sum(reference() is not None for reference in held) > 1, suspects


def verdict(leak: bool, report: gc_audit.Report) -> str:
    if report.holders.total:
        return "named" if leak else "flagged"
    if report.unexplained.total:
        return "unexplained" if leak else "flagged"
    if report.hidden.total or report.unread.total:
        return "said" if leak else "quiet"
    return "missed" if leak else "quiet"


def seconds(function: Any) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def fill() -> list[Any]:
    """Leaves as many objects as it frees, and memory that was used for much."""
    rows = [{"number": n, "list": [str(n)], "text": "x" * (n % 500)} for n in range(100_000)]
    gc.collect()
    kept = rows[::2]
    rows.clear()
    return kept


def in_a_child(work: Any, *arguments: Any) -> dict[str, Any]:
    """What it returns, or how it ended."""
    ours, theirs = os.pipe()
    if (child := os.fork()) == 0:
        try:
            line = work(*arguments)
        except Exception as error:  # the package isn't what the case was written for
            line = {"verdict": "error", "error": f"{type(error).__name__}: {error}"}
        os.write(theirs, json.dumps(line).encode())
        os._exit(0)  # nothing that the parent has begun is to be ended
    os.close(theirs)
    with open(ours, encoding="utf-8") as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(text) if text else {"verdict": "error", "error": f"ended with status {status}"}


def ask(make: Any) -> dict[str, Any]:
    leak, suspects = leaks(make)
    alive = [holder for _, holder in cycles(make)]
    gc.collect()
    report = gc_audit.audit(suspects=sorted(suspects), limit=5)
    del alive
    details = [str(found)[:200] for found in (*report.holders.listed, *report.unexplained.listed)]
    return {"leak": leak, "verdict": verdict(leak, report), "found": details}


def measure(make: Any) -> dict[str, Any]:
    alive = [holder for _, holder in cycles(make)]
    suspects = sorted({name for holder in alive for name in names(holder)})
    collect = seconds(gc.collect)
    return {
        "audit": seconds(gc_audit.audit) / collect,
        "suspects": seconds(lambda: gc_audit.audit(suspects=suspects)) / collect,
    }


def run(package: str, size: str) -> None:
    kept = fill() if size == "large" else []
    for name, make in PACKAGES[package]():
        line = {"case": f"{package}: {name}", "size": size, **in_a_child(ask, make)}
        print(json.dumps(line), flush=True)
    if kept:
        print(json.dumps(in_a_child(measure, make)))


def total(paths: list[str]) -> None:
    lines = [json.loads(line) for path in paths for line in open(path, encoding="utf-8")]
    cases = [line for line in lines if "case" in line]
    for line in cases:
        if line["verdict"] in ("missed", "flagged", "error", "unexplained"):
            print(f"{line['verdict']:12} {line['size']:6} {line['case']}  {line.get('error') or line['found']}")
    for size in ("small", "large"):
        of_size = [line for line in cases if line["size"] == size and line["verdict"] != "error"]
        for leak, title in ((True, "leaks"), (False, "without a leak")):
            found = Counter(line["verdict"] for line in of_size if line["leak"] is leak)
            count = sum(found.values())
            shares = ", ".join(f"{n} {what} ({n / count:.0%})" for what, n in found.most_common())
            print(f"{size} process, {count} {title}: {shares}")
    for what in ("audit", "suspects"):
        ratios = [line[what] for line in lines if what in line]
        if ratios:
            print(f"{what}, against one gc.collect(): {statistics.median(ratios):.1f}, at most {max(ratios):.1f}")


def findings(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    found = set()
    for kind in ("over_visited", "unsteady", "untracked", "type_visits"):
        for finding in report[kind]["listed"]:
            # The visitors are at fault, if the object isn't.
            at_fault = finding.get("visitors") or [finding]
            packages = {one["type_name"].partition(".")[0] for one in at_fault} - {"builtins"}
            found.add(f"{kind} {' '.join(sorted(packages))}")
    return ", ".join(sorted(found))


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "packages":
        print(*PACKAGES)
    elif command == "run":
        run(arguments[0], arguments[1] if len(arguments) > 1 else "small")
    elif command == "findings":
        print(findings(*arguments))
    else:
        total(arguments)
