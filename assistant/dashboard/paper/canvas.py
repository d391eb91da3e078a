"""Sheets of paper to draw on: text in any script, tiles, photos and lines, kept as a PDF and from that as a picture.

MuPDF lays text out from HTML and brings its fonts with it: Latin with all Turkish letters, Greek and Cyrillic in regular and
bold, and Noto fonts for every other script, which it falls back to letter by letter. Lengths are points, 1/72 inch.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pymupdf

from assistant.dashboard.inks import is_green
from assistant.tiles import FALSE_JOKER, Colour, Tile

INK, PAPER, SOFT, ACCENT, FAINT = "#2e2620", "#fbf7ef", "#f1e9da", "#a8481a", "#d8c8a4"
"""The colours of the pages in light."""
GOOD = "#23814a"
"""Of a valid hand, and of who wins."""
MUTED = "#6f6256"
"""Of text that matters less; its contrast with the paper is 5.6 to 1."""
INKS = {Colour.RED: "#c8202f", Colour.BLACK: "#23201d", Colour.BLUE: "#1857c4", Colour.YELLOW: "#b86f00"}
"""What tiles are printed with; yellow is dark enough to be told on white."""
GREEN = "#1f7a3f"
"""What they are printed with where the set has green in place of blue or yellow."""
TILE_FACE, TILE_EDGE, STAR_INK = "#fffaf0", "#b7a37b", "#b3541e"
TILE_HIGH = 1.4
"""The height of a tile by its width."""
LINE = 1.25
"""The height of a line by the size of its letters."""
CSS = f"body {{margin: 0; font-family: sans-serif; color: {INK}; line-height: {LINE}}}"
STAR = [
    (0, -1),
    (0.24, -0.33),
    (0.95, -0.31),
    (0.38, 0.12),
    (0.59, 0.81),
    (0, 0.4),
    (-0.59, 0.81),
    (-0.38, 0.12),
    (-0.95, -0.31),
    (-0.24, -0.33),
]
"""The false joker's star, its points one from the middle."""
PICTURE_WIDTH = 1080
"""Pixels of a page as a picture: a phone's screen."""
SMALLEST = 8
"""No text is made smaller to fit."""
BREAK = "\N{ZERO WIDTH SPACE}"
"""Where a word may be broken."""
LONGEST = 14400
"""No page of a PDF may be longer."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_ONE_AT_A_TIME = threading.RLock()
"""MuPDF must not be used by two threads at once, and every visitor has one."""


class Paper:
    """A sheet that is drawn on from anywhere, then kept. To be used in a `with` statement, by one thread at a time.

    What is drawn later lies above what was drawn before, and text above everything.

    Args:
        width: of every page.
        height: of every page; without one there is a single page, as long as what is drawn on it.
    """

    def __init__(self, width: float, height: float | None = None, colour: str = PAPER) -> None:
        self.width, self.height = width, height
        self._colour = colour
        self._drawn: list[list[Callable[[Any], None]]] = [[]]
        self._texts: list[list[Any]] = [[]]
        self._lowest = 0.0
        self._lines_of: dict[tuple[str, float, float, str], int] = {}

    def __enter__(self) -> Paper:
        _ONE_AT_A_TIME.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        _ONE_AT_A_TIME.release()

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self._drawn)

    def new_page(self) -> None:
        """Goes on with the next page."""
        self._drawn.append([])
        self._texts.append([])

    def text(self, x: float, y: float, width: float, html: str, size: float = 11, style: str = "", page: int = 0) -> float:
        """Writes text that wraps, and returns where it ends below.

        Args:
            html: the text, escaped; inline tags mark parts of it.
            style: declarations of CSS for all of it.
            page: the page from 1; 0 is the latest one.
        """
        story, bottom = self._laid_out(x, y, width, html, size, style)
        self._texts[page - 1].append(story)
        self._lowest = max(self._lowest, bottom)
        return bottom

    def one_line(self, x: float, y: float, width: float, text: str, size: float, style: str = "") -> float:
        """Writes plain text in one line, smaller if it must be, and returns where it ends below."""
        fitting = size
        while fitting > SMALLEST and self._lines(BREAK.join(text), width, fitting, style) > 1:
            fitting *= 0.9
        return self.text(x, y + 0.6 * (size - fitting), width, escape(text), fitting, style)

    def breakable(self, text: str, width: float, size: float, style: str = "") -> str:
        """The text with words that are wider than a line broken at its end."""
        return " ".join(BREAK.join(word) if self._lines(BREAK.join(word), width, size, style) > 1 else word for word in text.split())

    def height_of(self, width: float, html: str, size: float = 11, style: str = "") -> float:
        """How high a text would be."""
        return self._laid_out(0, 0, width, html, size, style)[1]

    def _lines(self, text: str, width: float, size: float, style: str) -> int:
        """How many lines a plain text fills; the same words are asked about in every row."""
        asked = (text, width, size, style)
        if asked not in self._lines_of:
            self._lines_of[asked] = round(self.height_of(width, escape(text), size, style) / (LINE * size))
        return self._lines_of[asked]

    def _laid_out(self, x: float, y: float, width: float, html: str, size: float, style: str) -> tuple[Any, float]:
        story = pymupdf.Story(f'<div style="font-size: {size}px; {style}">{html}</div>', user_css=CSS)
        _, filled = story.place(pymupdf.Rect(x, y, x + width, y + LONGEST))
        return story, filled[3]

    def box(self, box: Box, fill: str | None = None, line: str | None = None, radius: float = 0, thickness: float = 1) -> None:
        """Draws a box with round corners."""
        left, top, right, bottom = box
        rounding = min(0.5, radius / min(right - left, bottom - top)) if radius else None
        self._shape(lambda shape: shape.draw_rect(pymupdf.Rect(box), radius=rounding), bottom, fill, line, thickness)

    def line(self, points: Sequence[Point], colour: str, thickness: float = 1, closed: bool = False, dashes: str | None = None) -> None:
        """Draws a line from point to point, back to the first one if it is closed."""
        self._shape(lambda shape: shape.draw_polyline(points), max(y for _, y in points), None, colour, thickness, closed, dashes)

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """Fills the area within the points."""
        self._shape(lambda shape: shape.draw_polyline(points), max(y for _, y in points), fill, None, closed=True)

    def dot(self, centre: Point, radius: float, fill: str) -> None:
        """Draws a disc."""
        self._shape(lambda shape: shape.draw_circle(centre, radius), centre[1] + radius, fill, None)

    def picture(self, box: Box, encoded: bytes) -> None:
        """Shows an encoded picture, stretched to the box."""
        self._draw(lambda page: page.insert_image(pymupdf.Rect(box), stream=encoded, keep_proportion=False), box[3])

    def word(self, centre: Point, word: str, size: float, colour: str) -> None:
        """Writes a short word in bold Latin letters and digits around a point, as it is printed on tiles."""
        font = _bold()
        x, y = centre[0] - font.text_length(word, size) / 2, centre[1] + 0.36 * size

        def write(page: Any) -> None:
            writer = pymupdf.TextWriter(page.rect)
            writer.append((x, y), word, font, size)
            writer.write_text(page, color=_rgb(colour))

        self._draw(write, y)

    def star(self, centre: Point, radius: float, fill: str = STAR_INK) -> None:
        """Draws the false joker's star."""
        self.polygon([(centre[0] + radius * x, centre[1] + radius * y) for x, y in STAR], fill)

    def tile(self, x: float, y: float, width: float, tile: Tile, mark: str = "") -> None:
        """Draws a tile with its top left corner at x and y; `mark` is a colour to outline it with."""
        high = width * TILE_HIGH
        self.box((x, y + 0.04 * width, x + width, y + high + 0.04 * width), TILE_EDGE, radius=0.14 * width)
        self.box((x, y, x + width, y + high), TILE_FACE, mark or FAINT, 0.14 * width, 0.07 * width if mark else 0.5)
        if tile == FALSE_JOKER:
            self.star((x + width / 2, y + 0.5 * high), 0.36 * width)
        elif tile.colour is not None:
            self.word((x + width / 2, y + 0.38 * high), str(tile.number), 0.62 * width, ink_of(tile.colour))
            self._colour_mark((x + width / 2, y + 0.77 * high), 0.13 * width, tile.colour)
        else:
            self.word((x + width / 2, y + 0.5 * high), tile.symbol, 0.62 * width, MUTED)

    def _colour_mark(self, centre: Point, size: float, colour: Colour) -> None:
        """The mark under a tile's number, so that colours can be told apart without seeing them."""
        x, y = centre
        ink = ink_of(colour)
        if colour is Colour.RED:
            self.dot(centre, size, ink)
        elif colour is Colour.BLACK:
            self.polygon([(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)], ink)
        elif colour is Colour.BLUE:
            self.polygon([(x, y - size), (x + 1.1 * size, y + size), (x - 1.1 * size, y + size)], ink)
        else:
            self.polygon([(x, y - 1.2 * size), (x + 1.2 * size, y), (x, y + 1.2 * size), (x - 1.2 * size, y)], ink)

    def pdf(self, title: str, margin: float = 0) -> bytes:
        """The finished document; `margin` is left below what is drawn where the page has no height of its own."""
        height = self.height or self._lowest + margin
        written = self._written(height)
        document = pymupdf.open()
        for number, drawn in enumerate(self._drawn):
            page = document.new_page(width=self.width, height=height)
            page.draw_rect(page.rect, color=None, fill=_rgb(self._colour))
            for draw in drawn:
                draw(page)
            page.show_pdf_page(page.rect, written, number)
        document.set_metadata({"title": title, "creator": "istaka"})
        document.subset_fonts()
        return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))

    def _written(self, height: float) -> Any:
        """A document with the pages' text."""
        kept = io.BytesIO()
        writer = pymupdf.DocumentWriter(kept)
        for texts in self._texts:
            device = writer.begin_page(pymupdf.Rect(0, 0, self.width, height))
            for story in texts:
                story.draw(device)
            writer.end_page()
        writer.close()
        return pymupdf.open(stream=kept.getvalue())

    def _shape(
        self,
        outline: Callable[[Any], object],
        bottom: float,
        fill: str | None,
        line: str | None,
        thickness: float = 1,
        closed: bool = True,
        dashes: str | None = None,
    ) -> None:
        def draw(page: Any) -> None:
            shape = page.new_shape()
            outline(shape)
            shape.finish(
                color=_rgb(line), fill=_rgb(fill), width=thickness if line else 0, closePath=closed, lineJoin=1, lineCap=1, dashes=dashes
            )
            shape.commit()

        self._draw(draw, bottom)

    def _draw(self, draw: Callable[[Any], None], bottom: float) -> None:
        self._drawn[-1].append(draw)
        self._lowest = max(self._lowest, bottom)


def ink_of(colour: Colour) -> str:
    """The ink of a colour in the set that is looked at."""
    return GREEN if is_green(colour) else INKS[colour]


def png_of(pdf: bytes) -> bytes:
    """The first page of a PDF as a picture."""
    with _ONE_AT_A_TIME:
        page = pymupdf.open(stream=pdf).load_page(0)
        scale = PICTURE_WIDTH / page.rect.width
        return bytes(page.get_pixmap(matrix=pymupdf.Matrix(scale, scale)).tobytes("png"))


def _rgb(colour: str | None) -> tuple[float, ...] | None:
    """A colour as MuPDF takes it."""
    return None if colour is None else tuple(int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))


def _bold() -> Any:
    return pymupdf.Font("hebo")
