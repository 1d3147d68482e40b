"""The reference of the public names: below each heading of the page that has examples, what the source says."""

import inspect
import re
from typing import Any

import wordle_kit as wk
from wordle_kit.lazy import homes_of

NAME = re.compile(r"^### `(\w+)`$", re.MULTILINE)


def with_sources(page: str) -> str:
    """Return the page with a directive of autodoc below each heading that is a public name."""
    return NAME.sub(lambda match: f"{match[0]}\n\n```{{eval-rst}}\n{directive(match[1])}\n```", page)


def directive(name: str) -> str:
    """Return the directive for a public name. Raises AttributeError if there is none."""
    thing: Any = getattr(wk, name)
    if inspect.isclass(thing):
        if issubclass(thing, Exception):
            return f".. autoexception:: wordle_kit.{name}"
        return f".. autoclass:: wordle_kit.{name}\n   :members:\n   :exclude-members: model_config, model_post_init"
    if inspect.isfunction(thing):
        return f".. autofunction:: wordle_kit.{name}"
    return f".. autodata:: {homes_of(wk.__file__)[name]}.{name}"  # the text below it is found where it is defined
