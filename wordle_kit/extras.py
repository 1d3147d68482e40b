"""Extras: optional packages, imported when they are needed."""

from importlib import import_module
from typing import Any

from wordle_kit.errors import WordleKitError


def needed(module: str, what: str, extra: str) -> Any:
    """Return an optional module. Raises WordleKitError, naming the extra that installs it, if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        raise WordleKitError(
            f"{what}: {module} is not installed; install it with: pip install 'wordle-kit[{extra}]'"
        ) from error
