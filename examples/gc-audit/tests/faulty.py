"""Objects with the faults that an audit finds, without an extension module that has them."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

python = ctypes.pythonapi


class Thing:
    """An object to be found."""


def shared_thing(kind: type[Any] = Thing) -> list[Any]:
    thing = kind()
    return [thing, thing]


def take_reference(holder: list[Any]) -> None:
    """The list visits its item twice, and now owns one reference to it."""
    python.Py_DecRef(ctypes.py_object(holder[0]))


def give_reference(holder: list[Any]) -> None:
    python.Py_IncRef(ctypes.py_object(holder[0]))


@contextmanager
def over_visited() -> Iterator[None]:
    """An object with one reference, visited twice. A collection could destroy it, so there is none meanwhile."""
    collects = gc.isenabled()
    gc.disable()
    holder = shared_thing()
    take_reference(holder)
    try:
        yield
    finally:
        give_reference(holder)
        if collects:
            gc.enable()


class Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class Spec(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(Slot)),
    ]


TP_TRAVERSE, HAVE_GC, DEFAULT = 71, 1 << 14, 1 << 18
kept_alive: list[object] = []


def type_with_traverse(name: str, function: str) -> type[Any]:
    """A heap type whose `tp_traverse` is a function of CPython's, which takes the object and ignores the visitor."""
    address = ctypes.cast(getattr(python, function), ctypes.c_void_p)
    slots = (Slot * 2)(Slot(TP_TRAVERSE, address), Slot(0, None))
    spec = Spec(name.encode(), object.__basicsize__, 0, HAVE_GC | DEFAULT, slots)
    kept_alive.append((slots, spec))
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(("PyType_FromSpec", python))
    made: type[Any] = make(ctypes.addressof(spec))
    return made


def failing() -> type[Any]:
    """Its traverse answers 1: the visitor never did."""
    return type_with_traverse("faulty.Failing", "PyObject_GC_IsTracked")


def silent() -> type[Any]:
    """Its traverse answers 0 and visits nothing, not the type either."""
    return type_with_traverse("faulty.Silent", "PyObject_GC_IsFinalized")
