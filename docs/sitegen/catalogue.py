"""The catalogue of all bundled strategies, with the figures of the published leaderboards."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from sphinx.pycode import ModuleAnalyzer

import wordle_kit as wk
from wordle_kit.strategy.strategy import written

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
        mean, opener = (f"{mean_of(row):.4f}", f"`{row['opener']}`") if row else ("", "")
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
    parameters, docs = entry.value.parameters(), docs_of_fields(kind)
    if parameters:
        yield from ("| parameter | default | values | meaning |", "|---|---|---|---|")
        for name, value in parameters.items():
            values = get_args(kind.model_fields[name].annotation)
            choices = ", ".join(f"`{each}`" for each in values if isinstance(each, str))
            yield f"| `{name}` | `{written(value)}` | {choices} | {sentence(docs.get(name, ''))} |"
        yield ""
    file = Path(inspect.getsourcefile(kind) or "").relative_to(ROOT).as_posix()
    facts = [f"Source: `{file}`, class `{kind.__name__}`, plugin `{entry.plugin}`, version {entry.value.version}."]
    played = [
        f"[{name}](../leaderboard/{name}.md) {mean_of(board[entry.name]):.4f}"
        for name, board in boards.items()
        if entry.name in board and not board[entry.name]["problem"]
    ]
    yield from (" ".join(facts), "")
    if played:
        yield from (f"Mean numbers of guesses: {', '.join(played)}.", "")


def mean_of(row: dict[str, Any]) -> float:
    """Return the mean of a row, weighted if the answers have weights."""
    return row.get("weighted_mean", row["mean"])


def docs_of_fields(kind: type) -> dict[str, str]:
    """Return the texts below the fields of a class and of the classes that it builds on."""
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("wordle_kit"):
            found = ModuleAnalyzer.for_module(each.__module__).find_attr_docs()
            docs |= {name: " ".join(lines).strip() for (owner, name), lines in found.items() if owner == each.__name__}
    return docs


def sentence(text: str) -> str:
    """Return a text for a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;")
