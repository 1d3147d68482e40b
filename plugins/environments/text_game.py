"""A game as text, for players that learn: prompts, feedback, mistakes and rewards, independent of any framework."""

import random
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate

from wordle_kit_plugins.environments.prompts import feedback_of, left_of, prompt_of, state_of, word_in
from wordle_kit_plugins.environments.rewards import Reward, reward_called

import wordle_kit as wk
from wordle_kit.api import GameLike
from wordle_kit.errors import whole
from wordle_kit.session import Session
from wordle_kit.texts import number_of, one_line
from wordle_kit.tournaments.sources import PuzzlesLike

LONGEST_REFUSAL = 200
"""The maximum number of characters in a sentence that refuses a guess."""


class Mistake(StrEnum):
    """A kind of mistake in a guess."""

    ILLEGAL = "illegal"
    """The word is not a guess of the game, or is not allowed in hard mode. It is refused."""
    REPEATED = "repeated"
    """The word was guessed before. It is refused."""
    CONTRADICTORY = "contradictory"
    """The feedback so far rules the word out on every open board. It is played all the same, and can be a good
    guess."""


class TextGame:
    """A game played as text: `reset` starts one, `guess` plays a guess, and `reward` says what it was worth.

    `game`, `puzzles` and `host` are given as for `load_puzzles`. Each game has one of the puzzles, drawn by weight with
    the seed. `reward` is the name of a reward, or a Reward. A refused guess does not count, but the game ends when
    `most_refused` guesses have been refused. Raises WordleKitError for invalid arguments.
    """

    def __init__(
        self,
        game: GameLike,
        puzzles: PuzzlesLike = None,
        *,
        reward: str | Reward = "solved",
        seed: int = 0,
        host: str | wk.Host = "hidden",
        most_refused: int = 10,
        plugins: wk.Plugins | None = None,
    ) -> None:
        self.game: wk.Game = wk.load_game(game, plugins)
        self.puzzles = wk.load_puzzles(self.game, puzzles, whole("seed", seed), host=host, plugins=plugins)
        self.limit = self.game.max_guesses if self.puzzles.host.hides_words else self.game.cap
        """The maximum number of guesses in a game: its limit, or its cap if no words are hidden."""
        self.reward_function = reward_called(reward)
        self.most_refused = whole("most_refused", most_refused, 1)
        self._cumulative = [*accumulate(self.puzzles.weights or [1.0] * len(self.puzzles))]
        self._chance = random.Random(f"games {seed}")

    def reset(self, puzzle: int | str | Sequence[str] | None = None) -> str:
        """Start a game and return the rules and the state as text.

        `puzzle` is the number of a puzzle, from 0, or the hidden words of a puzzle of your own. By default, one is
        drawn.
        """
        if puzzle is None:
            puzzle = self.puzzle_at(self._chance.random())
        self.puzzle = puzzle
        puzzles = self.puzzles
        if isinstance(puzzle, str | Sequence):
            puzzles, puzzle = wk.load_puzzles(self.game, [puzzle], host=puzzles.host), 0
        elif not 0 <= whole("puzzle", puzzle) < len(puzzles):
            raise wk.WordleKitError(f"puzzle is {puzzle}; the puzzles have the numbers 0 to {len(puzzles) - 1}")
        self.session = Session(puzzles.host_of(puzzle), puzzles.start(puzzle))
        self.scores: list[float] = []
        self.mistakes: Counter[Mistake] = Counter()
        return self.prompt

    def puzzle_at(self, share: float) -> int:
        """Return the number of the puzzle at a share of the puzzles' total weight, from 0 to below 1."""
        return bisect(self._cumulative, share * self._cumulative[-1], 0, len(self.puzzles) - 1)

    @property
    def position(self) -> wk.Position:
        """The current position: everything that the player knows."""
        return self.session.position

    @property
    def left(self) -> int:
        """The number of guesses left."""
        return self.limit - len(self.position.guess_ids)

    @property
    def is_solved(self) -> bool:
        """Whether every board is solved."""
        return self.session.is_solved

    @property
    def is_over(self) -> bool:
        """Whether the game is solved, no guess is left or allowed in hard mode, or too many guesses were refused."""
        refused = self.mistakes[Mistake.ILLEGAL] + self.mistakes[Mistake.REPEATED]
        return self.is_solved or self.left <= 0 or self.session.is_stuck or refused >= self.most_refused

    @property
    def prompt(self) -> str:
        """The rules and the state as text."""
        return prompt_of(self.position, self.limit)

    @property
    def state(self) -> str:
        """The guesses so far with their feedback, and the number of guesses left, as text."""
        return state_of(self.position, self.limit)

    def guess(self, word: str) -> str:
        """Return the feedback on a guess as text, or a sentence that explains why the guess is refused.

        Raises GameError if no game has been started or the game is over.
        """
        if not hasattr(self, "session"):
            raise wk.GameError("no game has been started; call reset first")
        if self.is_over:
            raise wk.GameError("the game is over; reset starts another")
        word, before = word_in(str(word), self.game), self.position
        try:
            guess = self.session.read(word)
        except wk.GameError as error:
            is_repeated = self.game.guess_index.get(word) in before.guess_ids
            self.mistakes[Mistake.REPEATED if is_repeated else Mistake.ILLEGAL] += 1
            self._keep(0.0)
            return f"{one_line(str(error), LONGEST_REFUSAL)}. {self._ending()}"
        self.session = self.session.after(guess)
        self._keep(self.reward_function.score(before, guess, self.position))
        seen = feedback_of(self.position, len(self.position.guess_ids))
        if len(seen) > 1:
            seen = [f"board {number} {one}" for number, one in enumerate(seen, start=1)]
        said = f"{word}: {'; '.join(seen)}."
        if is_contradictory(before, guess):
            self.mistakes[Mistake.CONTRADICTORY] += 1
            said += f" {word} could not be the answer, by earlier feedback."
        return f"{said} {self._ending()}"

    def reward(self) -> float:
        """Return what the game was worth: the sum of its scores. An unfinished game counts as unsolved."""
        total = sum(self.scores)
        return total if self.is_over else total + self.reward_function.unsolved(self.left)

    def _keep(self, score: float) -> None:
        """Add a score, which includes that of the end of the game if it is lost."""
        is_lost = self.is_over and not self.is_solved
        self.scores.append(score + self.reward_function.unsolved(self.left) if is_lost else score)

    def _ending(self) -> str:
        """Return how many guesses are left or how the game ended."""
        if self.is_solved:
            return f"Solved with {number_of(len(self.position.guess_ids), 'guess', 'guesses')}."
        if not self.is_over:
            return left_of(self.position, self.limit)
        why = "No guesses are left" if self.left <= 0 else "Too many guesses were refused"
        if self.left > 0 and self.session.is_stuck:
            why = "Hard mode allows no further guess"
        return f"{why}; {self.session.revealed}."


def is_contradictory(position: wk.Position, guess: int) -> bool:
    """Return whether earlier feedback rules a guess out on every open board."""
    return bool(position.guess_ids) and not any(guess in board.candidate_guesses for board in position.open_boards)
