"""`wordle-kit play`, `assist` and `puzzle`: play yourself, or get help with a puzzle played elsewhere."""

import random
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.output import (
    CommandStopped,
    ask,
    can_show,
    can_show_tiles,
    clear,
    colours,
    note,
    on_terminal,
    quiet,
    redraws,
    say,
    say_wrapped,
    sentence,
    show,
    width,
)
from wordle_kit.defaults import DEADLINE
from wordle_kit.texts import json_text, number_of

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.plugins import Plugins
    from wordle_kit.session import Session
    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.entrants import Entrant
    from wordle_kit.tournaments.host import Host

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

    def load_game(self, name: str) -> "tuple[Game, Plugins]":
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
    hint_by: Annotated[str, options.run(metavar="SPEC", help="Strategy that gives hints.")] = "entropy",
    against: Annotated[
        list[str] | None,
        options.output(metavar="SPEC", help="Show at the end how a strategy would have played. Repeatable."),
    ] = None,
    review: ReviewOption = None,
    deadline: options.DeadlineOption = DEADLINE,
    setup: GameOptions = USUAL_GAME_OPTIONS,
) -> None:
    """Play a game yourself, with hints from a strategy.

    Type a guess, ? for a hint, or help for the other commands. In feedback, [x] is in place and (x) is in the word,
    unless the rule has other feedback. A refused guess costs nothing. On a terminal, your finished games are
    counted in statistics.

    For example:
        wordle-kit play --daily
        wordle-kit play --against entropy
        wordle-kit play -g quordle
        wordle-kit play --host adversary
    """
    from wordle_kit_plugins.playing.record import read_record, record_path

    from wordle_kit.api import find_host
    from wordle_kit.deadline import Deadline
    from wordle_kit.errors import WordleKitError

    played, plugins = setup.load_game(game or options.USUAL_GAME)
    adviser, *rivals = [values.entrant(spec, played, plugins) for spec in (hint_by, *(against or ()))]
    Deadline(deadline)  # raises an error unless it is a number above 0
    chosen = find_host(host, plugins)
    asked = {"--seed": seed, "--puzzles": puzzles, "--daily": daily or None}
    named = [name for name, given in asked.items() if given is not None]
    if named and not chosen.hides_words:
        what = "hides words" if named[0] == "--puzzles" else "chooses hidden words"
        raise WordleKitError(f"{named[0]} {what} and --host {host} hides none; choose one of them")
    if len(named) > 1:
        raise WordleKitError(f"{named[0]} and {named[1]} both choose the hidden words; give one of them")
    keeps = sys.stdin.isatty() and on_terminal() and chosen.name == "hidden" and puzzles is None
    if keeps:
        read_record(record_path())  # raises an error before the game begins
    table = TerminalGame(adviser, rivals, deadline, f"{values.titled(played, game)}.", keeps, shows_review(review))
    while True:
        option, start = first_session(played, chosen, puzzles, seed, daily=daily)
        session = table.play(start)
        if not session.is_over:  # the player has left
            return
        table.show_ending(session, option, seed or 0)
        if not keeps or named:
            return
        say()
        answer = ask("another game? [y/N] ")
        if answer is None or answer.strip().lower() not in ("y", "yes"):
            return


def first_session(
    game: "Game", host: "Host", puzzles: Path | None, seed: int | None, *, daily: bool
) -> "tuple[str, Session]":
    """Return the option with which others play the same puzzle, and the game before the first guess."""
    from wordle_kit_plugins.playing.puzzle_page import daily_puzzle

    from wordle_kit.session import Session

    option = ""
    if host.hides_words:
        today = date.today()
        number = random.SystemRandom().randrange(1, SEEDS + 1) if seed is None else seed
        option = f"--daily of {today}" if daily else "" if puzzles is not None else f"--seed {number}"
        host = host.of(daily_puzzle(game, today) if daily else hidden(game, puzzles, number))
    return option, Session.start(game, host)


def hidden(game: "Game", file: Path | None, seed: int) -> tuple[int, ...]:
    """Return the answers to hide, drawn with the seed: a puzzle of the file, or one of all answers."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.tournaments.puzzles import choose_puzzles

    if file is not None and not file.exists():
        raise WordleKitError(f"--puzzles: there is no file {str(file)!r}")
    puzzles = choose_puzzles(game, 1 if file is None else file, seed)
    return puzzles.ids[random.Random(f"play {seed}").randrange(len(puzzles))]


@dataclass(frozen=True)
class TerminalGame:
    """How a game is played on a terminal: the game's title, and the strategies that give hints and play afterwards."""

    adviser: "Entrant"
    rivals: "list[Entrant]"
    deadline: float
    title: str
    keeps: bool
    """Whether the game is counted in the player's statistics when it is over."""
    reviews: bool
    """Whether the player is shown at the end how many words each guess left."""

    def play(self, session: "Session") -> "Session":
        """Play until the game is over or the player leaves, and return the game.

        On a terminal, everything is redrawn after each guess. Otherwise, the newest guess is printed below the others.
        """
        from wordle_kit_plugins.playing.assistance import legend
        from wordle_kit_plugins.playing.wording import terms_of

        explained = legend(session.game.rule, tiles=can_show_tiles(session.game))
        opened = f"You have {terms_of(session)}. Type ? for a hint, help for more."
        head = [self.title, opened, *([explained] if explained else [])]
        message, shown = "", False
        if not redraws():
            say_wrapped("\n".join(head))
        try:
            while True:
                self._show(session, [self.title, *head[2:]] if session.position.guess_ids else head, message, new=shown)
                if session.is_over:
                    return session
                limit = "" if session.limit is None else f" of {session.limit}"
                text = typed(f"guess {session.position.turn}{limit}: ")
                if text.lower() == "quit":
                    return session
                session, message, shown = self._after(session, text)
        except KeyboardInterrupt:
            raise CommandStopped("stopped; the game is not kept") from None

    def _show(self, session: "Session", head: list[str], message: str, *, new: bool) -> None:
        """Show the game if it has changed or the screen is redrawn, and a message below it."""
        from wordle_kit_plugins.playing.screen import Look, screen

        look = Look(width(), can_show_tiles(session.game), colours(), newest_only=not on_terminal())
        if redraws():
            clear()
            say_wrapped("\n".join(head))
        if redraws() or (new and session.position.guess_ids):
            text = screen(session.position, look)
            if text.plain:
                show(text)
        if new and session.is_stuck:
            say_wrapped("Hard mode allows no further guess on all boards: undo, or give up.")
        if message:
            say_wrapped(message)

    def _after(self, session: "Session", text: str) -> "tuple[Session, str, bool]":
        """Return the game after the player's input, a message about it, and whether the guesses have changed."""
        from wordle_kit.errors import WordleKitError

        try:
            if text.lower() in PLAY_COMMANDS:
                return self._obey(session, text.lower())
            return (session.guess(word_of(text)), "", True) if text else (session, "", False)
        except WordleKitError as error:
            return session, sentence(str(error)), False

    def _obey(self, session: "Session", command: str) -> "tuple[Session, str, bool]":
        """Return the game after a command, the command's output, and whether the guesses have changed."""
        from wordle_kit_plugins.playing.assistance import left_on

        from wordle_kit.explain import best_guess

        if command == "undo":
            return session.undo(), "", True
        if command == "give up":
            return session.give_up(), "", False
        if command == "?":
            with quiet():
                hint = best_guess(session.position, self.adviser, self.deadline)
            return session.helped("hint"), f"{self.adviser.label} would guess {hint}.", False
        if command == "words":
            return session.helped("look at the words"), "\n".join(left_on(session.position, SOME)), False
        lines = commands_of(PLAY_COMMANDS)
        taken = [name for name in PLAY_COMMANDS | SYNONYMS if name in session.game.guess_ids]
        if taken:
            lines.append(f"  {'=' + taken[0]:<8} guess the {session.game.nouns[0]} {taken[0]!r}")
        return session, "\n".join(lines), False

    def show_ending(self, session: "Session", option: str, seed: int) -> None:
        """Show how a game ended, the player's statistics, the text to share, and how strategies would have played."""
        from wordle_kit_plugins.playing.record import keep, record_path, statistics_of
        from wordle_kit_plugins.playing.wording import ending_of, share_text

        say_wrapped(ending_of(session))
        if self.keeps:
            say()
            say(statistics_of(keep(record_path(), session), session, "█" if can_show("█") else "#"))
        say()
        say(share_text(session, option, tiles=can_show_tiles(session.game)))
        if self.reviews:
            say()
            say_review(session.position, self.adviser, self.deadline)
        if self.rivals:
            say()
            say(comparison(session, self.rivals, self.deadline, seed), nl=False)


def typed(prompt: str) -> str:
    """Return what the player types, or `quit` if the input ends. Other texts for a command are replaced by it."""
    text = ask(prompt)
    return "quit" if text is None else SYNONYMS.get(text.strip().lower(), text.strip())


def shows_review(asked: bool | None) -> bool:
    """Return whether the player is shown how many words each guess left."""
    return on_terminal() if asked is None else asked


def say_review(position: "Position", adviser: "Entrant", deadline: float) -> None:
    """Print how many words each guess left, and what a strategy would have guessed."""
    from wordle_kit_plugins.playing.assistance import review_table

    with quiet():
        reviewed = review_table(position, adviser, deadline)
    say(reviewed, nl=False)


def word_of(text: str) -> str:
    """Return the guess in a text.

    An equals sign in front of it is removed, which allows words that are also commands.
    """
    word = text.removeprefix("=").strip()
    return word if word.lower() in PLAY_COMMANDS | SYNONYMS else text


def comparison(session: "Session", rivals: "list[Entrant]", deadline: float, seed: int) -> str:
    """Return a table that shows how strategies would have played the same game."""
    from wordle_kit_plugins.playing.assistance import rival

    from wordle_kit.tables import render

    rows = [("you", session.position.guesses, session.is_solved, "gave up" if session.gave_up else "not solved")]
    notes = []
    with quiet():
        for entrant in rivals:
            one = rival(entrant, session.game, session.host, session.limit, deadline, seed)
            rows.append((entrant.label, one.guesses, one.is_solved, "no guess" if one.problem else "not solved"))
            notes += [sentence(one.problem)] if one.problem else []
    cells = [
        {"player": who, "guesses": str(len(made)) if solved else why, "words": " ".join(made)}
        for who, made, solved, why in rows
    ]
    return render(cells, "table", notes)


@values.grouped
def assist(
    game: options.RealGameOption = None,
    strategy: options.StrategyOption = options.ADVISER,
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
    from wordle_kit_plugins.playing.assistance import left_on, legend
    from wordle_kit_plugins.playing.screen import Look, screen

    from wordle_kit.errors import WordleKitError
    from wordle_kit.strategy.moves import after_move, answers_to, example, read_move, taken_back

    form = values.table_format(format, setup.load())
    played, plugins = setup.load_game(game or options.REAL_GAME)
    adviser = values.entrant(strategy, played, plugins)
    position = values.after_moves(played, after)
    if after or form.name != "table":
        say_ranking(position, adviser, top, deadline, form, game, details=details)
        return
    tiles = can_show_tiles(played)
    explained = legend(played.rule, tiles=tiles)
    try:
        say(f"{values.titled(played, game)}.")
        say(f"Type a guess and its feedback, as in {example(played, ' ')}, or help.")
        if explained:
            say(explained)
        first = say_suggestions(position, adviser, top, deadline, details=details)
        while position.open_boards:
            text = typed(f"guess {position.turn}: ")
            command = text.lower()
            if command == "quit":
                return
            if command in ("words", "help"):
                say("\n".join(left_on(position, MANY) if command == "words" else commands_of(ASSIST_COMMANDS)))
            if command in ("words", "help", ""):
                continue
            try:
                if command == "undo":
                    position = taken_back(position)
                elif command != "?":
                    position = after_move(position, read_move(played, answers_to(played, text, first), " "))
            except WordleKitError as error:
                say(sentence(str(error)))
                continue
            if command != "?" and position.guess_ids:
                show(screen(position, Look(width(), tiles, colours(), newest_only=not on_terminal())))
            first = say_suggestions(position, adviser, top, deadline, details=details)
    except KeyboardInterrupt:
        raise CommandStopped("stopped; the guesses are not kept") from None
    say("solved")
    if shows_review(review):
        say_review(position, adviser, deadline)


def say_ranking(
    position: "Position",
    adviser: "Entrant",
    top: int,
    deadline: float,
    form: "Format",
    game: str | None,
    *,
    details: bool,
) -> None:
    """Print the best guesses in a position. JSON also has all remaining words, the likeliest first."""
    from wordle_kit_plugins.playing.assistance import suggestion_table, suggestions

    from wordle_kit.explain import likeliest

    played = position.game
    with quiet():
        rows = suggestions(position, adviser, top, deadline)
    if form.name == "json":
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
    values.say_usual_game(played, game, form)
    say(suggestion_table(rows, position, form, details=details), nl=False)


def commands_of(commands: dict[str, str]) -> list[str]:
    """Return a line for each command that says what it does."""
    longest = max(map(len, commands))
    return [f"  {name:<{longest + 1}} {what}" for name, what in commands.items()]


def say_suggestions(position: "Position", adviser: "Entrant", top: int, deadline: float, *, details: bool) -> str:
    """Print the best guesses in a position, if anything is left to guess. Return the first of them."""
    from wordle_kit_plugins.playing.assistance import suggestion_table, suggestions

    from wordle_kit.errors import StrategyError
    from wordle_kit.tables import BUNDLED

    if not position.open_boards:
        return ""
    try:
        with quiet():
            rows = suggestions(position, adviser, top, deadline)
    except StrategyError as error:
        say(sentence(str(error)))
        return ""
    say(suggestion_table(rows, position, BUNDLED["table"], details=details), nl=False)
    return str(rows[0]["word"])


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
    from wordle_kit_plugins.playing.puzzle_page import daily_series, draw_series, puzzle_page

    from wordle_kit.errors import PuzzleError
    from wordle_kit.tournaments.puzzles import choose_puzzles

    count = int(puzzles or 1) if (puzzles or "1").isdecimal() else None
    choices = {"--answer": answer, "--puzzles": None if daily and count else puzzles, "--daily": daily or None}
    given = [name for name, value in choices.items() if value is not None]
    if len(given) > 1:
        raise PuzzleError(f"{given[0]} and {given[1]} both choose the puzzles; give one of them")
    if seed is not None and (answer or daily or count is None):
        raise PuzzleError(f"--seed draws puzzles, but {given[0]} names them; give one of them")
    if count == 0:
        raise PuzzleError("--puzzles is 0; give 1 or more, or a file")
    played, _ = setup.load_game(game)
    drawn, first = "", None
    if answer is not None:
        chosen = values.hidden_puzzle(played, answer)
    elif count is None:
        chosen = choose_puzzles(played, puzzles)
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
