"""What a terminal shows of a game that a person plays: the guesses with their feedback, and a keyboard.

Nothing is shown by colour alone: feedback is also shown by characters, and keys have signs.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, mark_names
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import line

MOST_KEYS = 40
"""The most symbols of an alphabet for which a keyboard is shown."""

QWERTY = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
KEYS_IN_A_ROW = 10


class SymbolState(IntEnum):
    """What is known about a symbol on a board. If two values apply, the greater one is used."""

    OPEN = 0
    ABSENT = 1
    PRESENT = 2
    PLACED = 3


def has_keyboard(game: Game) -> bool:
    """Return whether a keyboard is shown for a game: its alphabet is small."""
    return len(game.alphabet.symbols) <= MOST_KEYS


def known_symbols(board: Board, guesses: Sequence[str]) -> dict[str, SymbolState]:
    """Return what a player knows about each symbol of the alphabet.

    If the rule marks each symbol, this follows from the marks. Under other rules, such as Mastermind's, it follows from
    the remaining words.
    """
    known = dict.fromkeys(board.game.alphabet.symbols, SymbolState.OPEN)
    if not guesses:
        return known
    return known | (_by_marks(board, guesses) if isinstance(board.game.rule, MarksRule) else _by_words_left(board))


def key_rows(symbols: Sequence[str], across: int = KEYS_IN_A_ROW) -> list[list[str]]:
    """Return the rows of the keyboard: a typewriter's if the symbols include a to z, then `across` other keys each."""
    letters = set("".join(QWERTY))
    rows = [list(row) for row in QWERTY] if letters <= set(symbols) else []
    others = [symbol for symbol in symbols if not rows or symbol not in letters]
    return rows + [others[start : start + across] for start in range(0, len(others), across)]


def _by_marks(board: Board, guesses: Sequence[str]) -> dict[str, SymbolState]:
    game, rule = board.game, board.game.rule
    assert isinstance(rule, MarksRule)  # noqa: S101 - the caller asked
    known: dict[str, SymbolState] = {}
    for guess, code in zip(guesses, board.codes, strict=False):  # there is no feedback after the board was solved
        for symbol, mark in zip(game.alphabet.split(guess), rule.digits(code, game.length), strict=True):
            needed = rule.needs(symbol, mark)
            which, what = (symbol, SymbolState.ABSENT) if mark == 0 else (symbol, SymbolState.OPEN)
            if needed is not None:
                which, what = needed[0], SymbolState.PLACED if needed[1] else SymbolState.PRESENT
            if which in game.alphabet.index:
                known[which] = max(known.get(which, SymbolState.OPEN), what)
    return known


def _by_words_left(board: Board) -> dict[str, SymbolState]:
    left = board.game.answer_symbols[board.candidates]
    known = {}
    for number, symbol in enumerate(board.game.alphabet.symbols):
        here = left == number
        if not here.any():
            known[symbol] = SymbolState.ABSENT
        elif here.all(axis=0).any():
            known[symbol] = SymbolState.PLACED
        elif np.any(here, axis=1).all():
            known[symbol] = SymbolState.PRESENT
    return known


MARK_STYLES = ("white on grey35", "black on yellow", "black on green", "white on blue", "white on magenta")
MARK_SIGNS = (" {} ", "({})", "[{}]", "{{{}}}", "<{}>")
"""How a symbol with each mark is shown, with and without colour. If a rule has more marks, feedback is shown in
characters.
"""

KEY_STYLES = {SymbolState.ABSENT: "dim", SymbolState.PRESENT: "black on yellow", SymbolState.PLACED: "black on green"}
KEY_SIGNS = {SymbolState.PRESENT: "({})", SymbolState.PLACED: "[{}]"}
ABSENT_KEYS, PLAIN_ABSENT_KEYS = "·×", "-_"
"""Signs for a symbol that is not in the word, the usual one first. The second pair is for outputs without tiles."""

NUMBER = 3
"""The number of columns for the number of a guess."""


@dataclass(frozen=True)
class Look:
    """How a game is shown: the width of the output, and whether it has tiles and colours.

    With `newest_only`, only the newest guess is shown, for output that is printed line by line.
    """

    width: int = 80
    tiles: bool = True
    colours: bool = False
    newest_only: bool = False


def screen(position: Position, look: Look) -> Text:
    """Return the guesses of a game with their feedback, what is known about each symbol, and what the signs mean."""
    game = position.game
    made = len(position.guess_ids)
    turns = range(made)[-1:] if look.newest_only else range(made)
    if game.boards > 1:
        lines = _table(position, turns, look)
    else:
        lines = [line for turn in turns for line in _guess(position, turn, look)]
    if has_keyboard(game) and position.open_boards:
        lines += _keyboard(position, look)
        lines += [Text(line, style="dim") for line in textwrap.wrap(_signs(game, look), look.width)] if made else []
    return Text("\n").join(lines)


def _guess(position: Position, turn: int, look: Look) -> list[Text]:
    """Return the lines for a guess and its feedback, in a game with one board."""
    game, (board,) = position.game, position.boards
    word, feedback = game.alphabet.split(position.guesses[turn]), board.feedback[turn]
    made = Text(f"{turn + 1:>{NUMBER - 1}} ")
    if isinstance(game.rule, MarksRule) and game.rule.base <= len(MARK_SIGNS):
        for symbol, mark in zip(word, game.rule.digits(feedback.code, game.length), strict=True):
            made.append(MARK_SIGNS[mark].format(line(symbol)), style=MARK_STYLES[mark])
        return [made]
    made.append("".join(f" {line(symbol)} " for symbol in word))
    made.append(f"  {line(feedback.tiles if look.tiles else str(feedback))}")
    return [made]


def _table(position: Position, turns: Sequence[int], look: Look) -> list[Text]:
    """Return a row for each guess with its feedback on each board. As many boards as fit are next to each other."""
    words = [line(word) for word in position.guesses]
    shown = {
        (turn, number): line(str(board.feedback[turn]))
        for number, board in enumerate(position.boards)
        for turn in turns
        if turn < len(board.codes)
    }
    heads = [f"({number})" if board.is_solved else f"{number}" for number, board in enumerate(position.boards, 1)]
    cell = max(map(cell_len, (*shown.values(), *heads))) + 2
    left = max(map(cell_len, words), default=0) + NUMBER
    beside = max(1, (look.width - left) // cell)
    lines = []
    for first in range(0, len(heads), beside):
        numbers = range(first, min(first + beside, len(heads)))
        lines.append(
            Text(" " * left + "".join(f"  {heads[number]:<{cell - 2}}" for number in numbers).rstrip(), "bold")
        )
        for turn in turns:
            made = Text(f"{turn + 1:>{NUMBER - 1}} {words[turn]}")
            made.append(" " * (left - made.cell_len))
            for number in numbers:
                text = shown.get((turn, number), "")
                made.append("  ").append_text(_styled(text, position.game)).append(" " * (cell - 2 - cell_len(text)))
            made.rstrip()
            lines.append(made)
    return lines


def _styled(text: str, game: Game) -> Text:
    """Return feedback in characters, with a colour for each mark."""
    made = Text(text)
    if isinstance(game.rule, MarksRule):
        for place, mark in enumerate(text):
            if mark.isdecimal() and int(mark) < len(MARK_STYLES):
                made.stylize(MARK_STYLES[int(mark)], place, place + 1)
    return made


def _keyboard(position: Position, look: Look) -> list[Text]:
    """Return the keyboard, with a sign at each key for what is known.

    On several boards, it shows only which symbols none of the open boards has.
    """
    each = [known_symbols(board, position.guesses) for board in position.open_boards]
    known = each[0] if position.game.boards == 1 else _nowhere(each)
    absent = absent_key(position.game, look.tiles)
    width = max(cell_len(line(symbol)) for symbol in known)
    lines = []
    across = min(KEYS_IN_A_ROW, max(1, (look.width - NUMBER - 2) // (width + 2)))
    for number, row in enumerate(key_rows(position.game.alphabet.symbols, across)):
        made = Text(" " * (NUMBER + min(number, 2)))
        for symbol in row:
            state = known[symbol]
            shown = absent if state is SymbolState.ABSENT and not look.colours else line(symbol)
            made.append(KEY_SIGNS.get(state, " {} ").format(shown), style=KEY_STYLES.get(state, ""))
            made.append(" " * (width - cell_len(shown)))
        made.rstrip()
        lines.append(made)
    return lines


def _nowhere(each: Sequence[dict[str, SymbolState]]) -> dict[str, SymbolState]:
    """Return which symbols are absent on every open board."""
    return {
        symbol: SymbolState.ABSENT if all(known[symbol] is SymbolState.ABSENT for known in each) else SymbolState.OPEN
        for symbol in each[0]
    }


def _signs(game: Game, look: Look) -> str:
    """Return a text with the meaning of the signs at symbols."""
    word = game.nouns[0]
    absent = "a dim one" if look.colours else absent_key(game, look.tiles)
    if game.boards > 1:
        said = f"{absent} is in no {word} that is open, (1) is a solved board"
        names = mark_names(game.rule)
        return ", ".join([*(f"{mark} is {name}" for mark, name in enumerate(names)), said])
    said = f"[x] is in place, (x) is in the {word}, {absent} is not in it"
    more = mark_names(game.rule)[3 : len(MARK_SIGNS)] if isinstance(game.rule, MarksRule) else []
    return ", ".join([said, *(f"{MARK_SIGNS[mark].format('x')} is {name}" for mark, name in enumerate(more, 3))])


def absent_key(game: Game, tiles: bool) -> str:
    """Return the sign of a symbol that is not in the word: the usual sign, unless it is itself a symbol of the game."""
    signs = ABSENT_KEYS if tiles else PLAIN_ABSENT_KEYS
    return next((sign for sign in signs if sign not in game.alphabet.index), " ")
