"""Other people's text: no place that shows it obeys it."""

import csv
import io
import json
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wordle_kit import texts
from wordle_kit.tables import render

ODD = st.sampled_from(
    [
        *("\x1b[31m", "\x1b]0;title\x07", "\u202e", "\u2066", "\ud800", "\0", "\r", "\n", "\t", "\x9b", "\u2028"),
        *("<script>alert(1)</script>", "&lt;", "|", "\\|", "`", "``", "[x](http://a.b)", "<http://a.b>", "https://a.b"),
        *("=1+1", "+1", "-1", "@SUM(A1)", "-0.5", "1,234", "＝1"),
        *("*", "_", "~~", "# ", "- ", "1. ", "$x$", "![", "---"),
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
    shown = texts.one_line(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()


@given(TEXTS)
def test_printed_text_keeps_its_lines_and_has_no_control_characters(text):
    shown = texts.terminal(text)
    assert is_safe(shown)
    assert shown.count("\n") == text.count("\n")


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
    assert not re.search(r"[<@]", shown)
    wanted = texts.one_line(text).strip()
    assert (rendered(shown) if wanted else shown) == wanted


@given(TEXTS, TEXTS)
def test_a_table_in_markdown_has_one_row_for_each_row(first, second):
    page = render([{"strategy": first, "b": second}, {"strategy": "x", "b": 3}], "github", [second])
    table = page.split("\n\n")[0]
    tokens = MarkdownIt("commonmark").enable("table").parse(table)
    assert sum(token.type == "tr_open" for token in tokens) == 3
    cells = [token.content for token in tokens if token.type == "inline"]
    assert len(cells) == 6
    inside = MarkdownIt("commonmark").enable("table").parseInline
    for cell, text in zip(cells[2:4], (first, second), strict=True):
        assert "".join(child.content for child in inside(cell)[0].children) == texts.one_line(text).strip()


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
    assert texts.one_line(text).strip() in read.texts or not texts.one_line(text).strip()
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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda some: st.lists(some, max_size=3) | st.dictionaries(TEXTS, some, max_size=3),
    max_leaves=6,
)


def encoded(value):
    """Return a value with texts that can be encoded."""
    if isinstance(value, str):
        return texts.encodable(value)
    if isinstance(value, list):
        return [encoded(one) for one in value]
    return {texts.encodable(key): encoded(one) for key, one in value.items()} if isinstance(value, dict) else value


@given(JSON, st.sampled_from([None, 2]))
def test_json_reads_back_and_has_no_control_characters(value, indent):
    shown = texts.json_text(value, indent)
    assert is_safe(shown)
    assert json.loads(shown) == encoded(value)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_is_strict(number):
    def refuse(name):
        raise AssertionError(name)

    text = texts.json_text({"rows": [{"mean": number, "list": (1, number)}]})
    assert json.loads(text, parse_constant=refuse) == {"rows": [{"mean": None, "list": [1, None]}]}
