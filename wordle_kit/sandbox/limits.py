"""The limits of a program, and its sandbox."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.arguments import Checked, listed, problem_in
from wordle_kit.errors import WordleKitError
from wordle_kit.names import shown, unknown

MEBIBYTE = 2**20

Count = Annotated[int, Field(ge=1, le=10**12)]


class Limits(BaseModel, metaclass=Checked):
    """Limits of one program and everything that it starts. The deadline of decisions is not one of them.

    docs/isolation.md says how each limit is enforced.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: Annotated[float, Field(gt=0, le=1e6)] = 60.0
    """Seconds until the program is ready."""
    cpu: Count = 3600
    """Seconds of processor time of all processes together, including those that are started again."""
    memory: Count = 2048
    """Megabytes of memory."""
    processes: Count = 64
    """Processes and threads at the same time."""
    files: Annotated[int, Field(ge=16, le=10**6)] = 256
    """Open files."""
    written: Count = 64
    """Megabytes written to one file, or in a sandbox to all files together."""
    printed: Annotated[int, Field(ge=0, le=10**12)] = 1_000_000
    """Bytes printed between two answers."""
    restarts: Annotated[int, Field(ge=0, le=10**6)] = 20
    """How often a program that died or was ended is started again."""


class Confinement(BaseModel, metaclass=Checked):
    """How a program is confined: the sandbox and the limits. `Isolation` is the public class."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sandbox: Literal["auto", "required", "plain"] = "auto"
    """bubblewrap if it works, bubblewrap or an error, or only limits."""
    limits: Limits = Limits()

    @classmethod
    def read(cls, sandbox: str = "auto", limits: Iterable[str] = ()) -> Self:
        """Return the settings for a sandbox and limits given as texts, `name=value`; `none` means `plain`.

        Raises WordleKitError for an unknown sandbox or limit.
        """
        chosen: dict[str, Any] = {}
        for limit in listed(limits):
            name, equals, value = limit.partition("=") if isinstance(limit, str) else ("", "", "")
            if not equals:
                raise WordleKitError(f"limit {shown(limit)}: write name=value, such as memory=512")
            if name not in Limits.model_fields:
                raise WordleKitError(unknown("limit", name, Limits.model_fields))
            chosen[name] = value
        try:
            kept = Limits.model_validate(chosen)
        except ValidationError as error:
            raise WordleKitError(f"limit {problem_in(error)}") from error
        try:
            return cls.model_validate({"sandbox": "plain" if sandbox == "none" else sandbox, "limits": kept})
        except ValidationError as error:
            raise WordleKitError(problem_in(error)) from error
