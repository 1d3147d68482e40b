"""The figures by which strategies are ranked."""

from wordle_kit.leaderboard.leaderboard import Leaderboard


def test_if_every_answer_was_played_the_weighted_mean_ranks(run_of):
    often = run_of([1, 5, 5], strategy="often", weights=(8.0, 1.0, 1.0), is_all=True)
    seldom = run_of([3, 3, 3], strategy="seldom", weights=(8.0, 1.0, 1.0), is_all=True)
    ranked = Leaderboard((seldom, often))
    assert [(row.strategy, row.weighted_mean) for row in ranked.rows] == [("often", 1.8), ("seldom", 3.0)]
    assert ranked.notes[1].startswith("Strategies are ranked by the weighted mean")


def test_in_a_list_of_puzzles_each_counts_once_in_the_ranking(run_of):
    often, seldom = (run_of(taken, strategy=str(taken), weights=(8.0, 1.0, 1.0)) for taken in ([1, 5, 5], [3, 3, 3]))
    ranked = Leaderboard((often, seldom))
    assert [row.mean for row in ranked.rows] == sorted(row.mean for row in ranked.rows)
    assert ranked.rows[0].weighted_mean > ranked.rows[1].weighted_mean
    assert "by which strategies are ranked, it counts once" in ranked.notes[1]
