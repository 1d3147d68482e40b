"""How guesses split the candidates: rankings by a strategy's own score, first guesses and parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.defaults import DEADLINE
from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.partition import PartitionStrategy, first_of_ties, is_informative
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, percent
from wordle_kit.tournaments.entrants import Entrant, enter
from wordle_kit.tournaments.referee import Failure, Referee
from wordle_kit.tournaments.tournament import chance_of_one

Scores = npt.NDArray[np.float64]

BY_WEIGHT = "Chances and expected figures are by weight."
"""A note for games whose answers have weights."""


@dataclass(frozen=True)
class Ranking:
    """The guesses that a strategy considers in a position, the best first, with their scores as displayed."""

    guesses: Ids
    scores: Scores
    header: str
    """The name of the score."""


def scoring(strategy: Strategy) -> PartitionStrategy:
    """Return the strategy. Raises StrategyError if it does not score guesses."""
    if not isinstance(strategy, PartitionStrategy):
        raise StrategyError(f"{strategy.name} does not score guesses; only partition strategies do")
    return strategy


def as_shown(strategy: PartitionStrategy, scores: Scores, board: Board) -> tuple[str, Scores]:
    """Return the name of the score, and the scores as displayed. Bits are always displayed as bits gained."""
    shown = strategy.shown(scores)
    if strategy.bits is None:
        return "score", shown
    everything = board.mass if strategy.weighted else len(board)
    return "bits gained", shown if strategy.bits == "gained" else np.log2(everything) - shown


def ranking(position: Position, strategy: Strategy) -> Ranking:
    """Return all guesses that a strategy considers, ranked by its score. The first is the guess that it plays.

    If the best guess by score gives no information, only guesses that give some are ranked. On several boards, scores
    are combined in the same way as in the strategy: as a sum, or as the best board's score. Ties are in the order in
    which the strategy would play them. Raises StrategyError if the strategy does not score guesses.
    """
    strategy = scoring(strategy)
    found = _ranked(position, strategy, strategy.considered(position))
    best = int(found.guesses[0])
    if not any(is_informative(board, best, by_mass=strategy.weighted) for board in position.open_boards):
        found = _ranked(position, strategy, strategy.informative(position))
    return found


def _ranked(position: Position, strategy: PartitionStrategy, considered: Ids | None) -> Ranking:
    """Return a ranking of these guesses, or of all guesses."""
    boards, alike = position.open_boards, 1
    if len({board.key for board in boards}) == 1:  # all boards are equal, as before the first guess
        boards, alike = boards[:1], len(boards)
    guesses = np.arange(len(position.game.guesses), dtype=np.int32) if considered is None else considered
    each = [strategy.checked_scores(board, considered) for board in boards]
    combine: np.ufunc = np.add if strategy.combine == "sum" else np.minimum
    scores = combine.reduce(each, axis=0) if len(each) > 1 else each[0]
    best_first = np.argsort(scores, kind="stable")
    # A score that exceeds the least score of the current group by more than the tolerance starts a new group.
    group = np.zeros(len(guesses), dtype=np.int64)
    equal = strategy.equal_within(boards)
    number, least = 0, scores[best_first[0]]
    for at in best_first.tolist():
        if scores[at] > least + equal:
            number, least = number + 1, scores[at]
        group[at] = number
    best = first_of_ties(guesses[group == 0], boards, strategy.ties, weighted=strategy.weighted)
    order = np.lexsort((np.where(guesses == best, -np.inf, _later(strategy, boards, guesses)), group))
    shown = [as_shown(strategy, one, board) for one, board in zip(each, boards, strict=True)]
    combine = combine if strategy.combine == "sum" or not strategy.more_is_better else np.maximum
    total = combine.reduce([values for _, values in shown], axis=0) if len(shown) > 1 else shown[0][1]
    if strategy.combine == "sum":
        total = total * alike
    return Ranking(guesses[order], total[order], shown[0][0])


def _later(strategy: PartitionStrategy, boards: Sequence[Board], guesses: Ids) -> Scores:
    """Return the keys that order guesses of equal scores by the rule for ties, lowest first, float64[n_guesses]."""
    if strategy.ties == "list-order":
        return np.zeros(len(guesses))
    chances: Scores = np.sum([board.chance_of(guesses) for board in boards], axis=0)
    if strategy.ties == "likeliest-first" and boards[0].game.is_weighted:
        return -chances
    if strategy.weighted and boards[0].game.is_weighted:
        return np.where(chances > 0, 0.0, 1.0)
    return np.where(np.logical_or.reduce([board.is_candidate(guesses) for board in boards]), 0.0, 1.0)


def measured(position: Position, guesses: Ids) -> list[dict[str, Any]]:
    """Return figures of some guesses: expected bits and size, largest part, and whether each may be the answer.

    On several boards, the figures are sums over the open boards. If answers have weights, expected figures are
    weighted, and the probability that the guess is the answer is added.
    """
    game = position.game
    chance = np.zeros(len(guesses))
    bits, expected, largest = np.zeros(len(guesses)), np.zeros(len(guesses)), np.zeros(len(guesses), dtype=np.int64)
    possible = np.zeros(len(guesses), dtype=np.bool_)
    for board in position.open_boards:
        sizes = board.part_sizes(guesses).astype(np.float64)
        shares = board.part_masses(guesses) / board.mass if game.is_weighted else sizes / len(board)
        bits -= np.sum(shares * np.log2(shares, where=shares > 0, out=np.zeros_like(shares)), axis=1)
        expected += np.sum(sizes * shares, axis=1)
        largest += sizes.max(axis=1).astype(np.int64)
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


def information(board: Board, guesses: Ids | None = None) -> Scores:
    """Return the information that guesses, or all of them, give on a board, in bits, float64[n_guesses]."""
    bits: Scores = np.log2(board.mass) - board.costs(lambda mass: mass * np.log2(mass), guesses) / board.mass
    return bits


def first_scores(game: Game, strategy: Strategy) -> Scores:
    """Return a strategy's score of every first guess as displayed, float64[n_guesses].

    Raises StrategyError if the strategy does not score guesses.
    """
    scorer, board = scoring(strategy), Position.start(game).boards[0]
    return as_shown(scorer, scorer.checked_scores(board, None), board)[1]


def first_score(game: Game, strategy: Strategy, word: str) -> float:
    """Return a strategy's score of one first guess, in the unit that the strategy uses.

    Raises StrategyError if the strategy does not score guesses.
    """
    scorer, board = scoring(strategy), Position.start(game).boards[0]
    return float(scorer.shown(scorer.checked_scores(board, np.array([game.index_of_guess(word)], dtype=np.int32)))[0])


def ranked(position: Position, strategy: Strategy, top: int) -> list[dict[str, Any]]:
    """Return the best guesses that a strategy considers: rank, word, score, and whether each may be the answer.

    If answers have weights, each row also has the probability that the guess is the answer of a board, summed over the
    open boards. Scores in bits are displayed as bits gained, even if the strategy computes missing bits. Ties are in
    the order in which the strategy would play them. Raises StrategyError if the strategy does not score guesses.
    """
    order = ranking(position, strategy)
    rows = measured(position, order.guesses[:top])
    return [
        {"rank": rank, "word": row["word"], order.header: score}
        | {column: row[column] for column in ("chance", "answer") if column in row}
        for rank, (row, score) in enumerate(zip(rows, order.scores.tolist(), strict=False), start=1)
    ]


def best_guess(position: Position, entrant: Entrant, deadline: float, seed: int = 0) -> str:
    """Return a strategy's guess in a position. Raises StrategyError if it gives none, saying what it did."""
    strategy = entrant.strategy
    decision = Referee(position.game, strategy, chance_of_one(strategy, seed, None).key, deadline).decide(position)
    if isinstance(decision, Failure):
        raise StrategyError(f"{entrant.label} has no guess: {decision.outcome}: {decision.message}")
    return position.game.guesses[decision]


def rating(position: Position, strategy: Strategy, guess: str) -> dict[str, Any]:
    """Return how a strategy rates a guess: its score, its rank among considered guesses, and the strategy's choice.

    `forbidden` says why hard mode forbids the guess, if it does. For a strategy that does not score guesses, there is
    only the choice. A guess that the strategy does not consider has a score but no rank. Raises StrategyError if the
    strategy cannot play the game or gives no guess.
    """
    game = position.game
    word = game.index_of_guess(guess)
    ((entrant,), _) = enter([strategy], game)
    choice = best_guess(position, entrant, DEADLINE)
    found: dict[str, Any] = {"strategy": entrant.label, "guess": game.guesses[word], "choice": choice}
    found["forbidden"] = position.allows(game.guesses[word])
    if not isinstance(strategy, PartitionStrategy):
        return found
    order = ranking(position, strategy)
    places = {number: place for place, number in enumerate(order.guesses.tolist())}
    for which, number in (("", word), ("choice_", game.guess_ids[choice])):
        alone = _ranked(position, strategy, np.array([number], dtype=np.int32))
        found[f"{which}score"] = float(alone.scores[0])
        found[f"{which}rank"] = places[number] + 1 if number in places else None
    return found | {"considered": len(places), "unit": order.header}


def rated(found: dict[str, Any]) -> str:
    """Return a rating as sentences."""
    who, guess, choice = (found[key] for key in ("strategy", "guess", "choice"))
    forbidden = "" if found["forbidden"] is None else f" {found['forbidden']}."
    if "score" not in found:
        return f"{who} scores no guesses; its choice is {choice}.{forbidden}"
    unit = "" if found["unit"] == "score" else f" {found['unit']}"

    def place(which: str) -> str:
        rank = found[f"{which}rank"]
        among = f"rank {rank:,} of {found['considered']:,}" if rank else "not among the guesses that it considers"
        return f"{found[f'{which}score']:.4f}{unit}, {among}"

    if guess == choice:
        return f"{who} scores {guess} as {place('')}, and would guess it.{forbidden}"
    apart = abs(found["score"] - found["choice_score"])
    choices = f"its choice is {choice} with {place('choice_')}: {apart:.4f} apart"
    return f"{who} scores {guess} as {place('')}; {choices}.{forbidden}"


BAR = 30
"""The length of the longest bar, in characters."""


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


def bar(share: float, longest: float) -> str:
    """Return a bar for a share. It has full length if the share equals `longest`."""
    eighths = round(8 * BAR * share / longest)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


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
        f"splits {number_of(left, position.game.nouns[0])} into {number_of(count, 'part')} of at most "
        f"{row['largest part']:,}, {row['expected size']:.2f} expected: {row['bits']:.3f} bits{by_weight}"
    )
