"""The directives of the site: lists of commands, strategies and games, from where they are defined."""

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.strategy.strategy import spec_of

FOR_SCREEN_READERS = {
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside class="sidebar-drawer" aria-label="All pages"',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    "<pre>": '<pre tabindex="0">',
}
"""What the theme leaves out: levels of headings, names of landmarks, and code that keys can scroll."""


def commands() -> list[nodes.Node]:
    """Return a section for each command, with what its help says."""
    program: Any = typer.main.get_command(cli.app)
    context = typer.Context(program)
    found = {name: program.get_command(context, name) for name in program.list_commands(context)}
    for name, command in list(found.items()):
        found |= {f"{name} {inner}": each for inner, each in getattr(command, "commands", {}).items()}
    return [_command(f"wordle-kit {name}", command) for name, command in found.items()]


def _command(words: str, command: Any) -> nodes.section:
    said, _, examples = command.help.partition("\b\nFor example:\n")
    context = typer.Context(command, info_name=words)
    usage = " ".join([words, *command.collect_usage_pieces(context)])
    options = [record for each in command.params if (record := each.get_help_record(context))]
    below = [*_paragraphs(said), nodes.literal_block("", usage, language="text")]
    below += _list((names, _paragraphs(text)) for names, text in options)
    if examples:
        below += [*_paragraphs("For example:"), nodes.literal_block("", inspect.cleandoc(examples), language="sh")]
    return _section(words, below)


def strategies() -> list[nodes.Node]:
    """Return a section for each bundled strategy. The text about a class is at its first strategy."""
    told, sections = set(), []
    for name, entry in sorted(wk.Plugins.load().strategies.items()):
        kind, parameters = type(entry.value), entry.value.parameters()
        about = (kind.__doc__ or "").partition("\n\n")[2] if kind not in told else ""
        own = {each: kind.model_fields[each].description for each in kind.__annotations__ if each in parameters}
        meanings = _list((each, _paragraphs(text)) for each, text in own.items() if text and kind not in told)
        spec = f"`{spec_of(name, parameters)}`" if parameters else ""
        sections.append(_section(name, [*_paragraphs(f"{entry.value.summary}\n\n{about}\n\n{spec}"), *meanings]))
        told.add(kind)
    return sections


def games() -> list[nodes.Node]:
    """Return the bundled games with their titles and sizes."""
    plugins, entries = wk.Plugins.load(), []
    for game in map(plugins.find_game, sorted(plugins.games)):
        words = f"{len(game.answers):,} answers and {len(game.guesses):,} guesses of length {game.length}"
        rest = f"boards: {game.boards}, guesses allowed: {game.max_guesses}, rule `{game.rule.name}`"
        entries.append((game.name, _paragraphs(f"{game.title}: {words}, {rest}.")))
    return _list(entries)


def _section(title: str, below: list[Any]) -> nodes.section:
    return nodes.section("", nodes.title("", "", nodes.literal("", title)), *below, ids=[nodes.make_id(title)])


def _list(entries: Iterable[tuple[str, list[Any]]]) -> list[nodes.Node]:
    """Return a list of terms in code style, each with what is said about it, or nothing if there are none."""
    terms = ((nodes.term("", "", nodes.literal("", term)), nodes.definition("", *below)) for term, below in entries)
    items = [nodes.definition_list_item("", *each) for each in terms]
    return [nodes.definition_list("", *items)] if items else []


def _paragraphs(text: str) -> list[Any]:
    """Return the paragraphs of a text, with code where backticks say so."""
    parts = [part.split("`") for part in inspect.cleandoc(text).split("\n\n") if part.strip()]
    marks = (nodes.Text, lambda code: nodes.literal("", code))
    return [nodes.paragraph("", "", *(marks[i % 2](each) for i, each in enumerate(part))) for part in parts]


def add_contents(app: Any, page: str, source: list[str]) -> None:
    """Make the tables of pages in docs/index.md the navigation of the site, and those of leaderboards a part of it."""
    if page in ("docs/index", "leaderboard/README"):
        for part in re.split("^#+ ", source[0], flags=re.MULTILINE):
            title, pages = part.partition("\n")[0], re.findall(r"^\| \[[^\]]+\]\(([^):#]+)\.md\)", part, re.MULTILINE)
            if pages:
                source[0] += "\n".join(["\n```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```\n"])


def skip_public(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Return True for a name of `wk`, which sections of modules omit since it is in the reference, or None."""
    is_told = what == "module" and not options.imported_members and thing is getattr(wk, name, None)
    return True if is_told else None


def name_module(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Begin what a module says about itself with its name."""
    if what == "module":
        lines[:0] = [f".. rubric:: {name}", ""]


def finish(app: Any, exception: Exception | None) -> None:
    """Complete the pages that Sphinx has written, and lead from the folder to the first one."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            page = path.read_text(encoding="utf-8")
            for old, new in FOR_SCREEN_READERS.items():
                page = page.replace(old, new)
            path.write_text(page, encoding="utf-8")
        start = '<title>wordle-kit</title><meta http-equiv="refresh" content="0; url=docs/index.html">'
        (Path(app.outdir) / "index.html").write_text(start, encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    """Make directives of the lists above, and connect the other functions."""
    for made in (commands, games, strategies):
        run = {"run": lambda directive, made=made: made()}
        app.add_directive(made.__name__, type(made.__name__, (SphinxDirective,), run))
    app.connect("source-read", add_contents)
    app.connect("autodoc-skip-member", skip_public)
    app.connect("autodoc-process-docstring", name_module)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
