"""The command line. Its commands are those of the core and of plugins. `--help` never loads the engine."""

import atexit
import gc
import io
import itertools
import os
import sys
from contextlib import suppress
from functools import cached_property
from typing import Annotated, Any

import typer

from wordle_kit._version import __version__
from wordle_kit.cli import commands, options
from wordle_kit.cli.output import CommandStopped, note, say
from wordle_kit.errors import WordleKitError, shortage
from wordle_kit.registry import DeclaredCommand, Registered
from wordle_kit.texts import line

INTERRUPTED = 130

ALLOCATIONS = 400_000
"""The number of new objects after which Python looks for unreachable cycles. Most commands keep 90,000 to 200,000."""

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""The exceptions that Typer raises for options and arguments that it cannot read."""


class Program(options.Group):
    """The commands of `wordle-kit`, from the core and from plugins. Each is imported when it is used."""

    requested: tuple[str, ...] = ()
    """The plugins that the option `-p` names in front of the command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options in front of the command. Help needs the plugins among them."""
        with suppress(UsageError):  # the same error is raised again below
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            self.requested = tuple(given.get("plugin") or ())
        return super().parse_args(ctx, args)

    @cached_property
    def all(self) -> dict[str, Registered[DeclaredCommand]]:
        """All commands, including those in groups, and the options that are added to other commands."""
        return commands.all_commands(self.requested)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of the help."""
        names = [name for name in self.all if " " not in name]
        self.commands: Any = dict.fromkeys(names)  # in which Typer looks for similar names
        return sorted(names, key=lambda name: commands.panel_order(self.all[name].value.panel))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        if cmd_name not in commands.CORE and cmd_name not in self.list_commands(ctx):
            return None
        return commands.built(cmd_name, self.all)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names and summaries of the commands by panel. The commands are not imported."""
        names = self.list_commands(ctx)
        for panel, its in itertools.groupby(names, key=lambda name: line(self.all[name].value.panel)):
            with formatter.section(panel):
                formatter.write_dl(
                    [(f"{name:{max(map(len, names))}}", line(self.all[name].value.summary)) for name in its]
                )


app = typer.Typer(
    cls=Program,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"wordle-kit {__version__}")
        raise typer.Exit


@app.callback()
def wordle_kit(
    plugin: options.AnyPluginsOption = None,
    version: Annotated[
        bool,
        options.general("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Play Wordle-like games, and write strategies that compete on identical puzzles."""


def main() -> None:
    """Run the command line. A mistake of the user ends it with one line on standard error and exit code 2."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start a thread per core for matrices, unused here
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else pydantic searches all packages
    gc.set_threshold(ALLOCATIONS)
    atexit.register(gc.freeze)  # so that Python does not search all objects once more when it exits
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code: 0, 1 or 2 for problems, 130 after Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # the encoding may lack the characters of tiles
    output = sys.stdout
    try:
        code = app(arguments or ["--help"], prog_name="wordle-kit", standalone_mode=False)
        sys.stdout.flush()
        return _stopped() if code == INTERRUPTED else int(code or 0)
    except WordleKitError as error:
        named = ", ".join(f"--{setting}" for setting in error.settings)
        return _complain(f"{error} ({named})" if named else str(error))
    except UsageError as error:
        context = getattr(error, "ctx", None)
        said = error.format_message().rstrip(".")  # type: ignore[attr-defined]  # of Typer's
        file = next((word for word in arguments if word.endswith(".py") and word in said), None)
        where = f"; see {context.command_path} --help" if context is not None else ""
        where = where if file is None else f"; a plugin is loaded with -p {file}"
        return _complain(f"{said}{where}")
    except CommandStopped as error:
        return _stopped(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return _stopped()
    except BrokenPipeError:
        return _unread()
    except SystemExit as error:
        # If the reader of a pipe has ended, as `| head` does, Typer replaces the stream and exits.
        if sys.stdout is not output or isinstance(error.__context__, BrokenPipeError):
            return _unread()
        return error.code if isinstance(error.code, int) else 1
    except MemoryError as error:
        return _complain(str(shortage(error)))
    except OSError as error:
        _unread()  # it may be standard output that cannot be written
        where = error.filename or "standard output"
        return _complain(shortage(error) or (f"{where}: {error.strerror}" if error.strerror else str(error)))


def _stopped(how: str = "stopped; the results so far are stored, and the same command continues from there") -> int:
    note(how)
    return INTERRUPTED


def _unread() -> int:
    """Redirect standard output to the null device so that Python can flush it at exit. Return 0."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _complain(message: str) -> int:
    note(message)
    return 2
