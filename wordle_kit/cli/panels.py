"""The panels of options in help, and a function for each that declares an option in it."""

from functools import partial

import typer

GAME = "Game"
RUN = "Run"
OUTPUT = "Output"
ADVANCED = "Advanced"
GENERAL = "General"
PANELS = (GAME, RUN, OUTPUT, ADVANCED, GENERAL)
"""The panels in the order in which help shows them. `--help` leaves out the advanced panel, `--help-all` shows it."""

game = partial(typer.Option, rich_help_panel=GAME)
run = partial(typer.Option, rich_help_panel=RUN)
output = partial(typer.Option, rich_help_panel=OUTPUT)
advanced = partial(typer.Option, rich_help_panel=ADVANCED)
general = partial(typer.Option, rich_help_panel=GENERAL)
