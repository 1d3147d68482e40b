"""Plots of leaderboards, guesses, first guesses and searches as Altair charts, and how they are written to files.

The caller can change a chart before writing it.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordle_kit_plugins.pages import html
from wordle_kit_plugins.report import page

from wordle_kit.errors import StrategyError, WordleKitError, unknown
from wordle_kit.files import write_file
from wordle_kit.lazy import needed
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import Row, ranked_by
from wordle_kit.leaderboard.significance import in_percent
from wordle_kit.strategy.specs import parse_spec
from wordle_kit.strategy.strategy import spec_of, written
from wordle_kit.texts import label, line, number_of, plain, web
from wordle_kit.tournaments.runs import RunFacts

if TYPE_CHECKING:
    import altair


UNSOLVED = "unsolved"


SUFFIXES = (".svg", ".pdf", ".png", ".html", ".json")
"""The endings of files to which a chart can be written."""

PNG_SCALE = 2.0

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>h1 {{ position: absolute; clip-path: inset(50%); }}</style>
</head>
<body>
<main><h1>{title}</h1><div id="chart"></div></main>
<script>{libraries}</script>
<script>vegaEmbed("#chart", {spec}, {options}).then(() =>
  document.querySelector("#chart summary").setAttribute("aria-label", "Save the chart"));</script>
</body>
</html>
"""

POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
"""A policy under which nothing is loaded from anywhere. It allows eval, since Vega compiles expressions."""

FONTS = "Arial, Liberation Sans, DejaVu Sans Condensed, Helvetica, sans-serif"
"""The fonts of pictures in SVG. They are as wide as the font for which the layout is computed. Wider texts would be
cut.
"""

PADDING = 12
"""The pixels around a picture in SVG, which leave room for the widest of these fonts."""

OPTIONS = {"renderer": "svg", "actions": {"export": True, "source": False, "compiled": False, "editor": False}}


def distribution(board: Leaderboard) -> "altair.LayerChart":
    """Return a chart of the distribution of guesses: a bar for each strategy, the best at the top.

    If puzzles were not solved within the guesses allowed, their number stands next to the bar.
    """
    alt = _altair()
    ranked = page.ranked(board)
    facts = ranked[0].row.facts
    rows: list[dict[str, Any]] = [
        {
            "strategy": label(row.strategy),
            "guesses": _called(taken, facts.max_guesses),
            "puzzles": count,
            "order": place,
        }
        for row, *_ in ranked
        for place, (taken, count) in enumerate(sorted(row.distribution.items(), key=lambda item: _order(item[0])))
    ]
    failures = [
        {"strategy": label(row.strategy), "failed": f"{row.failed:,} failed"} for row, *_ in ranked if row.failed
    ]
    best, worst = ranked[0].row, ranked[-1].row
    ranking = ranked_by(facts)
    y = alt.Y("strategy:N", sort=[label(row.strategy) for row, *_ in ranked], axis=_names(), title="strategy")
    bars = (
        alt.Chart(_data(rows))
        .mark_bar(stroke=_colours()["line-strong"], strokeWidth=0.5)
        .encode(
            x=alt.X("puzzles:Q", stack="normalize", axis=alt.Axis(format="%"), title="puzzles (% of all)"),
            y=y,
            color=_guesses(rows, facts.max_guesses, max((len(each["failed"]) for each in failures), default=0)),
            order=alt.Order("order:Q"),
            tooltip=["strategy:N", "guesses:O", "puzzles:Q"],
        )
    )
    numbers = (
        alt.Chart(_data(failures))
        .mark_text(align="left", dx=6, color=_colours()["late"])
        .encode(x=alt.X(datum=1, title="puzzles (% of all)"), y=y, text="failed:N")
    )
    return alt.layer(bars, numbers).properties(
        title=f"Guesses per puzzle in {_played(facts)}",
        description=f"Stacked bars for {number_of(len(ranked), 'strategy', 'strategies')}, with the share of "
        f"puzzles that took each number of guesses. More than {facts.max_guesses} have failed. "
        f"The {ranking.replace('_', ' ')} is least for "
        f"{label(best.strategy)}, {getattr(best, ranking):.4f}, and greatest for {label(worst.strategy)}, "
        f"{getattr(worst, ranking):.4f}.",
        width=520,
    )


def figure(board: Leaderboard, name: str) -> "altair.Chart":
    """Return a chart of one figure, with a bar for each strategy.

    If lower or higher figures are better, the best strategy is at the top. `name` is the name of a metric that is a
    single number, as in `--columns` or in JSON. Strategies without the figure are left out. Raises WordleKitError if
    there is no such metric.
    """
    alt = _altair()
    metrics = [metric for metric in board.metrics if metric.kind != "text" and not metric.prefix]
    by_name = {each: metric for metric in metrics for each in (metric.name, metric.column)}
    if name not in by_name:
        raise WordleKitError(unknown("metric that can be drawn", name, {metric.column for metric in metrics}))
    metric = by_name[name]
    ranked = [row for row, *_ in page.ranked(board)]
    rows = [row for row in ranked if row.figures[metric.name] is not None]
    if metric.better is not None:
        rows.sort(key=lambda row: float(row.figures[metric.name]), reverse=metric.better == "higher")
    bars: list[dict[str, Any]] = [
        {"strategy": label(row.strategy), "figure": row.figures[metric.name], "shown": line(str(metric.cell(row)))}
        for row in rows
    ]
    header = line(str(metric.header))
    ends = f" From top to bottom: {bars[0]['shown']} to {bars[-1]['shown']}." if bars else ""
    return (
        alt.Chart(
            _data(bars),
            title=f"{header} in {_played(ranked[0].facts)}",
            description=f"Bars for {number_of(len(bars), 'strategy', 'strategies')}. {line(metric.sentence)}{ends}",
            width=520,
        )
        .mark_bar(color=_colours()["bar"])
        .encode(
            x=alt.X("figure:Q", title=header),
            y=alt.Y("strategy:N", sort=[bar["strategy"] for bar in bars], axis=_names(), title="strategy"),
            tooltip=["strategy:N", alt.Tooltip("shown:N", title=header)],
        )
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
    lines = {same: rows for same, rows in lines.items() if len(rows) > 1}
    if not lines:
        known = {name for row in board.rows for name in row.facts.parameters}
        if parameter not in known:
            raise WordleKitError(unknown("parameter of these strategies", parameter, known))
        raise WordleKitError(
            f"no strategy was played with several values of {parameter}; play some, such as NAME({parameter}=0..5)"
        )
    swept = {row.strategy for rows in lines.values() for row in rows}
    values = {row.strategy: row.facts.parameters[parameter] for row in board.rows if row.strategy in swept}
    is_number = all(type(value) in (int, float) for value in values.values())
    points: list[dict[str, Any]] = [
        {
            "value": values[row.strategy] if is_number else label(written(values[row.strategy])),
            "mean": getattr(row, ranking),
            "low": row.interval[0] if row.interval else None,
            "high": row.interval[1] if row.interval else None,
            "strategy": _without(parameter, row.strategy),
        }
        for rows in lines.values()
        for row in rows
    ]
    best = min(points, key=lambda point: float(point["mean"]))
    shown = line(parameter)
    means, near = f"{ranking.replace('_', ' ')} of guesses", alt.Scale(zero=False)
    base = alt.Chart(_data(points)).encode(
        x=alt.X("value:Q", title=shown, scale=near) if is_number else alt.X("value:N", title=shown),
        color=alt.Color("strategy:N", scale=_kinds(), title="strategy"),
        tooltip=["strategy:N", "value:Q" if is_number else "value:N", alt.Tooltip("mean:Q", format=".4f")],
    )
    layers = [base.mark_line(point=True).encode(y=alt.Y("mean:Q", scale=near, title=means))]
    interval = ""
    if any(point["low"] is not None for point in points):
        mark = base.mark_area(opacity=0.2) if is_number else base.mark_rule(opacity=0.5)
        layers.append(mark.encode(y=alt.Y("low:Q", scale=near, title=means), y2="high:Q"))
        interval = f" Around it are {in_percent(board.confidence)} confidence intervals."
    return alt.layer(*layers).properties(
        title=f"Guesses by {shown} in {_played(facts)}",
        description=f"A line for {number_of(len(lines), 'strategy', 'strategies')}, with the {means} for each value of "
        f"{shown}. It is least, {best['mean']:.4f}, for {best['strategy']} with {best['value']}.{interval}",
        width=520,
    )


def _without(parameter: str, strategy: str) -> str:
    """Return the label of a strategy without a parameter."""
    try:
        name, parameters = parse_spec(strategy)
    except StrategyError:  # the label may have been cut
        return label(strategy)
    return label(spec_of(name, {key: value for key, value in parameters.items() if key != parameter}))


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
    ends = "; ".join(
        f"{line(name)} ends at {search[-1]['lower']:,.10g} to "
        f"{'unknown' if search[-1]['upper'] is None else format(search[-1]['upper'], ',.10g')} "
        f"after {search[-1]['seconds']:.2f} s"
        for name, search in searches.items()
        if search
    )
    return (
        alt.Chart(
            _data(rows),
            title="How the bounds of exact search close",
            description=f"Lines for the lower and the upper bound of each search over the seconds of CPU. {ends}.",
            width=640,
            height=360,
        )
        .mark_line(interpolate="step-after", clip=True)
        .encode(
            x=alt.X("seconds:Q", title="time (seconds of CPU)"),
            y=alt.Y("guesses:Q", scale=alt.Scale(domain=[least, most], zero=False), title="bounds (guesses in all)"),
            color=alt.Color("search:N", sort=list(map(line, searches)), scale=_kinds(), title="search"),
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
            rows.append({"seconds": float(row["seconds"]), "lower": float(row["lower"]), "upper": row["upper"]})
            if row["upper"] is not None:
                float(row["upper"])
        except (ValueError, KeyError, TypeError) as error:
            raise WordleKitError(f"{path}: line {number}: is not a line of the progress of a search") from error
    return rows


def _altair() -> Any:
    return needed("altair", "plots", "plots")


def _data(rows: Sequence[Mapping[str, Any]]) -> Any:
    return _altair().Data(values=list(rows))


@cache
def _colours() -> dict[str, str]:
    """Return the light-theme colours of the report page by their names in its style sheet, such as `blue-1`."""
    found: dict[str, str] = {}
    for path in (html.HERE / "base.css", page.HERE / "style.css"):
        light = path.read_text("utf-8").partition(":root {")[2].partition("}")[0]
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    return found


SCALE = ("blue-5", "blue-3", "blue-1", "orange-1", "orange-3", "orange-4")
"""The colours for numbers of guesses, from the fewest to the most that are allowed."""

APART = ("accent", "late", "correct", "never", "warn-line", "soft")
"""Colours that distinguish lines."""


def _kinds() -> Any:
    return _altair().Scale(range=[_colours()[name] for name in APART])


def _guesses(rows: Sequence[Mapping[str, Any]], most: int, beside: int = 0) -> Any:
    """Return the colour scale for the numbers of guesses in rows. Failures stand out from other numbers.

    `beside` is the number of characters between the bars and the legend.
    """
    alt, colours = _altair(), _colours()
    shown = sorted({row["guesses"] for row in rows}, key=_order)
    allowed = [
        _between([colours[name] for name in SCALE], (turn - 1) / max(1, most - 1)) for turn in range(1, most + 1)
    ]
    of = {**{str(turn): colour for turn, colour in enumerate(allowed, start=1)}, UNSOLVED: colours["never"]}
    scale = alt.Scale(domain=shown, range=[of.get(text, colours["late"]) for text in shown])
    legend = alt.Legend(offset=18 + 7 * beside)  # 18 is the default
    return alt.Color("guesses:O", sort=shown, scale=scale, legend=legend, title="guesses")


def _between(colours: Sequence[str], share: float) -> str:
    """Return the colour at a position, from 0 to 1, on a scale between colours."""
    low, part = divmod(share * (len(colours) - 1), 1)
    ends = [bytes.fromhex(one[1:]) for one in (colours[int(low)], colours[min(int(low) + 1, len(colours) - 1)])]
    return "#" + bytes(round(a + (b - a) * part) for a, b in zip(*ends, strict=True)).hex()


def _called(taken: str, most: int) -> str:
    """Return the text of the legend for a number of guesses. It says if more were taken than are allowed."""
    return taken if taken == UNSOLVED or int(taken) <= most else f"{taken}, failed"


def _names() -> Any:
    """Return an axis with room for long names."""
    return _altair().Axis(labelFontSize=12, labelLimit=400)


def _played(facts: RunFacts) -> str:
    return f"{line(facts.game)}{' in hard mode' if facts.hard_mode else ''}: {line(facts.puzzles)}"


def _order(taken: str) -> float:
    """Return the key that sorts numbers of guesses in a distribution, with unsolved puzzles at the end."""
    return math.inf if taken == UNSOLVED else int(taken.partition(",")[0])


def write_chart(chart: "altair.TopLevelMixin", path: Path) -> None:
    """Write a chart to a file, in the format that its ending says. Raises WordleKitError if that fails."""
    kind = check_kind(path)
    spec = chart.to_dict(validate=False)  # Vega reports errors; validating takes longer than drawing
    if kind == ".json":
        write_file(path, json.dumps(spec, indent=2) + "\n")
    elif kind == ".pdf":
        write_file(path, _convert().vegalite_to_pdf(spec))
    elif kind == ".png":
        write_file(path, _convert().vegalite_to_png(spec, scale=PNG_SCALE))
    else:
        write_file(path, _described(spec) if kind == ".svg" else page_of_chart(spec))


def check_kind(path: Path) -> str:
    """Return the ending of a file's name. Raises WordleKitError if charts cannot be written to such a file."""
    if path.suffix.lower() not in SUFFIXES:
        raise WordleKitError(
            f"{path}: a plot is written as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; name such a file"
        )
    return path.suffix.lower()


def page_of_chart(spec: dict[str, Any]) -> str:
    """Return an HTML page that shows a chart without a network. Its texts are escaped.

    Vega shows the title in the picture, and gives the description to screen readers.
    """
    return PAGE.format(
        policy=POLICY,
        title=web(str(spec.get("title", "")), None),
        libraries=_convert().javascript_bundle(),
        spec=_script(spec),
        options=_script(OPTIONS),
    )


def _convert() -> Any:
    return needed("vl_convert", "plots", "plots")


def _described(spec: dict[str, Any]) -> str:
    """Return an SVG picture with its title and description for screen readers."""
    title, description = web(str(spec.get("title", "")), None), web(str(spec["description"]), None)
    drawn = _convert().vegalite_to_svg(spec, config={"padding": PADDING})
    svg = re.sub('(<[^<>]*) font-family="sans-serif"', r"\1", drawn)
    tag, bracket, rest = svg.partition(">")
    head = f"<title>{title}</title><desc>{description}</desc>"
    return f'{tag} role="img" aria-label="{description}" font-family="{FONTS}"{bracket}{head}{rest}\n'


def _script(value: Any) -> str:
    """Return a value as JavaScript in which no text can end the script element."""
    text = json.dumps(value)  # ASCII only
    return plain(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
