"""Runs a script as the program it is, and keeps what it leaves behind.

`runpy` would do the former alone: it clears the script's namespace when it returns, and there would be nothing to audit.
"""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional


# The exit status of a script that raised an exception. Python's is 1, which is that of an audit with findings.
RAISED = 3


@dataclass
class Outcome:
    """How a script ended."""

    exit_code: int
    error: Optional[BaseException]
    """The exception that ended it, with all that its frames hold."""


@dataclass
class Script:
    """A script that was found."""

    code: Callable[[], types.CodeType]
    namespace: dict[str, Any]
    argv: list[str]

    @classmethod
    def file(cls, path: str, arguments: list[str]) -> Script:
        """A script by its path. `OSError` if it can't be read."""
        argv = [path, *arguments]
        path = os.path.abspath(path)
        with io.open_code(path) as file:
            source = file.read()
        begin_path_with(os.path.dirname(os.path.realpath(path)))
        loader = importlib.machinery.SourceFileLoader("__main__", path)
        return cls(
            lambda: compile(source, path, "exec", dont_inherit=True),
            {"__file__": path, "__loader__": loader, "__package__": None, "__spec__": None},
            argv,
        )

    @classmethod
    def module(cls, name: str, arguments: list[str]) -> Script:
        """A script by its name as a module; of a package, its `__main__`. `ImportError` if there is none."""
        begin_path_with(os.getcwd())
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            name += ".__main__"
            spec = importlib.util.find_spec(name)
        if spec is None or not isinstance(loader := spec.loader, importlib.abc.InspectLoader):
            raise ImportError(f"no module named {name!r} that can be run")
        path, full_name = spec.origin or name, name

        def code() -> types.CodeType:
            found = loader.get_code(full_name)
            if found is None:
                raise ImportError(f"no code object available for {full_name}")
            return found

        return cls(
            code,
            {"__file__": path, "__loader__": loader, "__package__": spec.parent, "__spec__": spec},
            [path, *arguments],
        )

    def run(self) -> Outcome:
        """Runs it as `__main__`, and prints the traceback of an exception that it raises, as Python would."""
        main = types.ModuleType("__main__")
        vars(main).update(self.namespace, __builtins__=builtins, __cached__=None)
        sys.modules["__main__"] = main
        sys.argv = self.argv
        try:
            exec(self.code(), vars(main))
        except SystemExit as exit:
            return Outcome(exit_code(exit.code), exit)
        except BaseException as error:
            inner = error.__traceback__
            while inner and inner.tb_frame.f_code.co_filename == __file__:
                inner = inner.tb_next
            sys.excepthook(type(error), error.with_traceback(inner), inner)
            return Outcome(130 if isinstance(error, KeyboardInterrupt) else RAISED, error)
        return Outcome(0, None)


def begin_path_with(folder: str) -> None:
    """Modules are sought there first, in the place of where the audit was started from, as Python does for a script."""
    if not sys.flags.isolated and not getattr(sys.flags, "safe_path", False):  # from 3.11 on
        sys.path[0] = folder


def exit_code(code: object) -> int:
    """As the interpreter has it: a message counts as a failure."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return RAISED
