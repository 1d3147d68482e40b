"""How guesses split the candidates: rankings by a strategy's own score, first guesses and parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.table import Floats, Ids
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, percent
from wordle_kit.tournaments.calls import Failure
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.tournament import random_key, secret_of

BY_WEIGHT = "Chances and expected figures are by weight."
"""A note for games with weights."""


@dataclass(frozen=True)
class Ranking:
    """The guesses that a strategy considers in a position, the best first, with their scores as displayed."""

    guesses: Ids
    scores: Floats
    header: str
    """The name of the score."""


def as_partition_strategy(strategy: Strategy) -> PartitionStrategy:
    """Return the strategy. Raises StrategyError if it does not score guesses."""
    if not isinstance(strategy, PartitionStrategy):
        raise StrategyError(f"{strategy.name} does not score guesses; only partition strategies do")
    return strategy


def ranking(position: Position, strategy: Strategy) -> Ranking:
    """Return all guesses that a strategy considers, ranked by its score. The first is the guess that it plays.

    If the best guess by score gives no information, only guesses that give some are ranked. On several boards, scores
    are combined in the same way as in the strategy: as a sum, or as those on the board that decides. Ties are in the
    order in which the strategy would play them. Scores in bits are displayed as bits gained, even if the strategy
    computes missing bits. Raises StrategyError if the strategy does not score guesses.
    """
    strategy = as_partition_strategy(strategy)
    best, considered, scores, boards = strategy.choose(position)
    guesses = np.arange(len(position.game.guesses), dtype=np.int32) if considered is None else considered
    equal = strategy.equal_within(boards)
    rounded = np.round(scores / equal) if equal else scores
    order = np.lexsort((_order_of_ties(strategy, boards, guesses), np.where(guesses == best, -np.inf, rounded)))
    displayed = _as_displayed(strategy, scores, boards)
    return Ranking(guesses[order], displayed[order], "bits gained" if strategy.bits else "score")


def _as_displayed(strategy: PartitionStrategy, scores: Floats, boards: Sequence[Board]) -> Floats:
    displayed = strategy.displayed(scores)
    if strategy.bits == "missing":
        unknown = sum(math.log2(board.mass if strategy.weighted else len(board)) for board in boards)
        displayed = unknown - displayed
    return displayed


def _order_of_ties(strategy: PartitionStrategy, boards: Sequence[Board], guesses: Ids) -> npt.NDArray[Any]:
    """Return the keys that order guesses with equal scores, lowest first, [n_guesses]."""
    if strategy.ties == "list-order":
        return np.zeros(len(guesses))
    chances: Floats = np.sum([board.chance_of(guesses) for board in boards], axis=0)
    return -chances if strategy.ties == "likeliest-first" and boards[0].game.is_weighted else chances == 0


def top_rows(position: Position, strategy: Strategy, top: int) -> list[dict[str, Any]]:
    """Return the best guesses of a ranking: rank, word, score, and whether each may be the answer.

    If answers have weights, each row also has the probability that the guess is the answer of a board, summed over the
    open boards. Raises StrategyError if the strategy does not score guesses.
    """
    order = ranking(position, strategy)
    rows = split_figures(position, order.guesses[:top])
    return [
        {"rank": rank, "word": row["word"], order.header: score}
        | {column: row[column] for column in ("chance", "answer") if column in row}
        for rank, (row, score) in enumerate(zip(rows, order.scores.tolist(), strict=False), start=1)
    ]


def first_scores(game: Game, strategy: Strategy) -> Floats:
    """Return a strategy's scores of all first guesses as a ranking displays them, float64[n_guesses].

    Raises StrategyError if the strategy does not score guesses.
    """
    strategy, board = as_partition_strategy(strategy), Position.start(game).boards[0]
    return _as_displayed(strategy, strategy.checked_scores(board, None), [board])


def split_figures(position: Position, guesses: Ids) -> list[dict[str, Any]]:
    """Return figures for some guesses: expected bits and size, largest part, and whether each may be the answer.

    On several boards, the figures are sums over the open boards. If answers have weights, expected figures are
    weighted, and the probability that the guess is the answer is added.
    """
    game = position.game
    chance, bits, expected, largest = np.zeros((4, len(guesses)))
    possible = np.zeros(len(guesses), dtype=np.bool_)
    for board in position.open_boards:
        sizes, shares = board.part_sizes(guesses), board.part_masses(guesses) / board.mass
        bits -= np.sum(shares * np.log2(shares, where=shares > 0, out=np.zeros_like(shares)), axis=1)
        expected += np.sum(sizes * shares, axis=1)
        largest += sizes.max(axis=1)
        chance += board.chance_of(guesses)
        possible |= board.is_candidate(guesses)
    return [
        {
            "word": game.guesses[guess],
            "bits": float(bits[at]) + 0.0,
            "expected size": float(expected[at]),
            "largest part": int(largest[at]),
            **({"chance": float(chance[at])} if game.is_weighted else {}),
            "answer": "yes" if possible[at] else "no",
        }
        for at, guess in enumerate(guesses.tolist())
    ]


def best_guess(position: Position, entrant: Entrant, deadline: float, seed: int = 0) -> str:
    """Return a strategy's guess in a position. Raises StrategyError, which gives the reason, if it makes none."""
    strategy = entrant.strategy
    key = random_key(seed, secret_of(strategy, None))
    decision = Referee(position.game, strategy, key, deadline).ask(position)
    if isinstance(decision, Failure):
        raise StrategyError(f"{entrant.label} has no guess: {decision.outcome}: {decision.message}")
    return position.game.guesses[decision]


def rating(position: Position, strategy: PartitionStrategy, guess: str) -> dict[str, Any]:
    """Return how a strategy rates a guess: its score, its rank among considered guesses, and the best other guess.

    A guess that the strategy does not consider has a score but no rank.
    """
    found, word = ranking(position, strategy), position.game.index_of_guess(guess)
    ranked = found.guesses.tolist()
    scores = dict(zip(ranked, found.scores.tolist(), strict=True))
    other = next((number for number in ranked if number != word), None)
    if word not in scores:
        alone = strategy.choose_among(position.open_boards, np.array([word], dtype=np.int32))
        scores[word] = float(_as_displayed(strategy, alone.scores, alone.boards)[0])
    return {
        "score": scores[word],
        "unit": found.header,
        "rank": ranked.index(word) + 1 if word in ranked else None,
        "considered": len(ranked),
        "other": None if other is None else position.game.guesses[other],
        "other score": None if other is None else scores[other],
    }


def rating_text(found: dict[str, Any]) -> str:
    """Return a rating in words."""
    rank = found["rank"]
    place = "the best" if rank == 1 else f"rank {rank:,}" if rank else "not one"
    text = f"{found['unit']} {found['score']:.3f}, {place} of {found['considered']:,}"
    if found["other"] is None:
        return text
    return f"{text}; {'runner-up' if rank == 1 else 'the best is'} {found['other']} with {found['other score']:.3f}"


def split_rows(board: Board, guess: str) -> list[dict[str, Any]]:
    """Return a row for each part, the largest first: feedback, tiles, size, share, bits gained, and words.

    If answers have weights, the share of a part is its probability, and the likeliest parts and words come first. A
    part without weight has None for its bits.
    """
    weights = dict(zip(board.words, board.weights.tolist(), strict=True))
    rows = []
    for feedback, words in board.split(guess).items():
        mass = math.fsum(weights[word] for word in words)
        row = {
            "feedback": str(feedback),
            "tiles": feedback.tiles,
            "size": len(words),
            "share": mass / board.mass,
            "bits": math.log2(board.mass / mass) if mass else None,
            "words": sorted(words, key=lambda word: -weights[word]),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: -row["share"])


def split_summary(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the numbers of candidates and parts, the largest and the expected size, and the expected bits."""
    return {
        "candidates": sum(row["size"] for row in rows),
        "parts": len(rows),
        "largest": max(row["size"] for row in rows),
        "expected_size": sum(row["size"] * row["share"] for row in rows),
        "expected_bits": sum(row["share"] * row["bits"] for row in rows if row["share"]),
    }


def likeliest(board: Board) -> list[tuple[str, float]]:
    """Return the candidates of a board with their probabilities, the likeliest first. Ties are in the game's order."""
    chances = zip(board.words, (board.weights / board.mass).tolist(), strict=True)
    return sorted(chances, key=lambda word: -word[1])


def explanation(position: Position, strategy: Strategy, guess: str) -> list[str]:
    """Return two lines about a strategy's guess in a position: its score and the runner-up, then its parts."""
    return [_choice(position, strategy, guess), _parts(position, guess)]


def _choice(position: Position, strategy: Strategy, guess: str) -> str:
    if not isinstance(strategy, PartitionStrategy):
        return f"{strategy.spec} does not score guesses"
    if strategy.opener == guess and position.turn == 1:
        return f"the opener that {strategy.spec} was given"
    if any(len(board) == 1 and board.words[0] == guess for board in position.open_boards):
        several = len(position.boards) > 1
        return f"the only {position.game.nouns[0]} left{' on a board' * several}"
    return rating_text(rating(position, strategy, guess))


def _parts(position: Position, guess: str) -> str:
    ids = np.array([position.game.guess_index[guess]], dtype=np.int32)
    (row,) = split_figures(position, ids)
    left = sum(map(len, position.open_boards))
    count = sum(int(np.count_nonzero(board.part_sizes(ids))) for board in position.open_boards)
    if left == len(position.open_boards):
        return "nothing is left to tell apart"
    by_weight = f" by weight, {percent(row['chance'])} to be the answer" if position.game.is_weighted else ""
    return (
        f"splits {number_of(left, position.game.nouns[0])} into {number_of(count, 'part')} of at most "
        f"{row['largest part']:,}, {row['expected size']:.2f} expected: {row['bits']:.3f} bits{by_weight}"
    )
