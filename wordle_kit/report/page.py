"""The page of a leaderboard: one self-contained HTML file, made only from stored runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.leaderboard.bars import bars_of
from wordle_kit.leaderboard.columns import COLUMNS
from wordle_kit.leaderboard.intervals import CONFIDENCE, half_width_per_deviation, least_deviation
from wordle_kit.leaderboard.metrics import Row, counted, row_of, works
from wordle_kit.leaderboard.ranking import place_of, ranked_by, weighted_note
from wordle_kit.pages.html import html_of
from wordle_kit.pages.marks import mark_names
from wordle_kit.pages.packing import Numbering, packed, varints
from wordle_kit.report.again import command_of
from wordle_kit.report.choice import OF_A_PAIR, Turns, kept_puzzles
from wordle_kit.report.figures import USUAL, cells_of, columns_of
from wordle_kit.report.replays import replays_of
from wordle_kit.texts import label, line
from wordle_kit.tournaments.runs import RunFacts, StoredRun

HERE = Path(__file__).parent

MESSAGES = 200
"""The greatest number of different failure messages per strategy on a page; other failures are shown without one."""


@dataclass(frozen=True)
class Scored:
    """The result of one pass over a run: its facts, its row, and the number of guesses that counts for each play."""

    place: int
    facts: RunFacts
    row: Row
    turns: Sequence[int]


def page_of(
    runs: Sequence[StoredRun],
    game: Game | None = None,
    *,
    title: str | None = None,
    left_out: Sequence[str] = (),
    warning: str = "",
    source: str | None = None,
    command: str | None = None,
) -> str:
    """Return the page of runs on the same puzzles as HTML. Nothing is played.

    `runs` are read one at a time, twice each, so they may come from a store. The game adds tiles and the number of
    remaining words after each guess. `left_out` has a line for each strategy that is missing or not stored, and
    `warning` is shown at the top. As the command to play again, the page shows `command`, or a tournament of the game
    `source`.
    """
    if not len(runs):
        raise WordleKitError("a report needs at least one run")
    if runs[0].facts.host != "hidden":
        raise WordleKitError(
            "a report shows hidden words, and these games were played against the adversary; choose other games",
            settings=["game", "puzzles"],
        )
    scored = [_scored(place, runs[place]) for place in range(len(runs))]
    scored.sort(key=lambda one: place_of(one.row, one.facts))
    rows, facts = [one.row for one in scored], scored[0].facts
    seeds = sorted({one.facts.seed for one in scored if one.facts.stochastic and one.facts.secret is None})
    secrets = sorted({one.facts.secret for one in scored if one.facts.secret is not None})
    if game is not None and game.fingerprint != facts.fingerprint:
        raise WordleKitError(
            f"{game.name} is not the game that was played, or its words or rule have changed since then"
        )
    columns = columns_of(rows)
    turns = np.array([one.turns for one in scored], dtype=np.uint16)
    kept = kept_puzzles(turns, facts.boards)
    return html_of(
        HERE,
        _payload(runs, scored, turns, kept, game),
        title=title or (game.title if game is not None else facts.game),
        warning=warning,
        facts=facts,
        game=game,
        rows=rows,
        cells=[cells_of(row, columns) for row in rows],
        bars=bars_of(rows, facts.max_guesses),
        columns={name: COLUMNS[name][0] for name in columns},
        usual=[
            name
            for name in columns
            if name in USUAL and (name != "over_perfect" or any(row.over_perfect is not None for row in rows))
        ],
        ranked_by=ranked_by(facts),
        weighted_note=weighted_note(facts),
        left_out=left_out,
        kept=len(kept),
        seeds=seeds,
        secrets=secrets,
        confidence=CONFIDENCE,
        command=command
        or command_of(
            facts,
            [row.strategy for row in rows],
            seeds[0] if seeds else None,
            source,
            secrets[0] if len(secrets) == 1 and not seeds else None,
        ),
    )


def _scored(place: int, run: StoredRun) -> Scored:
    return Scored(place, run.facts, row_of(run), [counted(play, run.facts.cap) for play in run.plays])


def _payload(
    runs: Sequence[StoredRun], scored: Sequence[Scored], turns: Turns, kept: Sequence[int], game: Game | None
) -> str:
    """Return the data of the page's script, packed."""
    facts = scored[0].facts
    n = facts.n_puzzles
    words, feedback = Numbering(), Numbering()
    if game is not None:
        feedback[str(game.show(game.winning_code))]  # the most frequent gets the smallest number
    columns: list[bytes] = [b""]
    strategies: list[dict[str, Any]] = []
    for one, taken in zip(scored, turns, strict=True):
        run = runs[one.place]
        if not strategies:
            columns[0] = varints(words[word] for play in run.plays for word in play.puzzle)
        endings = Numbering()
        ended = [endings[_ending(play.outcome.value, play.message, endings)] for play in run.plays]
        columns += [varints(taken.tolist()), varints(ended), *replays_of(run, kept, words, feedback, game).columns()]
        strategies.append(
            {
                "name": label(one.facts.strategy),
                "stochastic": one.facts.stochastic,
                "works": works(run),
                "endings": [_split(text) for text in endings],
            }
        )
    rule = game.rule if game is not None else None
    single = game is None or not (game.alphabet.separator or any(len(symbol) > 1 for symbol in game.alphabet.symbols))
    header: dict[str, Any] = {
        "strategies": strategies,
        "puzzles": n,
        "boards": facts.boards,
        "maxGuesses": facts.max_guesses,
        "cap": facts.cap,
        "rankedBy": ranked_by(facts),
        "weights": facts.weights,
        "halfWidth": half_width_per_deviation(n, facts.population) if facts.is_sample and n > 1 else None,
        "leastDeviation": least_deviation(n),
        "ofAPair": OF_A_PAIR,
        "tiles": rule.tile_set if isinstance(rule, MarksRule) else "",
        "marks": mark_names(rule),
        "items": rule is not None and rule.items is not None,
        "legend": line(rule.legend(), None) if rule is not None else "",
        "words": list(words) if single or game is None else [game.alphabet.split(word) for word in words],
        "separator": game.alphabet.separator if game is not None else "",
        "feedback": list(feedback),
        "pictures": [_picture(text, game) for text in feedback],
        "left": game is not None,
        "kept": None if len(kept) == n else list(kept),
    }
    return packed(header, columns)


def _picture(text: str, game: Game | None) -> str:
    """Return feedback as tiles, or as text if the rule has no tiles."""
    return text if game is None or not text else game.read_feedback(text).tiles


def _ending(outcome: str, message: str, endings: Numbering) -> str:
    """Return how a play ended as one text, without its message if there are too many different messages."""
    text = f"{outcome}\n{message}"
    return text if text in endings or len(endings) < MESSAGES else f"{outcome}\n"


def _split(ending: str) -> list[str]:
    outcome, _, message = ending.partition("\n")
    return [outcome, line(message)]
