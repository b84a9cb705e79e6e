"""Runs a script, and audits when it ends: `python -m gc_audit script.py`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import audit, read_allow_list
from ._script import RAISED, Script

FINDINGS, USAGE, UNMATCHED, NO_AUDIT, INTERRUPTED = 1, 2, 4, 5, 130

EPILOG = f"""\
The audit takes place when the main thread has run to its end, by an exception too, and before handlers of `atexit`.
A script that ends by `os._exit` or a signal isn't audited, nor are the processes that it starts.

Exit status, the first that holds:
  {NO_AUDIT}  the audit couldn't run, or {INTERRUPTED} if it was interrupted
  {FINDINGS}  there are findings
  {UNMATCHED}  a pattern of --suspects names no type, so that nothing was sought for it
  {RAISED}  the script raised an exception; if it called sys.exit, the status that it gave
  0  none of these
{USAGE} is that of a wrong call, for which the script isn't run.
"""


def main() -> int:
    arguments = parse()
    stdout = sys.stdout  # the script may put something else there
    outcome = arguments.script.run()
    try:
        report = audit(
            suspects=arguments.suspects,
            allow=arguments.allow,
            limit=arguments.limit,
            progress=arguments.progress,
        )
    except KeyboardInterrupt as interrupt:
        print(f"gc audit: {interrupt or 'interrupted'}", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        print(f"gc audit: {type(error).__name__}: {error}", file=sys.stderr)
        return NO_AUDIT
    text = report.json() if arguments.json else str(report)
    try:
        if arguments.output:
            arguments.output.write_text(text + "\n", encoding="utf-8")
        else:
            encoding = stdout.encoding or "utf-8"
            print(text.encode(encoding, "backslashreplace").decode(encoding), file=stdout, flush=True)
    except OSError as error:
        print(f"gc audit: the report can't be written: {error}", file=sys.stderr)
        return NO_AUDIT
    if report.findings:
        return FINDINGS
    return UNMATCHED if report.unmatched else outcome.exit_code


def parse() -> argparse.Namespace:
    name = "gc-audit" if Path(sys.argv[0]).stem == "gc-audit" else "python -m gc_audit"
    parser = argparse.ArgumentParser(
        prog=name,
        usage=f"{name} [options] (script.py | -m module) [arguments]",
        description="Runs a script, and looks for garbage-collector bugs when it ends.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="write the report as JSON, in one line")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report to FILE, not to stdout")
    parser.add_argument(
        "--allow", action="append", default=[], metavar="FILE", help="a list of findings that are all right"
    )
    parser.add_argument(
        "--suspects",
        type=pattern,
        action="append",
        default=[],
        metavar="PATTERN",
        help="look for leak suspects as well, in this type or module; can be repeated",
    )
    parser.add_argument(
        "--limit", type=natural, default=20, metavar="N", help="list N findings of each kind (20)"
    )
    parser.add_argument(
        "--progress",
        type=seconds,
        default=2.0 if sys.stderr.isatty() else None,
        metavar="SECONDS",
        help="tell how far the audit is, once it has taken so long (on a terminal: 2)",
    )
    parser.add_argument("-m", action="store_true", dest="is_module", help="the script is a module's name")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    try:
        arguments.allow = [entry for path in arguments.allow for entry in read_allow_list(path)]
        find = Script.module if arguments.is_module else Script.file
        arguments.script = find(arguments.script, arguments.arguments)
    except (OSError, ValueError, ImportError) as error:
        parser.error(str(error))
    return arguments


def pattern(text: str) -> str:
    if not text:
        raise ValueError
    return text


def natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number < 1e9:
        raise ValueError
    return number


if __name__ == "__main__":
    sys.exit(main())
