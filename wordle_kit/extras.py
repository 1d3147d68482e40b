"""Extras: optional packages, imported when they are needed."""

from importlib import import_module
from typing import Any

from wordle_kit.errors import WordleKitError


def needed(module: str, what: str, extra: str) -> Any:
    """Return an optional module. If it is missing, raises WordleKitError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise WordleKitError(f"{what}: {module} is not installed; install it with: {install_command(extra)}") from error


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, with their lowest supported versions."""
    from importlib import metadata  # imported here, since it takes longer than most commands

    packages = []
    for requirement in metadata.requires("wordle-kit") or ():
        package, _, marker = requirement.partition(";")
        if f"extra == '{extra}'" in marker.replace('"', "'"):
            packages.append(f"'{package.strip()}'")
    return f"pip install {' '.join(packages)}"
