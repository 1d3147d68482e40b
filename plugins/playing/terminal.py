"""Games and help in a terminal: what a person types, and what is printed in reply."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from rich.console import Console
from wordle_kit_plugins.playing.assistance import advice, after_typed, hint, left_on, review, table_of
from wordle_kit_plugins.playing.boards import boards_of, meaning, share_text
from wordle_kit_plugins.playing.persons_game import PersonsGame

import wordle_kit as wk
from wordle_kit.cli.output import CommandStopped, can_show_tiles, on_terminal, say
from wordle_kit.strategy.moves import BETWEEN_BOARDS, example
from wordle_kit.tables import Table, render
from wordle_kit.texts import number_of, terminal
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.host import HIDDEN

PLAY_COMMANDS = {
    "?": "a hint",
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "give up": "end the game and show the answer",
    "quit": "leave the game",
    "help": "this list",
    "=WORD": "guess a word that is also a command",
}
ASSIST_COMMANDS = {
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "?": "the best guesses again",
    "quit": "end",
    "help": "this list",
}

MANY = 40
"""How many of the remaining words are shown to a player who asks for them."""


def say_boards(position: wk.Position) -> None:
    """Print the guesses so far with their feedback, or only the newest guess for pipes and screen readers."""
    console = Console(highlight=False, soft_wrap=True)
    whole = console.is_terminal and not console.is_dumb_terminal
    tiles = can_show_tiles(position.game)
    console.print(boards_of(position, console.width, tiles=tiles, newest_only=not whole))


def say_meaning(game: wk.Game, *, digits: bool = False) -> None:
    """Print what the signs of feedback mean, and with `digits` also how to type them."""
    explained = meaning(game, tiles=can_show_tiles(game), digits=digits)
    if explained:
        say(explained)


def say_commands(commands: Mapping[str, str]) -> None:
    """Print a line for each command with its description."""
    longest = max(map(len, commands))
    for name, what in commands.items():
        say(f"  {name:<{longest + 1}} {what}")


def ask(prompt: str) -> str:
    """Return the next line of standard input, or `quit` at its end. A line from a pipe is printed.

    On a terminal, the arrow keys edit the line and recall earlier ones if Python has readline.
    """
    if sys.stdin.isatty() and on_terminal():
        with suppress(ImportError):
            import readline  # noqa: F401 - once imported, input() uses it
    try:
        line = input(terminal(prompt))
    except EOFError:
        say()
        return "quit"
    except KeyboardInterrupt:
        say()  # the cursor is after ^C
        raise CommandStopped("stopped; these guesses are not kept") from None
    if not sys.stdin.isatty():
        say(line)
    return line.strip()


# A game


def play_game(session: PersonsGame, title: str, adviser: Entrant) -> PersonsGame:
    """Play until the game is over or the player leaves, and return the game."""
    say(f"{title}\nYou have {terms_of(session)}. Type ? for a hint, help for more.")
    say_meaning(session.game)
    while not session.is_over:
        limit = "" if session.limit is None else f" of {session.limit}"
        text = ask(f"guess {session.position.turn}{limit}: ")
        if text.lower() == "quit":
            break
        before = session.position
        try:
            session = _after_line(session, text, adviser)
        except wk.WordleKitError as error:
            say(str(error))
        if session.position is not before and session.position.guess_ids:
            say_boards(session.position)
            if session.is_stuck:
                say("Hard mode allows no further guess on all boards: undo, or give up.")
    return session


def _after_line(session: PersonsGame, text: str, adviser: Entrant) -> PersonsGame:
    """Carry out what the player typed, and return the game after it. Raises WordleKitError for a refused guess."""
    match text.lower():
        case "":
            return session
        case "undo":
            return session.undo()
        case "give up":
            return replace(session, gave_up=True)
        case "?":
            say(hint(session.position, adviser))
        case "words":
            say("\n".join(left_on(session.position, MANY)))
        case "help":
            say_commands(PLAY_COMMANDS)
            return session
        case _:
            is_marked = text.startswith("=") and text[1:].lower() in PLAY_COMMANDS
            return session.guess(text[1:] if is_marked else text)
    return replace(session, had_help=True)


def terms_of(session: PersonsGame) -> str:
    """Return a phrase with the number of guesses the player has and the mode."""
    game, host = session.game, session.host
    many = "any number of guesses" if session.limit is None else number_of(session.limit, "guess", "guesses")
    boards = f" on {game.boards} boards" if game.boards > 1 else ""
    mode = ", hard mode" if game.hard_mode else ""
    return f"{many}{boards}{mode}" + ("" if host.name == HIDDEN.name else f", against {host.called}")


def say_ending(session: PersonsGame, option: str) -> None:
    """Print how a game ended and the text to share, with the option that lets others play the same puzzle."""
    made = number_of(len(session.position.guess_ids), "guess", "guesses")
    say(f"solved with {made}" if session.is_solved else f"not solved; {session.revealed}")
    say()
    say(share_text(session, option, tiles=can_show_tiles(session.game)))


def say_review(session: PersonsGame, adviser: Entrant) -> None:
    """Print how many words each guess left and what a strategy would have guessed."""
    if session.earlier:
        say(f"\n{review([*session.earlier, session.position], adviser)}", nl=False)


def say_rivals(session: PersonsGame, rivals: Mapping[str, wk.Play]) -> None:
    """Print a table of a person's game and the plays of strategies, by label, on the same puzzle."""
    guesses = session.position.guesses
    ending = len(guesses) if session.is_solved else "gave up" if session.gave_up else "not solved"
    rows: list[dict[str, object]] = [{"player": "you", "guesses": ending, "words": " ".join(guesses)}]
    for name, play in rivals.items():
        rows.append({"player": name, "guesses": play.turns or play.outcome.value, "words": " ".join(play.guesses)})
    notes = [f"{name}: {play.message}" for name, play in rivals.items() if play.message]
    say(f"\n{render(rows, 'table', notes)}", nl=False)


# Help with a game played elsewhere


def assist_game(game: wk.Game, title: str, adviser: Entrant, top: int) -> None:
    """Suggest guesses for the positions that a person types."""
    say(f"{title}\nType a guess and its feedback, as in {example(game)}, or help.")
    say_meaning(game, digits=True)
    positions = [wk.Position.start(game)]
    first = _say_advice(positions[-1], adviser, top)
    while positions[-1].open_boards:
        position = positions[-1]
        text = ask(f"guess {position.turn}: ")
        try:
            match text.lower():
                case "quit":
                    return
                case "":
                    continue
                case "words":
                    say("\n".join(left_on(position, MANY)))
                    continue
                case "help":
                    say_commands(ASSIST_COMMANDS)
                    continue
                case "?":
                    pass
                case "undo":
                    positions = positions[:-1] or positions
                case _:
                    after, remark = after_typed(position, f"{first} {text}" if is_feedback(game, text) else text)
                    positions.append(after)
                    if remark:
                        say(remark)
        except wk.WordleKitError as error:
            say(str(error))
            continue
        if positions[-1] is not position and positions[-1].guess_ids:
            say_boards(positions[-1])
        if positions[-1].open_boards:
            first = _say_advice(positions[-1], adviser, top)
    say("solved")


def is_feedback(game: wk.Game, text: str) -> bool:
    """Return whether a text is feedback without a guess, such as `01100`."""
    if text in game.guess_index:
        return False
    with suppress(wk.GameError):
        for part in map(str.strip, text.split(BETWEEN_BOARDS)):
            if part != "-":
                game.read_feedback(part)
        return True
    return False


def _say_advice(position: wk.Position, adviser: Entrant, top: int) -> str:
    """Print the best guesses in a position. Return the first, or an empty string if the strategy has none."""
    try:
        found = advice(position, adviser, top)
    except wk.StrategyError as error:
        say(str(error))
        return ""
    say_table(table_of(found, position, adviser))
    return str(found.rows[0]["word"])


def say_table(table: Table) -> None:
    """Print a table with its notes close together."""
    say(render(table.rows, "table"))
    say("\n".join(table.notes))
