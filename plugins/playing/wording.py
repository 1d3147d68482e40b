"""What is said about a person's game: its terms, its ending, and the text to share."""

import math

from rich.cells import cell_len
from wordle_kit_plugins.playing.boards import side_by_side

import wordle_kit as wk
from wordle_kit.session import HELPS, Session
from wordle_kit.texts import number_of
from wordle_kit.tournaments.host import HIDDEN, Adversary

SHARED = 80
"""The most columns of a text to share. Boards that need more are below each other."""


def terms_of(session: Session) -> str:
    """How many guesses the player has, and in which mode, as a short text."""
    game, host = session.game, session.host
    many = "any number of guesses" if session.limit is None else number_of(session.limit, "guess", "guesses")
    boards = f" on {game.boards} boards" if game.boards > 1 else ""
    mode = ", hard mode" if game.hard_mode else ""
    called = host.called
    if type(host) is Adversary:
        called = f"an adversary that keeps as many {game.nouns[0]}s as it can"
    return f"{many}{boards}{mode}" + ("" if host.name == HIDDEN.name else f", against {called}")


def ending_of(session: Session) -> str:
    """How the game ended, as a sentence with praise."""
    made = len(session.position.guess_ids)
    if not session.is_solved:
        return f"not solved; {session.revealed}"
    good = praise(made, session.game) if session.limit else ""
    return f"solved with {number_of(made, 'guess', 'guesses')}" + (f". {good}" if good else "")


def share_text(session: Session, puzzle: str = "", *, tiles: bool = True) -> str:
    """Return the text to share when a game is over: the number of guesses, and the feedback on each as tiles or text.

    Boards are next to each other as far as 80 columns have room for them. `puzzle` is the option with which others play
    the same puzzle, such as `--seed 7`.
    """
    game, made = session.game, len(session.position.guess_ids)
    score = str(made) if session.is_solved else "X"
    if session.limit is not None:
        score += f"/{session.limit}"
    mode = " in hard mode" if game.hard_mode else ""
    against = "" if session.host.name == HIDDEN.name else f" against {session.host.called}"
    helped = [number_of(session.helps[one], one, many) for one, many in HELPS.items() if one in session.helps]
    parts = [f"wordle-kit {game.name}{mode}{against} {score}", *helped, *([puzzle] if puzzle else [])]
    feedback = [[one.tiles if tiles else str(one) for one in board.feedback] for board in session.position.boards]
    cell = max((cell_len(text) for board in feedback for text in board), default=0)
    blocks = []
    for numbers in side_by_side(len(feedback), cell + 2, SHARED + 2):
        boards = [feedback[number] for number in numbers]
        rows = [[board[turn] if turn < len(board) else " " * cell for board in boards] for turn in range(made)]
        blocks.append("\n".join("  ".join(row).rstrip() for row in rows).rstrip("\n"))
    return "\n".join([", ".join(parts), *(["\n\n".join(blocks)] if made else [])])


PRAISE = (
    "Pure luck, or second sight.",
    "Superb.",
    "Very good.",
    "Good.",
    "Just in time.",
    "At the last moment.",
)
"""What a player is told who needed the fewest possible guesses, and so on up to the most guesses allowed."""


def praise(guesses: int, game: wk.Game) -> str:
    """Return praise for solving a game with this many guesses, or an empty text if it took more than are allowed."""
    if guesses > game.max_guesses:
        return ""
    spare = game.max_guesses - game.boards  # a guess solves at most one board, unless words repeat
    used = max(0, guesses - game.boards) / spare if spare > 0 else 0
    return PRAISE[math.floor(used * (len(PRAISE) - 1) + 0.5)]
