"""The errors that a user can cause. Each has a one-line message that says what to do, such as "did you mean ...?"."""

import difflib
from collections.abc import Iterable, Sequence

from wordle_kit.texts import shown


class WordleKitError(Exception):
    """An error that the user can fix. The message says what is wrong, where, and what to do."""

    def __init__(self, message: str = "", *more: object, settings: Sequence[str] = ()) -> None:
        super().__init__(" ".join(message.splitlines()), *more)
        self.settings = tuple(settings)
        """The settings that would help, such as `store`. The command line adds its options with these names."""


class GameError(WordleKitError):
    """A game, a word list or a word that cannot be used."""


class RuleError(GameError):
    """A rule that breaks its promises, for example with a code out of range. No strategy is to blame for it."""


class PuzzleError(WordleKitError):
    """Puzzles that do not fit the game."""


class StrategyError(WordleKitError):
    """A strategy that does not exist, or parameters that it does not have."""


class PluginError(WordleKitError):
    """A plugin that cannot be loaded, or that registers something invalid."""


class StoreError(WordleKitError):
    """A store of results that cannot be opened, read or written."""


class MachineError(WordleKitError):
    """A fault of this machine, such as too little memory, or a sandbox that does not start.

    It never counts as a result.
    """


class TreeError(WordleKitError):
    """A decision tree that does not solve its game. `path` has the guesses and codes that lead to the mistake."""

    def __init__(self, message: str, path: tuple[tuple[int, int], ...]) -> None:
        super().__init__(message, path)
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


def unknown(kind: str, name: object, known: Iterable[str], advice: str = "") -> str:
    """Return the message for an unknown name. It suggests a similar name or, if there is none, lists all names."""
    names = sorted(known)
    near = nearest(name, names)
    hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(names) or 'none'}{advice}"
    return f"no {kind} is called {shown(name)}; {hint}"


def nearest(name: object, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to a name, or None if none is similar."""
    near = difflib.get_close_matches(name, list(known), n=1) if isinstance(name, str) else []
    return near[0] if near else None
