"""The metrics of every leaderboard: mean, failures, opener and the other bundled ones."""

from collections.abc import Callable

import wordle_kit as wk
from wordle_kit.leaderboard.metrics import METRICS


@wk.hookimpl
def register_metrics(register: Callable[[wk.Metric], None]) -> None:
    """Register the bundled metrics."""
    for metric in METRICS:
        register(metric)
