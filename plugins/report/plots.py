"""Plots of leaderboards and exact searches as Altair charts, which the caller can change before writing them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import wordle_kit as wk
from wordle_kit.errors import unknown
from wordle_kit.lazy import needed
from wordle_kit.leaderboard.rows import Row, ranked_by
from wordle_kit.strategy.specs import parse_spec
from wordle_kit.strategy.strategy import in_spec, spec_of
from wordle_kit.texts import number_of, one_line

if TYPE_CHECKING:
    import altair

SUFFIXES = (".svg", ".pdf", ".png", ".html", ".json")
"""The suffixes of files to which a chart can be written."""

SETTINGS: Mapping[str, Mapping[str, Any]] = {".html": {"inline": True}, ".png": {"scale_factor": 2.0}}
"""How Altair saves a chart in a format: a page with its scripts, or a picture with two dots per pixel."""

FRAME: Mapping[str, Any] = {"width": 520, "padding": {"left": 25, "top": 5, "right": 40, "bottom": 5}}
"""The sizes of a chart. Its margins are for fonts that are wider than the one by which Altair measures texts."""


def means(board: wk.Leaderboard) -> "altair.LayerChart":
    """Return a chart of the means that rank the strategies, best first.

    If the puzzles are a sample, lines show the confidence intervals.
    """
    alt, rows = _altair(), board.rows
    points = [{"strategy": one_line(row.strategy)} | _estimate(row) for row in rows]
    best, worst = points[0], points[-1]
    base = alt.Chart(alt.Data(values=points)).encode(y=_strategies(rows))
    layers = [base.mark_point(filled=True, size=60, tooltip=True).encode(x=_means(alt.X, "mean:Q", board))]
    if any(row.interval for row in rows):
        layers.append(base.mark_rule().encode(x=_means(alt.X, "low:Q", board), x2="high:Q"))
    return alt.layer(*layers).properties(
        title=f"Mean guesses in {_played(board)}",
        description=f"A dot for each of {number_of(len(rows), 'strategy', 'strategies')}, from {best['strategy']} "
        f"with {best['mean']:.4f} to {worst['strategy']} with {worst['mean']:.4f}.",
        **FRAME,
    )


def distribution(board: wk.Leaderboard) -> "altair.LayerChart":
    """Return a chart of the distribution of guesses, with a bar per strategy, best first.

    The number of puzzles not solved within the guesses allowed is next to the bar.
    """
    alt, rows, facts = _altair(), board.rows, board.facts[0]
    most = facts.max_guesses
    names = {str(turn): f"{turn}, failed" if turn > most else str(turn) for turn in range(1, facts.cap + 1)}
    names["unsolved"] = "unsolved"
    order = [name for turn, name in names.items() if any(turn in row.distribution for row in rows)]
    parts = [
        {
            "strategy": one_line(row.strategy),
            "guesses": names[turn],
            "puzzles": count,
            "place": order.index(names[turn]),
        }
        for row in rows
        for turn, count in row.distribution.items()
    ]
    failures = [{"strategy": one_line(row.strategy), "failed": f"{row.failed:,} failed"} for row in rows if row.failed]
    title = "puzzles (% of all)"
    bars = (
        alt.Chart(alt.Data(values=parts))
        .mark_bar(tooltip=True)
        .encode(
            x=alt.X("puzzles:Q", stack="normalize", axis=alt.Axis(format="%"), title=title),
            y=_strategies(rows),
            color=alt.Color(
                "guesses:O",
                sort=order,
                scale=alt.Scale(domain=order, scheme="redyellowblue", reverse=True),
                legend=alt.Legend(offset=80 if failures else 18),
            ),
            order=alt.Order("place:Q"),
        )
    )
    numbers = (
        alt.Chart(alt.Data(values=failures))
        .mark_text(align="left", dx=6)
        .encode(x=alt.X(datum=1, title=title), y=_strategies(rows), text="failed:N")
    )
    return alt.layer(bars, numbers).properties(
        title=f"Guesses per puzzle in {_played(board)}",
        description=f"Stacked bars for {number_of(len(rows), 'strategy', 'strategies')}, with the share of puzzles "
        f"that took each number of guesses. More than {most} have failed.",
        **FRAME,
    )


def sweep(board: wk.Leaderboard, parameter: str) -> "altair.LayerChart":
    """Return a chart of the mean against a parameter, with a line for each strategy that has several values of it.

    Strategies that differ in other parameters have separate lines. If the puzzles are a sample, confidence intervals
    are drawn around the lines. Raises WordleKitError if no strategy played with several values of the parameter.
    """
    alt = _altair()
    lines: dict[str, list[Row]] = {}
    for row in board.rows:
        if parameter in row.facts.parameters:
            lines.setdefault(_without(parameter, row.strategy), []).append(row)
    swept = [(name, row) for name, rows in lines.items() if len(rows) > 1 for row in rows]
    if not swept:
        known = {name for row in board.rows for name in row.facts.parameters}
        if parameter not in known:
            raise wk.WordleKitError(unknown("parameter of these strategies", parameter, known))
        raise wk.WordleKitError(
            f"no strategy was played with several values of {parameter}; play some, such as NAME({parameter}=0..5)"
        )
    values = [row.facts.parameters[parameter] for _, row in swept]
    is_number = all(type(value) in (int, float) for value in values)
    points = [
        {"value": value if is_number else one_line(in_spec(value)), "strategy": name} | _estimate(row)
        for (name, row), value in zip(swept, values, strict=True)
    ]
    best, shown = min(points, key=lambda point: float(point["mean"])), one_line(parameter)
    numbers, texts = alt.X("value:Q", title=shown, scale=alt.Scale(zero=False)), alt.X("value:N", title=shown)
    base = alt.Chart(alt.Data(values=points)).encode(x=numbers if is_number else texts, color="strategy:N")
    layers = [base.mark_line(point=True, tooltip=True).encode(y=_means(alt.Y, "mean:Q", board))]
    if any(row.interval for _, row in swept):
        mark = base.mark_area(opacity=0.2) if is_number else base.mark_rule(opacity=0.5)
        layers.append(mark.encode(y=_means(alt.Y, "low:Q", board), y2="high:Q"))
    return alt.layer(*layers).properties(
        title=f"Guesses by {shown} in {_played(board)}",
        description=f"Lines with the means for each value of {shown}. The least, {best['mean']:.4f}, is that of "
        f"{best['strategy']} with {best['value']}.",
        **FRAME,
    )


def convergence(searches: Mapping[str, Sequence[Mapping[str, Any]]], below: float | None = None) -> "altair.Chart":
    """Return a chart of how the bounds of searches converge over time.

    Each search is a list of lines from `read_progress`: `seconds` of CPU time, `lower`, and `upper` or None. `below`
    cuts the chart off at this many guesses below the lowest upper bound.
    """
    alt = _altair()
    rows: list[dict[str, Any]] = [
        {"search": one_line(name), "bound": bound, "seconds": row["seconds"], "guesses": row[bound]}
        for name, search in searches.items()
        for bound in ("lower", "upper")
        for row in search
        if row[bound] is not None
    ]
    if not rows:
        raise wk.WordleKitError("convergence: there are no bounds to plot; give files of the progress of a search")
    uppers = [row["guesses"] for row in rows if row["bound"] == "upper"]
    most, least = max(row["guesses"] for row in rows), min(row["guesses"] for row in rows)
    if below is not None and uppers:
        least = max(least, min(uppers) - below)
    return (
        alt.Chart(
            alt.Data(values=rows),
            title="How the bounds of exact search close",
            description="Lines for the lower and the upper bound of each search over the seconds of CPU.",
            height=360,
            **FRAME,
        )
        .mark_line(interpolate="step-after", clip=True)
        .encode(
            x=alt.X("seconds:Q", title="time (seconds of CPU)"),
            y=alt.Y("guesses:Q", scale=alt.Scale(domain=[least, most], zero=False), title="bounds (guesses in all)"),
            color=alt.Color("search:N", sort=list(map(one_line, searches)), title="search"),
            strokeDash=alt.StrokeDash("bound:N", sort=["upper", "lower"], title="bound"),
            detail="bound:N",
        )
    )


def read_progress(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file in which `optimal` has recorded the progress of a search.

    Raises WordleKitError if it is not such a file.
    """
    try:
        rows = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
        return [{name: row[name] for name in ("seconds", "lower", "upper")} for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it does not contain the progress of a search"
        raise wk.WordleKitError(f"{path}: cannot be read: {why}") from error


def write_chart(chart: "altair.TopLevelMixin", path: Path) -> None:
    """Write a chart to a file in the format of its suffix. An HTML page needs no network.

    Raises WordleKitError for any other suffix, or if the file cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise wk.WordleKitError(
            f"{path}: a plot is written as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; name such a file"
        )
    needed("vl_convert", "plots", "plots")
    kind = path.suffix.lower()
    try:
        chart.save(path, kind[1:], json_kwds={"cls": _ForScripts}, **SETTINGS.get(kind, {}))
    except OSError as error:
        raise wk.WordleKitError(f"{path}: cannot be written: {error.strerror}") from error


class _ForScripts(json.JSONEncoder):
    """Writes JSON in which no text, such as a strategy's name, can close a script element."""

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", "\\u003c")


def _altair() -> Any:
    return needed("altair", "plots", "plots")


def _estimate(row: Row) -> dict[str, Any]:
    """Return the mean that ranks a strategy and the ends of its interval."""
    low, high = row.interval or (None, None)
    return {"mean": getattr(row, ranked_by(row.facts)), "low": low, "high": high}


def _means(axis: Any, field: str, board: wk.Leaderboard) -> Any:
    """Return an axis of means."""
    alt, ranking = _altair(), ranked_by(board.facts[0])
    return axis(field, scale=alt.Scale(zero=False), title=f"{ranking.replace('_', ' ')} of guesses")


def _strategies(rows: Sequence[Row]) -> Any:
    """Return the axis of strategies, best first, with room for long names."""
    alt = _altair()
    return alt.Y("strategy:N", sort=[one_line(row.strategy) for row in rows], axis=alt.Axis(labelLimit=400), title=None)


def _without(parameter: str, strategy: str) -> str:
    """Return the label of a strategy without a parameter."""
    try:
        name, parameters = parse_spec(strategy)
    except wk.StrategyError:  # the label may have been cut
        return one_line(strategy)
    return one_line(spec_of(name, {key: value for key, value in parameters.items() if key != parameter}))


def _played(board: wk.Leaderboard) -> str:
    facts = board.facts[0]
    return f"{one_line(facts.game)}{' in hard mode' if facts.hard_mode else ''}: {one_line(facts.puzzles)}"
