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
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


def headings(lines):
    """Return the headings of help."""
    return [line.removesuffix(":") for line in lines if re.fullmatch(r"\w.*:", line)]


@LEAVES
def test_help_has_options_in_panels_and_ends_with_examples(shown, words):
    found = headings(shown(*words))
    assert found[-2:] == ["General", "Examples"]
    panels = [name for name in PANELS if name in found and name != "Advanced"]
    assert found == [*(["Arguments"] * ("Arguments" in found)), *panels, "Examples"]


@pytest.mark.parametrize("words", [(), *sorted({words[:1] for words in COMMANDS if len(words) > 1})], ids=" ".join)
def test_groups_have_examples_too(shown, words):
    assert headings(shown(*words))[-1] == "Examples"


def test_help_shows_the_usual_options_and_help_all_every_option(run):
    usual, every = run("tournament", "--help").out, run("tournament", "--help-all").out
    assert "Advanced:" not in usual
    assert "--help-all" in usual
    names = [option.opts[0] for option in COMMANDS["tournament",].params]
    assert [name for name in names if f"{name} " not in every] == []
    hidden = [option for option in COMMANDS["tournament",].params if option.rich_help_panel == "Advanced"]
    assert [option.opts[0] for option in hidden if f"  {option.opts[0]} " in usual] == []
    assert f"{len(hidden)} advanced options" in usual


def test_help_all_is_not_offered_where_nothing_is_hidden(run):
    assert "--help-all" not in run("cache", "--help").out
    assert run("cache", "--help-all") == run("cache", "--help")


def test_play_and_assist_come_first(shown):
    lines = shown()
    assert [line.split()[0] for line in lines[lines.index("Play:") + 1 :][:2]] == ["play", "assist"]


@pytest.fixture(scope="module")
def options():
    """Return the options of all commands by their long names."""
    found = {}
    for command in COMMANDS.values():
        for option in command.params:
            if option.param_type_name == "option":
                found.setdefault(max(option.opts, key=len), []).append(option)
    return found


def test_an_option_has_the_same_short_form_in_every_command(options):
    assert [name for name, found in options.items() if len({tuple(sorted(each.opts)) for each in found}) > 1] == []
    short = [each for found in options.values() for each in found[0].opts if not each.startswith("--")]
    assert len(short) == len({*short})


def test_an_option_takes_a_value_in_every_command_or_in_none(options):
    assert [name for name, found in options.items() if len({each.is_flag for each in found}) > 1] == []


MEANINGS = {
    # Options whose values differ in kind between commands, and what they have in common.
    "--output": ({"FILE", "DIR"}, "whatever is written"),
    "--puzzles": ({"all|N|FILE", "N|FILE", "FILE"}, "the hidden words"),
    "--plugin": ({"PLUGIN", "FILE"}, "a plugin to load"),
    "--strategy": ({"SPEC", "NAME"}, "a strategy, or one of a leaderboard"),
}


def test_the_value_of_an_option_is_of_one_kind(options):
    kinds = {name: {each.metavar for each in found} for name, found in options.items()}
    assert {name: kind for name, kind in kinds.items() if len(kind) > 1} == {
        name: kind for name, (kind, _) in MEANINGS.items()
    }


def test_top_has_one_default(options):
    assert {option.default for option in options["--top"]} == {10}


def test_every_command_of_the_overview_has_one_line(shown):
    lines = shown()
    lines = lines[: lines.index("General:")]
    assert [name for name in NAMES if not any(re.match(rf"  {name} +\w", line) for line in lines)] == []
    assert [line for line in lines if line.startswith(" " * 10)] == []


@LEAVES
def test_flags_have_no_value_and_other_options_name_theirs(words):
    for option in COMMANDS[words].params:
        if option.param_type_name == "option":
            assert bool(option.is_flag) is (option.metavar is None), option.opts
            assert option.rich_help_panel in (*PANELS, None)  # without one, it is in Run


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
        context = command.make_context("x", [*(word for pair in required for word in pair), "--json"])
        assert context.params["format"] == "json"


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


def test_an_option_that_many_commands_have_is_in_the_same_panel_everywhere():
    places = {(option.opts[0], option.rich_help_panel) for command in COMMANDS.values() for option in command.params}
    for name in ("--game", "--puzzles", "--output", "--dir", "--format", "--plugin", "--workers", "--top"):
        assert len([place for place in places if place[0] == name]) == 1, name


@LEAVES
def test_the_usage_names_each_argument_once_without_doubled_signs(shown, words):
    usage = shown(*words)[0]
    assert "[[" not in usage
    assert "...." not in usage
