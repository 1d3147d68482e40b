"""The catalogue of all bundled strategies, with the figures of the published leaderboards."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import wordle_kit as wk
from wordle_kit.cli.listing import _choices, _docs_of_fields, _parameters

ROOT = Path(__file__).parents[2]
GAME = "wordle"


def rows(game: str) -> dict[str, dict[str, Any]]:
    """Return the rows of the published leaderboard of a game, by strategy."""
    board = json.loads((ROOT / "leaderboard" / f"{game}.json").read_text(encoding="utf-8"))
    return {row["strategy"]: row for row in board["rows"]}


def catalogue() -> str:
    """Return the catalogue as Markdown: a table of all strategies, and a section for each."""
    entries = [entry for _, entry in sorted(wk.Plugins.load().strategies.items())]
    published = rows(GAME)
    boards = {path.stem: rows(path.stem) for path in sorted((ROOT / "leaderboard").glob("*.json"))}
    order = sorted(entries, key=lambda entry: published.get(entry.name, {}).get("mean", 99))
    lines = ["| strategy | mean | first guess | what it guesses |", "|---|---|---|---|"]
    for entry in order:
        row = published.get(entry.name, {})
        mean, opener = (f"{row['mean']:.4f}", f"`{row['opener']}`") if row else ("", "")
        lines.append(f"| [{entry.name}](#{entry.name}) | {mean} | {opener} | {sentence(entry.value.summary)} |")
    for entry in entries:
        lines += section(entry, boards)
    return "\n".join(lines)


def section(entry: Any, boards: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines about one strategy."""
    kind = type(entry.value)
    said = inspect.cleandoc(kind.__doc__ or "").replace("\n\n", "\0").replace("\n", " ").split("\0")
    summary = entry.value.summary
    yield from ("", f"## {entry.name}", "", sentence(summary), "")
    for paragraph in said:
        if paragraph != summary:
            yield from (sentence(paragraph), "")
    parameters, docs = _parameters(entry.value), _docs_of_fields(kind)
    if parameters:
        yield from ("| parameter | default | meaning |", "|---|---|---|")
        for name, value in parameters.items():
            meaning = f"{_choices(kind.model_fields[name].annotation)} {docs.get(name, '')}".strip()
            yield f"| `{name}` | `{value}` | {sentence(meaning)} |"
        yield ""
    file = Path(inspect.getsourcefile(kind) or "").relative_to(ROOT).as_posix()
    facts = [f"Source: `{file}`, class `{kind.__name__}`, plugin `{entry.plugin}`, version {entry.value.version}."]
    if entry.aliases:
        facts.append(f"Also called {', '.join(f'`{alias}`' for alias in entry.aliases)}.")
    played = [
        f"[{name}](../leaderboard/{name}.md) {board[entry.name]['mean']:.4f}"
        for name, board in boards.items()
        if entry.name in board and not board[entry.name]["problem"]
    ]
    yield from (" ".join(facts), "")
    if played:
        yield from (f"Mean numbers of guesses: {', '.join(played)}.", "")


def sentence(text: str) -> str:
    """Return a text for a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;")
