"""Answers pip's question for an sdist's metadata from the sdist's own PKG-INFO.

With this in place of the real maturin, `pip download` runs no cargo.
"""

import email
import pathlib
import shutil


def prepare_metadata_for_build_wheel(directory, config_settings=None):
    about = email.message_from_bytes(pathlib.Path("PKG-INFO").read_bytes())
    name = about["Name"].replace("-", "_")
    folder = pathlib.Path(directory, f"{name}-{about['Version']}.dist-info")
    folder.mkdir()
    shutil.copy("PKG-INFO", folder / "METADATA")
    return folder.name


def __getattr__(name):
    # A backend that wraps maturin takes its other hooks from here, too; there is nothing that they would require.
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *arguments: []
