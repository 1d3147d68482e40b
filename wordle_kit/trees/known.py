"""The proved trees of perfect play that come with wordle-kit."""

from pathlib import Path

from wordle_kit.api import load_game
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import proved_tree
from wordle_kit.trees.files import read_tree
from wordle_kit.trees.tree import Tree


def known_tree(game: Game | str | Path) -> Tree | None:
    """Return a tree with the least total of guesses for a game, or None if none is proved.

    Pass the game as to `load_game`.
    """
    game = load_game(game)
    file = proved_tree(game.fingerprint)
    return None if file is None else read_tree(file, game)
