"""The help of every command: it names all options, and has examples that can be typed."""

import shlex

import pytest
import typer

from wordle_kit import cli
from wordle_kit.cli.commands import Command

PROGRAM = typer.main.get_command(cli.app)
NAMES = PROGRAM.list_commands(typer.Context(PROGRAM))


def commands():
    """Yield every command with the words that call it."""
    for name in NAMES:
        found = PROGRAM.get_command(typer.Context(PROGRAM), name)
        yield from (
            [((name,), found)]
            if isinstance(found, Command)
            else [((name, inner), command) for inner, command in found.commands.items()]
        )


COMMANDS = dict(commands())
LEAVES = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


@LEAVES
def test_help_says_how_a_command_is_used_and_what_options_it_has(run, words):
    ran = run(*words, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert " ".join(["Usage: wordle-kit", *words]) in ran.out
    options = [option for option in COMMANDS[words].params if option.param_type_name == "option"]
    assert [option.opts for option in options if f"{option.opts[0]} " not in ran.out] == []


@LEAVES
def test_examples_can_be_typed(words):
    examples = [line for line in COMMANDS[words].help.splitlines() if line.startswith("    wordle-kit ")]
    assert examples
    for example in examples:
        program, *arguments = shlex.split(example)
        assert (program, tuple(arguments[: len(words)])) == ("wordle-kit", words)
        COMMANDS[words].make_context("wordle-kit", arguments[len(words) :])  # raises what is wrong


def test_help_of_the_program_names_every_command(run):
    ran = run("--help")
    assert (ran.code, ran.err) == (0, "")
    assert [name for name in NAMES if f"\n  {name} " not in ran.out] == []
    assert run() == run("-h") == ran


def test_an_option_has_the_same_short_form_in_every_command():
    found = {}
    for command in COMMANDS.values():
        for option in command.params:
            if option.param_type_name == "option":
                found.setdefault(max(option.opts, key=len), set()).update(option.opts)
    short = [each for opts in found.values() for each in opts if not each.startswith("--")]
    assert len(short) == len({*short})
    assert [name for name, opts in found.items() if len(opts) > 2] == []
