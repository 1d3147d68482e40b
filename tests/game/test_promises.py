"""A rule that breaks a promise is named, with the pair and the code, whatever plays; no strategy is blamed for it."""

import random
import textwrap

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.errors import RuleError

WORDS = ["".join(word) for word in ("aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc")]
N = len(WORDS)
N_CODES, WINNING = 6, 5
MEMORIES = {"whole": 2**20, "in blocks": 20}
WAYS = ["code", "codes_row", "codes"]


class Written(wk.Rule):
    """A rule whose codes are written down for each pair, by answer and guess."""

    def __init__(self, pairs, n_codes=N_CODES, winning=WINNING):
        self.pairs = pairs
        self.count = n_codes
        self.wins = winning

    def n_codes(self, length):
        return self.count

    def winning_code(self, length):
        return self.wins

    def code(self, guess, answer):
        code = self.pairs[WORDS.index("".join(answer))][WORDS.index("".join(guess))]
        if isinstance(code, Exception):
            raise code
        return code

    def show(self, code, length):
        return str(code)


def numbers(words):
    """Return the place in WORDS of words, given as symbols."""
    return words[:, 0].astype(int) * 3 + words[:, 1]


class ByRow(Written):
    """The same in numpy."""

    def codes_row(self, answer, guesses, alphabet):
        return np.array(self.pairs)[numbers(answer[None])[0], numbers(guesses)]


class AtOnce(Written):
    """The same for all pairs."""

    def codes(self, answers, guesses, alphabet):
        return np.array(self.pairs)[np.ix_(numbers(answers), numbers(guesses))]


KINDS = dict(zip(WAYS, [Written, ByRow, AtOnce], strict=True))


@st.composite
def tables(draw):
    """Draw codes that keep all promises. One seed draws them all, since to draw each takes hypothesis much longer."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    pairs = [chance.choices(range(N_CODES - 1), k=N) for _ in WORDS]
    for place in range(N):
        pairs[place][place] = WINNING
    return pairs


def game_of(rule, memory=MEMORIES["whole"], **changes):
    game = wk.load_game({"name": "nine", "alphabet": "abc", "length": 2, "answers": "all"})
    return game.replace(rule=rule, memory=memory, **changes)


USES = {
    "tournament": lambda game: wk.tournament(game, ["entropy", "first-consistent"], workers=1),
    "play": lambda game: wk.play("entropy", game),
    "optimal": wk.optimal,
}
use = st.sampled_from(list(USES))
memory = st.sampled_from(list(MEMORIES))
way = st.sampled_from(WAYS)


def problem_with(rule, use, memory):
    """Return the message of the error of a rule, which is one line that names the rule."""
    with pytest.raises(RuleError) as caught:
        USES[use](game_of(rule, MEMORIES[memory]))
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"the rule '{type(rule).name}': ")
    return message


@settings(max_examples=200)
@given(
    use=use,
    memory=memory,
    way=way,
    pairs=tables(),
    answer=st.integers(0, N - 1),
    guess=st.integers(0, N - 1),
    code=st.sampled_from([6, 7, 255, 256]),
)
def test_a_code_beyond_the_range_is_named_with_its_pair(use, memory, way, pairs, answer, guess, code):
    pairs[answer][guess] = code
    message = problem_with(KINDS[way](pairs), use, memory)
    assert f"the guess {WORDS[guess]!r} against the answer {WORDS[answer]!r} gets the code {code}; " in message
    assert "codes go from 0 to 5, since n_codes(2) is 6" in message


@pytest.mark.slow
@settings(max_examples=200)
@given(use=use, memory=memory, way=way, pairs=tables(), answer=st.integers(0, N - 1), guess=st.integers(0, N - 1))
def test_a_winning_code_for_another_word_is_named_with_its_pair(use, memory, way, pairs, answer, guess):
    assume(answer != guess)
    pairs[answer][guess] = WINNING
    message = problem_with(KINDS[way](pairs), use, memory)
    assert f"the guess {WORDS[guess]!r} against the answer {WORDS[answer]!r} gets the code 5, which is" in message
    assert "only the answer itself may win" in message


@pytest.mark.slow
@settings(max_examples=200)
@given(use=use, memory=memory, way=way, pairs=tables(), answer=st.integers(0, N - 1), code=st.integers(0, N_CODES - 2))
def test_an_answer_that_does_not_win_is_named(use, memory, way, pairs, answer, code):
    pairs[answer][answer] = code
    message = problem_with(KINDS[way](pairs), use, memory)
    word = WORDS[answer]
    assert f"the guess {word!r} against the answer {word!r} gets the code {code}, but the winning code is 5" in message


@settings(max_examples=200)
@given(
    use=use,
    memory=memory,
    pairs=tables(),
    answer=st.integers(0, N - 1),
    guess=st.integers(0, N - 1),
    code=st.sampled_from([None, 1.0, 2.5, "3", b"3", [1], float("nan"), 2**70, -(2**70)]),
)
def test_what_is_not_a_code_is_named_with_its_pair(use, memory, pairs, answer, guess, code):
    pairs[answer][guess] = code
    message = problem_with(Written(pairs), use, memory)
    assert f"the guess {WORDS[guess]!r} against the answer {WORDS[answer]!r} gets " in message
    assert ("missing `return`?" in message) == (code is None)


@settings(max_examples=200)
@given(use=use, memory=memory, pairs=tables(), answer=st.integers(0, N - 1), guess=st.integers(0, N - 1))
def test_an_exception_is_named_with_its_pair_and_its_line(use, memory, pairs, answer, guess):
    pairs[answer][guess] = KeyError("odd")
    message = problem_with(Written(pairs), use, memory)
    pair = f"the guess {WORDS[guess]!r} against the answer {WORDS[answer]!r}"
    assert f"code, for {pair}, raised KeyError: 'odd'" in message
    assert "test_promises.py, line " in message


@pytest.mark.slow
@settings(max_examples=200)
@given(memory=memory, way=way, pairs=tables())
def test_a_rule_that_keeps_its_promises_has_its_codes(memory, way, pairs):
    game = game_of(KINDS[way](pairs), MEMORIES[memory])
    everyone = np.arange(N, dtype=np.int32)
    game.table.prepare()
    assert np.transpose([game.table.column(guess, everyone) for guess in range(N)]).tolist() == pairs


def test_a_sample_finds_one_wrong_symbol_in_a_large_table():
    class Wordle(type(wk.load_game("wordle").rule)):
        def marks(self, guess, answer):
            return [2 if g == a else int(g in answer) for g, a in zip(guess, answer, strict=True)]

    game = wk.load_game("wordle").replace(rule=Wordle())
    with pytest.raises(RuleError, match=r"from codes, but .* from code; make them agree"):
        game.table.prepare()


# The command line

FILE = """
    import wordle_kit as wk

    class Broken(wk.Rule):
        def n_codes(self, length):
            return {n_codes}

        def winning_code(self, length):
            return 2

        def code(self, guess, answer):
            return {code}

        def show(self, code, length):
            return str(code)

    @wk.hookimpl
    def register_rules(register):
        register(Broken())

    @wk.hookimpl
    def register_games(register):
        register({{"name": "broken", "alphabet": "ab", "length": 2, "answers": "all", "rule": "broken"}})
"""
MISTAKES = {
    "one code too few": ("2", "sum(g == a for g, a in zip(guess, answer))", "winning_code(2) is 2"),
    "a code too large": ("3", "2 if guess == answer else 3 * (guess[0] == answer[0])", "gets the code 3;"),
    "all win": ("3", "2", "only the answer itself may win"),
    "nobody wins": ("3", "0", "but the winning code is 2"),
    "nothing": ("3", "print()", "gets None, not a whole number"),
    "an exception": ("3", "{}[guess]", "raised KeyError"),
}


COMMANDS = ["tournament -g broken -s entropy", "solve -a aa -g broken", "optimal -g broken"]


@pytest.fixture
def broken(tmp_path):
    """Return a function that writes a plugin whose rule makes a mistake, and returns a part of the message."""

    def write(mistake):
        n_codes, code, message = MISTAKES[mistake]
        (tmp_path / "broken.py").write_text(textwrap.dedent(FILE.format(n_codes=n_codes, code=code)))
        return message

    return write


def check_refusal(code, complaints, message):
    (line,) = complaints.strip().splitlines()
    assert code == 2
    assert "the rule 'broken': " in line
    assert message in line


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_ends_with_one_line_that_names_the_rule(broken, tmp_path, capfd, mistake, command):
    message = broken(mistake)
    code = cli.run([*command.split(), "--plugin", str(tmp_path / "broken.py")])
    check_refusal(code, capfd.readouterr().err, message)
