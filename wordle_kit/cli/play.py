"""`wordle-kit play`: guess yourself, with hints from strategies, and see how they would have played."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, panels, values
from wordle_kit.cli.output import CommandStopped, ask, can_show_tiles, on_terminal, quiet, say, sentence, show, width
from wordle_kit.cli.remaining import words_left
from wordle_kit.texts import number_of

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.playing.session import Session
    from wordle_kit.tournaments.entrants import Entrant

COMMANDS = {
    "?": "a hint",
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "give up": "end the game and show the answer",
    "help": "this list",
}
FEW = 10
"""How many of the remaining words are shown."""

SEEDS = 10**6
"""If no seed is given, one from 1 to this number is drawn."""


def play(
    game: options.UsualGameOption = None,
    answer_file: Annotated[
        Path | None,
        panels.played(metavar="FILE", help="Hide a word of this file, a random one of several."),
    ] = None,
    seed: Annotated[
        int | None,
        panels.played(metavar="N", help="Hide the same words as another game with this seed. [default: random]"),
    ] = None,
    host: options.HostOption = "hidden",
    hint_by: Annotated[str, panels.how(metavar="SPEC", help="Strategy that gives hints.")] = "entropy",
    against: Annotated[
        list[str] | None,
        panels.output(metavar="SPEC", help="Show at the end how a strategy would have played. Repeatable."),
    ] = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    deadline: options.DeadlineOption = 10.0,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Play a game yourself, with hints from a strategy.

    Type a guess, ? for a hint, or help for the other commands. In feedback, 0 is absent, 1 present and 2 correct,
    unless the rule has other feedback. A refused guess costs nothing.

    For example:
        wordle-kit play --against entropy
        wordle-kit play -g quordle
        wordle-kit play --host adversary
    """
    from wordle_kit.deadline import Deadline
    from wordle_kit.errors import WordleKitError
    from wordle_kit.playing.assistance import legend
    from wordle_kit.playing.session import Session, share_text
    from wordle_kit.tournaments.host import Adversary, HiddenWords, check_host

    plugins = values.load_plugins(plugin, plugins_dir, strict)
    played = values.load_game(game or options.USUAL_GAME, plugins, hard, boards=boards)
    adviser, *rivals = [values.entrant(spec, played, plugins) for spec in (hint_by, *(against or ()))]
    Deadline(deadline)  # raises an error if it is not a number above 0
    tiles = can_show_tiles(played)
    if check_host(host) == "adversary":
        if answer_file is not None:
            raise WordleKitError("--answer-file hides words and --host adversary hides none; choose one of them")
        if seed is not None:
            raise WordleKitError("--seed chooses hidden words and --host adversary hides none; choose one of them")
        session, puzzle = Session.start(played, Adversary()), ""
    else:
        number = random.SystemRandom().randrange(1, SEEDS + 1) if seed is None else seed
        session = Session.start(played, HiddenWords(hidden(played, answer_file, number)))
        puzzle = f"--seed {number}" if answer_file is None else ""
    say(f"{values.titled(played, game)}.")
    say(f"You have {opening(session)}. Type ? for a hint, help for more.")
    explained = legend(played.rule, tiles=tiles)
    if explained:
        say(explained)
    try:
        session = guessed(session, adviser, deadline, tiles=tiles)
    except KeyboardInterrupt:
        raise CommandStopped("stopped; the game is not kept") from None
    if not session.is_over:  # the end of the input
        return
    say(ending(session))
    say()
    say(share_text(session, puzzle, tiles=tiles))
    if rivals:
        say()
        say(comparison(session, rivals, deadline, seed or 0), nl=False)


def hidden(game: "Game", file: Path | None, seed: int) -> tuple[int, ...]:
    """Return the answers to hide: a puzzle from the file or from all answers, drawn with the seed."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.tournaments.puzzle_sources import choose_puzzles

    if file is not None and not file.exists():
        raise WordleKitError(f"--answer-file: there is no file {str(file)!r}")
    puzzles = choose_puzzles(game, 1 if file is None else file, seed)
    return puzzles.ids[random.Random(f"play {seed}").randrange(len(puzzles))]


def opening(session: "Session") -> str:
    """Return a few words that say how many guesses there are, and in which mode."""
    from wordle_kit.playing.assistance import noun

    game = session.game
    boards = f" on {game.boards} boards" if game.boards > 1 else ""
    mode = ", hard mode" if game.hard_mode else ""
    if session.limit is None:
        return f"any number of guesses{boards}{mode}, against an adversary that keeps as many {noun(game)}s as it can"
    return f"{number_of(session.limit, 'guess', 'guesses')}{boards}{mode}"


def guessed(session: "Session", adviser: "Entrant", deadline: float, *, tiles: bool) -> "Session":
    """Return the game after the player's guesses and commands: over, or as it was at the end of the input."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.playing.session import screen

    while not session.is_over:
        limit = "" if session.limit is None else f" of {session.limit}"
        typed = ask(f"guess {session.position.turn}{limit}: ")
        if typed is None:
            return session
        text = typed.strip()
        if not text:
            continue
        try:
            if text.lower() in COMMANDS:
                before, session = session, obeyed(session, text.lower(), adviser, deadline)
                shown = len(session.position.guess_ids) < len(before.position.guess_ids)  # after undo
            else:
                session, shown = session.guess(word_of(text)), True
        except WordleKitError as error:
            say(sentence(str(error)))
            continue
        if shown and session.position.guess_ids:
            show(screen(session.position, width(), tiles=tiles, newest_only=not on_terminal()))
            if session.is_stuck:
                say("Hard mode allows no further guess on all boards: undo, or give up.")
    return session


def word_of(text: str) -> str:
    """Return the guess in a text: without the equals sign before a word that is also a command."""
    word = text.removeprefix("=").strip()
    return word if word.lower() in COMMANDS else text


def obeyed(session: "Session", command: str, adviser: "Entrant", deadline: float) -> "Session":
    """Return the game after a command, and print what it asks for."""
    from wordle_kit.playing.assistance import best_guess, noun

    if command == "undo":
        return session.undo()
    if command == "give up":
        return session.give_up()
    if command == "?":
        with quiet():
            hint = best_guess(session.position, adviser, deadline)
        say(f"{adviser.label} would guess {hint}.")
        return session.hinted()
    if command == "words":
        for number, board in enumerate(session.position.boards, start=1):
            where = f"board {number}: " if session.game.boards > 1 else ""
            say(f"{where}{'solved' if board.is_solved else words_left(board, FEW)}")
    else:
        for name, what in COMMANDS.items():
            say(f"  {name:<8} {what}")
        taken = [name for name in COMMANDS if name in session.game.guess_ids]
        if taken:
            say(f"  {'=' + taken[0]:<8} guess the {noun(session.game)} {taken[0]!r}")
    return session


def ending(session: "Session") -> str:
    """Return how the game ended."""
    from wordle_kit.playing.assistance import noun
    from wordle_kit.tournaments.host import Adversary

    if session.is_solved:
        made = len(session.position.guess_ids)
        return f"solved with {number_of(made, 'guess', 'guesses')}"
    several = len(session.answers) > 1
    were = "may still be" if isinstance(session.host, Adversary) else "were" if several else "was"
    what = f"{noun(session.game)}{'s' * several} {were}"
    return f"not solved; the {what} {', '.join(session.answers)}"


def comparison(session: "Session", rivals: "list[Entrant]", deadline: float, seed: int) -> str:
    """Return a table of how strategies would have played the same game."""
    from wordle_kit.playing.assistance import rival
    from wordle_kit.tables import render

    game = session.game
    rows = [("you", session.position.guesses, session.is_solved, "gave up" if session.gave_up else "not solved")]
    notes = []
    with quiet():
        for entrant in rivals:
            one = rival(entrant, game, session.host, session.limit, deadline, seed)
            rows.append((entrant.label, one.guesses, one.is_solved, "no guess" if one.problem else "not solved"))
            notes += [sentence(one.problem)] if one.problem else []
    return render(
        [
            {"player": who, "guesses": str(len(made)) if solved else why, "words": " ".join(made)}
            for who, made, solved, why in rows
        ],
        "table",
        notes,
    )
