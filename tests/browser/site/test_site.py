"""The site: links lead somewhere, the references are complete, search works, and nothing comes from elsewhere."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import wordle_kit as wk

ROOT = Path(__file__).parents[3]
FIVE = ["docs/index.html", "docs/tutorial.html", "docs/api.html", "docs/commands.html", "docs/strategies.html"]


class Page(HTMLParser):
    """The links of a page, the places in it to which others may lead, and what it loads."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.links, self.places, self.loaded = [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.places |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        elif tag in ("img", "script") and found.get("src"):
            self.loaded.append(found["src"])
        elif tag == "link" and found["rel"] in ("stylesheet", "icon", "preload"):
            self.loaded.append(found["href"])


@pytest.fixture(scope="module")
def pages(site):
    """Return every page of the site by its path, but for those that wordle-kit makes, which have tests of their own."""
    found = {path: Page(path) for path in sorted(site.rglob("*.html")) if "made" not in path.parts}
    assert len(found) > 50
    return found


def shown(site, page):
    """Return the text of a page."""
    text = (site / page).read_text(encoding="utf-8")
    return unescape(re.sub(r"<[^>]+>", "", text))


def test_every_link_leads_to_a_file_and_a_place_in_it(pages, site):
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in places(pages, target)):
                wrong.append(f"{path.relative_to(site)}: {link}")
    assert wrong == []


def places(pages, target):
    """Return the places of a page to which links may lead."""
    return pages[target].places if target in pages else {}


def test_pages_load_only_files_of_the_site(pages):
    for path, page in pages.items():
        for loaded in page.loaded:
            parts = urlsplit(loaded)
            assert not parts.scheme, f"{path}: {loaded}"
            assert not parts.netloc, f"{path}: {loaded}"
            assert (path.parent / unquote(parts.path)).is_file(), f"{path}: {loaded}"


def test_every_page_in_markdown_is_in_the_navigation(pages, site):
    home = pages[site / "docs" / "index.html"]
    missing = [path.stem for path in (ROOT / "docs").glob("*.md") if f"{path.stem}.html" not in home.links]
    assert missing == ["index"]


def test_the_reference_of_python_has_every_public_name_with_its_signature(site):
    text = (site / "docs" / "api.html").read_text(encoding="utf-8")
    names = [name for name in wk.__all__ if name != "__version__"]
    assert [name for name in names if not re.search(rf'id="wordle_kit\.([\w.]+\.)?{name}"', text)] == []


def test_the_catalogue_has_every_strategy_with_its_sentence_and_its_published_figures(site):
    text = shown(site, "docs/strategies.html")
    rows = json.loads((ROOT / "leaderboard" / "wordle.json").read_text(encoding="utf-8"))["rows"]
    figures = {row["strategy"]: (f"{row['mean']:.4f}", row["opener"]) for row in rows}
    sentences = re.sub(r"\W+", " ", text)
    for name, entry in wk.Plugins.load().strategies.items():
        assert re.sub(r"\W+", " ", entry.value.summary) in sentences, name
        if name in figures:
            assert re.search(rf"\b{name}\s+{figures[name][0]}\s+{figures[name][1]}\b", text), name
        for parameter in entry.value.parameters():
            assert re.search(rf"\n{parameter}\s", text), (name, parameter)


def test_the_notebook_is_shown_with_its_results(site):
    text = (site / "docs" / "research.html").read_text(encoding="utf-8")
    assert text.count('<div class="output">') > 8
    assert text.count("<svg") > 2
    assert "7920, 5" in text


@pytest.mark.parametrize("page", FIVE)
def test_axe_finds_no_violation(visit, violations, page):
    assert violations(visit(page)) == ""


def test_search_finds_entropy(visit):
    page = visit("docs/index.html")
    page.fill(".sidebar-search", "entropy")
    page.press(".sidebar-search", "Enter")
    page.wait_for_selector("#search-results ul.search li a")
    page.wait_for_selector("#search-results p.context")
    found = page.locator("#search-results ul.search li a").all_text_contents()
    assert len(found) > 5
    assert any("entropy" in title for title in found)


def test_the_first_page_leads_to_the_documentation(visit, address):
    page = visit("index.html")
    page.wait_for_url(f"{address}/docs/index.html")
    assert page.locator("h1").inner_text()


def test_the_light_and_the_dark_mode_can_be_chosen(visit):
    page = visit("docs/index.html")
    colours = set()
    for _ in range(3):  # the system's, light and dark
        page.locator(".content-icon-container .theme-toggle").click()
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


@pytest.mark.parametrize(("page", "name"), [("report", "leaderboard"), ("puzzles", "puzzle")])
def test_a_leaderboard_and_a_puzzle_are_part_of_the_site(visit, page, name):
    shown = visit(f"docs/{page}.html")
    shown.click(f'a[href="../made/{name}.html"]')
    shown.wait_for_selector("html[data-ready]")


def test_the_puzzle_of_the_site_can_be_played(visit):
    page = visit("made/puzzle.html")
    page.wait_for_selector("html[data-ready]")
    page.keyboard.type("crane")
    page.keyboard.press("Enter")
    page.wait_for_selector(".new .tile")
    assert page.locator(".new .tile").count() == 5
