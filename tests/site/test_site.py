"""The site: links lead somewhere, the references are complete, search works, and nothing comes from elsewhere."""

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow


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
    """Return every page of the site by its path."""
    found = {path: Page(path) for path in sorted(site.rglob("*.html"))}
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


@pytest.mark.parametrize("page", ["docs/index.html", "docs/commands.html", "docs/engine.html", "docs/tutorial.html"])
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


@pytest.mark.parametrize("name", ["index", "commands", "engine", "games", "reference"])
def test_a_page_fits_a_phone(visit, name):
    page = visit(f"docs/{name}.html")
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
