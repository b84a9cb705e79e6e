"""Objects with the faults that an audit finds, without an extension module that has them."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

python = ctypes.pythonapi


class Thing:
    """An object to be found."""


class Holder(list[Any]):
    """Owns as many references to its items as any list does, but for one that was taken or given."""

    balance = 0

    def take_reference(self) -> None:
        """Its first item is visited as often as before."""
        self.keep_balance(-1)
        python.Py_DecRef(ctypes.py_object(self[0]))

    def give_reference(self) -> None:
        """Its first item has one more reference, that nobody visits."""
        python.Py_IncRef(ctypes.py_object(self[0]))
        self.keep_balance(+1)

    def keep_balance(self, change: int) -> None:
        self.balance += change
        # A collection could destroy what lacks a reference.
        if self.balance < 0:
            gc.disable()
        else:
            gc.enable()

    def __del__(self) -> None:
        while self.balance < 0:
            self.give_reference()
        while self.balance > 0:
            self.take_reference()


class Large(bytearray):
    """Owns so much memory that it takes long to search it."""


def shared_thing(kind: type[Any] = Thing) -> Holder:
    thing = kind()
    return Holder([thing, thing])


@contextmanager
def over_visited() -> Iterator[None]:
    """An object with one reference, visited twice."""
    holder = shared_thing()
    holder.take_reference()
    try:
        yield
    finally:
        holder.give_reference()


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
