"""Keeps the variables of a function when it has returned, without changing the function or slowing it down."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any, Optional


# From CPython 3.12 on.
monitoring: Any = getattr(sys, "monitoring", None)


def code_of(function: Any) -> Optional[CodeType]:
    """The code of a test, be it decorated, or a method."""
    function = getattr(function, "__func__", function)
    inner = getattr(getattr(function, "hypothesis", None), "inner_test", None)
    return getattr(inspect.unwrap(inner or function), "__code__", None)


class Frame:
    """Finds the frame of a function at its first call in the block.

    A frame that somebody holds keeps the variables of its function, and shows them to the collector once the function
    has returned.
    """

    frame: Optional[FrameType] = None
    found = False
    """Whether it could be looked for, and was called."""

    def __init__(self, code: Optional[CodeType]) -> None:
        self.code = code
        self._stop: Optional[Callable[[], object]] = None

    def __enter__(self) -> Frame:
        if self.code is not None:
            self._start(self.code)
        return self

    def _start(self, code: CodeType) -> None:
        # What is in use belongs to a profiler, a debugger, or to coverage.
        if (tool := unused_tool()) is not None:
            monitoring.use_tool_id(tool, "gc_audit")
            event = monitoring.events.PY_START
            monitoring.register_callback(tool, event, lambda *_: self._keep(sys._getframe(1)))
            monitoring.set_local_events(tool, code, event)

            def stop() -> None:
                monitoring.set_local_events(tool, code, 0)
                monitoring.register_callback(tool, event, None)
                monitoring.free_tool_id(tool)

            self._stop = stop
        elif sys.getprofile() is None:
            self._stop = lambda: sys.setprofile(None)
            sys.setprofile(self._called)
        elif sys.gettrace() is None:
            self._stop = lambda: sys.settrace(None)
            sys.settrace(self._called)

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code is self.code:
            self._keep(frame)

    def _keep(self, frame: FrameType) -> None:
        self.frame, self.found = frame, True
        self._end()

    def _end(self) -> None:
        if self._stop is not None:
            self._stop()
            self._stop = None

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self._end()

    def release(self) -> None:
        """Lets go of the variables."""
        self.frame = None


def unused_tool() -> Optional[int]:
    """An identifier that no tool uses, of those that CPython has for them."""
    if monitoring is None:
        return None
    return next((tool for tool in range(6) if monitoring.get_tool(tool) is None), None)
