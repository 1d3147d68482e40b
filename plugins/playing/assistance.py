"""Help for people who play: suggested guesses with the scores that rank them, and a review of the player's own."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import wordle_kit as wk
from wordle_kit.cli.output import quiet
from wordle_kit.explain import BY_WEIGHT, best_guess, explanation, likeliest, ranking, split_figures
from wordle_kit.strategy.moves import after_move, read_move
from wordle_kit.tables import Table, column_of, render
from wordle_kit.texts import number_of, percent
from wordle_kit.tournaments.entrants import Entrant

FEW = 5
"""How many of the remaining words are shown with suggestions."""

PATIENCE = 60.0
"""The number of seconds that a strategy has for a suggestion."""


class Advice(NamedTuple):
    """The guesses that a strategy suggests in a position."""

    rows: list[dict[str, Any]]
    """A row per guess, the strategy's choice first: rank, word, score, bits, expected size, largest part, whether the
    word may be the answer and, if answers have weights, its probability.
    """
    score: str = ""
    """The name of the score that ranks the guesses, or an empty string if there is none."""
    notes: tuple[str, ...] = ()
    """Sentences that explain the order and, if the score does not, the strategy's choice."""


@quiet()
def advice(position: wk.Position, entrant: Entrant, top: int) -> Advice:
    """Return at most `top` guesses that a strategy suggests, best first, with the score by which it ranks them.

    If the strategy does not score guesses, only its choice is returned. If only one word is left on each board, the
    other suggestions are these words. Raises StrategyError if the strategy has no guess.
    """
    game, strategy = position.game, entrant.strategy
    word = best_guess(position, entrant, PATIENCE)
    chosen = game.guess_index[word]
    if all(len(board) == 1 for board in position.open_boards):  # no other guess is useful
        others = [int(board.candidate_guesses[0]) for board in position.open_boards]
        return Advice(_rows(position, [chosen, *others], top))
    if not isinstance(strategy, wk.PartitionStrategy):
        return Advice(_rows(position, [chosen], top))
    order = ranking(position, strategy)
    ranked = order.guesses.tolist()
    scores = dict(zip(ranked, order.scores.tolist(), strict=True))
    rows = [
        {"rank": row["rank"], "word": row["word"], order.header: scores.get(game.guess_index[row["word"]])} | row
        for row in _rows(position, [chosen, *ranked[: top + 1]], top)
    ]
    first = "highest" if strategy.bits or strategy.more_is_better else "lowest"
    notes = [f"Ranked by the {order.header} of {entrant.label}, the {first} first."]
    if chosen != ranked[0]:
        notes.append(f"Its choice is {word}: {explanation(position, strategy, word)[0]}.")
    return Advice(rows, order.header, tuple(notes))


def _rows(position: wk.Position, guesses: list[int], top: int) -> list[dict[str, Any]]:
    """Return the figures of the first `top` different guesses, numbered."""
    different = list(dict.fromkeys(guesses))[:top]
    rows = split_figures(position, np.array(different, dtype=np.int32))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


def table_of(found: Advice, position: wk.Position, entrant: Entrant) -> Table:
    """Return suggestions as a table, with notes on their order and on the remaining words.

    People see the word, its score, its probability (on one board) and the number of words that it is expected to leave.
    Programs get all figures and, in JSON, all remaining words, the likeliest first.
    """
    cells = []
    for row in found.rows:
        cell = {"word": row["word"]}
        if found.score:
            cell[found.score] = "" if row[found.score] is None else f"{row[found.score]:.4f}"
        if len(position.boards) == 1:
            evenly = 1 / len(position.board) if row["answer"] == "yes" else 0.0
            cell["chance"] = percent(row.get("chance", evenly))
        cells.append(cell | {"leaves": f"{row['expected size']:.1f}"})
    likely = [[] if board.is_solved else likeliest(board) for board in position.boards]
    facts = {
        "game": position.game.name,
        "strategy": entrant.label,
        "guesses": position.guesses,
        "left": list(map(len, likely)),
        "suggestions": [{**row, "answer": row["answer"] == "yes"} for row in found.rows],
        "words": [[word for word, _ in each] for each in likely],
    }
    if position.game.is_weighted:
        facts["chances"] = [[chance for _, chance in each] for each in likely]
    columns = {name: column_of([row[name] for row in found.rows]) for name in found.rows[0]}
    return Table(cells, [*found.notes, *left_on(position)], facts, columns)


def hint(position: wk.Position, entrant: Entrant) -> str:
    """Return a sentence with a strategy's first suggestion and its score."""
    found = advice(position, entrant, 1)
    (row,) = found.rows
    score = row.get(found.score)
    scored = "" if score is None else f", with {'a ' if found.score == 'score' else ''}{found.score} of {score:.4f}"
    return f"{entrant.label} would guess {row['word']}{scored}."


def left_on(position: wk.Position, few: int = FEW) -> list[str]:
    """Return a line for each board with the number of remaining words and some of these words."""
    several = len(position.boards) > 1
    lines = [
        f"{f'board {number}: ' if several else ''}{'solved' if board.is_solved else _left_on_board(board, few)}"
        for number, board in enumerate(position.boards, start=1)
    ]
    return [*lines, BY_WEIGHT] if position.game.is_weighted else lines


def _left_on_board(board: wk.Board, few: int) -> str:
    """Return a sentence with the number of remaining words on a board and some of these words.

    If answers have weights, the likeliest words are shown with their probabilities.
    """
    what, words = board.game.nouns[0], list(board.words[:few])
    if board.game.is_weighted and len(board) > 1:
        words = [f"{word} {percent(chance)}" for word, chance in likeliest(board)[:few]]
    some = ", ".join(words) + (", ..." if len(board) > few else "")
    return f"{number_of(len(board), f'{what} is', f'{what}s are')} left: {some}"


def after_typed(position: wk.Position, text: str) -> tuple[wk.Position, str]:
    """Return the position after a guess and its feedback as typed, and a remark or an empty string.

    The guess need not be on the game's list, since another program may have another list. Raises GameError for text
    that cannot be parsed and for feedback that fits no word.
    """
    game = position.game
    word = game.spelling(read_move(game, text)[0])
    if word in game.guess_index:
        return after_move(position, text), ""
    wider = game.replace(guesses=(*game.guesses, word))
    boards = [wk.Board(wider, board.candidates, board.codes) for board in position.boards]
    remark = f"{word!r} is not among the guesses of {game.name}, but its feedback is used."
    return after_move(wk.Position(wider, boards, position.guess_ids), text), remark


@quiet()
def review(positions: Sequence[wk.Position], entrant: Entrant) -> str:
    """Return a table with the words left before and after each guess of a game, on all open boards.

    `positions` has the position before each guess, and the last one. Each row also shows what a strategy would have
    guessed, or why it has no guess.
    """
    rows = []
    for before, after in pairwise(positions):
        left = [sum(map(len, one.open_boards)) for one in (before, after)]
        try:
            other = best_guess(before, entrant, PATIENCE)
        except wk.StrategyError as error:
            other = str(error)
        rows.append({"guess": after.guesses[-1], "left before": left[0], "left": left[1], entrant.label: other})
    return render(rows, "table")
