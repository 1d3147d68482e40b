"""The site that `tox -e slow` has built, served as a web server would. The tests are skipped where there is none."""

import functools
import os
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SITE = "WORDLE_KIT_SITE"
"""The variable with the folder of the site."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site():
    """Return the folder of the site."""
    folder = os.environ.get(SITE)
    if folder is None:
        pytest.skip("the site is not built: `tox -e slow` builds and tests it")
    return Path(folder).resolve()


@pytest.fixture(scope="session")
def address(site):
    """Return the address of the site while it is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def visit(context, address):
    """Return a function that opens a page. A request for another address or a message on the console is an error."""
    pages, wrong = [], []

    def visit(path):
        page = context.new_page()
        pages.append(page)
        page.on("request", lambda asked: None if asked.url.startswith(address) else wrong.append(asked.url))
        page.on("console", lambda message: None if message.type == "log" else wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("response", lambda got: wrong.append(f"{got.status} {got.url}") if got.status >= 400 else None)
        page.set_default_timeout(20_000)
        page.goto(f"{address}/{path}", wait_until="load")
        return page

    yield visit
    for page in pages:
        page.close()
    assert wrong == []
