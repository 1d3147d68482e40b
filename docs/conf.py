"""The settings of the site. `tox -e slow` builds it; `sitegen` makes the pages that nobody writes.

The root of the project is the source folder, so that links between pages are the same in the site as in the files.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "wordle-kit"
copyright = "the authors of wordle-kit"  # noqa: A001 - Sphinx's name for it
html_title = "wordle-kit"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sitegen.extension"]
root_doc = "docs/index"
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
include_patterns = ["docs/*.md", "docs/*.ipynb", "leaderboard/*.md", "*.md"]
include_patterns += ["data/README.md", "examples/README.md", "benchmarks/README.md"]
exclude_patterns = [".*", "build", "site", "wordle_kit", "plugins", "tests"]

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]  # pictures of other sizes are written in HTML
suppress_warnings = ["myst.header"]

smartquotes = False  # they would make one dash of the two before an option
default_role = "code"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!wordle_kit\.[A-Za-z_]+$).*")]  # the types of other packages have no page here

maximum_signature_line_length = 90

html_theme = "furo"
html_static_path = ["sitegen/static"]
html_css_files = ["site.css"]
html_extra_path = ["sitegen/root"]
html_favicon = "sitegen/static/favicon.svg"
html_use_index = False
html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
