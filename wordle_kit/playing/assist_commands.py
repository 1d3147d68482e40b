"""`wordle-kit assist` and `suggest`: help with a puzzle that is played elsewhere."""

from typing import TYPE_CHECKING, Annotated, Any

from wordle_kit.analysis.commands import BY_WEIGHT
from wordle_kit.cli import options, panels, values
from wordle_kit.cli.output import CommandStopped, ask, can_show_tiles, on_terminal, quiet, say, sentence, show, width
from wordle_kit.texts import json_text, number_of, percent

if TYPE_CHECKING:
    from wordle_kit.strategy.board import Board
    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.entrants import Entrant

COMMANDS = {
    "undo": "take the last guess back",
    "words": "the number of remaining words, and some of them",
    "?": "the best guesses again",
    "quit": "end",
    "help": "this list",
}
MANY = 40
"""How many of the remaining words are shown."""

TopOption = Annotated[int, panels.output(metavar="N", min=1, help="Number of suggested guesses.")]


@values.grouped
def assist(
    game: options.RealGameOption = None,
    strategy: options.StrategyOption = options.ADVISER,
    after: options.AfterOption = None,
    top: TopOption = 5,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    deadline: options.DeadlineOption = 10.0,
    which: values.WhichPlugins = values.INSTALLED,
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

    plugins = which.load()
    played = values.load_game(game or options.REAL_GAME, plugins, hard, boards=boards)
    adviser = values.entrant(strategy, played, plugins)
    state = values.after_moves(played, after)
    tiles = can_show_tiles(played)
    explained = legend(played.rule, tiles=tiles)
    try:
        say(f"{values.titled(played, game)}.")
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
                if text.lower() in COMMANDS and text.lower() != "undo":
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
    game: options.RealGameOption = None,
    strategy: options.StrategyOption = options.ADVISER,
    after: options.AfterOption = None,
    top: TopOption = 10,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    deadline: options.DeadlineOption = 10.0,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    which: values.WhichPlugins = values.INSTALLED,
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
    plugins = which.load()
    played = values.load_game(game or options.REAL_GAME, plugins, hard, boards=boards)
    adviser = values.entrant(strategy, played, plugins)
    position = values.after_moves(played, after).position
    with quiet():
        rows = suggestions(position, adviser, top, deadline)
    if form == "json":
        words = [[] if board.is_solved else likeliest(board) for board in position.boards]
        left = [[word for word, _ in each] for each in words]
        chances = {"chances": [[chance for _, chance in each] for each in words]} if played.is_weighted else {}
        say(
            json_text(
                {
                    "game": played.name,
                    "strategy": adviser.label,
                    "guesses": list(position.guesses),
                    "left": [len(words) for words in left],
                    "suggestions": [{**row, "answer": row["answer"] == "yes"} for row in rows],
                    "words": left,
                    **chances,
                }
            )
        )
        return
    values.say_usual_game(played, game, form)
    say(table(rows, form, [] if form == "csv" else left_on(position)), nl=False)


def obey(position: "Position", command: str, adviser: "Entrant", top: int, deadline: float) -> None:
    """Print what a command asks for."""
    if command == "?":
        say_suggestions(position, adviser, top, deadline)
    elif command == "words":
        say("\n".join(left_on(position, MANY)))
    else:
        for name, what in COMMANDS.items():
            say(f"  {name:<6} {what}")


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


def left_on(position: "Position", few: int = 5) -> list[str]:
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
