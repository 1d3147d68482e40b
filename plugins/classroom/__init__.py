"""Assignments, and grades for the submissions of students."""

from collections.abc import Callable

import wordle_kit as wk


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register(
        "grade",
        "Grade the submissions of a class, or your own file",
        "wordle_kit_plugins.classroom.commands:grade",
        panel="Write and grade",
    )
    register(
        "new assignment",
        "Write an assignment for a class, with everything that students and the teacher need",
        "wordle_kit_plugins.classroom.commands:assignment",
        panel="Write and grade",
    )
