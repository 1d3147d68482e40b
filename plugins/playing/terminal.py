"""Games and help on a terminal: what a person types, and what is printed for it."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from wordle_kit_plugins.playing.assistance import (
    advice,
    advice_table,
    after_typed,
    hint,
    left_on,
    review,
    rival,
)
from wordle_kit_plugins.playing.boards import boards_of, meaning
from wordle_kit_plugins.playing.wording import ending_of, share_text, terms_of

import wordle_kit as wk
from wordle_kit.cli.output import CommandStopped, ask, can_show_tiles, quiet, say, say_wrapped, sentence
from wordle_kit.session import Session
from wordle_kit.strategy.moves import answers_to, example, taken_back
from wordle_kit.tables import BUNDLED, render
from wordle_kit.tournaments.entrants import Entrant

PLAY_COMMANDS = {
    "?": "a hint",
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "give up": "end the game and show the answer",
    "quit": "leave the game",
    "help": "this list",
}
ASSIST_COMMANDS = {
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "?": "the best guesses again",
    "quit": "end",
    "help": "this list",
}
SYNONYMS = {"hint": "?", "exit": "quit"}
"""Other texts for commands, with the commands that they stand for."""

SOME, MANY = 10, 40
"""How many of the remaining words are shown to a player who asks for them, in `play` and in `assist`."""


def say_boards(position: wk.Position) -> None:
    """Print the guesses so far with their feedback; for pipes and screen readers, only the newest guess."""
    console = Console(highlight=False, soft_wrap=True)
    whole = console.is_terminal and not console.is_dumb_terminal
    tiles = can_show_tiles(position.game)
    console.print(boards_of(position, console.width, tiles=tiles, newest_only=not whole))


def typed(prompt: str) -> str:
    """Return what the player types, or `quit` if the input ends. Other texts for a command are replaced by it."""
    text = ask(prompt)
    return "quit" if text is None else SYNONYMS.get(text.strip().lower(), text.strip())


def lines_of(commands: Mapping[str, str]) -> list[str]:
    """Return a line for each command that says what it does."""
    longest = max(map(len, commands))
    return [f"  {name:<{longest + 1}} {what}" for name, what in commands.items()]


# A game


def play_game(session: Session, title: str, adviser: Entrant, deadline: float) -> Session:
    """Play until the game is over or the player leaves, and return the game."""
    say_wrapped(f"{title}\nYou have {terms_of(session)}. Type ? for a hint, help for more.")
    explained = meaning(session.game, tiles=can_show_tiles(session.game))
    if explained:
        say_wrapped(explained)
    try:
        while not session.is_over:
            limit = "" if session.limit is None else f" of {session.limit}"
            text = typed(f"guess {session.position.turn}{limit}: ")
            if text.lower() == "quit":
                break
            before = session.position
            try:
                session, message = _answered(session, text, adviser, deadline)
            except wk.WordleKitError as error:
                message = sentence(str(error))
            if session.position is not before and session.position.guess_ids:
                say_boards(session.position)
                if session.is_stuck:
                    message = "Hard mode allows no further guess on all boards: undo, or give up."
            if message:
                say_wrapped(message)
    except KeyboardInterrupt:
        raise CommandStopped("stopped; the game is not kept") from None
    return session


def _answered(session: Session, text: str, adviser: Entrant, deadline: float) -> tuple[Session, str]:
    """Return the game after what the player typed, and a message. Raises WordleKitError for a refused guess."""
    command = text.lower()
    if command == "undo":
        return session.undo(), ""
    if command == "give up":
        return session.give_up(), ""
    if command == "?":
        with quiet():
            return session.helped("hint"), hint(session.position, adviser, deadline)
    if command == "words":
        return session.helped("look at the words"), "\n".join(left_on(session.position, SOME))
    if command == "help":
        lines = lines_of(PLAY_COMMANDS)
        taken = [name for name in PLAY_COMMANDS | SYNONYMS if name in session.game.guess_ids]
        if taken:
            lines.append(f"  {'=' + taken[0]:<8} guess the {session.game.nouns[0]} {taken[0]!r}")
        return session, "\n".join(lines)
    return (session.guess(_word(text)), "") if text else (session, "")


def _word(text: str) -> str:
    """Return a guess without the equals sign with which a word is typed that is also a command."""
    word = text.removeprefix("=").strip()
    return word if word.lower() in PLAY_COMMANDS | SYNONYMS else text


def say_ending(session: Session, option: str) -> None:
    """Print how a game ended, and the text to share."""
    say_wrapped(ending_of(session))
    say()
    say(share_text(session, option, tiles=can_show_tiles(session.game)))


def say_review(position: wk.Position, adviser: Entrant, deadline: float) -> None:
    """Print how many words each guess left, and what a strategy would have guessed."""
    with quiet():
        reviewed = review(position, adviser, deadline)
    say(reviewed, nl=False)


def say_rivals(session: Session, rivals: Iterable[Entrant], deadline: float, seed: int) -> None:
    """Print a table of how strategies would have played the same game."""
    rows = [_row("you", session, "gave up" if session.gave_up else "not solved")]
    notes = []
    with quiet():
        for entrant in rivals:
            played, problem = rival(entrant, session, deadline, seed)
            rows.append(_row(entrant.label, played, "no guess" if problem else "not solved"))
            notes += [sentence(problem)] if problem else []
    say()
    say(render(rows, "table", notes), nl=False)


def _row(who: str, session: Session, otherwise: str) -> dict[str, str]:
    guesses = session.position.guesses
    return {"player": who, "guesses": str(len(guesses)) if session.is_solved else otherwise, "words": " ".join(guesses)}


# Help with a game that is played elsewhere


def assist_game(
    position: wk.Position, title: str, adviser: Entrant, deadline: float, top: int, *, details: bool
) -> wk.Position:
    """Suggest guesses for the positions that a person types, and return the last one."""
    game = position.game
    say_wrapped(f"{title}\nType a guess and its feedback, as in {example(game, ' ')}, or help.")
    explained = meaning(game, tiles=can_show_tiles(game), digits=True)
    if explained:
        say_wrapped(explained)
    try:
        first = _say_advice(position, adviser, deadline, top, details=details)
        while position.open_boards:
            text = typed(f"guess {position.turn}: ")
            command = text.lower()
            if command == "quit":
                break
            if command in ("words", "help"):
                say("\n".join(left_on(position, MANY) if command == "words" else lines_of(ASSIST_COMMANDS)))
            if command in ("words", "help", ""):
                continue
            before = position
            try:
                if command == "undo":
                    position = taken_back(position)
                elif command != "?":
                    position, remark = after_typed(position, answers_to(position.game, text, first), " ")
                    if remark:
                        say(remark)
            except wk.WordleKitError as error:
                say(sentence(str(error)))
                continue
            if position is not before and position.guess_ids:
                say_boards(position)
            first = _say_advice(position, adviser, deadline, top, details=details) if position.open_boards else ""
    except KeyboardInterrupt:
        raise CommandStopped("stopped; the guesses are not kept") from None
    if not position.open_boards:
        say("solved")
    return position


def _say_advice(position: wk.Position, adviser: Entrant, deadline: float, top: int, *, details: bool) -> str:
    """Print the best guesses in a position, and return the first, or an empty text if the strategy has none."""
    try:
        with quiet():
            found = advice(position, adviser, top, deadline)
    except wk.StrategyError as error:
        say(sentence(str(error)))
        return ""
    say(advice_table(found, position, BUNDLED["table"], details=details), nl=False)
    return str(found.rows[0]["word"])
