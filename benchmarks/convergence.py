"""Draws how the bounds of exact search close, for three orders of search, as an SVG picture.

    python benchmarks/convergence.py docs/convergence.svg

Each order solves one opener of Wordle from the beginning; kernels are compiled before.
"""

import argparse
from pathlib import Path

import wordle_kit as wk

ORDERS = {"bound": "#1b6ca8", "statistical": "#c0392b", "entropic": "#2d8f4e"}
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 420, 60, 20, 20, 50
BELOW = 150
"""Guesses below the optimum at which the picture ends."""

Point = tuple[float, float]
Bounds = tuple[list[Point], list[Point]]
"""Lower and upper bounds, each with the CPU seconds at which it was known."""


def bounds_of(game: wk.Game, opener: str, order: str) -> Bounds:
    """Return how the bounds closed for a first guess."""
    lower: list[Point] = []
    upper: list[Point] = []

    def watch(now: object) -> None:
        lower.append((now.seconds, now.lower))
        if now.upper is not None:
            upper.append((now.seconds, now.upper))

    solution = wk.optimal(game, opener, order=order, progress=watch)
    end = max(solution.seconds, lower[-1][0])
    return [*lower, (end, solution.lower)], [*upper, (end, solution.total)]


def drawn(curves: dict[str, Bounds], opener: str) -> str:
    """Return the picture: steps in the order's colour, the seconds to the right, the guesses upwards."""
    total = curves["bound"][1][-1][1]
    longest = max(points[0][-1][0] for points in curves.values())
    least, most = total - BELOW, max(upper[0][1] for _, upper in curves.values()) + 5

    def x(seconds: float) -> float:
        return LEFT + seconds / longest * (WIDTH - LEFT - RIGHT)

    def y(guesses: float) -> float:
        return TOP + (most - max(guesses, least)) / (most - least) * (HEIGHT - TOP - BOTTOM)

    def steps(points: list[Point]) -> str:
        moves = [f"M{x(points[0][0]):.1f},{y(points[0][1]):.1f}"]
        moves += [f"H{x(seconds):.1f}V{y(guesses):.1f}" for seconds, guesses in points[1:]]
        return "".join(moves)

    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for guesses in range(int(least) // 25 * 25 + 25, int(most), 25):
        lines.append(f'<path d="M{LEFT},{y(guesses):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(guesses) + 4:.1f}" text-anchor="end">{guesses:,}</text>')
    for tenth in range(0, int(longest * 10) + 1, max(1, int(longest * 10) // 8)):
        lines.append(f'<text x="{x(tenth / 10):.1f}" y="{HEIGHT - 30}" text-anchor="middle">{tenth / 10:g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">seconds of CPU, {opener}</text>')
    for number, (order, (lower, upper)) in enumerate(curves.items()):
        style = f'fill="none" stroke="{ORDERS[order]}" stroke-width="2"'
        lines += [f'<path d="{steps(points)}" {style}/>' for points in (lower, upper)]
        at = f'x="{WIDTH - RIGHT - 10}" y="{HEIGHT - BOTTOM - 60 + 18 * number}"'
        lines.append(f'<text {at} text-anchor="end" fill="{ORDERS[order]}">--order {order}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def main() -> None:
    """Search in every order and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="where the picture goes")
    parser.add_argument("--opener", default="trace", help="the first guess [default: trace]")
    chosen = parser.parse_args()
    game = wk.load_game("wordle")
    wk.optimal(game, "salet")
    curves = {order: bounds_of(game, chosen.opener, order) for order in ORDERS}
    chosen.file.write_text(drawn(curves, chosen.opener), encoding="utf-8")


if __name__ == "__main__":
    main()
