"""Isolation: strategies run in separate processes, with limits, and never get the answers."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register `--isolate` and related options for the commands that run other people's strategies."""
    for command in ("tournament", "compare", "solve", "check"):
        register(f"{command} --isolate", "Run strategies in processes apart", "wordle_kit.isolation.commands:isolate")
