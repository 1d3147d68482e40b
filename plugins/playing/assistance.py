"""Help for people who play: suggested guesses with the scores that rank them, and how a strategy would have played."""

import itertools
from typing import Any, NamedTuple

import numpy as np

import wordle_kit as wk
from wordle_kit.explain import BY_WEIGHT, best_guess, explanation, likeliest, measured, ranking
from wordle_kit.session import Session
from wordle_kit.strategy.moves import after_move, history, read_move
from wordle_kit.tables import render
from wordle_kit.texts import number_of, percent
from wordle_kit.tournaments.entrants import Entrant

FEW = 5
"""How many of the remaining words are shown with suggestions."""


class Advice(NamedTuple):
    """The guesses that a strategy suggests in a position."""

    rows: list[dict[str, Any]]
    """A row for each guess, the strategy's choice first: rank, word, score, bits, expected size, largest part, whether
    the word may be the answer and, if answers have weights, the probability that it is.
    """
    score: str = ""
    """The name of the score by which the guesses are ranked, or an empty text if there is none."""
    notes: tuple[str, ...] = ()
    """Sentences on the order, and on a choice that the score does not explain."""


def advice(position: wk.Position, entrant: Entrant, top: int, deadline: float) -> Advice:
    """Return at most `top` guesses that a strategy suggests, best first, with the score by which it ranks them.

    If the strategy does not score guesses, there is only its choice. If only one word is left on each board, the others
    are these words. Raises StrategyError if the strategy has no guess.
    """
    game, strategy = position.game, entrant.strategy
    word = best_guess(position, entrant, deadline)
    chosen = game.guess_ids[word]
    if all(len(board) == 1 for board in position.open_boards):  # no other guess is useful
        others = [int(board.candidate_guesses[0]) for board in position.open_boards]
        return Advice(_rows(position, [chosen, *others], top))
    if not isinstance(strategy, wk.PartitionStrategy):
        return Advice(_rows(position, [chosen], top))
    order = ranking(position, strategy)
    ranked = order.guesses.tolist()
    scores = dict(zip(ranked, order.scores.tolist(), strict=True))
    rows = [
        {"rank": row["rank"], "word": row["word"], order.header: scores.get(game.guess_ids[row["word"]])} | row
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
    rows = measured(position, np.array(different, dtype=np.int32))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


def advice_table(found: Advice, position: wk.Position, form: wk.Format, *, details: bool = True) -> str:
    """Return suggestions as a table, with notes on the order and on the remaining words.

    Without `details`, it has only the word, its score, its probability (on one board), and the words that it is
    expected to leave.
    """
    if form.name == "csv":
        return render(found.rows, form)
    shown_as = SHOWN_AS | {found.score: _score}
    cells = [{name: shown_as.get(name, str)(value) for name, value in row.items()} for row in found.rows]
    if not details:
        names = ["word", *([found.score] if found.score else []), *(["chance"] if len(position.boards) == 1 else [])]
        for cell, row in zip(cells, found.rows, strict=True):
            evenly = 1 / len(position.board) if row["answer"] == "yes" else 0.0
            cell |= {"chance": percent(row.get("chance", evenly)), "leaves": f"{row['expected size']:.1f}"}
        cells = [{name: cell[name] for name in (*names, "leaves")} for cell in cells]
    notes = [*found.notes, *left_on(position)]
    if form.name == "table":  # no empty line between notes
        return "\n".join([render(cells, form), *notes, ""])
    return render(cells, form, notes)


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"


SHOWN_AS = {"bits": "{:.3f}".format, "expected size": "{:.2f}".format, "chance": percent}
"""How the cells of suggestions are shown, by column."""


def hint(position: wk.Position, entrant: Entrant, deadline: float) -> str:
    """Return a sentence with the guess that a strategy suggests first, and its score."""
    found = advice(position, entrant, 1, deadline)
    (row,) = found.rows
    score = row.get(found.score)
    scored = "" if score is None else f", with {'a ' if found.score == 'score' else ''}{found.score} of {score:.4f}"
    return f"{entrant.label} would guess {row['word']}{scored}."


def left_on(position: wk.Position, few: int = FEW) -> list[str]:
    """Return a line for each board with the number of remaining words and some of these words."""
    several = len(position.boards) > 1
    lines = [
        f"{f'board {number}: ' if several else ''}{'solved' if board.is_solved else words_left(board, few)}"
        for number, board in enumerate(position.boards, start=1)
    ]
    return [*lines, BY_WEIGHT] if position.game.is_weighted else lines


def words_left(board: wk.Board, few: int) -> str:
    """Return a sentence with the number of remaining words on a board and some of these words.

    If answers have weights, they are the likeliest words, with their probabilities.
    """
    what, words = board.game.nouns[0], list(board.words[:few])
    if board.game.is_weighted and len(board) > 1:
        words = [f"{word} {percent(chance)}" for word, chance in likeliest(board)[:few]]
    some = ", ".join(words) + (", ..." if len(board) > few else "")
    return f"{number_of(len(board), f'{what} is', f'{what}s are')} left: {some}"


def after_typed(position: wk.Position, text: str, between: str = "=") -> tuple[wk.Position, str]:
    """Return the position after a guess and its feedback as people type them, and a remark or an empty text.

    The guess need not be on the game's list, for another program may have another list. Raises GameError for text that
    cannot be read, and for feedback that fits no word.
    """
    game = position.game
    guess, seen = read_move(game, text, between)
    word = game.alphabet.join(game.word(guess))
    if word in game.guess_ids:
        return after_move(position, (word, seen)), ""
    wider = game.replace(guesses=(*game.guesses, word))
    boards = [wk.Board(wider, board.candidates, board.codes) for board in position.boards]
    remark = f"{word!r} is not among the guesses of {game.name}, but its feedback is used."
    return after_move(wk.Position(wider, boards, position.guess_ids), (word, seen)), remark


def review(position: wk.Position, entrant: Entrant, deadline: float) -> str:
    """Return a table with the words left before and after each guess, on all open boards, or an empty text.

    Each row also has what a strategy would have guessed in its place, or why it has no guess.
    """
    rows = []
    for before, after in itertools.pairwise(history(position)):
        left = [sum(map(len, one.open_boards)) for one in (before, after)]
        try:
            other = best_guess(before, entrant, deadline)
        except wk.StrategyError as error:
            other = str(error)
        rows.append({"guess": after.guesses[-1], "left before": left[0], "left": left[1], entrant.label: other})
    return render(rows, "table") if rows else ""


def rival(entrant: Entrant, session: Session, deadline: float, seed: int = 0) -> tuple[Session, str]:
    """Return how a strategy plays a person's game from its start, and why it has no further guess or an empty text."""
    played = Session.start(session.game, session.host)
    while not played.is_over and len(played.position.guess_ids) < played.game.cap:
        try:
            guess = best_guess(played.position, entrant, deadline, seed)
        except wk.StrategyError as error:
            return played, str(error)
        played = played.after(played.game.guess_ids[guess])
    return played, ""
