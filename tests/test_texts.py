"""Other people's text: no place that shows it obeys it."""

import csv
import io
import json
import math
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import wordle_kit.cli
from wordle_kit import texts
from wordle_kit.cli import output
from wordle_kit.tables import BUNDLED, render
from wordle_kit.texts import json_text, percent, shell_word

ODD = st.sampled_from(
    [
        *("\x1b[31m", "\x1b]0;title\x07", "\u202e", "\u2066", "\ud800", "\0", "\r", "\n", "\t", "\x9b", "\u2028"),
        *("<script>alert(1)</script>", "&lt;", "|", "\\|", "`", "``", "[x](http://a.b)", "<http://a.b>", "https://a.b"),
        *(
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "-0.5",
            "1,234",
            "＝1",
            "*",
            "_",
            "~~",
            "# ",
            "- ",
            "1. ",
            "$x$",
            "![",
            "---",
        ),
        *("www.a.b", "%", "{", "}", "\\", "'", '"', "; ", ",", " ", "\x7f"),
    ]
)
ANY = st.lists(st.text(max_size=8) | st.text(st.characters(), max_size=8) | ODD, max_size=8).map("".join)
"""Any text, of surrogates too, and of what means something somewhere."""

SURROGATES = st.text(st.integers(0, 0x10FFFF).map(chr), max_size=20)
TEXTS = ANY | SURROGATES


def is_safe(text):
    """Return whether a terminal obeys nothing in it, and every encoding of Unicode has it."""
    text.encode()
    return all(one.isprintable() for one in text.split("\n"))


@given(TEXTS)
def test_a_line_is_printable_and_printable_text_stays_as_it_is(text):
    shown = texts.line(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()


@given(TEXTS, st.integers(10, 40))
def test_a_line_is_as_long_as_it_may_be_and_says_that_it_was_cut(text, longest):
    shown = texts.line(text * 20, longest)
    assert len(shown) <= longest
    assert shown == texts.line(text * 20, None) or shown.endswith(texts.CUT)


@given(TEXTS)
def test_printed_text_keeps_its_lines_and_has_no_control_characters(text):
    shown = texts.terminal(text)
    assert is_safe(shown)
    assert shown.count("\n") == text.count("\n")


class SilentError(Exception):
    """Says nothing about itself."""

    def __str__(self):
        raise ValueError("no")


def test_every_exception_can_be_reported():
    assert texts.raised(SilentError()) == "SilentError: its message cannot be read"
    assert texts.raised(KeyError()) == "KeyError"
    assert texts.raised(ValueError("\x1b[31m\ud800" + "x" * 10_000)).startswith(r"ValueError: \x1b[31m\ud800xxx")
    assert len(texts.raised(ValueError("x" * 10_000))) == texts.LONGEST_TEXT


@given(TEXTS, TEXTS)
def test_labels_are_short_and_different_ones_stay_apart(first, second):
    first, second = ("x" * 400 + text for text in (first, second))
    assert max(len(texts.label(first)), len(texts.label(second))) <= texts.LONGEST_LABEL
    assert (texts.label(first) == texts.label(second)) == (first == second)


def rendered(markdown):
    """Return the text of one paragraph of Markdown, as a reader sees it. It has nothing but text."""
    opening, inline, closing = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    assert (opening.type, inline.type, closing.type) == ("paragraph_open", "inline", "paragraph_close")
    assert {child.type for child in inline.children} <= {"text", "text_special"}
    return "".join(child.content for child in inline.children)


@example("__0__")
@example("a__b_c_")
@given(TEXTS)
def test_markdown_shows_exactly_the_text(text):
    shown = texts.markdown(text)
    assert is_safe(shown)
    assert not re.search(r"(?i)[a-z]://|www\.|<|@", shown)
    wanted = texts.line(text).strip()
    assert (rendered(shown) if wanted else shown) == wanted


@given(TEXTS, TEXTS)
def test_a_table_in_markdown_has_one_row_for_each_row(first, second):
    page = render([{"strategy": first, "b": second}, {"strategy": "x", "b": 3}], "markdown", [second])
    table = page.split("\n\n")[0]
    tokens = MarkdownIt("commonmark").enable("table").parse(table)
    assert sum(token.type == "tr_open" for token in tokens) == 3
    cells = [token.content for token in tokens if token.type == "inline"]
    assert len(cells) == 6
    inside = MarkdownIt("commonmark").enable("table").parseInline
    for cell, text in zip(cells[2:4], (first, second), strict=True):
        assert "".join(child.content for child in inside(cell)[0].children) == texts.line(text).strip()


class Reader(HTMLParser):
    """Collects tags and texts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data.strip())


@given(TEXTS)
def test_html_has_no_tags_from_other_peoples_text(text):
    page = render([{"strategy": text, "b": 1}], "html", [text])
    assert is_safe(page)
    read = Reader(page)
    assert read.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert texts.line(text).strip() in read.texts or not texts.line(text).strip()
    assert "<" not in texts.web(text)
    assert '"' not in texts.web(text)


@given(TEXTS)
def test_no_cell_of_a_csv_file_is_a_formula(text):
    (row,) = csv.DictReader(io.StringIO(render([{"strategy": text, "b": -1.5}], "csv")))
    assert is_safe(row["strategy"])
    assert row["b"] == "-1.5"
    first = row["strategy"].strip()[:1]
    assert first not in tuple("=+-@＝＋－＠\t\r") or re.fullmatch(
        r"[-+]?[\d,]*\.?\d*([eE][-+]?\d+)?%?", row["strategy"]
    )


@pytest.mark.parametrize("number", ["-0.5", "+3", "12", "-1,234.5", "+1.5%", "-1e-05", "3.5000 ± 0.1", "-"])
def test_numbers_and_nothing_stay_as_they_are(number):
    assert texts.cell(number) == number
    assert texts.cell(-2) == -2


@pytest.mark.parametrize("formula", ["=1", "+a", "-a1", "@a", " =1", "-1+cmd|'/c calc'!A0", "\t=1", "\r=1"])
def test_formulas_are_text(formula):
    assert texts.cell(formula).startswith("'")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda some: st.lists(some, max_size=3) | st.dictionaries(TEXTS, some, max_size=3),
    max_leaves=6,
)


def encoded(value):
    """Return a value with texts that can be encoded."""
    if isinstance(value, str):
        return texts.plain(value)
    if isinstance(value, list):
        return [encoded(one) for one in value]
    return {texts.plain(key): encoded(one) for key, one in value.items()} if isinstance(value, dict) else value


@given(JSON, st.sampled_from([None, 2]))
def test_json_reads_back_and_has_no_control_characters(value, indent):
    shown = texts.json_text(value, indent)
    assert is_safe(shown)
    assert json.loads(shown) == encoded(value)


@given(TEXTS, TEXTS, st.sampled_from([name for name, form in BUNDLED.items() if form.takes != "columns"]))
def test_every_form_of_a_table_can_be_printed_and_is_not_long(header, text, form):
    page = render([{"strategy": text * 1000, f"x{header}": 1}], form, [text * 1000] if text else [])
    assert is_safe(page)
    if form not in ("csv", "json"):
        assert len(page) < 150_000
    if form == "latex":
        assert all(line.startswith("%") for line in page.partition("\\end{tabular}")[2].strip().splitlines())


def test_commands_print_nowhere_else():
    for path in Path(wordle_kit.cli.__file__).parent.glob("*.py"):
        if path.name != "output.py":
            assert not re.search(r"(?<![\w.])print\(|typer\.echo\(|json\.dumps\(.*\)\)", path.read_text()), path.name


@given(TEXTS)
def test_a_note_is_one_line(text):
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(output.sys, "stderr", said)
        output.note(text)
    assert said.getvalue().startswith("wordle-kit: ")
    assert said.getvalue().count("\n") == 1
    assert is_safe(said.getvalue())


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_is_strict(number):
    def refuse(name):
        raise AssertionError(name)

    text = json_text({"rows": [{"mean": number, "list": (1, number)}]})
    assert json.loads(text, parse_constant=refuse) == {"rows": [{"mean": None, "list": [1, None]}]}


def test_a_small_chance_is_not_shown_as_none():
    assert [percent(chance) for chance in (0, 0.00001, 0.0001, 0.00882, 1)] == [
        "0%",
        "<0.01%",
        "0.01%",
        "0.88%",
        "100.00%",
    ]
    table = render([{"word": "a", "chance": percent(0.00001)}, {"word": "b", "chance": percent(0.5)}], "table")
    assert table.splitlines()[2:] == ["a         <0.01%", "b         50.00%"]


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (0, ("answer",), "0 answers"),
        (1, ("answer",), "1 answer"),
        (2315, ("answer",), "2,315 answers"),
        (1, ("guess", "guesses"), "1 guess"),
        (2, ("guess", "guesses"), "2 guesses"),
    ],
)
def test_nouns_agree_with_their_numbers(count, words, said):
    assert texts.number_of(count, *words) == said


WORDS_OF_COMMANDS = ["crane", "crane,slate", "my file.py", "minimax(opener=1122)", r"C:\My Files\ada.py", "it's", "-g"]


@pytest.mark.parametrize("word", [*WORDS_OF_COMMANDS, "a$b", 'say "x"', "50%", "a!b", "end\\", "a`b", "two\nlines", ""])
def test_a_word_of_a_command_is_one_word_for_sh(word):
    ran = subprocess.run(["sh", "-c", f"printf %s. {shell_word(word)}"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{word}."


@pytest.mark.parametrize("word", WORDS_OF_COMMANDS)
def test_usual_words_are_plain_or_in_double_quotes_which_powershell_and_cmd_read_too(word):
    assert shell_word(word) in (word, f'"{word}"')
    assert shell_word(word) == word or not set(word) <= set("abcdefghijklmnopqrstuvwxyz-.")
