"""`wordle-kit explain`: how a guess splits the remaining words."""

from collections import Counter

import pytest

import wordle_kit as wk


def table_of(ran):
    """Return the words of the header and of each row of a table, and the text below it."""
    table, note = ran.out.split("\n\n")
    lines = table.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("---"))
    return lines[rule - 1].split(), [line.split() for line in lines[rule + 1 :]], note


def test_it_shows_a_line_for_each_part_the_largest_first_and_their_totals(run):
    ran = run("explain", "soare", "--top", "3")
    assert (ran.code, ran.err) == (0, "")
    header, rows, note = table_of(ran)
    assert header == ["feedback", "tiles", "size", "share", "bits", "gained", "words"]
    assert [row[:5] for row in rows] == [
        ["00000", "⬜⬜⬜⬜⬜", "183", "7.9%", "3.66"],
        ["00100", "⬜⬜🟨⬜⬜", "138", "6.0%", "4.07"],
        ["00001", "⬜⬜⬜⬜🟨", "120", "5.2%", "4.27"],
    ]
    for figure in ("2,315", "127", "183", "62.30", "5.8860"):
        assert figure in note


def test_in_json_all_parts_and_all_words_are_there(run, tiny):
    game = wk.load_game(tiny)
    found = run("explain", "ab", "--game", tiny, "--format", "json").json
    parts = found.pop("parts_by_size")
    sizes = Counter(str(game.feedback("ab", answer)) for answer in game.answers)
    assert {part["feedback"]: part["size"] for part in parts} == sizes
    assert sorted(word for part in parts for word in part["words"]) == sorted(game.answers)
    assert found == {
        "guess": "ab",
        "candidates": 9,
        "parts": len(sizes),
        "largest": max(sizes.values()),
        "expected_size": pytest.approx(sum(size * size for size in sizes.values()) / 9),
        "expected_bits": pytest.approx(sum(part["share"] * part["bits"] for part in parts)),
    }
    assert len(table_of(run("explain", "ab", "--game", tiny, "--top", "0"))[1]) == len(sizes)


def test_after_some_guesses_only_the_remaining_candidates_are_split(run):
    after = ("--after", "soare=00120", "--after", "clint=⬜⬜⬜⬜⬜")
    found = run("explain", "raise", "-g", "wordle", *after, "--format", "json").json
    game = wk.load_game("wordle")
    left = [
        answer
        for answer in game.answers
        if str(game.feedback("soare", answer)) == "00120" and str(game.feedback("clint", answer)) == "00000"
    ]
    assert sorted(word for part in found["parts_by_size"] for word in part["words"]) == left


def test_games_without_marks_are_split_too(run):
    _, rows, _ = table_of(run("explain", "1122", "--game", "mastermind", "--top", "1"))
    assert rows[0][:3] == ["0,0", "····", "256"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nonsense"], "'nonsense'"),
        (["soare", "--after", "soare"], "'soare'"),
        (["soare", "--after", "soare=00125"], "'00125'"),
        (["soare", "--after", "qqqqq=00000"], "'qqqqq'"),
        (["soare", "--after", "soare=02222"], "'soare=02222'"),
        (["soare", "--after", "raise=22222"], "--after"),
        (["soare", "--top", "many"], "--top"),
        ([], "GUESS"),
    ],
)
def test_bad_input_is_named(refused, arguments, problem):
    assert problem in refused("explain", *arguments)


# How a strategy rates the guess


def rated(run, guess, spec, *more):
    return run("explain", guess, "-s", spec, *more, "--format", "json").json["rating"]


def test_a_note_says_how_far_a_guess_is_from_the_choice(run):
    *_, note = run("explain", "CRANE", "-g", "wordle", "-s", "entropy", "--top", "1").out.split("\n\n")
    assert "not among" not in note
    for fact in ("would guess soare", "5.743", "rank 31 of 12,972", "soare with 5.886"):
        assert fact in note


def test_a_guess_that_is_not_considered_has_a_score_and_no_rank(run, tiny):
    found = rated(run, "ac", "entropy(pool=candidates)", "-g", tiny, "--after", "ab=00")
    assert (found["rank"], found["considered"], found["choice"]) == (None, 1, "cc")
    assert found["score"] == 0


def test_hard_mode_and_several_boards_are_those_of_the_options(run, tiny):
    one = ("-g", tiny, "--after", "ab=20")
    assert "'a'" in rated(run, "bc", "entropy", *one, "--hard")["forbidden"]
    assert rated(run, "bc", "entropy", *one)["forbidden"] is None
    both = rated(run, "bc", "entropy", "-g", tiny, "--boards", "2", "--after", "ab=20/01")
    each = [rated(run, "bc", "entropy", "-g", tiny, "--after", f"ab={seen}") for seen in ("20", "01")]
    assert both["score"] == pytest.approx(sum(one["score"] for one in each))


def test_a_strategy_that_scores_no_guesses_has_a_choice_unless_it_fails(run, refused, tiny, strategy):
    found = rated(run, "cc", "mine", "-g", tiny, "-p", strategy("Mine"))
    assert (found["choice"], "score" in found) == ("aa", False)
    failing = strategy("Failing", "raise ValueError('no idea')")
    assert "failing.py, line 8" in refused("explain", "ab", "-g", tiny, "-p", failing, "-s", "failing")


# Weights


def test_with_weights_parts_have_chances_and_the_likeliest_is_first(run, write):
    weights = 'answers = ["aa", "ab", "ba", "bb"]\nweights = { aa = 5, bb = 3, ba = 0 }\n'
    game = write("likely.toml", 'name = "likely"\nalphabet = "ab"\nlength = 2\n' + weights)
    header, rows, note = table_of(run("explain", "ab", "--game", game))
    assert header[:4] == ["feedback", "tiles", "size", "chance"]
    assert [(row[0], row[3], row[-1]) for row in rows] == [
        ("20", "55.6%", "aa"),
        ("02", "33.3%", "bb"),
        ("22", "11.1%", "ab"),
        ("11", "0.0%", "ba"),
    ]
    assert "1.3516 bits" in note
