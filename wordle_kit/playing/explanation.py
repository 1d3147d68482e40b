"""Why a strategy chose a guess: its score, the runner-up, and the parts into which the guess splits the words."""

import numpy as np

from wordle_kit.analysis.ranking import measured, ranking
from wordle_kit.strategy.moves import noun
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, percent


def explanation(position: Position, strategy: Strategy, guess: str) -> list[str]:
    """Return lines that say why a strategy made a guess in a position: its score and the runner-up, and the parts."""
    return [_choice(position, strategy, guess), _parts(position, guess)]


def _choice(position: Position, strategy: Strategy, guess: str) -> str:
    if not isinstance(strategy, PartitionStrategy):
        return f"{strategy.spec} does not score guesses"
    if strategy.opener == guess and position.turn == 1:
        return f"the opener that {strategy.spec} was given"
    if any(len(board) == 1 and board.words[0] == guess for board in position.open_boards):
        several = len(position.boards) > 1
        return f"the only {noun(position.game)} left{' on a board' * several}"
    order = ranking(position, strategy)
    words = [position.game.guesses[number] for number in order.guesses.tolist()]
    if guess not in words:
        return f"{strategy.spec} chose it without its score"
    place = words.index(guess)
    rank = "the best" if place == 0 else f"rank {place + 1:,}"
    chosen = f"{order.header} {order.scores[place]:.3f}, {rank} of {len(words):,}"
    if len(words) == 1:
        return chosen
    other = 1 if place == 0 else 0
    return f"{chosen}; {'runner-up' if place == 0 else 'the best is'} {words[other]} with {order.scores[other]:.3f}"


def _parts(position: Position, guess: str) -> str:
    ids = np.array([position.game.guess_ids[guess]], dtype=np.int32)
    (row,) = measured(position, ids)
    left = sum(map(len, position.open_boards))
    count = sum(int(np.count_nonzero(board.part_sizes(ids))) for board in position.open_boards)
    if left == len(position.open_boards):
        return "nothing is left to tell apart"
    by_weight = f" by weight, {percent(row['chance'])} to be the answer" if position.game.is_weighted else ""
    return (
        f"splits {number_of(left, noun(position.game))} into {number_of(count, 'part')} of at most "
        f"{row['largest part']:,}, {row['expected size']:.2f} expected: {row['bits']:.3f} bits{by_weight}"
    )
