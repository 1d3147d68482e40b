"""Playing a tree: every value is checked by it before it is called proved."""

import numpy as np

from wordle_kit.errors import WordleKitError
from wordle_kit.exact.tree import Node
from wordle_kit.game.table import Ids
from wordle_kit.strategy.position import Position


def play_tree(root: Node, position: Position) -> Ids:
    """Return at which guess the tree solves each candidate of a position on one board, int32[n], in their order.

    Feedback comes from the game's own table, and hard mode from its rule. Raises WordleKitError where the tree has no
    guess for a feedback, or one that is not allowed.
    """
    candidates = position.board.candidates
    depths = np.zeros(len(position.game.answers), dtype=np.int32)
    _play(root, position, 1, depths)
    if not depths[candidates].all():
        raise WordleKitError("the tree does not solve every candidate")
    return depths[candidates]


def _play(node: Node, position: Position, depth: int, depths: Ids) -> None:
    game = position.game
    if game.hard_mode and (problem := position.allows(game.guesses[node.guess])):
        raise WordleKitError(f"the tree is wrong at guess {depth}: {problem}")
    for code, part in position.board.parts(node.guess).items():
        if code == game.winning_code:
            depths[part] = depth
        elif code in node.children:
            _play(node.children[code], position.after(node.guess, [code]), depth + 1, depths)
        else:
            raise WordleKitError(
                f"the tree has nothing to guess after {game.guesses[node.guess]} got {game.show(code)} at guess {depth}"
            )
