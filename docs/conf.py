"""The settings of the site, which `tox -e slow` builds.

The root of the project is the source folder, so that links between pages are the same in the site as in the files.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for generated.py

project = "wordle-kit"
copyright = "the authors of wordle-kit"  # noqa: A001 - Sphinx's name for it
html_title = "wordle-kit"

extensions = ["myst_parser", "sphinx.ext.autodoc", "generated"]
root_doc = "docs/index"
source_suffix = {".md": "markdown"}
include_patterns = ["docs/*.md", "leaderboard/*.md", "*.md"]
include_patterns += ["data/README.md", "examples/README.md", "benchmarks/README.md"]
exclude_patterns = [".*", "build", "site", "wordle_kit", "plugins", "tests"]

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]

smartquotes = False  # they would make one dash of the two before an option
default_role = "code"
autodoc_default_options = {"members": True, "exclude-members": "model_config, model_post_init"}
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True

html_theme = "furo"
html_favicon = "favicon.svg"
html_copy_source = False
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
