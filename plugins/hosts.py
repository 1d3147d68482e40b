"""The bundled hosts: hidden words, and an adversary that evades."""

from collections.abc import Callable

import wordle_kit as wk
from wordle_kit.tournaments.host import HIDDEN, Adversary


@wk.hookimpl
def register_hosts(register: Callable[[wk.Host], None]) -> None:
    """Register the hosts of `--host`."""
    register(HIDDEN)
    register(Adversary())
