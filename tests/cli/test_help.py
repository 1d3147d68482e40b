"""The help of every command: it fits, has panels and examples that can be typed, and short forms of formats."""

import inspect
import re
import shlex

import pytest
import typer

from wordle_kit import cli
from wordle_kit.cli.commands import all_commands
from wordle_kit.cli.help import PANELS, HelpfulCommand

DECLARED = all_commands(())
NAMES = [name for name in DECLARED if " " not in name]


def commands():
    """Yield every command with the words that call it."""
    program = typer.main.get_command(cli.app)
    for name in NAMES:
        found = program.get_command(None, name)
        yield from (
            [((name,), found)]
            if isinstance(found, HelpfulCommand)
            else [((name, inner), command) for inner, command in found.commands.items()]
        )


COMMANDS = dict(commands())
LEAVES = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


@pytest.fixture
def shown(run, monkeypatch):
    """Return the lines of help at 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *words: run(*words, "--help").out.splitlines()


def test_the_help_of_tournament_fits_on_one_screen(shown):
    lines = shown("tournament")
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 100


def test_the_help_of_tournament_has_its_options_in_panels(shown):
    headings = [line.removesuffix(":") for line in shown("tournament") if re.fullmatch(r"\w.*:", line)]
    assert headings == ["What to play", "How to play", "Output", "Plugins", "Isolation", "Examples"]


def test_every_command_of_the_overview_has_one_line(shown):
    lines = shown()
    lines = lines[: lines.index("Options:")]
    assert [name for name in NAMES if not any(re.match(rf"  {name} +\w", line) for line in lines)] == []
    assert [line for line in lines if line.startswith(" " * 10)] == []


@LEAVES
def test_flags_have_no_value_and_other_options_name_theirs(words):
    for option in COMMANDS[words].params:
        if option.param_type_name == "option":
            assert bool(option.is_flag) is (option.metavar is None), option.opts
            assert option.rich_help_panel in (*PANELS, None)


@LEAVES
def test_help_shows_no_types(shown, words):
    assert [line for line in shown(*words) if re.search(r"<\w+>|VALUE$", line)] == []


@LEAVES
def test_h_shows_the_help(run, words):
    assert run(*words, "-h") == run(*words, "--help")


@pytest.mark.parametrize(
    ("words", "example"),
    [(words, example) for words, command in COMMANDS.items() for example in command.examples],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_examples_can_be_typed(words, example):
    program, *arguments = shlex.split(example)
    assert (program, tuple(arguments[: len(words)])) == ("wordle-kit", words)
    COMMANDS[words].make_context("wordle-kit", arguments[len(words) :])  # raises what is wrong


@pytest.mark.parametrize("name", ["json", "csv", "markdown"])
def test_formats_have_short_forms(run, name):
    assert run("rules", f"--{name}") == run("rules", "--format", name)


@LEAVES
def test_every_command_with_formats_has_the_short_forms(words):
    command = COMMANDS[words]
    if any(option.name == "format" for option in command.params):
        required = [["x"] for option in command.params if option.required and option.param_type_name == "argument"]
        required += [[option.opts[0], "x"] for option in command.params if option.required and option.opts[0][0] == "-"]
        context = command.make_context("x", [*(word for pair in required for word in pair), "--csv"])
        assert context.params["format"] == "csv"


def test_of_several_formats_the_last_one_counts(run):
    assert run("rules", "--json", "--format", "csv") == run("rules", "--csv")
    assert run("rules", "--format", "csv", "--json") == run("rules", "--json")


@pytest.mark.parametrize("name", [name for name in DECLARED if "--" not in name])
def test_the_overview_says_of_a_command_what_its_own_help_says_first(name):
    words = tuple(name.split(" "))
    said = COMMANDS[words].help if words in COMMANDS else typer.main.get_command(cli.app).get_command(None, name).help
    assert inspect.cleandoc(said).partition("\n")[0].rstrip(".") == DECLARED[name].value.summary


WITHOUT_WEIGHTS = {
    # Commands with --game that have no --weights, and why.
    "leaderboard": "a game that was played is found by its name",
    "report": "a game that was played is found by its name",
    "plot distribution": "a game that was played is found by its name",
    "plot figure": "a game that was played is found by its name",
    "plot hardest": "a game that was played is found by its name",
    "plot head-to-head": "a game that was played is found by its name",
    "plot sweep": "a game that was played is found by its name",
    "new assignment": "the weights of an assignment are in its game file",
}


def test_weights_may_be_given_wherever_a_game_is_chosen():
    options = {" ".join(words): {each.name for each in command.params} for words, command in COMMANDS.items()}
    assert {name for name, has in options.items() if "game" in has and "weights" not in has} == set(WITHOUT_WEIGHTS)
    assert [name for name, has in options.items() if "weights" in has and "game" not in has] == []
