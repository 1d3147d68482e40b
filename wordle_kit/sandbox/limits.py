"""The limits of a program, and the choice of its sandbox."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.arguments import Checked, listed, problem_in
from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.texts import shown

MEBIBYTE = 2**20

Count = Annotated[int, Field(ge=1, le=10**12)]


class Limits(BaseModel, metaclass=Checked):
    """Limits of one program together with everything that it starts. The deadline of decisions is not among them.

    docs/isolation.md says how each limit is enforced.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: Annotated[float, Field(gt=0, le=1e6)] = 60.0
    """The seconds until the program must be ready."""
    cpu: Count = 3600
    """The seconds of processor time of all processes together, including those of restarted programs."""
    memory: Count = 2048
    """The megabytes of memory."""
    processes: Count = 64
    """The number of processes and threads at the same time."""
    files: Annotated[int, Field(ge=16, le=10**6)] = 256
    """The number of open files."""
    written: Count = 64
    """The megabytes that may be written to one file, or in a sandbox to all files together."""
    printed: Annotated[int, Field(ge=0, le=10**12)] = 1_000_000
    """The bytes that may be printed between two answers."""
    restarts: Annotated[int, Field(ge=0, le=10**6)] = 20
    """How often a program that died or was ended may be restarted."""


class Confinement(BaseModel, metaclass=Checked):
    """How a program is confined: its sandbox and its limits. `Isolation` is the public class."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sandbox: Literal["auto", "required", "plain"] = "auto"
    """`auto`: bubblewrap if it works, else only limits. `required`: bubblewrap or an error. `plain`: only limits."""
    limits: Limits = Limits()

    @classmethod
    def read(cls, sandbox: str = "auto", limits: Iterable[str] = ()) -> Self:
        """Return the settings for a sandbox and for limits given as texts `name=value`. `none` means `plain`.

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
