"""Strategies outside of this process: programs that speak the public line protocol, with or without a sandbox."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the option `--isolate` of the commands that run other people's strategies."""
    for command in ("tournament", "solve"):
        register(f"{command} --isolate", "Run the files of -p in a sandbox", "wordle_kit.programs.commands:isolate")
