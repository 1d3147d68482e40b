"""The game: the words that may be hidden or guessed, the rule, the boards and the limits."""

import hashlib
import math
import numbers
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, listed, unknown, whole
from wordle_kit.game.checked_rules import check_numbers, code_of, hard_mode_mask, hard_mode_problem
from wordle_kit.game.rules import Feedback, Rule
from wordle_kit.game.table import DEFAULT_MEMORY, FeedbackTable, Floats, Ids
from wordle_kit.game.words import Alphabet, SymbolIds, Word, evenly_spaced, frozen
from wordle_kit.identity import is_bundled, object_text, or_unique
from wordle_kit.texts import number_of, short_repr

PROBES = 24
"""The number of guesses and of answers whose codes enter the fingerprint, so that it changes with the rule."""

MAX_BOARDS = 256

CAP_BEYOND = 24
"""A play may continue for this many guesses after the last allowed one."""


class Game:
    """A Wordle-like game: Liu's W = (Sigma, C, P, K, T, lambda), extended by boards, a number of guesses and hard mode.

    A game is immutable, hashable and cheap to pickle. Two games are equal if they have the same `fingerprint`.
    `answers` (C) and `guesses` (P) are texts in the game's order. Ties between guesses go to the first in this order.
    All other methods and arrays name a word by its index in `answers` or `guesses`.
    """

    name: str
    """The name in commands and in the names of files."""
    title: str
    """The name that is shown to people."""
    alphabet: Alphabet
    length: int
    """The number of symbols in a word."""
    answers: tuple[str, ...]
    """The words that may be hidden."""
    guesses: tuple[str, ...]
    """The words that may be guessed, which include the answers."""
    rule: Rule
    boards: int
    """The number of simultaneous boards."""
    max_guesses: int
    """The number of guesses after which an unsolved puzzle counts as failed. Play may continue until `cap`."""
    hard_mode: bool
    weights: tuple[float, ...] | None
    """The weight of each answer as given. `answer_weights` has the scaled weights."""
    memory: int
    """The maximum size of the feedback table in bytes."""
    nouns: tuple[str, str]
    """What people call a word of this game and a symbol in it, such as `equation` and `character`."""
    answer_symbols: SymbolIds
    """The answers as indices of symbols, [n_answers, length]."""
    guess_symbols: SymbolIds
    """The guesses as indices of symbols, [n_guesses, length], stored column by column."""
    _settings: dict[str, Any]
    """The arguments that make this game."""
    _rule_source: str
    """Identifies the rule's source. Empty for a bundled rule, which has a version. Copies of a game keep it."""

    def __init__(
        self,
        *,
        name: str,
        alphabet: Alphabet | str,
        answers: Sequence[str],
        guesses: Sequence[str],
        rule: Rule,
        title: str = "",
        boards: int = 1,
        max_guesses: int | None = None,
        hard_mode: bool = False,
        weights: Sequence[float] | None = None,
        memory: int = DEFAULT_MEMORY,
        nouns: Sequence[str] = ("word", "letter"),
        _rule_source: str | None = None,
    ) -> None:
        if not isinstance(rule, Rule):
            raise GameError(f"{name}: rule is {short_repr(rule)}; give a Rule, or make the game with load_game")
        alphabet = alphabet if isinstance(alphabet, Alphabet) else Alphabet(alphabet)
        answer_words, guess_words = ([alphabet.split(word) for word in listed(words)] for words in (answers, guesses))
        boards = whole(f"{name}: boards", boards)
        settings = {
            "name": name,
            "title": title or name,
            "alphabet": alphabet,
            "answers": tuple(alphabet.join(word) for word in answer_words),
            "guesses": tuple(alphabet.join(word) for word in guess_words),
            "rule": rule,
            "boards": boards,
            "max_guesses": boards + 5 if max_guesses is None else whole(f"{name}: max_guesses", max_guesses),
            "hard_mode": bool(hard_mode),
            "weights": None if weights is None else tuple(float(weight) + 0.0 for weight in listed(weights)),
            "memory": whole(f"{name}: memory", memory, 0),
            "nouns": tuple(nouns),
        }
        length = len(answer_words[0]) if answer_words else 0
        if _rule_source is None:
            _rule_source = "" if is_bundled(type(rule)) else or_unique(object_text(rule))
        vars(self).update(settings, length=length, _settings=settings, _rule_source=_rule_source)
        self._check(answer_words, guess_words)
        symbols = alphabet.encode(guess_words).T.copy().T
        vars(self).update(answer_symbols=frozen(alphabet.encode(answer_words)), guess_symbols=frozen(symbols))
        _games[self.fingerprint, self.name, self.title, self.nouns, self.memory] = self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a game is immutable, so {name!r} cannot be set; replace({name}=...) gives another game")

    def _check(self, answers: Sequence[Word], guesses: Sequence[Word]) -> None:
        if not answers:
            raise GameError(f"{self.name}: has no answers; a game needs at least one")
        if any(len(word) != self.length for words in (answers, guesses) for word in words):
            several = (
                "; set a separator if some symbols together read as another" if self.alphabet.has_long_symbols else ""
            )
            raise GameError(f"{self.name}: has words of different lengths{several}")
        if len(set(self.answers)) < len(answers) or len(self.guess_index) < len(guesses):
            raise GameError(f"{self.name}: has a word twice")
        if not self.guess_index.keys() >= set(self.answers):
            raise GameError(f"{self.name}: has an answer that is not among the guesses")
        if not 1 <= self.boards <= MAX_BOARDS:
            raise GameError(f"{self.name}: boards is {self.boards}; choose from 1 to {MAX_BOARDS}")
        if self.max_guesses < 1:
            raise GameError(f"{self.name}: max_guesses is {self.max_guesses}; allow at least one guess")
        if self.weights is not None and len(self.weights) != len(answers):
            raise GameError(f"{self.name}: {len(self.weights)} weights for {len(answers)} answers; give each its own")
        for answer, weight in zip(self.answers, self.weights or (), strict=False):
            if not 0 <= weight < math.inf:
                raise GameError(f"{self.name}: the weight of {answer!r} is {weight:g}; give numbers from 0 up")
        if self.weights is not None and not any(self.weights):
            raise GameError(f"{self.name}: all weights are 0; give at least one answer more")
        check_numbers(self.rule, self.length)

    @property
    def cap(self) -> int:
        """The number of the guess at which a play ends even if it is unsolved: 24 more than `max_guesses`."""
        return self.max_guesses + CAP_BEYOND

    @cached_property
    def guess_index(self) -> Mapping[str, int]:
        """The index of each guess by its text."""
        return {word: i for i, word in enumerate(self.guesses)}

    @cached_property
    def answer_index(self) -> Mapping[str, int]:
        """The index of each answer by its text."""
        return {word: i for i, word in enumerate(self.answers)}

    @cached_property
    def guess_of_answer(self) -> Ids:
        """The index of each answer among the guesses, int32[n_answers]."""
        return frozen(np.array([self.guess_index[word] for word in self.answers], dtype=np.int32))

    @cached_property
    def is_weighted(self) -> bool:
        """Whether some answers are likelier than others. False if all weights are the same."""
        return self.weights is not None and len(set(self.weights)) > 1

    @cached_property
    def answer_weights(self) -> Floats:
        """The weight of each answer, float64[n_answers], scaled to an average of 1.

        All weights are 1 if the game is not weighted. The probability of an answer is its weight divided by the sum of
        all weights.
        """
        if not self.is_weighted:
            return frozen(np.ones(len(self.answers)))
        weights = np.array(self.weights)
        weights /= weights.max()  # the sum of very large weights may be infinite
        return frozen(weights * (len(weights) / weights.sum()))

    @cached_property
    def table(self) -> FeedbackTable:
        """The feedback of all guesses against all answers, by index."""
        return FeedbackTable(self.rule, self.alphabet, self.answer_symbols, self.guess_symbols, self.memory)

    @cached_property
    def winning_code(self) -> int:
        """The code of a guess that is the hidden word."""
        return self.rule.winning_code(self.length)

    def word(self, text: str) -> Word:
        """Return the symbols of a word.

        Raises GameError if the text is not made of symbols of the alphabet, or does not have the game's word length.
        """
        word = self.alphabet.split(text)
        if len(word) != self.length:
            noun, symbol = self.nouns
            has = number_of(len(word), symbol)
            raise GameError(f"{text!r} has {has}; {noun}s of {self.name} have {self.length}")
        return word

    def spelling(self, text: str) -> str:
        """Return a word as the game writes it, such as `crane` for `CRANE`. Raises GameError if it cannot be a word."""
        return self.alphabet.join(self.word(text))

    def index_of_guess(self, guess: object) -> int:
        """Return the index of a guess, given as a word or as its index. Raises GameError for anything else."""
        if isinstance(guess, numbers.Integral) and 0 <= int(guess) < len(self.guesses):
            return int(guess)
        if not isinstance(guess, str):
            last = len(self.guesses) - 1
            raise GameError(
                f"{short_repr(guess)} is not a guess of {self.name}; give a word, or its index from 0 to {last}"
            )
        index = self.guess_index.get(guess)
        if index is None:
            index = self.guess_index.get(self.spelling(guess))
        if index is None:
            raise GameError(f"{guess!r} is not among the guesses of {self.name}")
        return index

    def feedback(self, guess: str, answer: str) -> Feedback:
        """Return the feedback on `guess` if `answer` is hidden. The two words need not be in the game's lists."""
        return self.feedback_of(code_of(self.rule, self.word(guess), self.word(answer), self.alphabet))

    def feedback_of(self, code: int) -> Feedback:
        """Return the feedback that a code stands for."""
        return Feedback(self.rule, self.length, int(code))

    def read_feedback(self, text: str) -> Feedback:
        """Return the feedback written as digits, letters or tiles. Raises GameError if the text is not feedback."""
        if not isinstance(text, str):
            raise GameError(f"{short_repr(text)} is not feedback; give digits, letters or tiles")
        return self.feedback_of(self.rule.read(text, self.length))

    def allowed_after(self, guess: int, code: int) -> npt.NDArray[np.bool_]:
        """Return which guesses hard mode allows after `guess` got the feedback `code`, bool[n_guesses]."""
        return _allowed_after(self, guess, code)

    def replace(self, **changes: Any) -> "Game":
        """Return this game with some properties changed, for example `hard_mode=True`."""
        for name in changes.keys() - self._settings.keys():
            raise GameError(unknown("setting of a game", name, self._settings))
        return Game(**self._settings | changes, _rule_source=None if "rule" in changes else self._rule_source)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that can affect a result: 16 hexadecimal digits."""
        guesses, answers = (
            [self.alphabet.split(words[i]) for i in evenly_spaced(len(words), PROBES)]
            for words in (self.guesses, self.answers)
        )
        probes = []
        for guess in guesses:
            for answer in answers:
                probes.append(code_of(self.rule, guess, answer, self.alphabet))
                if self.hard_mode:  # hard mode must not forbid the hidden word
                    hard_mode_problem(self.rule, answer, guess, probes[-1], self.alphabet)
        facts = (
            (self.alphabet.symbols, self.alphabet.separator, self.answers, self.guesses),
            (self.rule.name, self.rule.version, self.rule.n_codes(self.length), self.winning_code, probes),
            (self.boards, self.max_guesses, self.cap, self.hard_mode, self.weights),
        )
        return hashlib.sha256((repr(facts) + self._rule_source).encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        mode = ", hard mode" if self.hard_mode else ""
        answers, boards = number_of(len(self.answers), "answer"), number_of(self.boards, "board")
        guesses, allowed = (number_of(n, "guess", "guesses") for n in (len(self.guesses), self.max_guesses))
        return f"<Game {self.name}: {answers}, {guesses}, rule {self.rule.name}, {boards}, {allowed} allowed{mode}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.fingerprint, self._packed)

    @cached_property
    def _packed(self) -> dict[str, Any]:
        """The arguments in a form that pickles fast, with each list of words as one text."""
        return self._settings | {
            "_rule_source": self._rule_source,
            "alphabet": (self.alphabet.symbols, self.alphabet.separator),
            "answers": "\n".join(self.answers),
            "guesses": "\n".join(self.guesses),
        }


_games: weakref.WeakValueDictionary[tuple[str, str, str, tuple[str, str], int], Game] = weakref.WeakValueDictionary()
"""The games of this process. Unpickling returns an equal game from here, which may already have its feedback table."""


def _restore(fingerprint: str, packed: dict[str, Any]) -> Game:
    known = _games.get((fingerprint, packed["name"], packed["title"], packed["nouns"], packed["memory"]))
    if known is not None:
        return known
    alphabet = Alphabet(*packed["alphabet"])
    words = {key: packed[key].split("\n") for key in ("answers", "guesses")}
    return Game(**packed | words | {"alphabet": alphabet})


@lru_cache(maxsize=512)
def _allowed_after(game: Game, guess: int, code: int) -> npt.NDArray[np.bool_]:
    earlier = game.alphabet.split(game.guesses[guess])
    return frozen(hard_mode_mask(game.rule, game.guess_symbols, earlier, code, game.alphabet))
