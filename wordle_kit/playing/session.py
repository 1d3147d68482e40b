"""A game that a person plays: its state, its display in a terminal, and the text to share.

Nothing is shown by colour alone: feedback is also in characters, and keys have signs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import zip_longest

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import line
from wordle_kit.tournaments.host import HIDDEN, Host, answer_of, words_of


@dataclass(frozen=True)
class Session:
    """A game between a player and a host, with the games before each guess, so that guesses can be taken back."""

    host: Host
    position: Position
    earlier: tuple[Position, ...] = ()
    hints: int = 0
    """How many hints the player has had."""
    taken_back: int = 0
    """How many guesses the player has taken back."""
    gave_up: bool = False

    @classmethod
    def start(cls, game: Game, host: Host) -> "Session":
        """Return the game before the first guess."""
        return cls(host, Position.start(game))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def limit(self) -> int | None:
        """The number of guesses that the game allows, or None for any number, as when no word is hidden."""
        return self.game.max_guesses if self.host.hides_words else None

    @property
    def is_solved(self) -> bool:
        """Whether every board is solved."""
        return not self.position.open_boards

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: solved, out of guesses, or given up."""
        return self.is_solved or self.gave_up or len(self.position.guess_ids) == self.limit

    @property
    def is_stuck(self) -> bool:
        """Whether hard mode allows no further guess. Its demands on several boards may contradict each other."""
        allowed = self.position.allowed
        return not self.is_over and allowed is not None and set(allowed.tolist()) <= set(self.position.guess_ids)

    @property
    def answers(self) -> tuple[str, ...]:
        """The word of each board, which is shown once the game is over."""
        return words_of(self.host, self.position)

    def read(self, text: str) -> int:
        """Return the index of the guess that a text names. Raises GameError, saying why, if the game refuses it."""
        self._check_not_over()
        word = self.game.alphabet.join(self.game.word(text))
        problem = self.position.allows(word)
        if problem is not None:
            raise GameError(problem)
        guess = self.game.guess_ids[word]
        if guess in self.position.guess_ids:
            raise GameError(f"{word!r} was guessed before; guess another word")
        return guess

    def guess(self, text: str) -> "Session":
        """Return the game after a guess. Raises GameError, saying why, for a guess that the game refuses."""
        return self.after(self.read(text))

    def after(self, guess: int) -> "Session":
        """Return the game after a guess that `read` returned."""
        position = self.position.after(guess, answer_of(self.host, self.position, guess))
        return replace(self, position=position, earlier=(*self.earlier, self.position))

    def undo(self) -> "Session":
        """Return the game before the last guess. Raises GameError if there is none."""
        if not self.earlier:
            raise GameError("there is no guess to take back")
        *earlier, position = self.earlier
        return replace(self, position=position, earlier=tuple(earlier), taken_back=self.taken_back + 1)

    def hinted(self) -> "Session":
        """Return the game after a hint."""
        self._check_not_over()
        return replace(self, hints=self.hints + 1)

    def give_up(self) -> "Session":
        """Return the game as the player leaves it."""
        self._check_not_over()
        return replace(self, gave_up=True)

    def _check_not_over(self) -> None:
        if self.is_over:
            raise GameError("the game is over")


def share_text(session: Session, puzzle: str = "", *, tiles: bool = True) -> str:
    """Return the result of a game that is over: how many guesses it took, and the feedback on each, in tiles or text.

    `puzzle` is the option with which others play the same puzzle, such as `--seed 7`.
    """
    game, made = session.game, len(session.position.guess_ids)
    score = str(made) if session.is_solved else "X"
    if session.limit is not None:
        score += f"/{session.limit}"
    mode = " in hard mode" if game.hard_mode else ""
    against = "" if session.host.name == HIDDEN.name else f" against {session.host.called}"
    helped = [
        f"{count} {what}{'s' * (count > 1)}"
        for count, what in ((session.hints, "hint"), (session.taken_back, "undo"))
        if count
    ]
    parts = [f"wordle-kit {game.name}{mode}{against} {score}", *helped, *([puzzle] if puzzle else [])]
    rows = []
    for turn in range(made):
        boards = []
        for board in session.position.boards:
            seen = board.feedback[min(turn, len(board.codes) - 1)]
            shown = seen.tiles if tiles else str(seen)
            boards.append(shown if turn < len(board.codes) else " " * cell_len(shown))
        rows.append("  ".join(boards).rstrip())
    return "\n".join([", ".join(parts), *rows])


MOST_KEYS = 40
"""Alphabets of more symbols than this have no keyboard."""

QWERTY = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
KEYS_IN_A_ROW = 10


class SymbolState(IntEnum):
    """What is known about a symbol on a board. Of two values, the greater one counts."""

    OPEN = 0
    ABSENT = 1
    PRESENT = 2
    PLACED = 3


def has_keyboard(game: Game) -> bool:
    """Return whether a game has a keyboard: its alphabet is small, and its symbols are not whole items."""
    return len(game.alphabet.symbols) <= MOST_KEYS and game.rule.items is None


def known_symbols(board: Board, guesses: Sequence[str]) -> dict[str, SymbolState]:
    """Return what a player knows about each symbol of the alphabet.

    If the rule marks each symbol, this comes from the marks. Under other rules, such as Mastermind's, it comes from
    what the remaining words share.
    """
    known = dict.fromkeys(board.game.alphabet.symbols, SymbolState.OPEN)
    if not guesses:
        return known
    return known | (_by_marks(board, guesses) if isinstance(board.game.rule, MarksRule) else _by_words_left(board))


def key_rows(symbols: Sequence[str]) -> list[list[str]]:
    """Return the rows of the keyboard: a typewriter's if a to z are all there, then ten other keys each, in order."""
    letters = set("".join(QWERTY))
    rows = [list(row) for row in QWERTY] if letters <= set(symbols) else []
    others = [symbol for symbol in symbols if not rows or symbol not in letters]
    return rows + [others[start : start + KEYS_IN_A_ROW] for start in range(0, len(others), KEYS_IN_A_ROW)]


def _by_marks(board: Board, guesses: Sequence[str]) -> dict[str, SymbolState]:
    game, rule = board.game, board.game.rule
    assert isinstance(rule, MarksRule)  # noqa: S101 - the caller asked
    known: dict[str, SymbolState] = {}
    for guess, code in zip(guesses, board.codes, strict=False):  # none after the board was solved
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
"""How a symbol with each mark is shown; later marks have no colour of their own."""

KEY_STYLES = {SymbolState.PRESENT: "black on yellow", SymbolState.PLACED: "black on green"}
KEY_SIGNS = {SymbolState.PRESENT: "({})", SymbolState.PLACED: "[{}]"}
ABSENT_KEYS, PLAIN_ABSENT_KEYS = "·×", "-_"
"""Signs of a symbol that is not in the word, the usual one first; the second are for outputs without tiles."""

LEGEND = "[x] is in place, (x) is in the word, {} is not in it"
BETWEEN_BOARDS = "    "


def screen(position: Position, width: int, *, tiles: bool = True, newest_only: bool = False) -> Text:
    """Return the boards of a game, as many side by side as the width has room for.

    With `newest_only`, only the newest guess is shown, for output that scrolls by. Without `tiles`, which not every
    output can show, feedback is shown in characters only.
    """
    blocks = [board_lines(position, number, tiles, newest_only) for number in range(len(position.boards))]
    room = max(part.cell_len for block in blocks for part in block)
    side_by_side = max(1, (width + len(BETWEEN_BOARDS)) // (room + len(BETWEEN_BOARDS)))
    lines: list[Text] = []
    for start in range(0, len(blocks), side_by_side):
        for row in zip_longest(*blocks[start : start + side_by_side], fillvalue=Text()):
            made = Text()
            for part in row:
                made.append_text(part).append(" " * (room - part.cell_len) + BETWEEN_BOARDS)
            made.rstrip()
            lines.append(made)
    if has_keyboard(position.game) and position.guess_ids and position.open_boards:
        lines.append(Text(LEGEND.format(absent_key(position.game, tiles)), style="dim"))
    return Text("\n").join(lines)


def board_lines(position: Position, number: int, tiles: bool, newest_only: bool) -> list[Text]:
    """Return the lines of one board: its guesses and its keyboard, under its number if there are several."""
    board = position.boards[number]
    lines = []
    if len(position.boards) > 1:
        state = f" solved at guess {len(board.codes)}" if board.is_solved else ""
        lines.append(Text(f"board {number + 1}{state}", style="bold"))
    turns = range(len(position.guess_ids))
    for turn in turns[-1:] if newest_only else turns:
        if turn < len(board.codes):
            lines.append(guess_line(position, board, turn, tiles))
    if has_keyboard(position.game) and not board.is_solved:
        lines += keyboard_lines(board, position.guesses, absent_key(position.game, tiles))
    return lines


def guess_line(position: Position, board: Board, turn: int, tiles: bool) -> Text:
    """Return a guess with its feedback: the symbols in colour if the rule marks each, tiles, and characters."""
    game = position.game
    word, feedback = game.alphabet.split(position.guesses[turn]), board.feedback[turn]
    marks = game.rule.digits(feedback.code, game.length) if isinstance(game.rule, MarksRule) else [None] * len(word)
    made = Text(f"{turn + 1:>2}  ")
    for symbol, mark in zip(word, marks, strict=True):
        style = MARK_STYLES[mark] if mark is not None and mark < len(MARK_STYLES) else ""
        made.append(f" {line(symbol)} ", style=style)
    if tiles:
        made.append(f"  {line(feedback.tiles)}")
    made.append(f"  {line(str(feedback))}")
    return made


def keyboard_lines(board: Board, guesses: tuple[str, ...], absent: str) -> list[Text]:
    """Return the keyboard of a board, with a sign at each key that shows its best feedback so far."""
    known = known_symbols(board, guesses)
    width = max(cell_len(line(symbol)) for symbol in known)
    lines = []
    for number, row in enumerate(key_rows(board.game.alphabet.symbols)):
        made = Text("    " + " " * number)
        for symbol in row:
            state = known[symbol]
            shown = absent if state is SymbolState.ABSENT else line(symbol)
            made.append(KEY_SIGNS.get(state, " {} ").format(shown), style=KEY_STYLES.get(state, ""))
            made.append(" " * (width - cell_len(shown)))
        lines.append(made)
    return lines


def absent_key(game: Game, tiles: bool) -> str:
    """Return the sign of a symbol that is not in the word: the usual one, unless it is itself a symbol of the game."""
    signs = ABSENT_KEYS if tiles else PLAIN_ABSENT_KEYS
    return next((sign for sign in signs if sign not in game.alphabet.index), " ")
