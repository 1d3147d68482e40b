"""`wordle-kit play`, `assist` and `puzzle`: play yourself, or get help with a puzzle played elsewhere."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import Annotated

import wordle_kit as wk
from wordle_kit.cli import load, options
from wordle_kit.cli.output import note, quiet, say, show_results

REAL_GAME = "wordle-nyt"
"""The game of today's Wordle."""

ADVISER = "expected-guesses"
"""The default strategy that suggests guesses."""

PuzzlesOption = Annotated[
    str | None, options.game(metavar="all|N|FILE", help="All, N drawn at random, or a file.", show_default="1")
]
SeedOption = Annotated[int | None, options.run(metavar="N", help="Seed for drawing puzzles.", show_default="random")]


def play(
    game: options.GameOption = options.USUAL_GAME,
    puzzles: PuzzlesOption = None,
    daily: Annotated[bool, options.game("--daily", help="Play today's puzzle: the same for everyone.")] = False,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    seed: SeedOption = None,
    strategy: options.StrategyOption = ADVISER,
    against: Annotated[
        list[str] | None,
        options.output(metavar="SPEC", help="Show at the end how a strategy would have played. Repeatable."),
    ] = None,
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
    repeats: options.RepeatsOption = False,
    host: options.HostOption = "hidden",
    first: options.FirstOption = None,
) -> None:
    """Play a game yourself, with hints from a strategy.

    Type a guess, ? for a hint, or help for the other commands. A refused guess costs nothing. With the same options,
    you play the same puzzles as in `wordle-kit tournament`, one after the other.

    For example:
        wordle-kit play --daily
        wordle-kit play --against entropy
        wordle-kit play -g quordle --puzzles 3
        wordle-kit play --host adversary
    """
    from wordle_kit_plugins.playing.persons_game import PersonsGame
    from wordle_kit_plugins.playing.terminal import play_game, say_ending, say_review, say_rivals

    from wordle_kit.tournaments.entrants import enter_one

    plugins = load.plugins(plugin)
    played = load.game(game, plugins, hard=hard, boards=boards, weights=weights)
    load.prepare_table(played)
    with quiet():
        adviser, *rivals = [enter_one(spec, played, plugins) for spec in (strategy, *(against or ()))]
    by = plugins.find_host(host)
    if daily:
        other_host = None if by.hides_words else host
        _refuse_with("--daily", {"--puzzles": puzzles, "--seed": seed, "--first": first, f"--host {host}": other_host})
        chosen, option = replace(_daily(played), host=by), f"--daily of {date.today()}"
    else:
        source = puzzles or ("1" if by.hides_words else None)
        drawn = _random_if_none(seed)
        chosen = load.puzzles(played, source, drawn, plugins, host=host, first=first, repeats=repeats, sample=False)
        option = _drawn_by(chosen, puzzles)
    for number in range(len(chosen)):
        which = f"puzzle {number + 1} of {len(chosen):,}" if len(chosen) > 1 else ""
        title = f"{played.title} ({played.name}){which and f', {which}'}."
        session = play_game(PersonsGame(chosen.host_of(number), chosen.start(number)), title, adviser)
        if not session.is_over:  # the player has left
            return
        say_ending(session, ", ".join(filter(None, (which, option))))
        say_review(session, adviser)
        if rivals:
            puzzle = chosen.chosen([number])
            with quiet():
                plays = [wk.play(rival.strategy, played, puzzle, seed=seed or 0) for rival in rivals]
            say_rivals(session, {rival.label: play for rival, (play,) in zip(rivals, plays, strict=True)})


def _random_if_none(seed: int | None) -> int:
    return SystemRandom().randint(1, 10**6) if seed is None else seed


def _drawn_by(chosen: "wk.Puzzles", puzzles: str | None) -> str:
    """Return the options that draw these puzzles again, or an empty string if they were not drawn at random."""
    if chosen.drawn_with is None:
        return ""
    number = f"--puzzles {puzzles} " if puzzles else ""
    return f"{number}{'--repeats ' if chosen.repeats else ''}--seed {chosen.drawn_with}"


def assist(
    game: options.GameOption = REAL_GAME,
    strategy: options.StrategyOption = ADVISER,
    after: options.AfterOption = None,
    top: options.TopOption = options.USUAL_TOP,
    form: options.FormatOption = "table",
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
) -> None:
    """Get help with today's Wordle, or another puzzle that you play elsewhere.

    The command suggests guesses. After each turn, type the guess you made and the feedback you saw, as in `crane 01100`
    or `crane BYYBB`, or paste the tiles. Feedback alone, such as `01100`, applies to the first suggestion. On several
    boards, separate the boards' feedback with / and type - for a board that is already solved. With --after or
    --format, the command prints the suggestions and exits; CSV and JSON have more figures, and JSON also lists all
    remaining words.

    For example:
        wordle-kit assist
        wordle-kit assist --after crane=01100 --after moist=BYBBG
        wordle-kit assist -g quordle --after crane=01100/00000/22010/10002 --format json
    """
    from wordle_kit_plugins.playing.assistance import advice, after_typed, table_of
    from wordle_kit_plugins.playing.terminal import assist_game, say_table

    from wordle_kit.tournaments.entrants import enter_one

    plugins = load.plugins(plugin)
    shown_as = plugins.find_format(form)
    played = load.game(game, plugins, hard=hard, boards=boards, weights=weights)
    load.prepare_table(played)
    with quiet():
        adviser = enter_one(strategy, played, plugins)
    title = f"{played.title} ({played.name})."
    if not after and shown_as.name == "table":
        assist_game(played, title, adviser, top)
        return

    def move(position: wk.Position, text: str) -> wk.Position:
        position, remark = after_typed(position, text)
        if remark:
            note(remark)
        return position

    position = load.position(played, after, move)
    table = table_of(advice(position, adviser, top), position, adviser)
    if shown_as.name != "table":
        show_results(table.content, shown_as)
        return
    say(title)
    say_table(table)


def puzzle(
    output: Annotated[Path, options.output("--output", "-o", metavar="FILE", help="File for the page.")] = Path(
        "puzzle.html"
    ),
    game: options.GameOption = "wordle",
    answer: Annotated[
        str | None, options.game("--answer", "-a", metavar="WORD", help="The hidden word, or those of all boards.")
    ] = None,
    puzzles: PuzzlesOption = None,
    daily: Annotated[
        bool,
        options.game("--daily", help="Write the puzzles of `play --daily` for --puzzles days, starting today."),
    ] = False,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    seed: SeedOption = None,
    title: Annotated[
        str | None, options.output(metavar="TEXT", help="Title of the page.", show_default="the game's")
    ] = None,
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
    repeats: options.RepeatsOption = False,
) -> None:
    """Write an HTML page with puzzles to play.

    The page works offline. It has an on-screen keyboard, saves the player's progress and lets players share their
    results as text.

    For example:
        wordle-kit puzzle --answer crane -o friday.html
        wordle-kit puzzle --puzzles 10 --seed 7 -o class.html
        wordle-kit puzzle --daily --puzzles 30 -o daily.html
    """
    from wordle_kit_plugins.playing.puzzle_page import puzzle_page

    from wordle_kit.files import write_file

    plugins = load.plugins(plugin)
    played = load.game(game, plugins, hard=hard, boards=boards, weights=weights)
    if answer is not None:
        _refuse_with("--answer", {"--puzzles": puzzles, "--daily": daily or None, "--seed": seed})
        with load.naming("answer"):
            chosen = wk.load_puzzles(played, [answer])
    elif daily:
        _refuse_with("--daily", {"--seed": seed})
        chosen = _daily(played, puzzles or "1")
    else:
        source, drawn = puzzles or "1", _random_if_none(seed)
        chosen = load.puzzles(played, source, drawn, plugins, host="hidden", first=None, repeats=repeats, sample=False)
    with quiet():
        html = puzzle_page(played, chosen, title, date.today() if daily else None)
    write_file(output, html)
    note(f"wrote {output}: {played.name}, {chosen.label}, {len(html.encode()) / 1e6:.2f} MB")


def _daily(game: "wk.Game", days: str = "1") -> "wk.Puzzles":
    """Return the daily puzzles for a number of days, starting today. Raises PuzzleError if the number is invalid."""
    from wordle_kit_plugins.playing.daily import daily_puzzles

    if not days.isdecimal() or int(days) == 0:
        raise wk.PuzzleError(f"--puzzles {days}: is not a number of days, which --daily needs")
    return daily_puzzles(game, date.today(), int(days))


def _refuse_with(option: str, others: dict[str, object]) -> None:
    """Raise PuzzleError if another option that chooses puzzles is given too."""
    for other, value in others.items():
        if value is not None:
            raise wk.PuzzleError(f"{option} and {other} both choose the puzzles; give one of them")
