"""The picture of the README, from the published leaderboard of Wordle. It has colours for light and for dark pages."""

import json
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
LEADERBOARD = ROOT / "leaderboard" / "wordle.json"

STRATEGIES = ("optimal", "most-parts", "entropy", "minimax", "letter-frequency", "first-consistent")
"""The rows of the picture, all of which must be on the leaderboard."""

WIDTH, TOP, ROW, BOTTOM = 720, 66, 46, 34
BAR, GAP, HEIGHT, LEFT = 52, 8, 30, 262
SMALLEST = 1.5
"""Height of a bar for a single puzzle, which would be too thin to see."""

STYLE = """
text { font: 15px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 17px; font-weight: 600; }
.small { font-size: 13px; fill: #59636e; }
.number { text-anchor: end; font-variant-numeric: tabular-nums; }
.middle { text-anchor: middle; }
.solved { fill: #4c8d48; }
.failed { fill: #c2410c; }
.base { stroke: #d1d9e0; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .solved { fill: #6aaa64; }
  .failed { fill: #f97316; }
  .base { stroke: #3d444d; }
}
"""


def picture(leaderboard):
    """Return the SVG text: for each strategy its mean and how many puzzles took 1, 2, ... guesses or failed."""
    limit = leaderboard["max_guesses"]
    rows = {row["strategy"]: row for row in leaderboard["rows"]}
    chosen = [rows[name] for name in STRATEGIES]
    most = max(count / row["games"] for row in chosen for count in row["distribution"].values())
    height = TOP + ROW * len(chosen) + BOTTOM
    said = "; ".join(f"{row['strategy']}: mean {row['mean']:.4f}, {row['failed']} failed" for row in chosen)
    labels = [*map(str, range(1, limit + 1)), "failed"]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title desc">',
        f'<title id="title">Leaderboard of Wordle, {escape(leaderboard["puzzles"])}</title>',
        f'<desc id="desc">Mean number of guesses and failures. {escape(said)}.</desc>',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="8" y="24">Wordle, {escape(leaderboard["puzzles"])}</text>',
        '<text class="small" x="8" y="52">strategy</text>',
        '<text class="small number" x="236" y="52">mean guesses</text>',
    ]
    lines += [
        f'<text class="small middle" x="{LEFT + place * (BAR + GAP) + BAR // 2}" y="52">{label}</text>'
        for place, label in enumerate(labels)
    ]
    for number, row in enumerate(chosen):
        base = TOP + ROW * (number + 1) - 8
        lines += [
            f'<text x="8" y="{base - 6}">{escape(row["strategy"])}</text>',
            f'<text class="number" x="236" y="{base - 6}">{row["mean"]:.4f}</text>',
            f'<line class="base" x1="{LEFT}" x2="{LEFT + len(labels) * (BAR + GAP) - GAP}" y1="{base}" y2="{base}"/>',
        ]
        counts = [row["distribution"].get(str(turn), 0) for turn in range(1, limit + 1)]
        for place, (label, count) in enumerate(zip(labels, [*counts, row["failed"]], strict=True)):
            if count:
                tall = max(SMALLEST, HEIGHT * count / row["games"] / most)
                lines.append(
                    f'<rect class="{"failed" if label == "failed" else "solved"}" x="{LEFT + place * (BAR + GAP)}" '
                    f'y="{base - tall:.1f}" width="{BAR}" height="{tall:.1f}"/>'
                )
        if row["failed"]:
            middle = LEFT + limit * (BAR + GAP) + BAR // 2
            lines.append(f'<text class="small middle" x="{middle}" y="{base - 6}">{row["failed"]}</text>')
    lines.append(
        f'<text class="small" x="8" y="{height - 12}">Bars: puzzles that took 1 to {limit} guesses, or failed.</text>'
    )
    return "\n".join([*lines, "</svg>", ""])


def drawn():
    """Return the picture of the published leaderboard."""
    return picture(json.loads(LEADERBOARD.read_text(encoding="utf-8")))
