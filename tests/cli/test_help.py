"""The help of every command: it names all options, has examples that can be typed, and short forms of formats."""

import shlex

import pytest
import typer

from wordle_kit import cli
from wordle_kit.cli.commands import all_commands
from wordle_kit.cli.help import HelpfulCommand

NAMES = [name for name in all_commands(()) if " " not in name]


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


@LEAVES
def test_help_says_how_a_command_is_used_and_what_options_it_has(run, words):
    ran = run(*words, "--help-all")
    assert (ran.code, ran.err) == (0, "")
    assert " ".join(["Usage: wordle-kit", *words]) in ran.out
    options = [option for option in COMMANDS[words].params if option.param_type_name == "option"]
    assert [option.opts for option in options if f"{option.opts[0]} " not in ran.out] == []


@LEAVES
def test_examples_can_be_typed(words):
    assert COMMANDS[words].examples
    for example in COMMANDS[words].examples:
        program, *arguments = shlex.split(example)
        assert (program, tuple(arguments[: len(words)])) == ("wordle-kit", words)
        COMMANDS[words].make_context("wordle-kit", arguments[len(words) :])  # raises what is wrong


def test_help_of_the_program_names_every_command(run):
    ran = run("--help")
    assert (ran.code, ran.err) == (0, "")
    assert [name for name in NAMES if f"\n  {name} " not in ran.out] == []
    assert run() == run("-h") == ran


def test_help_leaves_advanced_options_to_help_all(run):
    usual, every = run("tournament", "--help").out, run("tournament", "--help-all").out
    assert run("tournament", "-h").out == usual
    hidden = [option.opts[0] for option in COMMANDS["tournament",].params if option.rich_help_panel == "Advanced"]
    assert hidden
    assert [name for name in hidden if f"  {name} " in usual or f"  {name} " not in every] == []


def test_an_option_has_the_same_short_form_in_every_command():
    found = {}
    for command in COMMANDS.values():
        for option in command.params:
            if option.param_type_name == "option":
                found.setdefault(max(option.opts, key=len), set()).update(option.opts)
    short = [each for opts in found.values() for each in opts if not each.startswith("--")]
    assert len(short) == len({*short})
    assert [name for name, opts in found.items() if len(opts) > 2] == []


@pytest.mark.parametrize("name", ["json", "csv"])
def test_formats_have_short_forms_and_the_last_one_counts(run, name):
    assert run("rules", f"--{name}") == run("rules", "--format", name)
    assert run("rules", "--format", "table", f"--{name}") == run("rules", "--format", name)
    assert run("rules", f"--{name}", "--format", "table") == run("rules")
