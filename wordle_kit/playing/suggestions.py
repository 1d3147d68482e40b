"""The guesses that a strategy suggests in a position, with the number of words that each is expected to leave."""

from typing import Any

import numpy as np

from wordle_kit.analysis.ranking import measured, ranking
from wordle_kit.errors import StrategyError
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.chance import chance_of_one, decision_seed
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.outcome import Failure
from wordle_kit.tournaments.referee import Referee


def best_guess(position: Position, entrant: Entrant, deadline: float, seed: int | None = None) -> str:
    """Return a strategy's guess in a position. Raises StrategyError if it gives none, saying what it did."""
    strategy = entrant.strategy
    key = chance_of_one(strategy, seed, None).key
    if strategy.stochastic:
        chance = decision_seed(key, strategy, 0, position)
        position = Position(position.game, position.boards, position.guess_ids, chance)
    decision = Referee(position.game, strategy, key, deadline).decide(position)
    if isinstance(decision, Failure):
        raise StrategyError(f"{entrant.label} has no guess: {decision.outcome}: {decision.message}")
    return position.game.guesses[decision]


def suggestions(position: Position, entrant: Entrant, top: int, deadline: float) -> list[dict[str, Any]]:
    """Return the guesses that a strategy would make, the best first, and how many words each is expected to leave.

    The first is the strategy's own choice; a strategy that scores no guesses has no other. If only one word is left on
    each board, the others are these words. A row has rank, word, bits, expected size, largest part and answer: whether
    the word may be the answer. If answers have weights, it also has the chance that the word is the answer. Raises
    StrategyError if the strategy has no guess.
    """
    chosen = position.game.guess_ids[best_guess(position, entrant, deadline)]
    guesses = [chosen]
    if all(len(board) == 1 for board in position.open_boards):  # nothing else is worth a guess
        best = [int(board.candidate_guesses[0]) for board in position.open_boards]
        guesses += [guess for guess in dict.fromkeys(best) if guess != chosen]
    elif isinstance(entrant.strategy, PartitionStrategy):
        best = ranking(position, entrant.strategy).guesses[: top + 1].tolist()
        guesses += [guess for guess in best if guess != chosen]
    rows = measured(position, np.array(guesses[:top], dtype=np.int32))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]
