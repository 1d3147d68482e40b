"""Fixtures that show pages in a real browser: Debian's Chromium, driven by Playwright. Nothing here uses a network."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest
from needs import CHROMIUM, needs_chromium

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--process-per-site",  # all pages are files; a process for each test would take most of the time
)


OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that depend on colours, and so on the colour scheme."""


def pytest_collection_modifyitems(items):
    """Skip the tests that need a browser if there is none."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(needs_chromium)


@pytest.fixture(scope="session")
def browser():
    """Return a browser that all tests share."""
    with pytest.importorskip("playwright.sync_api").sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="session")
def context_of(browser):
    """Return a function that gives the browser context with these settings, made once.

    A page stays open in each context. It keeps the process of all files alive, which halves the time to open a page.
    """
    made = {}

    def context_of(**settings):
        key = json.dumps(settings, sort_keys=True)
        if key not in made:
            made[key] = browser.new_context(**settings)
            made[key].new_page().goto(Path(__file__).parent.as_uri())
        return made[key]

    yield context_of
    for context in made.values():
        context.close()


@pytest.fixture(scope="session")
def context(context_of):
    """Return the browser context of all tests that need no other."""
    return context_of()


@pytest.fixture(scope="session")
def opened(context_of):
    """Return a context with an open page. A request for another file or a message on the console is an error.

    The page begins with no stored data. `settings` are those of a browser context.
    """

    @contextmanager
    def opened(path, fragment="", *, width=1280, height=800, color_scheme="light", clock=None, **settings):
        page = context_of(**settings).new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=color_scheme)
        if clock is not None:
            page.clock.set_fixed_time(clock)
        asked, complaints = [], []
        page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.set_default_timeout(20_000)
        try:
            page.goto(f"{path.as_uri()}{fragment}")
            if settings.get("java_script_enabled", True):
                page.wait_for_selector("html[data-ready]")
            yield page
            page.evaluate("localStorage.clear()")
        finally:
            page.close()
        assert (set(asked), complaints) == ({path.as_uri()}, [])

    return opened


SIZES = [(360, 640), (390, 844), (1280, 900)]
"""The widths and heights of windows in which pages are looked at."""


@pytest.fixture
def looked_at(pytestconfig):
    """Return a function that shows a page in each size, in light and dark, and writes pictures of it if asked to.

    It returns the width of the window and of the page, and their heights, for each size.
    """
    folder = pytestconfig.getoption("--pictures")

    def looked_at(page, name, *, full_page=False):
        found = []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.wait_for_timeout(20)
                if folder is not None:
                    Path(folder).mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=full_page)
            size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
            found.append(((width, height), tuple(size)))
        return found

    return looked_at


@pytest.fixture(scope="session")
def violations():
    """Return a function that has axe-core check an open page, in light and dark, and returns what it found wrong."""
    from axe_playwright_python.base import AXE_SCRIPT
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe("typeof axe")  # otherwise it loads its script anew for each run

    def violations(page):
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(AXE_SCRIPT)
        reports = []
        for scheme, rules in (("light", {}), ("dark", {"runOnly": OF_COLOURS})):
            page.emulate_media(color_scheme=scheme)
            found = axe.run(page, options={"resultTypes": ["violations"], **rules})  # saves axe half of its time
            if found.violations_count:
                reports.append(f"{scheme}: {found.generate_report()}")
        return "\n".join(reports)

    return violations
