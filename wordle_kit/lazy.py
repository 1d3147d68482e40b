"""Public names of a package that are imported when they are first used. The package's `__init__.pyi` lists them."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def homes_of(init: str) -> dict[str, str]:
    """Return the module of each public name of a package, given the path of its `__init__.py`.

    Each line of the stub beside it that begins with `from` has one: `from wordle_kit.game.game import Game as Game`.
    """
    lines = Path(init).with_suffix(".pyi").read_text(encoding="utf-8").splitlines()
    return {words[3]: words[1] for words in map(str.split, lines) if words[:1] == ["from"]}


def lazy_names(package: str, init: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package, given its name and the path of its `__init__.py`."""
    homes = homes_of(init)
    names = sorted(homes)

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)  # found without this function from now on
        return value

    return get, lambda: names, names
