"""How much each guess of a game loses on perfect play: plays strategies, and computes the exact regret of guesses.

The picture has colours for light and for dark pages. It takes a minute.
"""

from wordle_kit_plugins.environments import Regret

import wordle_kit as wk

GAME = "mini-nerdle"
STRATEGIES = ("first-consistent", "random-consistent", "minimax", "entropy")
SEED = 1
FEWEST = 10
"""Guesses that fewer games reach are left out."""

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 340, 56, 64, 170, 52
TICK = 0.1

STYLE = """
text { font: 15px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 17px; font-weight: 600; }
.small { font-size: 13px; fill: #59636e; }
.number { text-anchor: end; font-variant-numeric: tabular-nums; }
.middle { text-anchor: middle; }
.base { stroke: #d1d9e0; }
.line { fill: none; stroke-width: 2; }
.s0 { stroke: #b35900; } .s1 { stroke: #7b4ab5; } .s2 { stroke: #0969da; } .s3 { stroke: #2f7d3a; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .base { stroke: #3d444d; }
  .s0 { stroke: #f0883e; } .s1 { stroke: #b78af0; } .s2 { stroke: #58a6ff; } .s3 { stroke: #6aaa64; }
}
"""


def regrets(game, strategy):
    """Return the mean regret of the first guess, the second and so on, each over the games that reach it."""
    values, by_turn = Regret().values(game), {}
    for play in wk.play(strategy, game, seed=SEED):
        position = wk.Position.start(game)
        for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
            regret = values.regret(position, game.guess_index[guess])
            assert regret.is_exact  # noqa: S101 - the picture says so
            by_turn.setdefault(turn, []).append(regret.number)
            position = position.after(guess, seen)
    return [sum(found) / len(found) for _, found in sorted(by_turn.items()) if len(found) >= FEWEST]


def picture(game, lost):
    """Return the SVG text: a line for each strategy, from its first guess to its last."""
    n_turns = max(map(len, lost.values()))
    most = TICK * -(-max(map(max, lost.values())) // TICK)
    across, down = (WIDTH - LEFT - RIGHT) / (n_turns - 1), (HEIGHT - TOP - BOTTOM) / most
    floor = HEIGHT - BOTTOM
    said = "; ".join(f"{name}: {', '.join(f'{each:.3f}' for each in means)}" for name, means in lost.items())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="title desc">',
        f'<title id="title">Regret along a game of {game.title}</title>',
        f'<desc id="desc">Mean regret of guess 1, 2 and so on. {said}.</desc>',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="8" y="24">{game.title}, all {len(game.answers)} answers</text>',
        '<text class="small" x="8" y="46">mean regret of a guess, in guesses</text>',
        f'<text class="small middle" x="{LEFT + across * (n_turns - 1) / 2:.1f}" y="{HEIGHT - 8}">guess</text>',
    ]
    for step in range(round(most / TICK) + 1):
        y = floor - step * TICK * down
        lines.append(f'<line class="base" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text class="small number" x="{LEFT - 8}" y="{y + 4:.1f}">{step * TICK:.1f}</text>')
    for turn in range(n_turns):
        lines.append(f'<text class="small middle" x="{LEFT + turn * across:.1f}" y="{floor + 22}">{turn + 1}</text>')
    for number, (name, means) in enumerate(lost.items()):
        at = [(LEFT + turn * across, floor - each * down) for turn, each in enumerate(means)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        lines.append(f'<polyline class="line s{number}" points="{points}"/>')
        y = TOP + 12 + 24 * number
        lines.append(f'<line class="line s{number}" x1="{WIDTH - 160}" x2="{WIDTH - 140}" y1="{y - 5}" y2="{y - 5}"/>')
        lines.append(f'<text x="{WIDTH - 134}" y="{y}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


def drawn():
    """Return the picture of these strategies."""
    game = wk.load_game(GAME)
    return picture(game, {name: regrets(game, name) for name in STRATEGIES})
