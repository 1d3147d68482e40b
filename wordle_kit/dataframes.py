"""Columns of values, as data frames of pandas and polars and as Parquet files."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple

from wordle_kit.extras import needed
from wordle_kit.texts import plain

if TYPE_CHECKING:
    import pandas
    import polars

Kind = Literal["text", "truth", "whole", "whole or none", "real"]
AnyKind = Kind | Literal["word", "count", "count or none"]

PANDAS = {"truth": "bool", "whole": "int64", "whole or none": "Int64", "real": "float64"}
PANDAS |= {"count": "int32", "count or none": "Int32"}


class Values(NamedTuple):
    """A column of values of one kind. A `word` is one of few texts, and a `count` is a small whole number."""

    kind: AnyKind
    values: Sequence[Any]


Columns = Mapping[str, Values]


def to_pandas(columns: Columns) -> "pandas.DataFrame":
    """Return columns as a pandas data frame."""
    pandas = needed("pandas", "data frames of pandas", "pandas")
    made = {}
    for name, (kind, values) in columns.items():
        if kind == "word":
            made[name] = pandas.Categorical(_texts(values), dict.fromkeys(_texts(dict.fromkeys(values))))
        else:
            made[name] = pandas.Series(_texts(values) if kind == "text" else values, dtype=PANDAS.get(kind))
    return pandas.DataFrame(made)


def to_polars(columns: Columns) -> "polars.DataFrame":
    """Return columns as a polars data frame."""
    polars = needed("polars", "data frames of polars", "polars")
    kinds = {"text": polars.String, "word": polars.Categorical, "truth": polars.Boolean, "real": polars.Float64}
    kinds |= {"whole": polars.Int64, "whole or none": polars.Int64}
    return polars.DataFrame(
        {
            name: polars.Series(
                _texts(values) if kind in ("text", "word") else values, dtype=kinds.get(kind, polars.Int32)
            )
            for name, (kind, values) in columns.items()
        }
    )


def write_parquet(columns: Columns, target: Path | BinaryIO) -> None:
    """Write columns as a Parquet file."""
    needed("pyarrow", "Parquet", "parquet")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = {"text": arrow.string(), "word": arrow.dictionary(arrow.int32(), arrow.string())}
    kinds |= {"truth": arrow.bool_(), "real": arrow.float64(), "whole": arrow.int64(), "whole or none": arrow.int64()}
    made = {
        name: arrow.array(_texts(values) if kind in ("text", "word") else values, kinds.get(kind, arrow.int32()))
        for name, (kind, values) in columns.items()
    }
    parquet.write_table(arrow.table(made), target)


def _texts(values: Iterable[Any]) -> list[Any]:
    """Return texts, escaped so that they can be encoded as UTF-8."""
    safe: dict[Any, Any] = {None: None}
    return [safe[text] if text in safe else safe.setdefault(text, plain(text)) for text in values]
