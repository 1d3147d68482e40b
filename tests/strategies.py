"""Shared by several tests: small games and positions that hypothesis draws, and strategies that play badly."""

import itertools
import random

from hypothesis import strategies as st

import wordle_kit as wk

# Drawn by hypothesis


@st.composite
def small_games(
    draw,
    *,
    rules=("wordle", "wordle-uncounted", "mastermind"),
    orders=("alphabetical", "as-listed"),
    symbols=(2, 4, 6),
    lengths=(1, 2, 3, 4),
    answers=(1, 25),
    guesses=(0, 25),
    boards=(1,),
    hard_mode=(False,),
    weighted=False,
):
    """Draw a game of a few words over a few symbols, with weights if `weighted`, some of them 0.

    `symbols`, `lengths`, `boards` and `hard_mode` are the values to choose from, and `answers` and `guesses` the
    least and greatest numbers of words. Words come from a generator with a drawn seed, because hypothesis prefers few
    words, and games of many words show more.
    """
    dice = random.Random(draw(st.integers(0, 2**32)))
    alphabet = "abcdef"[: dice.choice(symbols)]
    every_word = ["".join(word) for word in itertools.product(alphabet, repeat=dice.choice(lengths))]
    some = [
        dice.sample(every_word, dice.randint(least, min(most, len(every_word)))) for least, most in (answers, guesses)
    ]
    fields = {
        "name": "small",
        "alphabet": alphabet,
        "length": len(every_word[0]),
        "answers": some[0],
        "guesses": some[1],
        "rule": draw(st.sampled_from(rules)),
        "order": draw(st.sampled_from(orders)),
        "boards": dice.choice(boards),
    }
    if weighted:
        weights = [dice.choice([0, 1, 1, dice.random(), 20 * dice.random()]) for _ in some[0]]
        fields["weights"] = dict(zip(some[0], weights if any(weights) else [1.0] * len(weights), strict=True))
    return wk.load_game(fields | {"hard_mode": dice.choice(hard_mode)})


ALPHABETS = {"wordle": "abc", "mastermind": "abc", "case-aware": "aAbB"}


@st.composite
def one_board_games(draw):
    """Draw a game of a few words over a few symbols on one board, in hard mode or not."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    rule = dice.choice(list(ALPHABETS))
    length = dice.choice([1, 2, 3])
    every_word = sorted({"".join(dice.choices(ALPHABETS[rule], k=length)) for _ in range(30)})
    return wk.load_game(
        {
            "name": "small",
            "alphabet": ALPHABETS[rule],
            "length": length,
            "answers": dice.sample(every_word, dice.randint(1, len(every_word))),
            "guesses": every_word,
            "rule": rule,
            "order": "as-listed",
            "hard_mode": dice.random() < 0.3,
        }
    )


@st.composite
def positions(draw, games, *, turns=(0, 1, 2), candidates=1):
    """Draw a position after some guesses, with at least `candidates` words left on each open board."""
    game = draw(games)
    dice = random.Random(draw(st.integers(0, 2**32)))
    hidden = dice.choices(game.answers, k=game.boards)
    position = wk.Position.start(game)
    for guess in dice.choices(game.guesses, k=dice.choice(turns)):
        after = position.after(guess, [game.feedback(guess, answer) for answer in hidden])
        if after.open_boards and all(len(board) >= candidates for board in after.open_boards):
            position = after
    return position


# Playing


class Hostile(wk.Strategy):
    """Guess the first candidate, under a name that a browser could take for markup."""

    name = "<script>document.title='x'</script>\"'&\u202egnirts\u200f"

    def guess(self, position):
        return position.board.words[0]


class Crashing(wk.Strategy):
    """Crash at the second guess, with a message that a browser could take for markup."""

    def guess(self, position):
        if position.turn > 1:
            raise RuntimeError("<img src=x onerror=\"document.title='x'\">")
        return position.game.guesses[-1]


# Trees


class RandomCandidate(wk.Strategy):
    """Guess any candidate, the same in the same position."""

    seed: int

    def guess(self, position):
        return random.Random(f"{self.seed} {position.board.words}").choice(position.board.words)


def tree_played_by(strategy, game, position=None):
    """Return the tree that a strategy plays from a position on."""

    def node(position):
        guess = game.guess_index[strategy.guess(position)]
        codes = {game.feedback(game.guesses[guess], word).code for word in position.board.words}
        return wk.Node(guess, {c: node(position.after(guess, [c])) for c in codes if c != game.winning_code})

    position = position or wk.Position.start(game)
    return wk.Tree(game, node(position), tuple(zip(position.guess_ids, position.board.codes, strict=True)))


GREENS_ONLY = '''
import wordle_kit as wk

class GreensOnly(wk.MarksRule):
    """Say which symbols are correct, and nothing about the others."""

    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer)]

@wk.hookimpl
def register_rules(register):
    register(GreensOnly())
'''
"""The file of a plugin with a rule that only says which symbols are correct."""
