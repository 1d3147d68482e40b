"""The state of a game that a person plays, and what a terminal shows of it."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import wordle_kit as wk
from wordle_kit.playing.session import (
    PRAISE,
    Look,
    Session,
    SymbolState,
    key_rows,
    known_symbols,
    praise,
    screen,
    share_text,
)
from wordle_kit.tournaments.host import Adversary, HiddenWords

FOUR = wk.load_game(
    {
        "name": "four",
        "alphabet": "abcdefghijklmnopqrstuvwxyz",
        "length": 5,
        "answers": ["brave", "crane", "crate", "slate"],
        "max_guesses": 3,
    }
)


def hiding(*words, game=FOUR):
    """Return a game that hides words, before the first guess."""
    return Session.start(game, HiddenWords(tuple(game.answer_ids[word] for word in words)))


def test_a_guess_is_answered_and_the_game_before_it_stays_as_it_was():
    start = hiding("crane")
    after = start.guess("Brave")
    assert [str(seen) for seen in after.position.boards[0].feedback] == ["02202"]
    assert start.position.guesses == ()
    assert not after.is_over


def test_a_game_ends_when_the_word_is_guessed():
    session = hiding("crane").guess("brave").guess("crane")
    assert session.is_solved
    assert session.is_over
    with pytest.raises(wk.GameError, match="the game is over"):
        session.guess("slate")


def test_a_game_ends_after_the_guesses_that_are_allowed():
    session = hiding("slate").guess("brave").guess("crane").guess("crate")
    assert (session.is_over, session.is_solved, session.answers) == (True, False, ("slate",))


@pytest.mark.parametrize(
    ("guess", "why"),
    [
        ("zebra", "'zebra' is not among the guesses of four"),
        ("late", "'late' has 4 letters; words of four have 5"),
        ("cräne", "'ä', which is not in the alphabet"),
        ("", "'' has 0 letters"),
        ("brave", "'brave' was guessed before"),
    ],
)
def test_a_refused_guess_says_why_and_costs_nothing(guess, why):
    session = hiding("crane").guess("brave")
    with pytest.raises(wk.GameError, match=why):
        session.guess(guess)
    assert session.position.turn == 2


@dataclass(frozen=True)
class Broken(wk.Host):
    """A host of a plugin that answers with a code that no rule has."""

    name: ClassVar[str] = "broken"

    def answer(self, position, guess):
        return (999,)


def test_a_host_of_a_plugin_that_answers_impossibly_is_named():
    session = Session.start(FOUR, Broken((0,)))
    with pytest.raises(wk.GameError, match="host broken: answered 'crane' with the code 999 on board 1"):
        session.guess("crane")


def test_hard_mode_refuses_guesses_that_ignore_hints():
    session = hiding("crane", game=FOUR.replace(hard_mode=True)).guess("brave")
    with pytest.raises(wk.GameError, match="not allowed in hard mode: place 2 must be 'r'"):
        session.guess("slate")


def test_hard_mode_on_several_boards_may_leave_no_guess():
    settings = {"name": "pairs", "alphabet": "ab", "length": 2, "answers": "all", "boards": 2, "hard_mode": True}
    session = hiding("aa", "bb", game=wk.load_game(settings))
    assert not session.is_stuck
    assert not session.guess("aa").is_stuck  # only the open board makes demands
    assert session.guess("ab").is_stuck  # a must be in the first place, and b in the second
    assert not session.guess("ab").give_up().is_stuck


def test_guesses_are_taken_back_one_by_one():
    session = hiding("slate").guess("brave").guess("crane").undo()
    assert session.position.guesses == ("brave",)
    assert session.undo().position.guesses == ()
    assert session.undo().taken_back == 2
    with pytest.raises(wk.GameError, match="no guess to take back"):
        session.undo().undo()


def test_a_game_that_is_given_up_is_over():
    session = hiding("slate").guess("brave").give_up()
    assert (session.is_over, session.is_solved, session.answers) == (True, False, ("slate",))
    with pytest.raises(wk.GameError, match="the game is over"):
        session.give_up()


def test_against_the_adversary_any_number_of_guesses_is_allowed():
    session = Session.start(FOUR, Adversary())
    assert session.limit is None
    for word in ("slate", "brave", "crate"):
        session = session.guess(word)
    assert [str(seen) for seen in session.position.boards[0].feedback] == ["00202", "02202", "22202"]
    assert not session.is_over
    assert session.answers == ("crane",)
    assert session.guess("crane").is_solved


def test_shared_text_has_the_tiles_and_no_word():
    text = share_text(hiding("crane").guess("brave").guess("crane"), "--seed 7")
    assert text == "wordle-kit four 2/3, --seed 7\n⬜🟩🟩⬜🟩\n🟩🟩🟩🟩🟩"


def test_an_output_without_tiles_shares_the_digits():
    session = hiding("crane", "slate", game=FOUR.replace(boards=2)).guess("crane").guess("slate")
    assert share_text(session, tiles=False).splitlines()[1:] == ["22222  00202", "       22222"]


def test_shared_text_says_which_help_was_used():
    session = hiding("crane").hinted().guess("slate").undo().looked().guess("brave").give_up()
    assert share_text(session).splitlines()[0] == "wordle-kit four X/3, 1 hint, 1 look at the words, 1 undo"
    hard = hiding("crane", game=FOUR.replace(hard_mode=True)).hinted().hinted().looked().looked().guess("crane")
    assert share_text(hard).splitlines()[0] == "wordle-kit four in hard mode 1/3, 2 hints, 2 looks at the words"


def test_boards_are_shared_side_by_side_and_a_solved_one_is_blank():
    text = share_text(hiding("crane", "slate", game=FOUR.replace(boards=2)).guess("crane").guess("slate"))
    assert text.splitlines()[1:] == ["🟩🟩🟩🟩🟩  ⬜⬜🟩⬜🟩", "            🟩🟩🟩🟩🟩"]


def test_a_game_against_the_adversary_is_shared_as_one():
    session = Session.start(FOUR, Adversary()).guess("brave").give_up()
    assert share_text(session).splitlines()[0] == "wordle-kit four against the adversary X"


WORDLE = bundled("wordle")
MASTERMIND = bundled("mastermind")
GLYPHS = bundled("glyphs")


def known_after(game, *moves):
    """Return what is known of the symbols that are not open after moves."""
    position = wk.Position.start(game)
    for guess, seen in moves:
        position = position.after(guess, seen)
    known = known_symbols(position.boards[0], position.guesses)
    assert list(known) == list(game.alphabet.symbols)
    return {symbol: state.name.lower() for symbol, state in known.items() if state}


def test_nothing_is_known_before_the_first_guess():
    for game in (WORDLE, MASTERMIND, GLYPHS):
        assert known_after(game) == {}


def test_marks_show_the_hints_so_far():
    assert known_after(WORDLE, ("crane", "20001")) == {
        **dict.fromkeys("ran", "absent"),
        "c": "placed",
        "e": "present",
    }


def test_the_best_that_was_ever_seen_of_a_symbol_counts():
    assert known_after(WORDLE, ("eerie", "10000"))["e"] == "present"  # its other copies are absent
    assert known_after(WORDLE, ("crane", "00001"), ("lever", "02010"))["e"] == "placed"
    assert known_after(WORDLE, ("crane", "20001"), ("occur", "01000"))["c"] == "placed"


def test_a_mark_of_the_other_case_speaks_of_the_other_symbol():
    known = known_after(GLYPHS, ("akil", "3000"))
    assert known["A"] == "placed"
    assert "a" not in known


def test_a_rule_without_marks_says_what_the_remaining_words_have_in_common():
    assert known_after(MASTERMIND, ("1122", "0,0")) == {"1": "absent", "2": "absent"}
    assert known_after(MASTERMIND, ("1111", "1,0"), ("2345", "0,0")) == {
        "1": "present",
        **dict.fromkeys("2345", "absent"),
        "6": "present",
    }
    assert known_after(MASTERMIND, ("1122", "4,0"))["1"] == "placed"


@given(st.sampled_from(WORDLE.answers), st.lists(st.sampled_from(WORDLE.guesses[::50]), min_size=1, max_size=3))
@settings(deadline=None, max_examples=60)
def test_the_state_of_each_symbol_is_true_of_the_hidden_word(hidden, guesses):
    position = wk.Position.start(WORDLE)
    for guess in guesses:
        if not position.boards[0].is_solved:
            position = position.after(guess, WORDLE.feedback(guess, hidden))
    for symbol, state in known_symbols(position.boards[0], position.guesses).items():
        if state is not SymbolState.OPEN:
            assert (symbol in hidden) == (state is not SymbolState.ABSENT)


def test_letters_stand_as_on_a_typewriter_and_other_symbols_in_their_order():
    assert key_rows(WORDLE.alphabet.symbols)[0] == list("qwertyuiop")
    assert key_rows("abcdefghijklmnopqrstuvwxyzäöüß")[2:] == [list("zxcvbnm"), list("äöüß")]
    assert key_rows(GLYPHS.alphabet.symbols) == [
        ["a", "A", "i", "I", "u", "U", "k", "K", "l", "L"],
        ["sh", "Sh"],
    ]


@pytest.mark.parametrize("game", [WORDLE, MASTERMIND, GLYPHS], ids=lambda game: game.name)
def test_every_symbol_has_one_key(game):
    keys = [symbol for row in key_rows(game.alphabet.symbols) for symbol in row]
    assert sorted(keys) == sorted(game.alphabet.symbols)


DORDLE = bundled("dordle")


LEGEND = "[x] is in place, (x) is in the word, {} is not in it"


def lines_of(position, **look):
    """Return the lines that are shown, without colours."""
    return [line.rstrip() for line in screen(position, Look(**look)).plain.split("\n")]


def test_a_guess_has_its_feedback_once_above_the_keyboard():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"))
    assert lines == [
        " 1 [c] r  a  n (e)",
        "    q  w (e) ·  t  y  u  i  o  p",
        "     ·  s  d  f  g  h  j  k  l",
        "      z  x [c] v  b  ·  m",
        LEGEND.format("·"),
    ]


def test_colours_say_nothing_that_characters_do_not():
    text = screen(wk.Position.start(WORDLE).after("crane", "20001"), Look())
    coloured = [(text.plain[span.start : span.end], span.style) for span in text.spans]
    assert coloured.count(("[c]", "black on green")) == 2
    assert coloured.count(("(e)", "black on yellow")) == 2


def test_with_colours_absent_symbols_are_dim_and_stay_readable():
    text = screen(wk.Position.start(WORDLE).after("crane", "20001"), Look(colours=True))
    dim = [text.plain[span.start : span.end].strip() for span in text.spans if span.style == "dim"]
    assert sorted(dim) == ["[x] is in place, (x) is in the word, a dim one is not in it", "a", "n", "r"]
    assert text.plain.split("\n")[1] == "    q  w (e) r  t  y  u  i  o  p"


def test_every_mark_has_a_sign_that_is_explained():
    position = wk.Position.start(GLYPHS)
    hidden, guess = next(
        (answer, word)
        for answer in GLYPHS.answers[:50]
        for word in GLYPHS.guesses[::7]
        if {"3", "4"} <= {*str(GLYPHS.feedback(word, answer))}
    )
    lines = lines_of(position.after(guess, GLYPHS.feedback(guess, hidden)), width=200)
    assert "{" in lines[0]
    assert "<" in lines[0]
    assert "{x} is the other case is correct, <x> is the other case is elsewhere" in lines[-1]


def test_an_output_without_tiles_has_only_plain_characters():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"), tiles=False)
    assert lines[0] == " 1 [c] r  a  n (e)"
    assert lines[2] == "     -  s  d  f  g  h  j  k  l"
    assert all(map(str.isascii, lines))


def test_the_sign_of_an_absent_symbol_is_not_a_symbol_of_the_game():
    position = wk.Position.start(wk.load_game("mini-nerdle")).after("10-8=2", "000111")
    lines = lines_of(position, tiles=False)
    assert lines[1:3] == ["    _  _ (2) 3  4  5  6  7 (8) 9", "     +  _  *  / (=)"]
    assert lines[3] == LEGEND.format("_").replace("word", "equation")


def test_the_newest_guess_is_enough_for_an_output_that_scrolls_by():
    position = wk.Position.start(WORDLE).after("crane", "00000").after("pilot", "01010")
    assert [line[:2] for line in lines_of(position, newest_only=True)][:2] == [" 2", "  "]


def test_several_boards_are_a_table_with_as_many_columns_as_fit():
    position = wk.Position.start(DORDLE).after("crane", ["20001", "22222"])
    wide, narrow = lines_of(position), lines_of(position, width=20)
    assert wide[:2] == ["          1      (2)", " 1 crane  20001  22222"]
    assert narrow[:4] == ["          1", " 1 crane  20001", "          (2)", " 1 crane  22222"]
    assert "(1) is a solved board" in " ".join(wide)
    after = lines_of(position.after("moist", ["00000", "22222"]))
    assert after[1:3] == [" 1 crane  20001  22222", " 2 moist  00000"]


def test_eight_boards_fit_a_terminal_of_24_lines():
    game = wk.load_game("octordle")
    position = wk.Position.start(game)
    for word in game.guesses[:: len(game.guesses) // 13][:13]:
        position = position.after(word, [game.feedback(word, answer) for answer in game.answers[:80:10]])
    lines = lines_of(position, width=80)
    assert len(lines) <= 24 - 3  # the title, a message and the line that is typed
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", ["wordle", "octordle", "elements", "mastermind", "nerdle", "glyphs"])
def test_nothing_is_wider_than_a_terminal_of_40_columns(name):
    game = wk.load_game(name)
    position = wk.Position.start(game)
    for word in game.guesses[:2]:
        position = position.after(word, [game.feedback(word, game.answers[-1])] * game.boards)
    assert max(map(cell_len, lines_of(position, width=40))) <= 40


def test_an_item_has_its_values_and_an_arrow_for_each():
    game = wk.load_game("elements")
    position = wk.Position.start(game).after("iron", game.feedback("iron", "gold"))
    assert lines_of(position, width=50) == [
        " 1 iron",
        "   period 4 ↑   group 8 ↑   block d =",
        "   mass 55.845 ↑   state solid =   discovered ? =",
    ]
    assert "period 4 >" in lines_of(position, tiles=False)[1]


def test_pegs_have_no_place_in_the_guess():
    (line, *_) = lines_of(wk.Position.start(wk.load_game("mastermind")).after("1122", "1,1"))
    assert line == " 1  1  1  2  2   ⚫⚪··"


@pytest.mark.parametrize(("guesses", "said"), [(1, 0), (2, 1), (5, 4), (6, 5)])
def test_praise_goes_from_luck_to_the_last_moment(guesses, said):
    assert praise(guesses, WORDLE) == PRAISE[said]
    assert praise(7, WORDLE) == ""
    assert praise(8, wk.load_game("octordle")) == PRAISE[0]
    assert praise(1, WORDLE.replace(max_guesses=1)) == PRAISE[0]


def test_an_alphabet_of_more_than_40_symbols_has_no_keyboard():
    symbols = [chr(0x4E00 + number) for number in range(41)]

    def shown(count):
        words = ["".join(symbols[:2]), "".join(symbols[2:4])]
        game = wk.load_game({"name": "signs", "alphabet": symbols[:count], "length": 2, "answers": words})
        return lines_of(wk.Position.start(game).after(words[0], "00"))

    assert len(shown(41)) == 1
    assert len(shown(40)) == 1 + 4 + 1


@pytest.mark.parametrize("symbol", ["\u202e", "\x1b"])
def test_symbols_cannot_control_a_terminal(symbol):
    game = wk.load_game({"name": "odd", "alphabet": ["a", symbol], "length": 1, "answers": "all"})
    assert symbol not in screen(wk.Position.start(game).after("a", "0"), Look()).plain
