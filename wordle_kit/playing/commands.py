"""`wordle-kit play`, `assist`, `suggest` and `puzzle`: play yourself, or get help with a puzzle played elsewhere."""

import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.analysis.commands import BY_WEIGHT
from wordle_kit.cli import options, panels, values
from wordle_kit.cli.output import (
    CommandStopped,
    ask,
    can_show_tiles,
    note,
    on_terminal,
    quiet,
    say,
    sentence,
    show,
    width,
)
from wordle_kit.texts import json_text, number_of, percent

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.playing.session import Session
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.board import Board
    from wordle_kit.strategy.moves import Assistance
    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.entrants import Entrant
    from wordle_kit.tournaments.puzzles import Puzzles
    from wordle_kit.tournaments.runs import RunFacts

PLAY_COMMANDS = {
    "?": "a hint",
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "give up": "end the game and show the answer",
    "help": "this list",
}
ASSIST_COMMANDS = {
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "?": "the best guesses again",
    "quit": "end",
    "help": "this list",
}

FEW, SOME, MANY = 5, 10, 40
"""How many of the remaining words are shown: with suggestions, in `play`, and when `assist` is asked for them."""

SEEDS = 10**6
"""If no seed is given, one from 1 to this number is drawn."""

TopOption = Annotated[int, panels.output(metavar="N", min=1, help="Number of suggested guesses.")]


@dataclass(frozen=True)
class Setup(values.AlsoWeights):
    """The options of a game that somebody plays: hard mode, the number of boards, weights and plugins."""

    hard: options.HardOption = False
    boards: options.BoardsOption = None

    def load_game(self, name: str) -> "tuple[Game, Plugins]":
        """Return the game with this name, and the plugins."""
        plugins = self.load()
        return values.load_game(name, plugins, self.hard, boards=self.boards), plugins


@dataclass(frozen=True)
class Help:
    """The options of help with a puzzle: the guesses so far, and the strategy that suggests the next."""

    game: options.RealGameOption = None
    strategy: options.StrategyOption = options.ADVISER
    after: options.AfterOption = None
    deadline: options.DeadlineOption = 10.0

    def start(self, setup: Setup) -> "tuple[Assistance, Entrant]":
        """Return the puzzle after the guesses of --after, and the strategy."""
        game, plugins = setup.load_game(self.game or options.REAL_GAME)
        adviser = values.entrant(self.strategy, game, plugins)
        return values.after_moves(game, self.after), adviser


USUAL_SETUP, USUAL_HELP = Setup(), Help()


@values.grouped
def play(
    game: options.UsualGameOption = None,
    answer_file: Annotated[
        Path | None, panels.played(metavar="FILE", help="Hide a word of this file, a random one of several.")
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
    deadline: options.DeadlineOption = 10.0,
    setup: Setup = USUAL_SETUP,
) -> None:
    """Play a game yourself, with hints from a strategy.

    Type a guess, ? for a hint, or help for the other commands. In feedback, 0 is absent, 1 present and 2 correct,
    unless the rule has other feedback. A refused guess costs nothing.

    For example:
        wordle-kit play --against entropy
        wordle-kit play -g quordle
        wordle-kit play --host adversary
    """
    from wordle_kit.api import find_host
    from wordle_kit.deadline import Deadline
    from wordle_kit.errors import WordleKitError
    from wordle_kit.playing.assistance import legend
    from wordle_kit.playing.session import Session, share_text

    played, plugins = setup.load_game(game or options.USUAL_GAME)
    adviser, *rivals = [values.entrant(spec, played, plugins) for spec in (hint_by, *(against or ()))]
    Deadline(deadline)  # raises an error if it is not a number above 0
    tiles = can_show_tiles(played)
    chosen = find_host(host, plugins)
    puzzle = ""
    if chosen.hides_words:
        number = random.SystemRandom().randrange(1, SEEDS + 1) if seed is None else seed
        chosen = chosen.of(hidden(played, answer_file, number))
        puzzle = f"--seed {number}" if answer_file is None else ""
    elif answer_file is not None:
        raise WordleKitError(f"--answer-file hides words and --host {host} hides none; choose one of them")
    elif seed is not None:
        raise WordleKitError(f"--seed chooses hidden words and --host {host} hides none; choose one of them")
    session = Session.start(played, chosen)
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
    from wordle_kit.tournaments.puzzles import choose_puzzles

    if file is not None and not file.exists():
        raise WordleKitError(f"--answer-file: there is no file {str(file)!r}")
    puzzles = choose_puzzles(game, 1 if file is None else file, seed)
    return puzzles.ids[random.Random(f"play {seed}").randrange(len(puzzles))]


def opening(session: "Session") -> str:
    """Return a few words that say how many guesses there are, and in which mode."""
    from wordle_kit.strategy.moves import noun
    from wordle_kit.tournaments.host import HIDDEN, Adversary

    game, host = session.game, session.host
    many = "any number of guesses" if session.limit is None else number_of(session.limit, "guess", "guesses")
    boards = f" on {game.boards} boards" if game.boards > 1 else ""
    mode = ", hard mode" if game.hard_mode else ""
    if host.name == HIDDEN.name:
        return f"{many}{boards}{mode}"
    called = f"an adversary that keeps as many {noun(game)}s as it can" if type(host) is Adversary else host.called
    return f"{many}{boards}{mode}, against {called}"


def guessed(session: "Session", adviser: "Entrant", deadline: float, *, tiles: bool) -> "Session":
    """Return the game after the player's guesses and commands, when it is over or the input ends."""
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
            if text.lower() in PLAY_COMMANDS:
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
    """Return the guess in a text, without the equals sign before a word that is also a command."""
    word = text.removeprefix("=").strip()
    return word if word.lower() in PLAY_COMMANDS else text


def obeyed(session: "Session", command: str, adviser: "Entrant", deadline: float) -> "Session":
    """Return the game after a command, and print what it asks for."""
    from wordle_kit.playing.assistance import best_guess
    from wordle_kit.strategy.moves import noun

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
        say("\n".join(left_on(session.position, SOME)))
    else:
        say_commands(PLAY_COMMANDS)
        taken = [name for name in PLAY_COMMANDS if name in session.game.guess_ids]
        if taken:
            say(f"  {'=' + taken[0]:<8} guess the {noun(session.game)} {taken[0]!r}")
    return session


def ending(session: "Session") -> str:
    """Return how the game ended."""
    from wordle_kit.strategy.moves import noun

    if session.is_solved:
        made = len(session.position.guess_ids)
        return f"solved with {number_of(made, 'guess', 'guesses')}"
    several = len(session.answers) > 1
    were = "may still be" if not session.host.hides_words else "were" if several else "was"
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


@values.grouped
def assist(
    wanted: Help = USUAL_HELP,
    top: TopOption = 5,
    setup: Setup = USUAL_SETUP,
) -> None:
    """Get help with today's Wordle, or another puzzle that you play elsewhere.

    The command suggests guesses; you type your guess and the feedback that you saw: `crane 01100`, `crane BYYBB` or
    `crane` and the tiles. For several boards, type the feedback of each with / between them, and - for a solved board.

    For example:
        wordle-kit assist
        wordle-kit assist --after crane=01100
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.playing.assistance import legend
    from wordle_kit.playing.session import screen
    from wordle_kit.strategy.moves import example

    state, adviser = wanted.start(setup)
    played, deadline = state.position.game, wanted.deadline
    tiles = can_show_tiles(played)
    explained = legend(played.rule, tiles=tiles)
    try:
        say(f"{values.titled(played, wanted.game)}.")
        say(f"Type a guess and its feedback, as in {example(played, ' ')}, or help.")
        if explained:
            say(explained)
        say_suggestions(state.position, adviser, top, deadline)
        while state.position.open_boards:
            typed = ask(f"guess {state.position.turn}: ")
            text = "quit" if typed is None else typed.strip()
            if text.lower() == "quit":
                return
            if not text:
                continue
            try:
                if text.lower() in ASSIST_COMMANDS and text.lower() != "undo":
                    obey(state.position, text.lower(), adviser, top, deadline)
                    continue
                state = state.undo() if text.lower() == "undo" else state.add(text)
            except WordleKitError as error:
                say(sentence(str(error)))
                continue
            if state.position.guess_ids:
                show(screen(state.position, width(), tiles=tiles, newest_only=not on_terminal()))
            say_suggestions(state.position, adviser, top, deadline)
    except KeyboardInterrupt:
        raise CommandStopped("stopped; the guesses are not kept") from None
    say("solved")


@values.grouped
def suggest(
    wanted: Help = USUAL_HELP,
    top: TopOption = 10,
    setup: Setup = USUAL_SETUP,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Suggest the next guess of a puzzle.

    Each guess is shown with the number of words that it is expected to leave, summed over the boards. JSON is one
    object, which also has all remaining words. If these have weights, the likeliest come first, with their chances.

    For example:
        wordle-kit suggest --after crane=01100 --after moist=BYBBG
        wordle-kit suggest -g quordle --after crane=01100/00000/22010/10002
    """
    from wordle_kit.analysis.guesses import likeliest
    from wordle_kit.playing.assistance import suggestions

    form = values.table_format(format)
    state, adviser = wanted.start(setup)
    position, played = state.position, state.position.game
    with quiet():
        rows = suggestions(position, adviser, top, wanted.deadline)
    if form == "json":
        likely = [[] if board.is_solved else likeliest(board) for board in position.boards]
        found = {
            "game": played.name,
            "strategy": adviser.label,
            "guesses": position.guesses,
            "left": [len(each) for each in likely],
            "suggestions": [{**row, "answer": row["answer"] == "yes"} for row in rows],
            "words": [[word for word, _ in each] for each in likely],
        }
        if played.is_weighted:
            found["chances"] = [[chance for _, chance in each] for each in likely]
        say(json_text(found))
        return
    values.say_usual_game(played, wanted.game, form)
    say(table(rows, form, [] if form == "csv" else left_on(position)), nl=False)


def obey(position: "Position", command: str, adviser: "Entrant", top: int, deadline: float) -> None:
    """Print what a command asks for."""
    if command == "?":
        say_suggestions(position, adviser, top, deadline)
    elif command == "words":
        say("\n".join(left_on(position, MANY)))
    else:
        say_commands(ASSIST_COMMANDS)


def say_commands(commands: dict[str, str]) -> None:
    """Print what each command does."""
    longest = max(map(len, commands))
    for name, what in commands.items():
        say(f"  {name:<{longest + 1}} {what}")


def say_suggestions(position: "Position", adviser: "Entrant", top: int, deadline: float) -> None:
    """Print the best guesses in a position, if there is anything left to guess."""
    from wordle_kit.errors import StrategyError
    from wordle_kit.playing.assistance import suggestions

    if not position.open_boards:
        return
    try:
        with quiet():
            rows = suggestions(position, adviser, top, deadline)
    except StrategyError as error:
        say(sentence(str(error)))
        return
    say(table(rows, "table", left_on(position)), nl=False)


def table(rows: list[dict[str, Any]], form: "str | Format", notes: list[str]) -> str:
    """Return suggestions as a table."""
    from wordle_kit.tables import render

    if form == "csv":
        return render(rows, form)
    cells = []
    for row in rows:
        chance = {"chance": percent(row["chance"])} if "chance" in row else {}
        cells.append({**row, "bits": f"{row['bits']:.3f}", "expected size": f"{row['expected size']:.2f}", **chance})
    if form == "table":  # without an empty line between boards
        return "\n".join([render(cells, form), *notes, ""])
    return render(cells, form, notes)


def left_on(position: "Position", few: int = FEW) -> list[str]:
    """Return a line for each board: the number of remaining words, and some of them."""
    several = len(position.boards) > 1
    lines = [
        f"{f'board {number}: ' if several else ''}{'solved' if board.is_solved else words_left(board, few)}"
        for number, board in enumerate(position.boards, start=1)
    ]
    return [*lines, BY_WEIGHT] if position.game.is_weighted else lines


def words_left(board: "Board", few: int) -> str:
    """Return a sentence with the number of remaining words on a board and some of them.

    If answers have weights, these are the likeliest, with their chances.
    """
    from wordle_kit.analysis.guesses import likeliest
    from wordle_kit.strategy.moves import noun

    what, words = noun(board.game), list(board.words[:few])
    if board.game.is_weighted and len(board) > 1:
        words = [f"{word} {percent(chance)}" for word, chance in likeliest(board)[:few]]
    some = ", ".join(words) + (", ..." if len(board) > few else "")
    return f"{number_of(len(board), f'{what} is', f'{what}s are')} left: {some}"


@values.grouped
def puzzle(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Write the page here.")] = Path(
        "puzzle.html"
    ),
    game: options.GameOption = "wordle",
    answer: Annotated[
        str | None, panels.played(metavar="WORD", help="The hidden word, or those of all boards.")
    ] = None,
    list_: Annotated[
        Path | None, panels.played("--list", metavar="FILE", help="Hide the words of a file, one puzzle per line.")
    ] = None,
    series: Annotated[
        int | None, panels.played(metavar="N", help="Draw this many puzzles for one page. [default: 1]")
    ] = None,
    seed: Annotated[int | None, panels.played(metavar="N", help="Seed for drawing puzzles. [default: random]")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page. [default: the game's]")] = None,
    setup: Setup = USUAL_SETUP,
) -> None:
    """Write puzzles to play as one HTML page.

    The page works without a server or a network. It has an on-screen keyboard, keeps the player's progress and gives a
    text to share. Results of several puzzles can be downloaded; `wordle-kit leaderboard --humans` ranks them beside
    strategies.

    For example:
        wordle-kit puzzle --answer crane -o crane.html
        wordle-kit puzzle --series 10 --seed 7 -o class.html
    """
    from wordle_kit.errors import PuzzleError
    from wordle_kit.pages.html import write_page
    from wordle_kit.playing.puzzle_page import draw_series, puzzle_page
    from wordle_kit.tournaments.puzzles import choose_puzzles

    choices = {"--answer": answer, "--list": list_, "--series": series}
    given = [name for name, value in choices.items() if value is not None]
    if len(given) > 1:
        raise PuzzleError(f"{given[0]} and {given[1]} both choose the puzzles; give one of them")
    if seed is not None and (answer is not None or list_ is not None):
        raise PuzzleError(f"--seed draws puzzles, but {given[0]} names them; give one of them")
    if series is not None and series < 1:
        raise PuzzleError(f"--series is {series}; give 1 or more")
    played, _ = setup.load_game(game)
    drawn = ""
    if answer is not None:
        try:
            puzzles = choose_puzzles(played, [answer])
        except PuzzleError as error:
            raise PuzzleError(f"--answer: {str(error).removeprefix('puzzle 1: ')}") from error
    elif list_ is not None:
        if not list_.is_file():
            raise PuzzleError(f"--list: there is no file {str(list_)!r}; give one with a puzzle per line")
        puzzles = choose_puzzles(played, list_)
    else:
        seed = random.randrange(SEEDS) if seed is None else seed
        puzzles = draw_series(played, 1 if series is None else series, seed)
        drawn = f", drawn with seed {seed}"
    with quiet():
        html = puzzle_page(played, puzzles, title)
    write_page(output, html)
    count = number_of(len(puzzles), "puzzle")
    note(f"wrote {output}: {played.name}, {count}{drawn}, {len(html.encode()) / 1e6:.2f} MB")


def humans(
    humans: Annotated[
        list[Path] | None,
        panels.humans(
            metavar="FILE|DIR", help="Rank people too, by their results from a page of `wordle-kit puzzle`. Repeatable."
        ),
    ] = None,
    more: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="More files of --humans.")] = None,
    puzzles: Annotated[
        str | None, panels.humans(metavar="N|FILE", help="Puzzles of the page, to check the results against.")
    ] = None,
    seed: Annotated[int | None, panels.humans(metavar="N", help="Seed that drew the puzzles.")] = None,
) -> Any:
    """Return what makes a leaderboard with people; None without --humans."""
    from wordle_kit.errors import WordleKitError

    if humans:
        return partial(_with_humans, [*humans, *(more or ())], puzzles, seed)
    if more or puzzles is not None or seed is not None:
        raise WordleKitError("files, --puzzles and --seed are for people's results; add --humans")
    return None


def _with_humans(
    files: list[Path], source: str | None, seed: int | None, game: str | None, plugins: "Plugins", path: Path
) -> "Leaderboard":
    """Return the leaderboard of people and of the strategies of a store on the puzzles of people's results."""
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.leaderboard.metrics import metrics_of
    from wordle_kit.leaderboard.stored import names_of
    from wordle_kit.playing.humans import read_humans, strategies_beside
    from wordle_kit.playing.puzzle_page import draw_series
    from wordle_kit.tournaments.store import Store

    def game_of(facts: "RunFacts") -> "Game | None":
        names = [game] if game is not None else [name for name in names_of(facts) if name in plugins.games]
        return values.load_game(names[0], plugins) if names else None

    def wanted(played: "Game") -> "Puzzles | None":
        if source is None:
            return None
        if source.isdecimal():  # as many as the page drew
            return draw_series(played, int(source), seed or 0)
        return values.load_puzzles(played, source, seed, False)

    with quiet():
        people = read_humans(files, game_of, wanted)
    strategies = []
    if path.is_file():
        with Store.existing(path, plugins.aliases) as store, store.snapshot():
            strategies = strategies_beside(people, store)
    if not strategies:
        note(f"{path}: no strategy has played these puzzles; play a tournament of {people.game.name} on them")
    return Leaderboard((*strategies, *people.runs), game=people.game, metrics=metrics_of(plugins))


def explain(
    explain: Annotated[
        bool,
        panels.output("--explain", help="Say why each guess was chosen: its score, the runner-up, the parts."),
    ] = False,
) -> Any:
    """Return what explains a strategy's guess in a position; None without --explain."""
    if not explain:
        return None
    from wordle_kit.playing.assistance import explanation

    return explanation
