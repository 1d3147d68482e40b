"""Help for people who play: suggested guesses with reasons, also for puzzles that are played elsewhere."""

import itertools
from typing import Any, NamedTuple

import numpy as np

from wordle_kit.errors import StrategyError
from wordle_kit.explain import BY_WEIGHT, best_guess, likeliest, measured, ranking
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, Rule, mark_names
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.moves import history
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.tables import Format, render
from wordle_kit.texts import number_of, percent
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.host import Host, answer_of

FEW = 5
"""How many of the remaining words are shown with suggestions."""


def legend(rule: Rule, *, tiles: bool = True) -> str:
    """Return a sentence that explains a rule's feedback, or an empty text for the usual marks.

    Without `tiles`, it explains only feedback in characters.
    """
    names = mark_names(rule)
    if rule.legend(tiles=tiles) or not names or names == list(MarksRule.mark_names):
        return rule.legend(tiles=tiles)
    return f"Marks: {', '.join(f'{mark} {name}' for mark, name in enumerate(names))}."


def suggestions(position: Position, entrant: Entrant, top: int, deadline: float) -> list[dict[str, Any]]:
    """Return the guesses that a strategy would make, the best first, and how many words each is expected to leave.

    The first guess is the strategy's choice. If the strategy does not score guesses, there are no others. If only one
    word is left on each board, the others are these words. A row has the rank, the word, the bits, the expected size,
    the largest part, and whether the word may be the answer. If answers have weights, it also has the probability that
    the word is the answer. Raises StrategyError if the strategy has no guess.
    """
    chosen = position.game.guess_ids[best_guess(position, entrant, deadline)]
    guesses = [chosen]
    if all(len(board) == 1 for board in position.open_boards):  # no other guess is useful
        best = [int(board.candidate_guesses[0]) for board in position.open_boards]
        guesses += [guess for guess in dict.fromkeys(best) if guess != chosen]
    elif isinstance(entrant.strategy, PartitionStrategy):
        best = ranking(position, entrant.strategy).guesses[: top + 1].tolist()
        guesses += [guess for guess in best if guess != chosen]
    rows = measured(position, np.array(guesses[:top], dtype=np.int32))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


def suggestion_table(rows: list[dict[str, Any]], position: Position, form: Format, *, details: bool = True) -> str:
    """Return suggestions as a table, with notes on the remaining words.

    Without `details`, it has only the word, its probability (on one board), and the words that it is expected to leave.
    """
    if form.name == "csv":
        return render(rows, form)
    cells = []
    for row in rows:
        if details:
            cells.append({name: SHOWN_AS[name](value) if name in SHOWN_AS else value for name, value in row.items()})
            continue
        chance = row.get("chance", 1 / len(position.board) if row["answer"] == "yes" else 0.0)
        shown = {"chance": percent(chance)} if len(position.boards) == 1 else {}
        cells.append({"word": row["word"], **shown, "leaves": f"{row['expected size']:.1f}"})
    notes = left_on(position)
    if form.name == "table":  # no empty line between boards
        return "\n".join([render(cells, form), *notes, ""])
    return render(cells, form, notes)


SHOWN_AS = {"bits": "{:.3f}".format, "expected size": "{:.2f}".format, "chance": percent}
"""How the cells of suggestions are shown, by column."""


def left_on(position: Position, few: int = FEW) -> list[str]:
    """Return a line for each board with the number of remaining words and some of these words."""
    several = len(position.boards) > 1
    lines = [
        f"{f'board {number}: ' if several else ''}{'solved' if board.is_solved else words_left(board, few)}"
        for number, board in enumerate(position.boards, start=1)
    ]
    return [*lines, BY_WEIGHT] if position.game.is_weighted else lines


def words_left(board: Board, few: int) -> str:
    """Return a sentence with the number of remaining words on a board and some of these words.

    If answers have weights, they are the likeliest words, with their probabilities.
    """
    what, words = board.game.nouns[0], list(board.words[:few])
    if board.game.is_weighted and len(board) > 1:
        words = [f"{word} {percent(chance)}" for word, chance in likeliest(board)[:few]]
    some = ", ".join(words) + (", ..." if len(board) > few else "")
    return f"{number_of(len(board), f'{what} is', f'{what}s are')} left: {some}"


def review(position: Position, entrant: Entrant, deadline: float) -> list[dict[str, Any]]:
    """Return a row for each guess up to a position: the words left before and after it, on all open boards.

    Each row also has what a strategy would have guessed in its place, or why it has no guess.
    """
    rows = []
    for before, after in itertools.pairwise(history(position)):
        left = {name: sum(map(len, one.open_boards)) for name, one in (("before", before), ("after", after))}
        try:
            other = best_guess(before, entrant, deadline)
        except StrategyError as error:
            other = str(error)
        rows.append({"guess": after.guesses[-1], **left, entrant.label: other})
    return rows


def review_table(position: Position, entrant: Entrant, deadline: float) -> str:
    """Return `review` as a table, or an empty text if there were no guesses."""
    rows = review(position, entrant, deadline)
    if not rows:
        return ""
    cells = [
        {
            "guess": row["guess"],
            "left before": f"{row['before']:,}",
            "left": f"{row['after']:,}",
            entrant.label: row[entrant.label],
        }
        for row in rows
    ]
    return render(cells, "table")


class Rival(NamedTuple):
    """How a strategy plays a person's game: its guesses, whether they solve it, and why there are no more guesses."""

    guesses: tuple[str, ...]
    is_solved: bool
    problem: str = ""


def rival(entrant: Entrant, game: Game, host: Host, limit: int | None, deadline: float, seed: int) -> Rival:
    """Return how a strategy plays against a host, with at most `limit` guesses or, for None, the game's cap."""
    position = Position.start(game)
    for _ in range(game.cap if limit is None else limit):
        try:
            guess = best_guess(position, entrant, deadline, seed)
        except StrategyError as error:
            return Rival(position.guesses, False, str(error))
        position = position.after(guess, answer_of(host, position, game.guess_ids[guess]))
        if not position.open_boards:
            return Rival(position.guesses, True)
    return Rival(position.guesses, False)
