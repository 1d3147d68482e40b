"""The notes below a leaderboard's table, which say how to read it."""

from collections.abc import Sequence

from wordle_kit.leaderboard.rows import Row, ranked_by
from wordle_kit.leaderboard.significance import in_percent
from wordle_kit.texts import number_of
from wordle_kit.tournaments.runs import Outcome, RunFacts

WEIGHTED_FIRST = (
    "Strategies are ranked by the weighted mean, in which each answer counts with its weight: the number of guesses to "
    "expect. In the other figures, each answer counts once."
)
WEIGHTED_BESIDE = (
    "In weighted figures, each puzzle counts with the weight of its answer. In the others, by which strategies are "
    "ranked, it counts once."
)


def notes_on(rows: Sequence[Row], runs: Sequence[RunFacts], confidence: float) -> list[str]:
    """Return the notes on a leaderboard's rows. `runs` are the facts of its runs, in their order."""
    facts = runs[0]
    hard = ", hard mode" if facts.hard_mode else ""
    seed, random_numbers = _random_numbers(runs)
    allowed, unsolved = number_of(facts.max_guesses, "guess", "guesses"), facts.cap + 1
    notes = [
        f"{facts.game}{hard}: {facts.puzzles}{seed}. A puzzle that took more than {allowed} has "
        f"failed and counts with the guesses it took; one not solved in {facts.cap} counts as {unsolved}."
    ]
    if facts.weights is not None:
        notes.append(WEIGHTED_FIRST if ranked_by(facts) == "weighted_mean" else WEIGHTED_BESIDE)
    if any(row.interval for row in rows):
        level = in_percent(confidence)
        notes.append(f"± is the half-width of the {level} confidence interval of the mean over all puzzles.")
    notes += random_numbers
    for row in rows:
        if row.problem:
            faults = (
                f"{count} {outcome}{'es' * (outcome == Outcome.ILLEGAL and count > 1)}"
                for outcome, count in row.outcomes.items()
            )
            notes.append(f"{row.strategy}: {', '.join(faults)}. First: {row.problem}.")
    if any(Outcome.TIMED_OUT in row.outcomes for row in rows):
        notes.append("Plays that timed out are played again next time; a longer deadline gives decisions more time.")
    return notes


def _random_numbers(runs: Sequence[RunFacts]) -> tuple[str, list[str]]:
    """Return the first note's words about the seed, and a note for each other source of random numbers."""
    seeds, drawn_with = {facts.seed for facts in runs if facts.uses_seed}, runs[0].drawn_with
    is_told = len(seeds) == 1 and drawn_with in (None, *seeds)  # the first note says with which seed puzzles were drawn
    sources: dict[str, list[str]] = {}
    for facts in runs:
        if facts.secret is not None or (facts.stochastic and not is_told):
            source = f"seed {facts.seed}" if facts.secret is None else f"secret {facts.secret}"
            sources.setdefault(source, []).append(facts.strategy)
    notes = [f"{', '.join(names)}: random numbers from {source}." for source, names in sources.items()]
    return f", seed {min(seeds)}" if is_told and drawn_with is None else "", notes
