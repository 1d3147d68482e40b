"""The reference of the public names: what the source says about each."""

import inspect
from typing import Any

import wordle_kit as wk
from wordle_kit.lazy import homes_of


def names() -> str:
    """Return a heading and a directive of autodoc for each public name, as Markdown."""
    public = [name for name in wk.__all__ if not name.startswith("_")]
    return "\n\n".join(f"## `{name}`\n\n```{{eval-rst}}\n{directive(name)}\n```" for name in public)


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
