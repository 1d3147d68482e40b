"""Play doddle's entropy on all its answers in this process; peers.py runs this in doddle's own environment.

Prints JSON: seconds of CPU for setting up (which scores all words) and for playing, its words, the guesses it took, and
the codes of some pairs of words.
"""

import json
import time

from doddle import Doddle


def main() -> None:
    """Play every answer once, with kernels compiled before, and print the cost."""
    start = time.process_time()
    doddle = Doddle(size=5, solver_type="ENTROPY", lazy_eval=False)
    setup = time.process_time() - start
    answers = list(doddle.dictionary.common_words)
    for answer in answers[:5]:
        doddle.engine.run(answer, [])
    start = time.process_time()
    games = [doddle.engine.run(answer, []) for answer in answers]
    playing = time.process_time() - start
    guesses = list(doddle.dictionary.all_words)
    pairs = [(guesses[i * 7919 % len(guesses)], answers[i % len(answers)]) for i in range(20_000)]
    facts = {
        "setup": setup,
        "playing": playing,
        "answers": [word.value.lower() for word in answers],
        "guesses": [word.value.lower() for word in guesses],
        "opener": str(games[0].scoreboard.rows[0].guess).lower(),
        "turns": [game.rounds for game in games],
        "codes": [(g.value.lower(), a.value.lower(), int(doddle.scorer.score_word(a, g))) for g, a in pairs],
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
