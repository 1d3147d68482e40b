"""The languages in which games can be made: alphabets, frequencies and dictionaries, from `data/languages.toml`."""

import tomllib
from functools import cache

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import WordleKitError
from wordle_kit.names import unknown


class Language(BaseModel):
    """A language; the data file explains each field."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    name: str
    alphabet: str | None = None
    frequencies: str | None = None
    nouns: bool = False
    words: tuple[str, ...] = ()
    spelling: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    @property
    def frequency_code(self) -> str:
        """The code that wordfreq uses, or an empty text if it has no frequencies."""
        return self.code if self.frequencies is None else self.frequencies


@cache
def languages() -> dict[str, Language]:
    """Return the languages by their codes."""
    from wordle_kit_data import FOLDER

    fields = tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))
    return {code: Language(code=code, **settings) for code, settings in fields.items()}


def find_language(text: str) -> Language:
    """Return a language by its code or its English name. Raises WordleKitError if it is not known."""
    known = languages()
    by_name = {language.name.lower(): language for language in known.values()}
    found = known.get(text.lower()) or by_name.get(text.lower())
    if found is None:
        names = [*known, *by_name] if len(text) > 2 else known
        raise WordleKitError(unknown("language", text, names))
    return found
