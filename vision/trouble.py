"""Why no picture comes, as sentences for the user."""

from __future__ import annotations

import re
from enum import Enum


class SourceError(ValueError):
    """A source that cannot be used; the message says why and what to do, and never holds a password.

    Attributes:
        template: the message with named places for `values`, to be translated.
        values: what stands in these places.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


class Trouble(Enum):
    """Why no usable frame comes at the moment, as sentences for the user; the source is tried again and again."""

    CONNECTING = "Connecting to the camera …"
    LOST = "The connection to the camera is lost: trying again."
    SILENT = "The camera sends no pictures: trying again."
    BLACK = "The picture is black: is the lens covered?"
    FROZEN = "The picture stands still: the camera may have stopped."
    TORN = "The pictures arrive damaged: the network may be too slow."


def shown_name(source: str) -> str:
    """A source as it may be shown and logged: an address without user name, password and query."""
    scheme, parted, rest = source.partition("://")
    if not parted:
        return source
    place, *query = re.split(r"[?#]", rest, maxsplit=1)
    if "@" in "".join(query):  # a query that holds the sign, or a password that holds a question mark
        return f"{scheme}://…"
    return f"{scheme}://{place.rpartition('@')[2]}"
