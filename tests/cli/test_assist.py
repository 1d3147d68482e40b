"""`wordle-kit assist` and `suggest`: help with a puzzle that is played elsewhere."""

import pytest

OLD = ("-g", "wordle", "-s", "entropy")

# suggest


def test_suggestions_have_the_expected_number_of_remaining_words(run):
    ran = run("suggest", *OLD, "--after", "crane=01100", "--top", "2")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.out.splitlines()] == [
        ["rank", "word", "bits", "expected", "size", "largest", "part", "answer"],
        ["------", "------", "------", "---------------", "--------------", "--------"],
        ["1", "lorry", "4.324", "4.35", "9", "no"],
        ["2", "rorty", "4.319", "4.32", "9", "no"],
        [],
        ["65", "words", "are", "left:", "abhor,", "abort,", "agora,", "altar,", "aorta,", "..."],
    ]


@pytest.mark.parametrize("seen", ["BY", "by", "⬜🟨", "⬛🟦"])
@pytest.mark.parametrize("command", [["suggest"], ["openers"], ["explain", "ca"], ["letters"]])
def test_every_command_reads_feedback_alike(run, tiny, command, seen):
    def shown(*after):
        ran = run(*command, "-g", tiny, *after, "--format", "json")
        assert ran.code == 0
        return ran.json

    assert shown("--after", f"ab={seen}") == shown("--after", "ab=01") != shown()


def test_json_has_the_words_that_are_left(run):
    found = run("suggest", "-g", "dordle", "--after", "crane=01100/22222", "--top", "1", "--json").json
    (row,) = found["suggestions"]
    assert found["guesses"] == ["crane"]
    assert [len(words) for words in found["words"]] == found["left"] == [64, 0]
    assert row["answer"] == (row["word"] in found["words"][0])
    assert row["bits"] > 4


def test_with_weights_words_and_guesses_have_their_chances_and_the_likeliest_word_is_first(run, write):
    weights = 'answers = ["aa", "ab", "ba", "bb"]\nweights = { aa = 2, bb = 5, ba = 0 }\n'
    game = write("likely.toml", 'name = "likely"\nalphabet = "ab"\nlength = 2\n' + weights)
    ran = run("suggest", "-g", game)
    assert "4 words are left: bb 62.50%, aa 25.00%, ab 12.50%, ba 0%" in ran.out
    assert "Chances and expected figures are by weight." in ran.out
    made = run("suggest", "-g", game, "--json").json
    assert made["words"] == [["bb", "aa", "ab", "ba"]]
    assert made["chances"] == [[0.625, 0.25, 0.125, 0]]
    chances = dict(zip(made["words"][0], made["chances"][0], strict=True))
    assert {row["word"]: row["chance"] for row in made["suggestions"]} == chances


def test_in_hard_mode_guesses_use_all_hints(run):
    rows = run("suggest", *OLD, "--hard", "--after", "crane=01100", "--json").json["suggestions"]
    assert all({"r", "a"} <= set(row["word"]) for row in rows)


# openers


def test_openers_ranks_later_guesses_too(run):
    rows = run("openers", "--after", "crane=01100", "--top", "3", "--format", "json").json["openers"]
    best = run("suggest", *OLD, "--after", "crane=01100", "--top", "3", "--format", "json").json["suggestions"]
    assert [row["word"] for row in rows] == [row["word"] for row in best]
    assert [row["bits gained"] for row in rows] == pytest.approx([row["bits"] for row in best])


# assist


def test_a_puzzle_is_narrowed_down_line_by_line(typed):
    ran = typed(["crane BYYBB", "stair 02222", "words", "undo", "raise=20000", "quit"], "assist", *OLD, "--top", "1")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:2] == ["Wordle, lists of 2021.", "Type a guess and its feedback, as in crane 10200, or help."]
    assert lines[2].split() == ["word", "chance", "leaves"]
    assert lines[4].split() == ["soare", "0%", "62.3"]
    assert " 1  c (r)(a) n  e " in lines
    assert "65 words are left: abhor, abort, agora, altar, aorta, ..." in lines
    assert any(line.startswith("no word fits: the last 65 words were lost at guess 2") for line in lines)
    assert any(line.startswith("65 words are left: abhor, abort") and line.count(",") == 40 for line in lines)
    assert lines[-1] == "guess 2: quit"


def test_feedback_alone_answers_the_first_suggestion(typed):
    ran = typed(["⬜🟨🟨🟩⬜", "01000", "quit"], "assist", *OLD, "--top", "1").out
    assert " 1  s (o)(a)[r] e \n" in ran
    lines = ran.splitlines()
    _, second = (lines[at + 1].split()[0] for at, line in enumerate(lines) if line.startswith("---"))
    assert f"guess 2, {second} 01000" in ran  # no word fits


def test_details_have_every_figure(typed):
    lines = typed(["quit"], "assist", *OLD, "--top", "1", "--details").out.splitlines()
    assert " ".join(lines[2].split()) == "rank word bits expected size largest part answer"
    assert lines[4].split() == ["1", "soare", "5.886", "62.30", "183", "no"]


def test_help_may_begin_in_the_middle_and_ends_when_the_puzzle_is_solved(typed):
    arguments = ("assist", "-g", "wordle", "--after", "crane=01100", "--after", "lorry=00020", "-s", "first-consistent")
    lines = typed(["?", "help", "umbra 22222"], *arguments).out.splitlines()
    assert "  undo   take the last guess back" in lines
    assert lines[-1] == "solved"


def test_every_board_has_its_feedback(typed):
    lines = typed(["crane 01100/22222", "lorry 00200/-", "words"], "assist", "-g", "dordle", "--top", "1").out
    assert "board 2: solved" in lines
    assert "guess 3: words" in lines


def test_a_strategy_that_fails_does_not_end_the_game(typed, strategy):
    broken = strategy("Broken", "raise ValueError('no idea')")
    ran = typed(["crane 01100", "words"], "assist", "-g", "wordle", "-p", broken, "-s", "broken")
    assert ran.code == 0
    assert "broken has no guess: crashed: ValueError: no idea" in ran.out
    assert "65 words are left" in ran.out
