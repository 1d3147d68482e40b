"""A file that registers no strategy gets the lines that do, which work as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit import Plugins
from wordle_kit.classroom.registering import how_to_register

CLASS = """
class {name}({base}):
    '''Guess the first word.'''

    def guess(self, position):
        return position.board.words[0]
"""

FILES = {
    "import wordle_kit as wk" + CLASS.format(name="ClearIdea", base="wk.Strategy"): "clear-idea",
    "from wordle_kit import Strategy" + CLASS.format(name="Other", base="Strategy"): "other",
    "import wordle_kit as wk": "mine",
    "answer = 42": "mine",
    "": "mine",
}


@pytest.mark.parametrize("text", FILES)
def test_with_the_lines_at_its_end_the_file_registers_a_strategy(tmp_path, text):
    said, lines = how_to_register(text.encode()).split("\n\n", 1)
    assert said.endswith("see the starter:")
    file = tmp_path / "mine.py"
    file.write_text(f"{text}\n\n{lines}\n")
    plugins = Plugins.load([file], strict=True)
    assert [entry.name for entry in plugins.strategies.values() if plugins.origins[entry.plugin] == str(file)] == [
        FILES[text]
    ]


def test_a_function_without_its_decorator_is_named_with_its_line():
    text = "import wordle_kit as wk\n" + CLASS.format(name="A", base="wk.Strategy")
    text += "\n\ndef register_strategies(register):\n    register(A())\n"
    number = text.splitlines().index("def register_strategies(register):") + 1
    assert how_to_register(text.encode()) == (
        f"Write @wk.hookimpl in a line of its own above line {number}, `def register_strategies`."
    )


@given(st.binary())
def test_any_file_can_be_read_and_one_that_is_not_python_gets_no_lines(text):
    how_to_register(text)
    assert how_to_register(b"def (:" + text) == ""
