"""A game as text, for players that learn: prompts, feedback, mistakes and rewards, independent of any framework.

A chat model writes its guess into an answer, where `word_in` finds it.
"""

import random
import re
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import accumulate

from wordle_kit_plugins.environments.rewards import GuessWorth, Reward, Step, may_be, reward_called

import wordle_kit as wk
from wordle_kit.api import GameLike, PuzzlesLike, find_host
from wordle_kit.errors import RuleError, whole
from wordle_kit.game.rules import mark_names
from wordle_kit.session import Session
from wordle_kit.texts import line, number_of
from wordle_kit.tournaments.puzzles import choose_puzzles

LONGEST_REFUSAL = 200
"""The most characters of a sentence that refuses a guess."""


class Mistake(StrEnum):
    """What can be wrong with a guess."""

    ILLEGAL = "illegal"
    """The word is not a guess of the game, or hard mode does not allow it. It is refused."""
    REPEATED = "repeated"
    """The word was guessed before. It is refused."""
    CONTRADICTORY = "contradictory"
    """Given the feedback so far, the word cannot be the answer on any open board. It is played, and can be a good
    guess.
    """


class TextGame:
    """A game that is played as text: `reset` starts one, `guess` plays a guess, and `reward` says what it was worth.

    `game`, `puzzles` and `host` are given as for `load_puzzles`. Each game has one of the puzzles, drawn by its weight
    with the seed. `reward` is the name of a reward, or a Reward. A refused guess does not count as a guess, but the
    game ends when `most_refused` guesses have been refused. Raises
    WordleKitError for arguments that cannot be used.
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
        self.puzzles = choose_puzzles(self.game, puzzles, whole("seed", seed), host=find_host(host, plugins))
        self.limit = self.game.max_guesses if self.puzzles.host.hides_words else self.game.cap
        """The most guesses of a game: the game's limit, or its cap if no words are hidden."""
        self.reward_function = reward_called(reward)
        self.reward_function.check(self.game)
        self.most_refused = whole("most_refused", most_refused, 1)
        self._cumulative = [*accumulate(self.puzzles.weights or [1.0] * len(self.puzzles))]
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Draw the puzzles of the next games with this seed."""
        self._chance = random.Random(f"games {whole('seed', seed)}")

    def reset(self, puzzle: int | str | Sequence[str] | None = None) -> str:
        """Start a game and return the rules and the state as text.

        `puzzle` is the number of a puzzle, from 0, or the hidden words of any other puzzle. By default, one is drawn.
        """
        if puzzle is None:
            puzzle = self.puzzle_at(self._chance.random())
        self.puzzle = puzzle
        puzzles = self.puzzles
        if isinstance(puzzle, str | Sequence):
            puzzles, puzzle = choose_puzzles(self.game, [puzzle], host=puzzles.host), 0
        elif not 0 <= whole("puzzle", puzzle) < len(puzzles):
            raise wk.WordleKitError(f"puzzle is {puzzle}; the puzzles have the numbers 0 to {len(puzzles) - 1}")
        self.session = Session(puzzles.host_of(puzzle), puzzles.start(puzzle))
        self.scores: list[GuessWorth] = []
        self.mistakes: Counter[Mistake] = Counter()
        return self.prompt()

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
        """Whether the game has ended: solved, out of guesses, no guess allowed in hard mode, or too many refused."""
        return self.is_solved or self.left <= 0 or self.session.is_stuck or self._refused >= self.most_refused

    @property
    def state(self) -> str:
        """The guesses so far with their feedback, and the number of guesses left, as text."""
        return self._state_of(self.position)

    def guess(self, word: str) -> str:
        """Return the feedback on a guess as text, or a sentence that says why the guess is refused.

        Raises GameError if the game is over.
        """
        if self.is_over:
            raise wk.GameError("the game is over; reset starts another")
        if isinstance(word, str):
            word = word_in(word, self.game)
        try:
            guess = self.session.read(word)
        except RuleError:
            raise
        except wk.GameError as error:
            return self._refuse(word, error)
        before = self.position
        contradicts = is_contradictory(before, guess)
        self.session = self.session.after(guess)
        self.mistakes[Mistake.CONTRADICTORY] += contradicts
        self._keep(self.reward_function.score(Step(before, guess, self.position)))
        return self._answered(contradicts)

    def reward(self) -> float:
        """Return what the game was worth: the sum of its scores. An unfinished game counts as unsolved."""
        total = sum(score.reward for score in self.scores)
        return total if self.is_over else total + self._unsolved()

    def _keep(self, score: GuessWorth) -> None:
        """Add a score, and what the end of the game adds to it."""
        if self.is_over and not self.is_solved:
            score = score._replace(reward=score.reward + self._unsolved())
        self.scores.append(score)

    def _unsolved(self) -> float:
        return self.reward_function.unsolved(self.position, self.left)

    def _refuse(self, word: str, error: wk.GameError) -> str:
        """Count a refused guess and return the sentence that says why it is refused."""
        self.mistakes[Mistake.REPEATED if self._is_repeated(word) else Mistake.ILLEGAL] += 1
        self._keep(GuessWorth(0.0))
        return f"{line(str(error), LONGEST_REFUSAL)}. {self._ending()}"

    def _is_repeated(self, word: str) -> bool:
        try:
            return self.game.index_of_guess(word) in self.position.guess_ids
        except wk.GameError:
            return False

    @property
    def _refused(self) -> int:
        return self.mistakes[Mistake.ILLEGAL] + self.mistakes[Mistake.REPEATED]

    def _answered(self, contradicts: bool) -> str:
        """Return the text with the feedback on the last guess."""
        guess, seen = self.position.guesses[-1], self._seen(self.position, len(self.position.guess_ids))
        if len(seen) > 1:
            seen = [f"board {number} {one}" for number, one in enumerate(seen, start=1)]
        noted = f" {guess} could not be the answer, by earlier feedback." if contradicts else ""
        return f"{guess}: {'; '.join(seen)}.{noted} {self._ending()}"

    def _ending(self) -> str:
        """Return how many guesses are left, or how the game has ended."""
        if self.is_solved:
            return f"Solved with {number_of(len(self.position.guess_ids), 'guess', 'guesses')}."
        if not self.is_over:
            return left_text(self.left)
        why = "No guesses are left" if self.left <= 0 else "Too many guesses were refused"
        if self.left > 0 and self.session.is_stuck:
            why = "Hard mode allows no further guess"
        return f"{why}; {self.session.revealed}."

    def _state_of(self, position: wk.Position) -> str:
        lines = []
        for turn, guess in enumerate(position.guesses, start=1):
            lines.append(f"{turn}. {guess} {' / '.join(self._seen(position, turn))}")
        return "\n".join([*lines, left_text(max(self.limit - len(position.guess_ids), 0))])

    def _seen(self, position: wk.Position, turn: int) -> list[str]:
        """Return the feedback of each board on the guess with this number, counted from 1."""
        return [
            feedback_text(self.game, board.codes[turn - 1]) if turn <= len(board.codes) else "solved"
            for board in position.boards
        ]

    def prompt(self, position: wk.Position | None = None) -> str:
        """Return the rules and the state as text, for the current position or another position of the game."""
        game = self.game
        noun, symbol = game.nouns
        n_answers, n_guesses = f"{len(game.answers):,}", f"{len(game.guesses):,}"
        if game.boards == 1:
            task = f"One {noun} is hidden, out of {n_answers}. Find it"
        else:
            task = (
                f"There are {game.boards} boards. Each hides one {noun} out of {n_answers}, and a guess counts on all "
                "of them. Find them"
            )
        size = f" of {game.length} {symbol}s" if game.length > 1 else ""
        return "\n".join(
            [
                f"{game.title}. {task} with at most {self.limit} guesses.",
                f"A guess is one of {n_guesses} {noun}s{size}, such as {game.guesses[0]}.",
                *(["Hard mode: each guess must use what earlier feedback has shown."] if game.hard_mode else []),
                *filter(None, [legend_of(game)]),
                "",
                self._state_of(self.position if position is None else position),
            ]
        )


def left_text(left: int) -> str:
    """Return a sentence with the number of guesses left."""
    return f"{number_of(left, 'guess is', 'guesses are')} left."


def feedback_text(game: wk.Game, code: int) -> str:
    """Return a code as letters, one for each mark, or as the rule shows it if it has no marks."""
    rule = game.rule
    if not isinstance(rule, wk.MarksRule):
        return str(game.show(code))
    return "".join(signs_of(rule)[mark] for mark in rule.digits(code, game.length))


def legend_of(game: wk.Game) -> str:
    """Return a sentence that explains feedback."""
    rule = game.rule
    if not isinstance(rule, wk.MarksRule):
        return rule.legend(tiles=False)
    meanings = ", ".join(f"{sign} {name}" for sign, name in zip(signs_of(rule), mark_names(rule), strict=True))
    return f"Feedback has a sign for each {game.nouns[1]} of the guess, in their order: {meanings}."


def signs_of(rule: wk.MarksRule) -> str:
    """Return a letter for each mark of a rule. If some marks have no letter, return digits."""
    return rule.letters if len(rule.letters) == rule.base else "0123456789"[: rule.base]


def is_contradictory(position: wk.Position, guess: int) -> bool:
    """Return whether earlier feedback rules a guess out on every open board."""
    return bool(position.guess_ids) and not any(may_be(board, guess) for board in position.open_boards)


ASK = "Think as long as you like. Then write a last line with GUESS: and the {noun}."
"""A request to append to a prompt. `{noun}` is what the game calls a word. `word_in` reads the answer."""

ANSWER = re.compile(r"guess\W*?:\s*(\S.*)", re.IGNORECASE)
TAG = re.compile(r"<[^<>\s]*>")
"""A tag or a token with which a model ends its answer, such as `</s>`."""

QUOTES, BRACKETS = "`'\".“”‘’«»", "()[]{}<>"
MARKUP = ["", *(f" \t\r\n{marks}" for marks in ("", QUOTES, QUOTES + BRACKETS, QUOTES + BRACKETS + "*_!"))]
"""Sets of characters that are removed around a word. The later sets contain characters that may be symbols of a game.
"""


def word_in(answer: str, game: wk.Game) -> str:
    """Return the guess in the last line of an answer that contains GUESS.

    White space, quotes, brackets, tags and end tokens around the guess are removed. If the line has no guess of the
    game, return the line's text. If there is no such line, return the whole answer.
    """
    found = ANSWER.findall(answer)
    said = found[-1] if found else answer
    for text in (said, TAG.sub(" ", said)):
        for marks in MARKUP:
            with suppress(wk.GameError):
                return game.guesses[game.index_of_guess(text.strip(marks))]
    return said.strip(MARKUP[-1])
