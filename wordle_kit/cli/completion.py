"""Shell completion of the names of games and strategies, and of option values from a fixed list."""

import os
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from wordle_kit.plugins import Plugins


def _registered(kind: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes the names of what plugins register of this kind."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        return beginning(incomplete, _plugins(ctx).by_kind()[kind])

    return complete


games, strategies, hosts = map(_registered, ("games", "strategies", "hosts"))


def formats(*more: str, as_text: bool = True) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes `--format` with all formats: bundled, of plugins, and `more` of the command."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        known = [each.name for each in _plugins(ctx).formats.values() if not as_text or each.value.takes != "columns"]
        return beginning(incomplete, (*known, *more))

    return complete


def choices(*values: str) -> Callable[[str], list[str]]:
    """Return a function that completes an option from these values."""

    def complete(incomplete: str) -> list[str]:
        return beginning(incomplete, values)

    return complete


def beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that begin with this text, sorted."""
    return sorted(name for name in names if name.startswith(incomplete))


def _plugins(ctx: typer.Context) -> "Plugins":
    """Return the plugins that the command line asks for so far. If they cannot be loaded, return the default ones."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.plugins import Plugins

    folders = [Path(folder) for folder in ctx.params.get("plugins_dir") or ()]
    wanted = [*(ctx.find_root().params.get("plugin") or ()), *(ctx.params.get("plugin") or ())]
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):  # noqa: PTH123
        try:
            return Plugins.load(wanted, folders)
        except WordleKitError:
            return Plugins.load()
