"""The cases, by packages: functions that yield names, and what makes an object that holds another."""

from . import c, classes, rust
from .table import PACKAGES

__all__ = ["PACKAGES", "c", "classes", "rust"]
