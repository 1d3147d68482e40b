"""Train a small policy for Mastermind with numpy, and play it as a strategy.

    python train_policy.py weights.npy
    wordle-kit tournament -g mastermind -p train_policy.py -s "learnt(weights=weights.npy)" -s random-consistent

The policy guesses only words that may be the answer. Among them, it prefers some kinds. The kind of a word is how often
it repeats its colours, and how many of its colours were not guessed before. A preference depends on the turn and on the
last feedback. The policy gradient (REINFORCE: Williams 1992) finds the preferences with which games are short.
"""

import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import numpy as np
from wordle_kit_plugins.environments import PolicyStrategy

import wordle_kit as wk

TURNS = 4
"""Later turns have the preferences of this one."""

BATCH, UPDATES, STEP = 1000, 250, 2.0
"""Games of an update, updates, and how far each one moves the preferences."""


class Kinds:
    """The kinds of the words of a game, and what a state is."""

    def __init__(self, game: wk.Game) -> None:
        self.codes = game.table.whole()
        self.winning = game.winning_code
        self.n_codes = game.table.n_codes
        symbols = [game.word(word) for word in game.guesses]
        patterns = [tuple(sorted(Counter(word).values(), reverse=True)) for word in symbols]
        known = sorted(set(patterns))
        self.patterns = np.array([known.index(pattern) for pattern in patterns])
        order = {symbol: number for number, symbol in enumerate(sorted(set().union(*symbols)))}
        self.colours = np.array([sum(1 << order[symbol] for symbol in set(word)) for word in symbols])
        self.size = np.array([number.bit_count() for number in range(1 << len(order))])
        self.n_new = game.length + 1
        self.n_kinds = len(known) * self.n_new
        self.start = (TURNS, self.n_codes + 1, self.n_kinds)

    def of(self, words: np.ndarray, used: int) -> np.ndarray:
        """Return the kinds of some words, if these colours have been guessed."""
        return self.patterns[words] * self.n_new + self.size[self.colours[words] & ~used]


@lru_cache(maxsize=4)
def kinds_of(game: wk.Game) -> Kinds:
    """Return the kinds of a game, computed once."""
    return Kinds(game)


def chances(preferences: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the chance of each kind, with this many words of each."""
    weights = counts * np.exp(preferences - preferences.max())
    return weights / weights.sum()


def play(
    kinds: Kinds, weights: np.ndarray, answer: int, dice: np.random.Generator
) -> list[tuple[tuple, int, np.ndarray]]:
    """Return the decisions of a game: the state, the kind that was chosen, and the chances of all kinds."""
    words, used, turn, code, made = np.arange(len(kinds.codes)), 0, 0, kinds.n_codes, []
    while code != kinds.winning:
        state, here = (min(turn, TURNS - 1), code), kinds.of(words, used)
        each = chances(weights[state], np.bincount(here, minlength=kinds.n_kinds))
        kind = int(dice.choice(kinds.n_kinds, p=each))
        guess = int(dice.choice(words[here == kind]))
        made.append((state, kind, each))
        code = int(kinds.codes[answer, guess])
        words, used, turn = words[kinds.codes[words, guess] == code], used | int(kinds.colours[guess]), turn + 1
    return made


def train(game: wk.Game, updates: int = UPDATES, seed: int = 0) -> np.ndarray:
    """Return the preferences that were learnt, float64[turns, n_codes + 1, n_kinds]."""
    kinds, dice = kinds_of(game), np.random.default_rng(seed)
    weights = np.zeros(kinds.start)
    usual, seen = np.zeros(kinds.start[:2]), np.zeros(kinds.start[:2])  # the guesses still needed in each state
    for _ in range(updates):
        change = np.zeros(kinds.start)
        for answer in dice.integers(len(game.answers), size=BATCH).tolist():
            made = play(kinds, weights, answer, dice)
            for turn, (state, kind, each) in enumerate(made):
                needed = len(made) - turn
                better = usual[state] - needed if seen[state] else 0.0
                seen[state] += 1
                usual[state] += (needed - usual[state]) / min(seen[state], 2000)
                change[state] -= better * each
                change[(*state, kind)] += better
        weights += STEP * change / BATCH
    return weights


class Learnt(PolicyStrategy):
    """Guess the possible word of the kind that the weights prefer."""

    weights: Path | None = None
    """The file that `train_policy.py` wrote."""

    by_name_only = True

    def problem_with(self, game: wk.Game) -> str | None:
        """Return why these weights cannot play a game, or None if they can."""
        if game.boards > 1 or game.answers != game.guesses or isinstance(game.rule, wk.MarksRule):
            return "it plays games such as mastermind: one board, a rule without marks, every guess may be the answer"
        if self.weights is None or not self.weights.is_file():
            return "it needs weights=FILE, which train_policy.py writes"
        return None if loaded(self.weights).shape == kinds_of(game).start else f"{self.weights} is for another game"

    def act(self, game: wk.Game, observation: dict, mask: np.ndarray) -> int:
        """Return the first possible word of the preferred kind."""
        kinds, words, used, code = kinds_of(game), np.flatnonzero(mask), 0, kinds_of(game).n_codes
        turn = min(int(observation["turn"]), len(observation["guesses"]))
        for guess, marks in zip(observation["guesses"][:turn] - 1, observation["marks"][:turn], strict=True):
            code = int(marks[0, 0]) - 1
            words, used = words[kinds.codes[words, guess] == code], used | int(kinds.colours[guess])
        preferences = loaded(self.weights)[min(turn, TURNS - 1), code]
        return int(words[preferences[kinds.of(words, used)].argmax()])


@lru_cache(maxsize=4)
def loaded(file: Path) -> np.ndarray:
    """Return the weights in a file."""
    return np.load(file)


@wk.hookimpl
def register_strategies(register):
    """Register the strategy, which plays if a tournament names it with a file."""
    register(Learnt())


if __name__ == "__main__":
    np.save(sys.argv[1], train(wk.load_game("mastermind")))
