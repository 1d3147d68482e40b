"""Columns of values, as data frames of pandas and polars and as Parquet files."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from wordle_kit.extras import needed
from wordle_kit.texts import plain

if TYPE_CHECKING:
    import pandas
    import polars

Kind = Literal["text", "truth", "whole", "whole or none", "real"]

NO_COUNT = -1
"""The number that stands for a missing one in a column of counts."""


@dataclass
class Values:
    """A column of values of one kind; texts and numbers of the kind `whole or none` may be None."""

    kind: Kind
    values: list[Any] = field(default_factory=list)


@dataclass
class Words:
    """A column with few different texts: a number for each row, and the texts by number."""

    names: dict[str, int] = field(default_factory=dict)
    numbers: "array[int]" = field(default_factory=lambda: array("i"))

    def append(self, text: str) -> None:
        """Add a text."""
        self.numbers.append(self.names.setdefault(text, len(self.names)))

    @property
    def texts(self) -> list[str]:
        """The different texts by number, escaped so that they can be encoded as UTF-8."""
        return [plain(text) for text in self.names]


@dataclass
class Counts:
    """A column of whole numbers."""

    numbers: "array[int]"
    has_gaps: bool = False
    """Whether numbers may be missing; NO_COUNT stands for these."""


Column = Values | Words | Counts
Columns = Mapping[str, Column]


def to_pandas(columns: Columns) -> "pandas.DataFrame":
    """Return columns as a pandas data frame."""
    pandas = needed("pandas", "data frames of pandas", "pandas")
    kinds = {"text": None, "truth": "bool", "whole": "int64", "whole or none": "Int64", "real": "float64"}
    made = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            made[name] = pandas.Series(pandas.Categorical.from_codes(column.numbers, column.texts))
        elif isinstance(column, Counts):
            counts = pandas.Series(pandas.array(column.numbers, dtype="Int32"))
            made[name] = counts.mask(counts == NO_COUNT) if column.has_gaps else counts.astype("int32")
        else:
            made[name] = pandas.Series(column.values, dtype=kinds[column.kind])
    return pandas.DataFrame(made)


def to_polars(columns: Columns) -> "polars.DataFrame":
    """Return columns as a polars data frame."""
    polars = needed("polars", "data frames of polars", "polars")
    whole = polars.Int64
    kinds = {"text": polars.String, "truth": polars.Boolean, "whole": whole, "whole or none": whole}
    made = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            texts = polars.Series(name, column.texts, dtype=polars.Categorical)
            made[name] = texts.gather(polars.Series(_numbers(column.numbers)))
        elif isinstance(column, Counts):
            counts = polars.Series(name, _numbers(column.numbers))
            made[name] = counts.set(counts == NO_COUNT, None) if column.has_gaps else counts
        else:
            made[name] = polars.Series(name, column.values, dtype=kinds.get(column.kind, polars.Float64))
    return polars.DataFrame(made)


def write_parquet(columns: Columns, target: Path | BinaryIO) -> None:
    """Write columns as a Parquet file."""
    needed("pyarrow", "Parquet", "parquet")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = {"text": arrow.string(), "truth": arrow.bool_(), "real": arrow.float64()}
    made = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            made[name] = arrow.DictionaryArray.from_arrays(
                _numbers(column.numbers), arrow.array(column.texts, arrow.string())
            )
        elif isinstance(column, Counts):
            counts = _numbers(column.numbers)
            made[name] = arrow.array(counts, mask=counts == NO_COUNT)
        else:
            made[name] = arrow.array(column.values, kinds.get(column.kind, arrow.int64()))
    parquet.write_table(arrow.table(made), target)


def _numbers(numbers: "array[int]") -> Any:
    """Return numbers as a numpy array that shares their memory."""
    import numpy as np

    return np.frombuffer(numbers, dtype=np.int32) if numbers else np.array([], dtype=np.int32)
