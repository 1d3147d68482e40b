"""Positions as data to learn from: prompts, best guesses, values, and the regrets of the guesses that were played."""

import json
import math
import random
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from wordle_kit._version import __version__
from wordle_kit.api import GameLike, StrategyLike, load_game, load_strategy, play
from wordle_kit.arguments import positive, whole
from wordle_kit.environments.rewards import Regret
from wordle_kit.environments.text_game import TextGame
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.tables import ColumnKind, columns_of, parquet_of
from wordle_kit.texts import json_text

COLUMNS: dict[str, ColumnKind] = {
    "split": "text",
    "hidden": "text",
    "prompt": "text",
    "guesses": "text",
    "feedback": "text",
    "candidates": "whole",
    "value": "real",
    "value_by": "text",
    "best": "text",
    "played": "text",
    "regret": "real",
    "regret_by": "text",
}
"""The columns and their types."""

AT_A_TIME = 64
"""The number of puzzles that are played at a time."""

Row = dict[str, Any]


def positions(
    game: GameLike,
    strategy: StrategyLike,
    count: int,
    *,
    seed: int = 0,
    test: float = 0.1,
    regret: Regret | None = None,
    plugins: Plugins | None = None,
) -> tuple[dict[str, Any], list[Row]]:
    """Return the header of a data set, and up to `count` different positions in which a strategy guesses.

    The answers are split at random, by the seed: a share of them, `test`, is hidden in positions of the split `test`,
    and the others in positions of the split `train`. A position to which several answers lead belongs to the split of
    the first. So no hidden word and no prompt occurs in both splits. There are fewer than `count` positions if the
    strategy reaches no more. Raises WordleKitError for a game for which regrets cannot be computed.
    """
    game, played_by = load_game(game, plugins), load_strategy(strategy, plugins)
    whole("count", count, 1)
    share = positive("test", test)
    n_test = round(share * len(game.answers))
    if not 0 < n_test < len(game.answers):
        word = game.nouns[0]
        raise WordleKitError(f"test is {test:g}; give a share that leaves one {word} of {game.name} in both splits")
    chance = random.Random(f"split {seed}")
    tested = set(chance.sample(game.answers, n_test))
    text = TextGame(game, reward=regret or Regret())
    rows: dict[str, Row] = {}
    for hidden, guesses in _plays(game, played_by, seed, chance):
        for row in _rows_of(text, hidden, guesses):
            if row["prompt"] not in rows and len(rows) < count:
                rows[row["prompt"]] = {"split": "test" if hidden in tested else "train", "hidden": hidden, **row}
        if len(rows) == count:
            break
    header = {
        "about": f"positions of {game.title}, for learning",
        "made_by": f"wordle-kit {__version__}",
        "game": game.name,
        "fingerprint": game.fingerprint,
        "words": licence_of(game),
        "strategy": played_by.spec,
        "seed": seed,
        "test": share,
        "positions": len(rows),
    }
    return header, list(rows.values())


def _plays(game: Game, strategy: Any, seed: int, chance: random.Random) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield hidden words, each with the guesses of a strategy. A random strategy plays each word several times."""
    rounds = game.cap if strategy.stochastic else 1
    for number in range(rounds):
        # This order is that of drawing by weight without replacement: Efraimidis and Spirakis (2006).
        weights = zip(game.answers, game.answer_weights.tolist(), strict=True)
        late = {word: -math.log(1 - chance.random()) / weight for word, weight in weights if weight}
        order = sorted(late, key=late.__getitem__)
        for start in range(0, len(order), AT_A_TIME):
            words = order[start : start + AT_A_TIME]
            plays = play(strategy, game, words, seed=seed + number * len(order) + start)
            yield from zip(words, (one.guesses for one in plays), strict=True)


def _rows_of(text: TextGame, hidden: str, guesses: tuple[str, ...]) -> Iterator[Row]:
    """Yield a row for each guess of a play."""
    assert isinstance(text.reward_function, Regret)  # noqa: S101 - the caller made it
    text.reset(hidden)
    values = text.reward_function.values(text.game)
    for guess in guesses:
        if text.is_over:
            return
        position = text.position
        value, regret = values.of(position), values.regret(position, text.game.guess_ids[guess])
        yield {
            "prompt": text.prompt(),
            "guesses": " ".join(position.guesses),
            "feedback": " ".join(map(str, position.board.feedback)),
            "candidates": len(position.board),
            "value": value.number / position.board.mass,
            "value_by": value.by,
            "best": text.game.guesses[values.best(position)],
            "played": guess,
            "regret": regret.number,
            "regret_by": regret.by,
        }
        text.guess(guess)


def licence_of(game: Game) -> str:
    """Return the licence of a game's words if they come from a bundled game, else an empty text."""
    known = tomllib.loads(resources.files("wordle_kit_data").joinpath("licences/games.toml").read_text("utf-8"))
    if game.name in known:
        bundled = load_game(game.name)
        if (bundled.answers, bundled.guesses) == (game.answers, game.guesses):
            return str(known[game.name])
    return "not known to wordle-kit; look where the words of the game come from"


def write_positions(path: Path, header: dict[str, Any], rows: list[Row]) -> None:
    """Write a data set to a file: as Parquet if the file's name says so, otherwise as lines of JSON.

    In JSON, the header is the first line. In Parquet, it is the value `wordle-kit` in the file's metadata. Raises
    WordleKitError if the file cannot be written.
    """
    if path.suffix != ".parquet":
        lines = [json_text(row, indent=None) for row in ({"header": header}, *rows)]
        write_file(path, "\n".join(lines) + "\n")
        return
    write_file(path, parquet_of(columns_of(rows, COLUMNS), metadata={"wordle-kit": json.dumps(header)}))
