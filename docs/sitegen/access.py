"""Pages of Sphinx and its theme, with what screen readers and keyboards need."""

import re

REPLACED = {
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside class="sidebar-drawer" aria-label="All pages"',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    "<pre>": '<pre tabindex="0">',
}
"""What a page has, and what it should have: levels of headings, names of landmarks, boxes that keys can scroll."""

PARAMETERS = re.compile(r"<dl>\s*((?:<dd>.*?</dd>\s*)+)</dl>", re.DOTALL)


def accessible(page: str) -> str:
    """Return a page with these replacements, and with the parameters of signatures outside of definition lists."""
    for old, new in REPLACED.items():
        page = page.replace(old, new)
    return PARAMETERS.sub(lambda found: as_blocks(found[1]), page)


def as_blocks(parameters: str) -> str:
    """Return the parameters of a signature, each as a block."""
    inner = parameters.replace("<dd>", '<span class="parameter">').replace("</dd>", "</span>")
    return f'<span class="parameters">{inner}</span>'
