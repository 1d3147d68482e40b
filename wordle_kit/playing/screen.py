"""A game as a terminal shows it: guesses with their feedback, keyboards, several boards side by side.

Nothing is shown by colour alone: feedback is also in characters, and keys have signs.
"""

from rich.cells import cell_len
from rich.text import Text

from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.playing.keyboard import SymbolState, has_keyboard, key_rows, known_symbols
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import line

MARK_STYLES = ("white on grey35", "black on yellow", "black on green", "white on blue", "white on magenta")
"""How a symbol with each mark is shown; later marks have no colour of their own."""

KEY_STYLES = {SymbolState.PRESENT: "black on yellow", SymbolState.PLACED: "black on green"}
KEY_SIGNS = {
    SymbolState.OPEN: " {} ",
    SymbolState.ABSENT: " {} ",
    SymbolState.PRESENT: "({})",
    SymbolState.PLACED: "[{}]",
}
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
        group = blocks[start : start + side_by_side]
        height = max(map(len, group))
        for row in range(height):
            made = Text()
            for place, block in enumerate(group):
                part = block[row] if row < len(block) else Text()
                made.append_text(part)
                if place < len(group) - 1:
                    made.append(" " * (room - part.cell_len) + BETWEEN_BOARDS)
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
            made.append(KEY_SIGNS[state].format(shown), style=KEY_STYLES.get(state, ""))
            made.append(" " * (width - cell_len(shown)))
        lines.append(made)
    return lines


def absent_key(game: Game, tiles: bool) -> str:
    """Return the sign of a symbol that is not in the word: the usual one, unless it is itself a symbol of the game."""
    signs = ABSENT_KEYS if tiles else PLAIN_ABSENT_KEYS
    return next((sign for sign in signs if sign not in game.alphabet.index), " ")
