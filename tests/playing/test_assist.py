"""`wordle-kit assist`: help with a puzzle that is played elsewhere."""

import pytest

import wordle_kit as wk

OLD = ("-g", "wordle", "-s", "entropy")


def rows_of(out):
    """Return the words of each line of output."""
    return [line.split() for line in out.splitlines()]


@pytest.mark.parametrize("seen", ["by", "⬜🟨", "⬛🟦"])
def test_letters_and_tiles_are_feedback_as_digits_are(run, tiny, seen):
    def shown(*after):
        ran = run("explain", "ca", "-g", tiny, *after, "--format", "json")
        assert ran.code == 0
        return ran.json

    assert shown("--after", f"ab={seen}") == shown("--after", "ab=01") != shown()


def test_after_a_guess_it_prints_the_words_that_are_left_and_the_guesses_that_split_them_best(run):
    found = run("assist", "-g", "dordle", "--after", "crane=01100/22222", "--top", "1", "--format", "json").json
    (row,) = found["suggestions"]
    assert [len(words) for words in found["words"]] == [64, 0]
    assert row["answer"] == (row["word"] in found["words"][0])
    assert row["bits"] > 4


# assist


def test_a_puzzle_is_narrowed_down_line_by_line(typed):
    ran = typed(["crane BYYBB", "stair 02222", "words", "undo", "raise=20000", "quit"], "assist", *OLD, "--top", "1")
    assert (ran.code, ran.err) == (0, "")
    assert ["soare", "5.8860", "0%", "62.3"] in rows_of(ran.out)
    lines = [line for line in ran.out.splitlines() if line.startswith(("65 words", "no word fits"))]
    assert lines[0] == "65 words are left: abhor, abort, agora, altar, aorta, ..."
    assert lines[1].startswith("no word fits")
    assert lines[2].startswith("65 words are left: abhor, abort")
    assert lines[2].count(",") == 40


def test_feedback_alone_answers_the_first_suggestion(typed):
    ran = typed(["⬜🟨🟨🟩⬜", "quit"], "assist", *OLD, "--top", "1")
    assert " 1  s (o)(a)[r] e \n" in ran.out


def test_help_ends_when_the_puzzle_is_solved(typed):
    arguments = ("assist", "-g", "wordle", "-s", "first-consistent")
    assert typed(["crane 01100", "lorry 00020", "umbra 22222"], *arguments).out.endswith("solved\n")


def test_in_hard_mode_guesses_use_all_hints(run):
    def suggested(*hard):
        found = run("assist", *OLD, *hard, "--after", "crane=01100", "--top", "5", "--format", "json").json
        return [row["word"] for row in found["suggestions"]]

    assert all({"r", "a"} <= {*word} for word in suggested("--hard"))
    assert not all({"r", "a"} <= {*word} for word in suggested())


def test_with_weights_the_likeliest_word_is_first(typed, write):
    weights = 'answers = ["aa", "ab", "ba", "bb"]\nweights = { aa = 2, bb = 5, ba = 0 }\n'
    game = write("likely.toml", 'name = "likely"\nalphabet = "ab"\nlength = 2\n' + weights)
    ran = typed(["quit"], "assist", "-g", game)
    assert ": bb 62.50%, aa 25.00%, ab 12.50%, ba 0%\n" in ran.out


def test_every_board_has_its_feedback(typed):
    lines = typed(["crane 01100/22222", "lorry 00200/-"], "assist", "-g", "dordle", "--top", "1").out.splitlines()
    assert "board 2: solved" in lines
    assert lines[-1].startswith("guess 3:")


def test_a_strategy_that_fails_does_not_end_the_game(typed, strategy):
    broken = strategy("Broken", "raise ValueError('no idea')")
    ran = typed(["crane 01100", "words"], "assist", "-g", "wordle", "-p", broken, "-s", "broken")
    assert ran.code == 0
    assert "no idea" in ran.out
    assert "65 words are left" in ran.out


def test_a_guess_that_is_not_listed_is_used_with_a_remark(run, typed):
    game = wk.load_game("nerdle")
    seen = game.feedback("0+12/3=4", game.answers[0])  # the list has no equation that begins with 0
    ran = run("assist", "-g", "nerdle", "--after", f"0+12/3=4={seen}", "--format", "json")
    assert ran.code == 0
    assert ran.err.count("\n") == 1
    assert "'0+12/3=4'" in ran.err
    assert ran.json["words"] == [[word for word in game.answers if game.feedback("0+12/3=4", word) == seen]]
    lines = typed(["xxxxx 00000", "words"], "assist", *OLD, "--top", "1").out.splitlines()
    assert any("'xxxxx'" in line and "is used" in line for line in lines)
