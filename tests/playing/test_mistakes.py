"""A player's mistake is one line, and without a game the first line names the one that is used."""

import pytest


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("play --host nobody", "'nobody'"),
        ("play -s entropi", "'entropy'"),
        ("play --against entropy(a=1)", "'a'"),
        ("play --puzzles nowhere.txt", "nowhere.txt"),
        ("play --daily --seed 3", "--seed"),
        ("play --daily --host adversary", "--host adversary"),
    ],
)
def test_a_mistake_is_named_in_one_line(refused, command, named):
    assert named in refused(*command.split())


def test_without_a_game_the_first_line_names_the_one_that_is_used(typed):
    assert "(wordle)" in typed([], "play", "--seed", "1").out.splitlines()[0]
    assert "(wordle-nyt)" in typed([], "assist", "-s", "first-consistent").out.splitlines()[0]
