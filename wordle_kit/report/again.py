"""The command that plays a leaderboard again, as far as stored facts determine it."""

import shlex
from collections.abc import Sequence

from wordle_kit.leaderboard.stored import BOARDS
from wordle_kit.tournaments.runs import RunFacts


def command_of(
    facts: RunFacts,
    strategies: Sequence[str],
    seed: int | None = None,
    game: str | None = None,
    secret: str | None = None,
) -> str:
    """Return the command line that plays these strategies again, the random ones with a seed or a secret.

    `game` is the name or file of the game, if not the name under which it was played. FILE stands for a file of puzzles
    whose path is not known.
    """
    name, boards = game or facts.game, []
    several = BOARDS.fullmatch(facts.game)
    if several is not None and int(several[2]) == facts.boards:
        name, boards = game or several[1], ["--boards", several[2]]
    if facts.drawn_with is not None:
        puzzles = ["--puzzles", str(facts.n_puzzles), "--seed", str(facts.drawn_with)]
    else:
        listed = [] if facts.is_all else ["--puzzles", "FILE", *(["--sample"] if facts.is_sample else [])]
        puzzles = [*listed, *([] if seed is None else ["--seed", str(seed)])]
    if secret is not None:
        puzzles += ["--secret", secret]
    words = [
        *("wordle-kit", "tournament", "--game", name, *boards),
        *(["--hard"] if facts.hard_mode else []),
        *puzzles,
        *(["--repeats"] if facts.repeats else []),
        *(part for strategy in strategies for part in ("-s", strategy)),
    ]
    return shlex.join(words)
