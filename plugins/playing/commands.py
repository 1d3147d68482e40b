"""`wordle-kit play`, `assist` and `puzzle`: play yourself, or get help with a puzzle played elsewhere."""

import random
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import wordle_kit as wk
from wordle_kit.cli import options, values
from wordle_kit.cli.output import ask, note, on_terminal, quiet, say
from wordle_kit.defaults import DEADLINE
from wordle_kit.texts import json_text, number_of

if TYPE_CHECKING:
    from wordle_kit_plugins.playing.assistance import Advice

    from wordle_kit.session import Session
    from wordle_kit.tournaments.entrants import Entrant

ADVISER = "expected-guesses"
"""The default strategy that suggests guesses."""

SEEDS = 10**6
"""The largest seed that is drawn if none is given. The least is 1."""

ReviewOption = Annotated[
    bool | None,
    options.output(
        "--review/--no-review",
        help="Show at the end how many words each guess left, and a strategy's own choice.",
        show_default="on a terminal",
    ),
]


@dataclass(frozen=True)
class GameOptions(values.AlsoWeights):
    """The options of a game for a person: hard mode, the number of boards, weights and plugins."""

    hard: options.HardOption = False
    boards: options.BoardsOption = None

    def load_game(self, name: str) -> "tuple[wk.Game, wk.Plugins]":
        """Return the game with this name, and the plugins."""
        plugins = self.load()
        return values.load_game(name, plugins, self.hard, boards=self.boards), plugins


USUAL_GAME_OPTIONS = GameOptions()


@values.grouped
def play(
    game: options.UsualGameOption = None,
    puzzles: Annotated[
        Path | None, options.game(metavar="FILE", help="Hide a word of this file, drawn at random if it has several.")
    ] = None,
    seed: Annotated[
        int | None,
        options.game(metavar="N", help="Hide the same words as another game with this seed.", show_default="random"),
    ] = None,
    daily: Annotated[bool, options.game("--daily", help="Play today's puzzle: the same for everyone.")] = False,
    host: options.HostOption = "hidden",
    hint_by: Annotated[str, options.run(metavar="SPEC", help="Strategy that gives hints.")] = ADVISER,
    against: Annotated[
        list[str] | None,
        options.output(metavar="SPEC", help="Show at the end how a strategy would have played. Repeatable."),
    ] = None,
    review: ReviewOption = None,
    deadline: options.DeadlineOption = DEADLINE,
    setup: GameOptions = USUAL_GAME_OPTIONS,
) -> None:
    """Play a game yourself, with hints from a strategy.

    Type a guess, ? for a hint, or help for the other commands. A refused guess costs nothing.

    For example:
        wordle-kit play --daily
        wordle-kit play --against entropy
        wordle-kit play -g quordle
        wordle-kit play --host adversary
    """
    from wordle_kit_plugins.playing.terminal import play_game, say_ending, say_review, say_rivals

    from wordle_kit.api import find_host

    played, plugins = setup.load_game(game or options.USUAL_GAME)
    adviser, *rivals = [values.entrant(spec, played, plugins) for spec in (hint_by, *(against or ()))]
    chosen = find_host(host, plugins)
    asked = {"--seed": seed, "--puzzles": puzzles, "--daily": daily or None}
    named = [name for name, given in asked.items() if given is not None]
    if named and not chosen.hides_words:
        raise wk.WordleKitError(f"{named[0]} chooses hidden words and --host {host} hides none; choose one of them")
    if len(named) > 1:
        raise wk.WordleKitError(f"{named[0]} and {named[1]} both choose the hidden words; give one of them")
    while True:
        option, start = first_session(played, chosen, puzzles, seed, daily=daily)
        session = play_game(start, f"{values.titled(played, game)}.", adviser, deadline)
        if not session.is_over:  # the player has left
            return
        say_ending(session, option)
        if on_terminal() if review is None else review:
            say()
            say_review(session.position, adviser, deadline)
        if rivals:
            say_rivals(session, rivals, deadline, seed or 0)
        if named or not (sys.stdin.isatty() and on_terminal()):
            return
        say()
        answer = ask("another game? [y/N] ")
        if answer is None or answer.strip().lower() not in ("y", "yes"):
            return


def first_session(
    game: "wk.Game", host: "wk.Host", puzzles: Path | None, seed: int | None, *, daily: bool
) -> "tuple[str, Session]":
    """Return the option with which others play the same puzzle, and the game before the first guess."""
    from wordle_kit_plugins.playing.draws import daily_puzzle

    from wordle_kit.session import Session

    option = ""
    if host.hides_words:
        today = date.today()
        number = random.SystemRandom().randrange(1, SEEDS + 1) if seed is None else seed
        option = f"--daily of {today}" if daily else "" if puzzles is not None else f"--seed {number}"
        host = host.of(daily_puzzle(game, today) if daily else hidden(game, puzzles, number))
    return option, Session.start(game, host)


def hidden(game: "wk.Game", file: Path | None, seed: int) -> tuple[int, ...]:
    """Return the answers to hide, drawn with the seed: a puzzle of the file, or one of all answers."""
    if file is not None and not file.exists():
        raise wk.WordleKitError(f"--puzzles: there is no file {str(file)!r}")
    puzzles = wk.load_puzzles(game, 1 if file is None else file, seed)
    return puzzles.ids[random.Random(f"play {seed}").randrange(len(puzzles))]


@values.grouped
def assist(
    game: options.RealGameOption = None,
    strategy: options.StrategyOption = ADVISER,
    after: options.AfterOption = None,
    deadline: options.DeadlineOption = DEADLINE,
    top: options.TopOption = options.USUAL_TOP,
    details: Annotated[
        bool,
        options.output("--details", help="Also show bits, the largest part, and whether a word may be the answer."),
    ] = False,
    review: ReviewOption = None,
    setup: GameOptions = USUAL_GAME_OPTIONS,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Get help with today's Wordle, or another puzzle that you play elsewhere.

    The command suggests guesses; you type your guess and the feedback that you saw: `crane 01100`, `crane BYYBB` or
    `crane` and the tiles. Feedback alone, such as `01100`, answers the first suggestion. For several boards, type the
    feedback of each with / between them, and - for a solved board. With --after or --format, the command prints the
    suggestions and ends. JSON also has all remaining words.

    For example:
        wordle-kit assist
        wordle-kit assist --after crane=01100 --after moist=BYBBG
        wordle-kit assist -g quordle --after crane=01100/00000/22010/10002 --format json
    """
    from wordle_kit_plugins.playing.assistance import advice, advice_table
    from wordle_kit_plugins.playing.terminal import assist_game, say_review

    form = values.table_format(format, setup.load())
    played, plugins = setup.load_game(game or options.REAL_GAME)
    adviser = values.entrant(strategy, played, plugins)
    title = f"{values.titled(played, game)}."
    if not after and form.name == "table":
        position = assist_game(wk.Position.start(played), title, adviser, deadline, top, details=details)
        if not position.open_boards and (on_terminal() if review is None else review):
            say_review(position, adviser, deadline)
        return
    position = after_moves(played, after or [])
    with quiet():
        found = advice(position, adviser, top, deadline)
    if form.name == "json":
        say(json_of(found, position, adviser))
        return
    if game is None and form.name == "table":
        say(title)
    say(advice_table(found, position, form, details=details), nl=False)


def after_moves(game: "wk.Game", moves: list[str]) -> "wk.Position":
    """Return the position after the moves of --after. Write a remark on standard error for a word that is not listed.

    Raises GameError for the first move that is not possible, and if the moves solve the puzzle.
    """
    from wordle_kit_plugins.playing.assistance import after_typed

    position = wk.Position.start(game)
    for text in moves:
        try:
            position, remark = after_typed(position, text)
        except wk.GameError as error:
            raise wk.GameError(f"--after {text!r}: {error}") from error
        if remark:
            note(remark)
    if not position.open_boards:
        raise wk.GameError("--after: these guesses solve the puzzle, so there is nothing left to guess")
    return position


def json_of(found: "Advice", position: "wk.Position", adviser: "Entrant") -> str:
    """Return suggestions and all remaining words as JSON, the likeliest words first."""
    from wordle_kit.explain import likeliest

    likely = [[] if board.is_solved else likeliest(board) for board in position.boards]
    facts = {
        "game": position.game.name,
        "strategy": adviser.label,
        "guesses": position.guesses,
        "left": [len(each) for each in likely],
        "suggestions": [{**row, "answer": row["answer"] == "yes"} for row in found.rows],
        "words": [[word for word, _ in each] for each in likely],
    }
    if position.game.is_weighted:
        facts["chances"] = [[chance for _, chance in each] for each in likely]
    return json_text(facts)


@values.grouped
def puzzle(
    output: Annotated[Path, options.output("--output", "-o", metavar="FILE", help="Write the page here.")] = Path(
        "puzzle.html"
    ),
    game: options.GameOption = "wordle",
    answer: Annotated[
        str | None, options.game("--answer", "-a", metavar="WORD", help="The hidden word, or those of all boards.")
    ] = None,
    puzzles: Annotated[
        str | None,
        options.game(
            metavar="N|FILE",
            help="Draw N puzzles, or hide the words of a file with one puzzle per line.",
            show_default="1",
        ),
    ] = None,
    seed: Annotated[
        int | None, options.game(metavar="N", help="Seed for drawing puzzles.", show_default="random")
    ] = None,
    daily: Annotated[
        bool,
        options.game("--daily", help="Write the puzzles of `play --daily` for --puzzles days, from today on."),
    ] = False,
    title: Annotated[
        str | None, options.output(metavar="TEXT", help="Title of the page.", show_default="the game's")
    ] = None,
    setup: GameOptions = USUAL_GAME_OPTIONS,
) -> None:
    """Write puzzles to play as one HTML page.

    The page works without a server or a network. It has an on-screen keyboard, keeps the player's progress and gives a
    text to share.

    For example:
        wordle-kit puzzle --answer crane -o friday.html
        wordle-kit puzzle --puzzles 10 --seed 7 -o class.html
        wordle-kit puzzle --daily --puzzles 30 -o daily.html
    """
    from wordle_kit_plugins.pages.html import write_page
    from wordle_kit_plugins.playing.draws import daily_series, draw_series
    from wordle_kit_plugins.playing.puzzle_page import puzzle_page

    count = int(puzzles or 1) if (puzzles or "1").isdecimal() else None
    choices = {"--answer": answer, "--puzzles": None if daily and count else puzzles, "--daily": daily or None}
    given = [name for name, value in choices.items() if value is not None]
    if len(given) > 1:
        raise wk.PuzzleError(f"{given[0]} and {given[1]} both choose the puzzles; give one of them")
    if seed is not None and (answer or daily or count is None):
        raise wk.PuzzleError(f"--seed draws puzzles, but {given[0]} names them; give one of them")
    if count == 0:
        raise wk.PuzzleError("--puzzles is 0; give 1 or more, or a file")
    played, _ = setup.load_game(game)
    drawn, first = "", None
    if answer is not None:
        chosen = wk.load_puzzles(played, [answer])
    elif count is None:
        chosen = wk.load_puzzles(played, puzzles)
    elif daily:
        first = date.today()
        chosen = daily_series(played, first, count)
        drawn = f", for the days from {first} on"
    else:
        seed = random.randrange(SEEDS) if seed is None else seed
        chosen = draw_series(played, count, seed)
        drawn = f", drawn with seed {seed}"
    with quiet():
        html = puzzle_page(played, chosen, title, first)
    write_page(output, html)
    note(f"wrote {output}: {played.name}, {number_of(len(chosen), 'puzzle')}{drawn}, {len(html.encode()) / 1e6:.2f} MB")
