"""Finds garbage-collector bugs in extension modules: counts the visits to every object against its references.

    import gc_audit

    gc_audit.audit().assert_clean()

or, in a test, `with gc_audit.auditing(): …`. See also `python -m gc_audit --help`, and `pytest --gc-audit`.
"""

from ._audit import *  # noqa: F403
from .report import *  # noqa: F403
