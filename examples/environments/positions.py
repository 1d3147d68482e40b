"""Write positions of a strategy's games as lines of JSON: to each, the best guess and the regret of the guess played.

    python positions.py mini-nerdle random-consistent 200 positions.jsonl

A tenth of the answers, drawn at random, is hidden in positions of the split `test`, and the others in `train`. A
position to which several answers lead belongs to the split of the first. So no hidden word and no prompt is in both.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordle_kit_plugins.environments import Regret, TextGame
from wordle_kit_plugins.environments.values import PositionValues

import wordle_kit as wk

TEST = 0.1
"""The share of the answers that only the split `test` hides."""


def positions(game: wk.Game, strategy: wk.Strategy, count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Return up to `count` different positions: fewer if the strategy reaches no more."""
    chance = random.Random(seed)
    tested = set(chance.sample(game.answers, round(TEST * len(game.answers))))
    text, values, found = TextGame(game), Regret().values(game), {}
    rounds = game.cap if strategy.stochastic else 1
    for number in range(seed, seed + rounds):
        hidden = chance.sample(game.answers, len(game.answers))
        for play in wk.play(strategy, game, hidden, seed=number * len(hidden)):
            word = play.puzzle[0]
            for row in rows_of(text, values, word, play.guesses):
                found.setdefault(row["prompt"], {"split": "test" if word in tested else "train", **row})
                if len(found) == count:
                    return list(found.values())
    return list(found.values())


def rows_of(text: TextGame, values: PositionValues, hidden: str, guesses: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield a row for each guess of a game."""
    text.reset(hidden)
    for guess in guesses:
        if text.is_over:
            return
        position = text.position
        value, regret = values.of(position), values.regret(position, text.game.guess_index[guess])
        yield {
            "hidden": hidden,
            "prompt": text.prompt,
            "guesses": list(position.guesses),
            "feedback": list(map(str, position.board.feedback)),
            "candidates": len(position.board),
            "value": value.number / position.board.mass,  # the guesses needed on average
            "value_by": value.by,  # `exact search` if that is proved
            "best": text.game.guesses[values.best(position)],
            "played": guess,
            "regret": regret.number,
            "regret_by": regret.by,
        }
        text.guess(guess)


if __name__ == "__main__":
    game, strategy, count, out = sys.argv[1:]
    rows = positions(wk.load_game(game), wk.load_strategy(strategy), int(count))
    Path(out).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    exact = sum(row["regret_by"] == "exact search" for row in rows)
    print(f"{out}: {len(rows)} positions; {exact} regrets are exact")
