"""Counts the cycles that a collection leaves behind, shape by shape."""

import atexit
import gc
import json
import os
import sys
import weakref

CYCLES = 5
_left = {}
_errors = []


class Object:
    """What a shape is given to hold."""


def leak(name, make):
    """Tries one shape: `make(object)` returns what holds the object, and gets five of them.

    Each object leads back to its holder. What is dropped and still stays after a collection has leaked. One may stay:
    caches keep what they were asked for last.
    """
    try:
        _holds(make)
        left = _cycles(make)
    except Exception as error:
        _errors.append(name)
        print(f"{name:44} {type(error).__name__}: {error}", flush=True)
        return
    _left[name] = left
    print(f"{name:44} {'leaks' if left > 1 else 'collected'} ({left} of {CYCLES} left)", flush=True)


def _holds(make):
    """A shape that doesn't hold its object can't leak, and would prove nothing."""
    thing = Object()
    reference = weakref.ref(thing)
    holder = make(thing)
    del thing
    gc.collect()
    assert reference() is not None, f"{holder!r} doesn't hold the object"


def _cycles(make):
    references = []
    for _ in range(CYCLES):
        thing = Object()
        references.append(weakref.ref(thing))
        thing.holder = make(thing)
        del thing
    for _ in range(3):
        gc.collect()
    return sum(reference() is not None for reference in references)


@atexit.register
def _report():
    leaking = sorted(name for name, left in _left.items() if left > 1)
    print(f"{len(leaking)} of {len(_left)} shapes leak, {len(_errors)} errors")
    if path := os.environ.get("SHAPES_JSON"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"shapes": _left, "leaking": leaking, "errors": _errors}, file, indent=1)
    sys.stdout.flush()
    if _errors or not _left:
        os._exit(1)
