"""Programs in any language, used as strategies."""

from collections.abc import Callable

import wordle_kit as wk


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy that asks another program."""
    register(wk.Program())
