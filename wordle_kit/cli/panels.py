"""The panels of options in help, and a function for each that declares an option in it."""

from functools import partial

import typer

PLAYED = "What to play"
HOW = "How to play"
SEARCH = "How to search"
OUTPUT = "Output"
PLUGINS = "Plugins"
ISOLATION = "Isolation"
HUMANS = "Results of people"
OPTIONS = "Options"
PANELS = (OPTIONS, PLAYED, HOW, HUMANS, SEARCH, OUTPUT, PLUGINS, ISOLATION)
"""The panels in the order in which help shows them."""

played = partial(typer.Option, rich_help_panel=PLAYED)
how = partial(typer.Option, rich_help_panel=HOW)
search = partial(typer.Option, rich_help_panel=SEARCH)
output = partial(typer.Option, rich_help_panel=OUTPUT)
plugins = partial(typer.Option, rich_help_panel=PLUGINS)
isolation = partial(typer.Option, rich_help_panel=ISOLATION)
humans = partial(typer.Option, rich_help_panel=HUMANS)
