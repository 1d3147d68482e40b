"""The result of a game as a text to share, which shows no word."""

from rich.cells import cell_len

from wordle_kit.playing.session import Session
from wordle_kit.tournaments.host import Adversary


def share_text(session: Session, puzzle: str = "", *, tiles: bool = True) -> str:
    """Return the result of a game that is over: how many guesses it took, and the feedback on each, in tiles or text.

    `puzzle` has the option with which others play the same one, such as `--seed 7`.
    """
    game, made = session.game, len(session.position.guess_ids)
    score = str(made) if session.is_solved else "X"
    if session.limit is not None:
        score += f"/{session.limit}"
    mode = " in hard mode" if game.hard_mode else ""
    against = " against the adversary" if isinstance(session.host, Adversary) else ""
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
