"""`wordle-kit explain` and `letters`: how a guess splits the remaining words, and where symbols stand in them."""

from collections import Counter

import pytest

import wordle_kit as wk

COLUMNS = ["feedback", "tiles", "size", "share", "bits gained", "words"]


# explain


def test_it_shows_a_line_for_each_part_the_largest_first_and_their_totals(run):
    ran = run("explain", "soare", "--top", "3")
    assert (ran.code, ran.err) == (0, "")
    about, header, _, *rows, blank, note = ran.out.splitlines()
    assert about == "Wordle, lists of 2021 (wordle; -g chooses another, such as wordle-nyt)."
    assert header.split() == " ".join(COLUMNS).split()
    assert [row.split()[:5] for row in rows] == [
        ["00000", "⬜⬜⬜⬜⬜", "183", "7.9%", "3.66"],
        ["00100", "⬜⬜🟨⬜⬜", "138", "6.0%", "4.07"],
        ["00001", "⬜⬜⬜⬜🟨", "120", "5.2%", "4.27"],
    ]
    assert rows[0].endswith("biddy, billy, bitty, blimp, blind and 178 more")
    assert blank == ""
    assert note == (
        "soare splits 2,315 into 127 parts of at most 183, 62.30 expected: 5.8860 bits gained. "
        "124 smaller parts are not shown."
    )


def test_in_json_all_parts_and_all_words_are_there(run, tiny):
    game = wk.load_game(tiny)
    found = run("explain", "ab", "--game", tiny, "--format", "json").json
    parts = found.pop("parts_by_size")
    sizes = Counter(str(game.feedback("ab", answer)) for answer in game.answers)
    assert {part["feedback"]: part["size"] for part in parts} == sizes
    assert sorted(word for part in parts for word in part["words"]) == sorted(game.answers)
    assert [part["tiles"] for part in parts if part["feedback"] == "22"] == ["🟩🟩"]
    assert found == {
        "guess": "ab",
        "candidates": 9,
        "parts": len(sizes),
        "largest": max(sizes.values()),
        "expected_size": pytest.approx(sum(size * size for size in sizes.values()) / 9),
        "expected_bits": pytest.approx(sum(part["share"] * part["bits"] for part in parts)),
    }


def test_after_a_guess_only_the_remaining_candidates_are_split(run, tiny):
    arguments = ("explain", "bb", "--game", tiny, "--after", "ab=00", "--format", "json")
    assert run(*arguments).json["parts_by_size"][0]["words"] == ["cc"]
    twice = run("explain", "raise", "--after", "soare=00120", "--after", "clint=⬜⬜⬜⬜⬜", "--format", "json").json
    game = wk.load_game("wordle")
    left = [
        answer
        for answer in game.answers
        if str(game.feedback("soare", answer)) == "00120" and str(game.feedback("clint", answer)) == "00000"
    ]
    assert sorted(word for part in twice["parts_by_size"] for word in part["words"]) == left
    assert twice["candidates"] == len(left)


def test_a_part_of_few_words_names_them_all_and_top_0_shows_all_parts(run, tiny):
    ran = run("explain", "ab", "--game", tiny, "--top", "0")
    header, _, *rows, _, note = ran.out.splitlines()
    assert header.split() == " ".join(COLUMNS).split()
    assert len(rows) == run("explain", "ab", "--game", tiny, "--format", "json").json["parts"]
    assert "more" not in ran.out
    assert "not shown" not in note


def test_games_without_marks_are_split_too(run):
    ran = run("explain", "1122", "--game", "mastermind", "--top", "1")
    assert ran.out.splitlines()[2].split()[:3] == ["0,0", "····", "256"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nonsense"], "'nonsense'"),
        (["qqqqq"], "'qqqqq'"),
        (["soare", "--after", "soare"], "'soare'"),
        (["soare", "--after", "soare=00125"], "'00125'"),
        (["soare", "--after", "qqqqq=00000"], "'qqqqq'"),
        (
            ["soare", "--after", "soare=02222"],
            "'soare=02222'",
        ),
        (["soare", "--after", "raise=22222"], "--after"),
        (["soare", "--game", "wordel"], "'wordel'"),
        (["soare", "--format", "yaml"], "there are"),
        (["soare", "--top", "many"], "--top"),
        ([], "GUESS"),
    ],
)
def test_bad_input_is_refused_in_one_line(refused, arguments, problem):
    assert problem in refused("explain", *arguments)


# How a strategy rates the guess


def rated(run, guess, spec, *more):
    return run("explain", guess, "-s", spec, *more, "--format", "json").json["rating"]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["entropy", "minimax", "expected-size(pool=candidates)"])
def test_the_rank_and_score_are_those_that_openers_shows(run, tiny, spec):
    ranked = run("openers", "-g", tiny, "-s", spec, "--top", "9", "--format", "json").json["openers"]
    for row in ranked:
        found = rated(run, row["word"], spec, "-g", tiny)
        assert (found["rank"], found["considered"], found["choice"]) == (row["rank"], 9, ranked[0]["word"])
        assert found["score"] == pytest.approx(row.get("bits gained", row.get("score")))
        assert found["choice_score"] == pytest.approx(ranked[0].get("bits gained", ranked[0].get("score")))


def test_a_note_says_how_far_a_guess_is_from_the_choice(run):
    notes = run("explain", "crane", "-g", "wordle", "-s", "entropy", "--top", "1").out.split("\n\n")
    assert notes[-1] == (
        "entropy scores crane as 5.7428 bits gained, rank 31 of 12,972; its choice is soare with 5.8860 bits gained, "
        "rank 1 of 12,972: 0.1432 apart.\n"
    )
    own = run("explain", "soare", "-g", "wordle", "-s", "entropy", "--top", "1").out.split("\n\n")[-1]
    assert own == "entropy scores soare as 5.8860 bits gained, rank 1 of 12,972, and would guess it.\n"


def test_a_guess_that_is_not_considered_has_a_score_and_no_rank(run, tiny):
    after = ("-g", tiny, "--after", "ab=00", "--strategy", "entropy(pool=candidates)")
    found = rated(run, "ac", after[-1], *after[:-2])
    assert (found["rank"], found["considered"], found["choice"]) == (None, 1, "cc")
    note = run("explain", "ac", *after).out.split("\n\n")[-1]
    assert "0.0000 bits gained, not among the guesses that it considers; its choice is cc" in note


@pytest.mark.slow
def test_hard_mode_and_several_boards_are_those_of_the_options(run):
    hard = ("-g", "wordle", "--after", "crane=00210", "--hard")
    found = rated(run, "sloth", "entropy", *hard)
    assert "place 3 must be 'a'" in found["forbidden"]
    assert rated(run, "sloth", "entropy", *hard[:-1])["forbidden"] is None
    both = ("-g", "wordle", "--boards", "2", "--after", "crane=00210/00000")
    each = [rated(run, "sloth", "entropy", "-g", "wordle", "--after", f"crane={seen}") for seen in ("00210", "00000")]
    assert rated(run, "sloth", "entropy", *both)["score"] == pytest.approx(sum(one["score"] for one in each))
    assert "The parts are those of board 1 of 2." in run("explain", "sloth", *both).out


def test_a_strategy_that_scores_no_guesses_has_a_choice(run, tiny, strategy):
    path = strategy("Mine")
    note = run("explain", "cc", "-g", tiny, "-p", path, "-s", "mine").out.split("\n\n")[-1]
    assert note == "mine scores no guesses; its choice is aa.\n"
    assert sorted(rated(run, "cc", "mine", "-g", tiny, "-p", path)) == ["choice", "forbidden", "guess", "strategy"]


def test_what_cannot_be_rated_is_said_in_one_line(refused, tiny, strategy):
    assert "CSV does not have" in refused("explain", "ab", "-g", tiny, "-s", "entropy", "--format", "csv")
    failing = strategy("Failing", "raise ValueError('no idea')")
    message = refused("explain", "ab", "-g", tiny, "-p", failing, "-s", "failing")
    assert "failing has no guess: crashed: ValueError: no idea (failing.py, line 8), at guess 1" in message


# letters


def test_letters_counts_where_each_symbol_stands(run, tiny):
    ran = run("letters", "--game", tiny)
    assert (ran.code, ran.err) == (0, "")
    header, _, *rows, blank, note = ran.out.splitlines()
    assert header.split() == ["symbol", "1", "2", "all", "words"]
    assert [row.split() for row in rows] == [[symbol, "3", "3", "6", "5"] for symbol in "abc"]
    assert blank == ""
    assert note == "9 words remain. Places count from 1; 'words' is the number of words with the letter."


def test_letters_counts_the_remaining_words_after_a_guess(run, tiny):
    rows = run("letters", "--game", tiny, "--after", "ab=20", "--format", "json").json
    assert rows == [
        {"symbol": "a", "1": 2, "2": 1, "all": 3, "words": 2},
        {"symbol": "b", "1": 0, "2": 0, "all": 0, "words": 0},
        {"symbol": "c", "1": 0, "2": 1, "all": 1, "words": 1},
    ]


def test_items_have_no_letters_to_count(refused):
    assert "elements has items, not words with letters; explain shows how" in refused("letters", "-g", "elements")


# Weights


@pytest.fixture
def likely(write):
    """Return the file of a game of four words, two of which are likelier."""
    weights = 'answers = ["aa", "ab", "ba", "bb"]\nweights = { aa = 5, bb = 3, ba = 0 }\n'
    return write("likely.toml", 'name = "likely"\nalphabet = "ab"\nlength = 2\n' + weights)


def test_with_weights_parts_have_chances_and_the_likeliest_is_first(run, likely):
    header, _, *rows, _, note = run("explain", "ab", "--game", likely).out.splitlines()
    assert header.split()[:4] == ["feedback", "tiles", "size", "chance"]
    assert [(row.split()[0], row.split()[3], row.split()[-1]) for row in rows] == [
        ("20", "55.6%", "aa"),
        ("02", "33.3%", "bb"),
        ("22", "11.1%", "ab"),
        ("11", "0.0%", "ba"),
    ]
    assert note.endswith("1.00 expected: 1.3516 bits gained. Chances and expected figures are by weight.")
    assert run("explain", "ab", "--game", likely, "--json").json["parts_by_size"][-1]["bits"] is None


def test_with_weights_letters_have_chances(run, likely):
    ran = run("letters", "--game", likely)
    assert [row.split() for row in ran.out.splitlines()[2:4]] == [
        ["a", "0.667", "0.556", "1.222", "0.667"],
        ["b", "0.333", "0.444", "0.778", "0.444"],
    ]
    assert "the figures are chances by weight" in ran.out
