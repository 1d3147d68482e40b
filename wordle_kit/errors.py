"""The errors that a user of wordle-kit can cause, each with a message of one line that says what to do."""

from collections.abc import Sequence


class WordleKitError(Exception):
    """Something that the user can put right: the message names what is wrong, where, and what to do."""

    def __init__(self, message: str = "", *more: object, settings: Sequence[str] = ()) -> None:
        super().__init__(" ".join(message.splitlines()), *more)
        self.settings = tuple(settings)
        """The settings that would help, such as `store`. The command line adds its options of these names."""


class GameError(WordleKitError):
    """A game, a word list or a word that cannot be used."""


class PuzzleError(WordleKitError):
    """Puzzles that the game cannot have."""


class StrategyError(WordleKitError):
    """A strategy that does not exist, or parameters that it does not take."""


class PluginError(WordleKitError):
    """A plugin that cannot be loaded or registers what it must not."""


class StoreError(WordleKitError):
    """A store of results that cannot be opened, read or written."""


class MachineError(WordleKitError):
    """Something that this machine lacks for the engine's own work, such as memory or disk space."""


class TreeError(WordleKitError):
    """A decision tree that does not solve what it is for; `path` has the guesses and codes that lead to the place."""

    def __init__(self, message: str, path: tuple[tuple[int, int], ...]) -> None:
        super().__init__(message, path)
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])
