"""Plots of leaderboards and of exact searches as Altair charts. The caller can change a chart before writing it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordle_kit.errors import StrategyError, WordleKitError, unknown
from wordle_kit.lazy import needed
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import Row, ranked_by
from wordle_kit.strategy.specs import parse_spec
from wordle_kit.strategy.strategy import spec_of, written
from wordle_kit.texts import label, line, number_of
from wordle_kit.tournaments.runs import RunFacts

if TYPE_CHECKING:
    import altair

SUFFIXES = (".svg", ".pdf", ".png", ".html", ".json")
"""The endings of files to which a chart can be written."""

SETTINGS: Mapping[str, Mapping[str, Any]] = {".html": {"inline": True}, ".png": {"scale_factor": 2.0}}
"""How Altair saves a chart in a format: a page with its scripts, and a picture with two dots for each pixel."""


def means(board: Leaderboard) -> "altair.LayerChart":
    """Return a chart of the means by which strategies are ranked, the best at the top.

    If the puzzles are a sample, lines show the confidence intervals.
    """
    alt = _altair()
    rows = board.rows
    best, worst, ranking = rows[0], rows[-1], ranked_by(rows[0].facts)
    points = [{"strategy": label(row.strategy)} | _estimate(row, ranking) for row in rows]
    title = f"{ranking.replace('_', ' ')} of guesses"
    near = alt.Scale(zero=False)
    base = alt.Chart(alt.Data(values=points)).encode(y=_strategies(rows), tooltip=["strategy:N", "mean:Q"])
    layers = [base.mark_point(filled=True, size=60).encode(x=alt.X("mean:Q", scale=near, title=title))]
    if any(row.interval for row in rows):
        layers.append(base.mark_rule().encode(x=alt.X("low:Q", scale=near, title=title), x2="high:Q"))
    return alt.layer(*layers).properties(
        title=f"Mean guesses in {_played(best.facts)}",
        description=f"A dot for each of {number_of(len(rows), 'strategy', 'strategies')}, from {label(best.strategy)} "
        f"with {getattr(best, ranking):.4f} to {label(worst.strategy)} with {getattr(worst, ranking):.4f}.",
        width=520,
    )


def distribution(board: Leaderboard) -> "altair.LayerChart":
    """Return a chart of the distribution of guesses: a bar for each strategy, the best at the top.

    If puzzles were not solved within the guesses allowed, their number stands next to the bar.
    """
    alt = _altair()
    rows, facts = board.rows, board.facts[0]
    most = facts.max_guesses

    def called(taken: str) -> str:
        return f"{taken}, failed" if taken.isdecimal() and int(taken) > most else taken

    order = [*map(str, range(1, facts.cap + 1)), "unsolved"]
    order = [called(taken) for taken in order if any(taken in row.distribution for row in rows)]
    parts = [
        {
            "strategy": label(row.strategy),
            "guesses": called(taken),
            "puzzles": count,
            "place": order.index(called(taken)),
        }
        for row in rows
        for taken, count in row.distribution.items()
    ]
    failures = [{"strategy": label(row.strategy), "failed": f"{row.failed:,} failed"} for row in rows if row.failed]
    title = "puzzles (% of all)"
    bars = (
        alt.Chart(alt.Data(values=parts))
        .mark_bar()
        .encode(
            x=alt.X("puzzles:Q", stack="normalize", axis=alt.Axis(format="%"), title=title),
            y=_strategies(rows),
            color=alt.Color(
                "guesses:O",
                sort=order,
                scale=alt.Scale(domain=order, scheme="redyellowblue", reverse=True),
                legend=alt.Legend(offset=80 if failures else 18),
                title="guesses",
            ),
            order=alt.Order("place:Q"),
            tooltip=["strategy:N", "guesses:O", "puzzles:Q"],
        )
    )
    numbers = (
        alt.Chart(alt.Data(values=failures))
        .mark_text(align="left", dx=6)
        .encode(x=alt.X(datum=1, title=title), y=_strategies(rows), text="failed:N")
    )
    return alt.layer(bars, numbers).properties(
        title=f"Guesses per puzzle in {_played(facts)}",
        description=f"Stacked bars for {number_of(len(rows), 'strategy', 'strategies')}, with the share of puzzles "
        f"that took each number of guesses. More than {most} have failed.",
        width=520,
    )


def sweep(board: Leaderboard, parameter: str) -> "altair.LayerChart":
    """Return a chart of the mean against a parameter, with a line for each strategy that has several values of it.

    Strategies that differ in other parameters have separate lines. If the puzzles are a sample, confidence intervals
    are drawn around the lines. Raises WordleKitError if no strategy played with several values of the parameter.
    """
    alt = _altair()
    facts = board.facts[0]
    ranking = ranked_by(facts)
    lines: dict[str, list[Row]] = {}
    for row in board.rows:
        if parameter in row.facts.parameters:
            others = {name: value for name, value in row.facts.parameters.items() if name != parameter}
            same = json.dumps([row.facts.plugin, row.strategy.partition("(")[0], others], sort_keys=True)
            lines.setdefault(same, []).append(row)
    swept = [row for rows in lines.values() if len(rows) > 1 for row in rows]
    if not swept:
        known = {name for row in board.rows for name in row.facts.parameters}
        if parameter not in known:
            raise WordleKitError(unknown("parameter of these strategies", parameter, known))
        raise WordleKitError(
            f"no strategy was played with several values of {parameter}; play some, such as NAME({parameter}=0..5)"
        )
    values = [row.facts.parameters[parameter] for row in swept]
    is_number = all(type(value) in (int, float) for value in values)
    points = [
        {
            "value": value if is_number else label(written(value)),
            "strategy": _without(parameter, row.strategy),
            **_estimate(row, ranking),
        }
        for row, value in zip(swept, values, strict=True)
    ]
    best = min(points, key=lambda point: float(point["mean"]))
    shown = line(parameter)
    title, near = f"{ranking.replace('_', ' ')} of guesses", alt.Scale(zero=False)
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X("value:Q", title=shown, scale=near) if is_number else alt.X("value:N", title=shown),
        color=alt.Color("strategy:N", title="strategy"),
        tooltip=["strategy:N", "value:Q" if is_number else "value:N", alt.Tooltip("mean:Q", format=".4f")],
    )
    layers = [base.mark_line(point=True).encode(y=alt.Y("mean:Q", scale=near, title=title))]
    if any(row.interval for row in swept):
        mark = base.mark_area(opacity=0.2) if is_number else base.mark_rule(opacity=0.5)
        layers.append(mark.encode(y=alt.Y("low:Q", scale=near, title=title), y2="high:Q"))
    return alt.layer(*layers).properties(
        title=f"Guesses by {shown} in {_played(facts)}",
        description=f"Lines with the {title} for each value of {shown}. It is least, {best['mean']:.4f}, for "
        f"{best['strategy']} with {best['value']}.",
        width=520,
    )


def convergence(searches: Mapping[str, Sequence[Mapping[str, Any]]], below: float | None = None) -> "altair.Chart":
    """Return a chart of how the bounds of searches converge over time.

    Each search is a list of lines as `read_progress` returns them: `seconds` of CPU time, `lower`, and `upper` or None.
    `below` cuts the chart off at this many guesses below the least upper bound.
    """
    alt = _altair()
    rows: list[dict[str, Any]] = [
        {"search": line(name), "bound": bound, "seconds": row["seconds"], "guesses": row[bound]}
        for name, search in searches.items()
        for bound in ("lower", "upper")
        for row in search
        if row[bound] is not None
    ]
    if not rows:
        raise WordleKitError("convergence: there are no bounds to plot; give files of the progress of a search")
    uppers = [row["guesses"] for row in rows if row["bound"] == "upper"]
    most, least = max(row["guesses"] for row in rows), min(row["guesses"] for row in rows)
    if below is not None and uppers:
        least = max(least, min(uppers) - below)
    return (
        alt.Chart(
            alt.Data(values=rows),
            title="How the bounds of exact search close",
            description="Lines for the lower and the upper bound of each search over the seconds of CPU.",
            width=640,
            height=360,
        )
        .mark_line(interpolate="step-after", clip=True)
        .encode(
            x=alt.X("seconds:Q", title="time (seconds of CPU)"),
            y=alt.Y("guesses:Q", scale=alt.Scale(domain=[least, most], zero=False), title="bounds (guesses in all)"),
            color=alt.Color("search:N", sort=list(map(line, searches)), title="search"),
            strokeDash=alt.StrokeDash("bound:N", sort=["upper", "lower"], title="bound"),
            detail="bound:N",
        )
    )


def read_progress(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file with the progress of a search, which `optimal` has written.

    Raises WordleKitError, which names the wrong line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WordleKitError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    rows = []
    for number, text in enumerate(lines, start=1):
        try:
            row = json.loads(text)
            upper = None if row["upper"] is None else float(row["upper"])
            rows.append({"seconds": float(row["seconds"]), "lower": float(row["lower"]), "upper": upper})
        except (ValueError, KeyError, TypeError) as error:
            raise WordleKitError(f"{path}: line {number}: is not a line of the progress of a search") from error
    return rows


def write_chart(chart: "altair.TopLevelMixin", path: Path) -> None:
    """Write a chart to a file, in the format that its ending says. An HTML page needs no network.

    Raises WordleKitError for another ending, and if the file cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise WordleKitError(
            f"{path}: a plot is written as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; name such a file"
        )
    needed("vl_convert", "plots", "plots")
    kind = path.suffix.lower()
    try:
        chart.save(path, kind[1:], json_kwds={"cls": _ForScripts}, **SETTINGS.get(kind, {}))
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be written: {error.strerror}") from error


class _ForScripts(json.JSONEncoder):
    """Writes JSON in which no text, such as the name of a strategy, ends a script element."""

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", "\\u003c")


def _altair() -> Any:
    return needed("altair", "plots", "plots")


def _estimate(row: Row, ranking: str) -> dict[str, Any]:
    """Return a mean and the ends of its interval."""
    low, high = row.interval or (None, None)
    return {"mean": getattr(row, ranking), "low": low, "high": high}


def _strategies(rows: Sequence[Row]) -> Any:
    """Return the axis of strategies, the best at the top, with room for long names."""
    alt = _altair()
    names = [label(row.strategy) for row in rows]
    return alt.Y("strategy:N", sort=names, axis=alt.Axis(labelLimit=400), title="strategy")


def _without(parameter: str, strategy: str) -> str:
    """Return the label of a strategy without a parameter."""
    try:
        name, parameters = parse_spec(strategy)
    except StrategyError:  # the label may have been cut
        return label(strategy)
    return label(spec_of(name, {key: value for key, value in parameters.items() if key != parameter}))


def _played(facts: RunFacts) -> str:
    return f"{line(facts.game)}{' in hard mode' if facts.hard_mode else ''}: {line(facts.puzzles)}"
