"""The notebook of the documentation, as Jupyter shows it, in a browser without a network."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).parents[2] / "docs" / "research.ipynb"


def test_the_charts_of_the_notebook_are_seen_without_a_network(browser, tmp_path):
    nbconvert = pytest.importorskip("nbconvert")
    html, _ = nbconvert.HTMLExporter().from_filename(str(NOTEBOOK))
    path = tmp_path / "research.html"
    path.write_text(html, encoding="utf-8")
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        charts = page.locator(".jp-OutputArea-output img")
        charts.last.wait_for()
        assert charts.count() == 1
        sizes = charts.evaluate_all("all => all.map(one => Math.min(one.naturalWidth, one.naturalHeight))")
        assert min(sizes) > 100
        sources = charts.evaluate_all("all => Promise.all(all.map(async one => (await fetch(one.src)).text()))")
        for said, svg in zip(("common-letters",), sources, strict=True):
            assert said in svg
        assert "Javascript Error" not in page.locator("body").inner_text()
    finally:
        context.close()
