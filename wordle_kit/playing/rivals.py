"""How strategies would have played the game of a person."""

from dataclasses import dataclass

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.playing.suggestions import best_guess
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.host import Host


@dataclass(frozen=True)
class Rival:
    """The guesses of a strategy against the same host."""

    guesses: tuple[str, ...]
    is_solved: bool
    problem: str = ""


def rival(entrant: Entrant, game: Game, host: Host, limit: int | None, deadline: float, seed: int) -> Rival:
    """Return how a strategy plays against a host, with at most `limit` guesses, or the game's cap."""
    position = Position.start(game)
    for _ in range(game.cap if limit is None else limit):
        try:
            guess = best_guess(position, entrant, deadline, seed)
        except StrategyError as error:
            return Rival(position.guesses, False, str(error))
        position = position.after(guess, host.answer(position, game.guess_ids[guess]))
        if not position.open_boards:
            return Rival(position.guesses, True)
    return Rival(position.guesses, False)
