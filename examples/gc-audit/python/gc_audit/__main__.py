"""Runs a script, and audits when it ends: `python -m gc_audit script.py`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import audit, read_allow_list
from ._script import Script

EPILOG = """\
The audit takes place when the main thread has run to its end, by an exception too, and before handlers of `atexit`.
Exit code: 1 if there are findings, otherwise that of the script; 2 if the audit is called wrongly.
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
        print(f"gc audit: {interrupt}", file=sys.stderr)
        return 130
    text = report.json() if arguments.json else str(report)
    if arguments.output:
        arguments.output.write_text(text + "\n", encoding="utf-8")
    else:
        encoding = stdout.encoding or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=stdout, flush=True)
    return outcome.exit_code if report.is_clean else 1


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m gc_audit",
        usage="python -m gc_audit [options] (script.py | -m module) [arguments]",
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
