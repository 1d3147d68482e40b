"""Clusters of machines that play, using Dask."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register `--dask` for the commands that may play or search for a long time."""
    summary = "Play on a Dask cluster"
    for command in ("tournament", "compare", "reproduce"):
        register(f"{command} --dask", summary, "wordle_kit.clusters.commands:dask")
    register("optimal --dask", summary, "wordle_kit.clusters.commands:dask_to_search")
