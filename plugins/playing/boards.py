"""The text that shows a person's game, on a terminal and when it is shared.

Nothing is shown by colour alone: characters show the feedback too.
"""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from wordle_kit_plugins.playing.persons_game import PersonsGame

import wordle_kit as wk
from wordle_kit.game.rules import mark_labels
from wordle_kit.texts import one_line
from wordle_kit.tournaments.host import HIDDEN

STYLES = ("white on grey35", "black on yellow", "black on green", "white on blue", "white on magenta")
SIGNS = (" {} ", "({})", "[{}]", "{{{}}}", "<{}>")
"""How a symbol with each mark is shown, with and without colour. Rules with more marks show feedback in characters."""

NUMBER = 3
"""The width of a guess's number in columns."""

SHARED = 40
"""The most columns of a text to share, so that phones do not wrap it. Boards that do not fit go below."""


def boards_of(position: wk.Position, width: int = 80, *, tiles: bool = True, newest_only: bool = False) -> Text:
    """Return the guesses of a game with their feedback on each board, or only the newest guess.

    Boards are shown side by side as far as they fit in `width`. Feedback without marks is shown in `tiles` or in
    characters.
    """
    made = len(position.guess_ids)
    turns = range(made)[-1:] if newest_only else range(made)
    if position.game.boards > 1:
        return Text("\n").join(_table(position, turns, width))
    return Text("\n").join([_guess(position, turn, tiles=tiles) for turn in turns])


def meaning(game: wk.Game, *, tiles: bool = True, digits: bool = False) -> str:
    """Return a sentence that explains the feedback of a game, in `tiles` or in characters.

    With `digits`, it also gives the digit of each mark, for people who type feedback.
    """
    names = mark_labels(game.rule)
    if not names or game.rule.legend(tiles=tiles):
        return game.rule.legend(tiles=tiles)
    if game.boards > 1 or not _has_signs(game):
        marks = [f"{mark} {name}" for mark, name in enumerate(names)]
        return f"Marks: {', '.join(marks)}{'; (1) is a solved board' if game.boards > 1 else ''}."
    signs = [sign.format("x").strip() for sign in SIGNS]
    marks = [f"{signs[mark]}{f' or {mark}' if digits else ''} {name}" for mark, name in enumerate(names)]
    return f"Marks: {', '.join(marks)}."


def _has_signs(game: wk.Game) -> bool:
    return isinstance(game.rule, wk.MarksRule) and game.rule.base <= len(SIGNS)


def _guess(position: wk.Position, turn: int, *, tiles: bool) -> Text:
    """Return a guess and its feedback in a game with one board."""
    game, (board,) = position.game, position.boards
    word, feedback = game.alphabet.split(position.guesses[turn]), board.feedback[turn]
    made = Text(f"{turn + 1:>{NUMBER - 1}} ")
    if isinstance(game.rule, wk.MarksRule) and _has_signs(game):
        for symbol, mark in zip(word, game.rule.digits(feedback.code, game.length), strict=True):
            made.append(SIGNS[mark].format(one_line(symbol)), style=STYLES[mark])
        return made
    made.append("".join(f" {one_line(symbol)} " for symbol in word))
    made.append(f"  {one_line(feedback.tiles if tiles else str(feedback))}")
    return made


def _table(position: wk.Position, turns: Sequence[int], width: int) -> list[Text]:
    """Return a row per guess with its feedback on each board, below the board numbers."""
    words = [one_line(word) for word in position.guesses]
    seen = [[one_line(str(one)) for one in board.feedback] for board in position.boards]
    heads = [f"({number})" if board.is_solved else f"{number}" for number, board in enumerate(position.boards, 1)]
    cell = max(cell_len(text) for texts in (heads, *seen) for text in texts)
    left = max(map(cell_len, words), default=0) + NUMBER
    lines = []
    for numbers in side_by_side(len(heads), cell + 2, width - left):
        lines.append(_row("", [Text(heads[number], "bold") for number in numbers], left, cell))
        for turn in turns:
            shown = [seen[number][turn] if turn < len(seen[number]) else "" for number in numbers]
            cells = [_coloured(text, position.game) for text in shown]
            lines.append(_row(f"{turn + 1:>{NUMBER - 1}} {words[turn]}", cells, left, cell))
    return lines


def _row(start: str, cells: Sequence[Text], left: int, cell: int) -> Text:
    """Return a text of `left` columns and then texts of `cell` columns, each after two spaces."""
    made = Text(start)
    made.align("left", left)
    for one in cells:
        one.align("left", cell)
        made.append("  ").append_text(one)
    made.rstrip()
    return made


def _coloured(text: str, game: wk.Game) -> Text:
    """Return feedback in characters, coloured by mark."""
    made = Text(text)
    for place, mark in enumerate(text if isinstance(game.rule, wk.MarksRule) else ""):
        if mark.isdecimal() and int(mark) < len(STYLES):
            made.stylize(STYLES[int(mark)], place, place + 1)
    return made


def side_by_side(boards: int, cell: int, width: int) -> list[range]:
    """Return the numbers of the boards in each row, for boards `cell` columns wide, in rows of about equal length."""
    rows = -(-boards // max(1, width // cell))
    across = -(-boards // rows)
    return [range(start, min(start + across, boards)) for start in range(0, boards, across)]


def share_text(session: PersonsGame, puzzle: str = "", *, tiles: bool = True) -> str:
    """Return the text to share when a game is over: the number of guesses, and their feedback as tiles or text.

    Boards are shown side by side as far as they fit in 40 columns. `puzzle` is the option that lets others play the
    same puzzle, such as `--seed 7`.
    """
    game, made = session.game, len(session.position.guess_ids)
    score = str(made) if session.is_solved else "X"
    if session.limit is not None:
        score += f"/{session.limit}"
    mode = " in hard mode" if game.hard_mode else ""
    against = "" if session.host.name == HIDDEN.name else f" against {session.host.called}"
    parts = [f"wordle-kit {game.name}{mode}{against} {score}", "with help" * session.had_help, puzzle]
    feedback = [[one.tiles if tiles else str(one) for one in board.feedback] for board in session.position.boards]
    cell = max((cell_len(text) for board in feedback for text in board), default=0)
    blocks = []
    for numbers in side_by_side(len(feedback), cell + 2, SHARED + 2):
        boards = [feedback[number] for number in numbers]
        rows = [[board[turn] if turn < len(board) else " " * cell for board in boards] for turn in range(made)]
        blocks.append("\n".join("  ".join(row).rstrip() for row in rows).rstrip("\n"))
    return "\n".join([", ".join(filter(None, parts)), *(["\n\n".join(blocks)] if made else [])])
