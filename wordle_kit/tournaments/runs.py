"""Plays, their outcomes, and runs: all plays of one strategy, as stores keep them and leaderboards read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

CONFIDENCE = 0.95
"""The default confidence level of intervals."""

ORIGIN = ("host", "fingerprint", "puzzles_fingerprint", "seed", "secret", "source", "versions")
"""The facts that say where figures come from. They are the last columns of a leaderboard's data frame."""


class Outcome(StrEnum):
    """How the play of a puzzle ended."""

    SOLVED = "solved"
    """Solved within the guesses that the game allows."""
    OUT_OF_GUESSES = "out of guesses"
    """Not solved within the guesses that the game allows; `turns` says whether it was solved later."""
    ILLEGAL = "illegal guess"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_ASKED = "not asked"
    """Not asked any more, after the strategy was late or its process ended too often."""

    @property
    def is_fault(self) -> bool:
        """Whether the outcome shows that a strategy does not work, rather than how well it plays."""
        return self not in (Outcome.SOLVED, Outcome.OUT_OF_GUESSES)


@dataclass(frozen=True, slots=True)
class Play:
    """The play of one puzzle: the hidden words, the guesses and feedback, the outcome, and what went wrong."""

    puzzle: tuple[str, ...]
    """The hidden word of each board."""
    guesses: tuple[str, ...]
    feedback: tuple[tuple[str, ...], ...]
    """The feedback on each guess, one text per board as `str()` of a Feedback writes it. Solved boards have empty
    texts.
    """
    outcome: Outcome
    """How the play ended."""
    turns: int | None
    """The number of the guess that solved the puzzle, even if beyond the game's limit, or None if no guess did."""
    message: str = ""
    """What went wrong, if anything did."""
    notes: Mapping[str, float] = field(default_factory=dict, compare=False)
    """The numbers that the strategy recorded with `Position.note`, such as the number of calls of a language model."""

    @property
    def board_turns(self) -> tuple[int | None, ...]:
        """The number of the guess that solved each board, or None for a board that was not solved."""
        if len(self.puzzle) == 1:
            return (self.turns,)
        turns: dict[str, int] = {}
        for turn, guess in enumerate(self.guesses, start=1):
            turns.setdefault(guess, turn)
        return tuple(turns.get(word) for word in self.puzzle)

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        from wordle_kit.tables import render

        headers = [f"{number}. {word}" for number, word in enumerate(self.puzzle, start=1)]
        if len(headers) == 1:
            headers = [f"hidden: {word}" for word in self.puzzle]
        rows = []
        for turn, (guess, seen) in enumerate(zip(self.guesses, self.feedback, strict=True), start=1):
            rows.append({"turn": turn, "guess": guess} | dict(zip(headers, seen, strict=True)))
        return render(rows, "html", [f"{self.outcome}: {self.message}" if self.message else self.outcome])


@dataclass
class Played:
    """The plays of puzzles that a strategy played together."""

    plays: list[Play]
    calls: int = 0
    """The number of times the strategy was asked for a guess."""
    seconds: float = 0.0
    """The number of seconds that the strategy took to decide."""
    unsure: int = 0
    """The number of plays that the machine may have spoilt, and that are therefore played again next time."""
    is_hopeless: bool = False
    """Whether the strategy was late so often that the rest of the run is not played."""


@dataclass(frozen=True, kw_only=True)
class RunFacts:
    """The game, the puzzles and the strategy of a run: everything that a leaderboard needs besides its plays."""

    game: str
    fingerprint: str
    boards: int
    max_guesses: int
    cap: int
    hard_mode: bool

    puzzles: str
    """A short description of the puzzles."""
    puzzles_fingerprint: str
    n_puzzles: int
    is_sample: bool
    """Whether the puzzles are a random sample of more puzzles."""
    is_all: bool = False
    """Whether the puzzles are every puzzle of the game."""
    population: int | None = None
    """The number of puzzles from which a sample was drawn without replacement, as in `Puzzles.population`."""
    weights: tuple[float, ...] | None = None
    """The weight of each puzzle, as in `Puzzles.weights`, or None if all count equally."""
    drawn_with: int | None = None
    """The seed with which the puzzles were drawn, or None if they were not drawn."""
    repeats: bool = False
    """Whether the boards of a drawn puzzle may have the same word."""
    host: str = "hidden"
    """The name of the host that answered the guesses."""
    hides_words: bool = True
    """Whether the host hid words. If not, each puzzle is a given first guess, or empty."""

    strategy: str
    """The strategy's name on leaderboards."""
    version: str
    plugin: str
    """The plugin that registered the strategy."""
    parameters: dict[str, Any]
    stochastic: bool
    seed: int
    """The given seed, or 0 if none was given."""
    secret: str | None = None
    """The secret from which random numbers come, or None if they come from the seed or the strategy is not random."""
    versions: dict[str, str]
    """The versions of wordle-kit, Python and the packages that compute results."""
    source: str = ""
    """A digest of the strategy's source, independent of its parameters. It is empty if the code is not in a file."""
    summary: str = ""
    """A sentence on what the strategy does. It is empty if there is none or the strategy runs in another process."""

    @property
    def uses_seed(self) -> bool:
        """Whether the strategy's random numbers come from the seed."""
        return self.stochastic and self.secret is None

    @property
    def param_columns(self) -> dict[str, Any]:
        """The parameters as data frame columns, each under its name with the prefix `param_`."""
        return {f"param_{name}": value for name, value in self.parameters.items()}

    @property
    def origin(self) -> dict[str, Any]:
        """The facts, besides the parameters, that another run must share with this one to give the same figures."""
        return {name: getattr(self, name) for name in ORIGIN} | {
            "seed": self.seed if self.secret is None else None,
            "source": self.source or None,
            "versions": ", ".join(f"{name} {version}" for name, version in self.versions.items()),
        }


@dataclass(frozen=True)
class StoredRun:
    """A run in a store: its facts, its plays in the order of the puzzles, and the time that the strategy took."""

    id: int
    facts: RunFacts
    plays: tuple[Play, ...]
    calls: int
    seconds: float
    confidence: float = CONFIDENCE
    """The confidence level of the intervals of its figures."""

    @cached_property
    def guess_counts(self) -> list[int]:
        """The number of guesses that each play counts as. Unsolved plays count as one more than the cap."""
        return [guess_count(play, self.facts.cap) for play in self.plays]

    @property
    def works(self) -> bool:
        """Whether the strategy worked, so that the figures say how well it plays."""
        return not all(play.outcome.is_fault for play in self.plays)

    def with_facts(self, **changed: Any) -> "StoredRun":
        """Return the run with some of its facts changed."""
        return replace(self, facts=replace(self.facts, **changed))


def guess_count(play: Play, cap: int) -> int:
    """Return the number of guesses that a play counts as. An unsolved play counts as one more than the cap."""
    return cap + 1 if play.turns is None else play.turns


def turns_in_order(play: Play, cap: int) -> list[int]:
    """Return the turn that solved each board, earliest first. An unsolved board counts as one more than the cap."""
    return sorted(cap + 1 if turn is None else turn for turn in play.board_turns)
