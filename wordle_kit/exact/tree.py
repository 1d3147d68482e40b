"""Decision trees: what is guessed, and what is guessed next after each feedback."""

from typing import NamedTuple


class Node(NamedTuple):
    """A guess and, by the code of the feedback it gets, what follows; the winning code has no child."""

    guess: int
    children: dict[int, "Node"]
