"""The command line. Its commands are those of the core and of plugins. `--help` never loads the engine."""

import atexit
import gc
import io
import os
import sys
from typing import Annotated

import typer

from wordle_kit._version import __version__
from wordle_kit.cli import options
from wordle_kit.cli.commands import RootGroup
from wordle_kit.cli.output import CommandStopped, note, say
from wordle_kit.errors import WordleKitError, shortage

INTERRUPTED = 130

STOPPED = "stopped; the results so far are stored, and the same command continues from there"

ALLOCATIONS = 400_000
"""The number of new objects after which Python looks for unreachable cycles. Most commands create 90,000 to 200,000."""

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""The exceptions that Typer raises for options and arguments that it cannot parse."""

app = typer.Typer(
    cls=RootGroup,
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
    plugin: options.PluginsInFrontOption = None,
    version: Annotated[
        bool,
        options.general("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Play Wordle-like games, and write strategies that compete on identical puzzles."""


def main() -> None:
    """Run the command line. A user error ends it with one line on standard error and exit code 2."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start an unused thread per core
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else pydantic searches all packages
    gc.set_threshold(ALLOCATIONS)
    atexit.register(gc.freeze)  # so that Python does not search all objects once more when it exits
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code: 0 for success, 1 or 2 for problems, 130 after Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # the encoding may lack the characters of tiles
    try:
        code = app(arguments or ["--help"], prog_name="wordle-kit", standalone_mode=False)
        sys.stdout.flush()
        return _ended(STOPPED, INTERRUPTED) if code == INTERRUPTED else int(code or 0)
    except WordleKitError as error:
        named = ", ".join(f"--{setting}" for setting in error.settings)
        return _ended(f"{error} ({named})" if named else str(error))
    except UsageError as error:
        return _ended(_usage(error, arguments))
    except CommandStopped as error:
        return _ended(str(error), INTERRUPTED)
    except (KeyboardInterrupt, typer.Abort):
        return _ended(STOPPED, INTERRUPTED)
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # the reader of the pipe has closed it, like `| head`
            return _unread()
        return error.code if isinstance(error.code, int) else 1
    except BrokenPipeError:
        return _unread()
    except (MemoryError, OSError) as error:
        _unread()  # standard output may be what cannot be written
        where = getattr(error, "filename", None) or "standard output"
        return _ended(shortage(error) or f"{where}: {getattr(error, 'strerror', None) or error}")


def _ended(why: str, code: int = 2) -> int:
    note(why)
    return code


def _usage(error: Exception, arguments: list[str]) -> str:
    """Return what is wrong with options and arguments, and where to read more."""
    said = error.format_message().rstrip(".")  # type: ignore[attr-defined]  # of Typer's
    file = next((word for word in arguments if word.endswith(".py") and word in said), None)
    if file is not None:
        return f"{said}; a plugin is loaded with -p {file}"
    context = getattr(error, "ctx", None)
    return said if context is None else f"{said}; see {context.command_path} --help"


def _unread() -> int:
    """Redirect standard output to the null device so that Python can flush it at exit. Return 0."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0
