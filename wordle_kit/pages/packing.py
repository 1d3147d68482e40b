"""The bytes of a page: numbers as varints, columns one after another, deflated and in base64."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class Numbering(dict[str, int]):
    """Numbers for texts in the order in which they are first asked for: 0, 1, 2, ..."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


def varints(numbers: Iterable[int]) -> bytes:
    """Return numbers from 0 up in LEB128: seven bits a byte, the lowest first; all bytes but the last have bit 7 set.

    Raises ValueError for a number below 0.
    """
    packed = bytearray()
    for number in numbers:
        rest = int(number)
        if rest < 0:
            raise ValueError(f"{rest} is below 0")
        while rest > 127:
            packed.append(rest & 127 | 128)
            rest >>= 7
        packed.append(rest)
    return bytes(packed)


def packed(header: Mapping[str, Any], columns: Sequence[bytes]) -> str:
    """Return the length of the header as 4 bytes (big-endian), the header as JSON, and the columns, as base64 text.

    All of it is one zlib stream. The header gets a key `columns`: the length of each column in bytes.
    """
    text = json.dumps({**header, "columns": [len(column) for column in columns]}, separators=(",", ":")).encode()
    deflated = zlib.compress(b"".join([len(text).to_bytes(4, "big"), text, *columns]), 9)
    return base64.b64encode(deflated).decode("ascii")
