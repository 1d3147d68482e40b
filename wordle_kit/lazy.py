"""Lazy imports: public names when they are first used, and optional packages.

The `__init__.pyi` of a package lists its public names.
"""

import sys
from importlib import import_module

TYPE_CHECKING = False  # importing it from typing takes as long as starting Python
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def homes_of(init: str) -> dict[str, str]:
    """Return the module of each public name of a package, given the path of its `__init__.py`.

    In the stub beside it, each line that begins with `from` imports one name, as in
    `from wordle_kit.game.game import Game as Game`.
    """
    with open(f"{init}i", encoding="utf-8") as stub:  # noqa: PTH123 - pathlib takes long to import
        return {words[3]: words[1] for words in map(str.split, stub) if words[:1] == ["from"]}


def lazy_names(package: str, init: str) -> "tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]":
    """Return `__getattr__`, `__dir__` and `__all__` of a package, given its name and the path of its `__init__.py`."""
    homes = homes_of(init)
    names = sorted(homes)

    def get(name: str) -> "Any":
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            value = getattr(import_module(homes[name]), name)
        except ModuleNotFoundError as error:
            if error.name is None or not homes[name].startswith(error.name):
                raise
            raise AttributeError(f"{name} is part of {error.name}, which is not installed") from error
        setattr(sys.modules[package], name, value)  # found without this function from now on
        return value

    return get, lambda: names, names


def needed(module: str, what: str, extra: str) -> "Any":
    """Return an optional module. If it is missing, raises WordleKitError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        from wordle_kit.errors import WordleKitError

        install = f"pip install 'wordle-kit[{extra}]'"
        raise WordleKitError(f"{what}: {module} is not installed; install it with: {install}") from error
