"""The page of one hand: photo, corrections, verdict."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from assistant.dashboard.drawing import NAMES, annotated, groups_html, label, plain, spoken, tile_css
from assistant.dashboard.hand import Hand, HeldTile
from assistant.solver import HAND, HandError, Verdict, check_hand, solve
from assistant.tiles import COLOURS, FALSE_JOKER, NUMBERS, NotationError, Tile, okey_of
from vision.reader import TileReader
from vision.reading import Reading
from vision.sources import PhotoError, load_photo

SAMPLE = Path(__file__).with_name("sample.jpg")
TYPES = ["jpg", "jpeg", "png", "webp", "heic", "heif"]
MOST_TILES = 22


@st.cache_resource(show_spinner="Starting the reader ...")
def _reader() -> tuple[TileReader, threading.Lock]:
    """One reader for all visitors, used by one at a time."""
    return TileReader(), threading.Lock()


@st.cache_data(show_spinner="Reading the tiles ...", max_entries=30)
def _read(data: bytes) -> tuple[NDArray[np.uint8], Reading]:
    """The reading of a photo and the picture for the page. Raises PhotoError."""
    picture = load_photo(data)
    reader, lock = _reader()
    with lock:
        reading = reader.read(picture)
    return annotated(picture, reading), reading


def hand_page() -> None:
    """Draws the whole page."""
    st.html(tile_css())
    st.title("istaka", anchor=False)
    left, right = st.columns([6, 5], gap="large")
    with left:
        data = _choose_photo()
        try:
            shown, reading = _read(data)
        except PhotoError as error:
            st.error(f"This photo cannot be read: {error}")
            return
        key = hashlib.sha256(data).hexdigest()
        hands: dict[str, Hand] = st.session_state.setdefault("hands", {})
        hand = hands.setdefault(key, Hand.from_reading(reading))
        st.session_state["photo_key"] = key
        st.image(shown, width="stretch")
        st.caption("Green: sure. Amber: please check. Grey: not on the rack. The name stands below each tile.")
        for warning in reading.warnings:
            st.warning(warning[0].upper() + warning[1:] + ".")
    with right:
        _show_hand(hand)
        _show_indicator(hand)
        _show_verdict(hand)


def _choose_photo() -> bytes:
    """The bytes of the photo that the user chose, the sample until then."""
    way = st.segmented_control(
        "Photo", ["Upload", "Camera", "Sample"], default="Upload", key="way", label_visibility="collapsed", required=True
    )
    chosen = None
    if way == "Upload":
        chosen = st.file_uploader("A photo of the rack, with the indicator in it if you can", type=TYPES, key="upload")
    elif way == "Camera":
        chosen = st.camera_input("Hold the camera so that the whole rack is in the picture", key="camera", width="stretch")
    if chosen is None:
        if way == "Upload":
            st.caption("This is a sample. Upload a photo of your own rack to have it read.")
        return SAMPLE.read_bytes()
    return bytes(chosen.getvalue())


def _keep(hand: Hand) -> None:
    """Makes `hand` the hand of the photo that is shown."""
    st.session_state["hands"][st.session_state["photo_key"]] = hand


def _show_hand(hand: Hand) -> None:
    st.subheader(f"The hand: {len(hand.tiles)} tiles", anchor=False)
    order = st.segmented_control(
        "Order", ["As it lies", "By colour", "By number"], default="As it lies", key="order", label_visibility="collapsed", required=True
    )
    rows = hand.rows() if order == "As it lies" else hand.sorted_rows("colour" if order == "By colour" else "number")
    for row in rows:
        with st.container(horizontal=True, gap="small"):
            for group in row:
                with st.container(horizontal=True, gap=None, width="content"):
                    for held in group:
                        _tile_button(hand, held)
    if any(held.doubtful for held in hand.tiles):
        st.caption("Amber tiles are doubtful: tap one to say what it is.")
    else:
        st.caption("Tap a tile to correct it.")
    if len(hand.tiles) < MOST_TILES and st.button("Add a tile", key="add", icon=":material/add:"):
        _pick_tile(hand, None)


def _tile_button(hand: Hand, held: HeldTile) -> None:
    state = "hand" if held.corrected else "doubt" if held.doubtful else "sure"
    ink = held.tile.colour.value if held.tile.colour else "none"
    how = "corrected by hand" if held.corrected else f"read with {held.confidence:.0%} confidence"
    if st.button(label(held.tile), key=f"tile-{state}-{ink}-{held.key}", help=f"{spoken(held.tile)}, {how}"):
        _pick_tile(hand, held)


@st.dialog("Which tile is it?")
def _pick_tile(hand: Hand, held: HeldTile | None) -> None:
    """Asks for a face; it takes the place of `held`, or is added when that is None."""
    guess = held.guess if held is not None and held.doubtful else None
    if held is not None and guess is not None and st.button(f"It is {spoken(guess)}", key="pick-guess", type="primary"):
        _keep(hand.changed(held.key, guess))
        st.rerun()
    tile = _face_picker("pick", held.guess or held.tile if held else None, jokers=True)
    if tile is not None:
        _keep(hand.added(tile) if held is None else hand.changed(held.key, tile))
        st.rerun()
    if held is not None and st.button("Not a tile: remove it", key="pick-remove", icon=":material/delete:"):
        _keep(hand.removed(held.key))
        st.rerun()


@st.dialog("Which tile is the indicator?")
def _pick_indicator(hand: Hand) -> None:
    """Asks for the indicator: by hand, or from a photo of its own."""
    tile = _face_picker("indicator", hand.indicator, jokers=False)
    if tile is not None:
        _keep(hand.with_indicator(tile))
        st.rerun()
    second = st.file_uploader("or a photo of the indicator", type=TYPES, key="indicator-photo")
    if second is not None:
        try:
            _, reading = _read(bytes(second.getvalue()))
        except PhotoError as error:
            st.error(f"This photo cannot be read: {error}")
            return
        found = [seen.tile for seen in reading.tiles if seen.tile.is_numbered]
        if len(found) == 1:
            _keep(hand.with_indicator(found[0]))
            st.rerun()
        st.error(f"{len(found)} tiles with a number are seen in it: take the indicator alone, or pick it above.")


def _face_picker(name: str, start: Tile | None, jokers: bool) -> Tile | None:
    """A colour and thirteen numbers to tap; the tile that was tapped in this run, if any."""
    colours = list(COLOURS)
    chosen = st.segmented_control(
        "Colour", colours, default=start.colour if start and start.colour else colours[0], key=f"{name}-colour",
        format_func=lambda colour: NAMES[colour].capitalize(), required=True,
    )  # fmt: skip
    tapped = None
    with st.container(horizontal=True, gap="small"):
        for number in NUMBERS:
            if st.button(str(number), key=f"tile-{name}-{chosen.value}-{number}"):
                tapped = Tile(chosen, number)
        if jokers and st.button("★", key=f"tile-{name}-none-joker", help="false joker"):
            tapped = FALSE_JOKER
    return tapped


def _show_indicator(hand: Hand) -> None:
    st.subheader("The indicator", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        if hand.indicator is None:
            st.write("No indicator is known.")
        elif hand.indicator.is_numbered:
            okey = okey_of(hand.indicator)
            st.html(groups_html([plain([hand.indicator])]), width="content")
            st.write(f"The okey is **{spoken(okey)}**. A false joker stands for {spoken(okey)}.")
        if st.button("Change" if hand.indicator else "Pick the indicator", key="indicator-change"):
            _pick_indicator(hand)
    if hand.indicator_corrected:
        st.caption("Picked by hand.")


def _show_verdict(hand: Hand) -> None:
    st.subheader("The verdict", anchor=False)
    tiles = [held.tile for held in hand.tiles]
    if not tiles:
        st.info("There are no tiles to judge: add them, or take another photo from closer.")
        return
    unread = sum(not tile.is_numbered and tile != FALSE_JOKER for tile in tiles)
    if unread:
        st.warning(f"{unread} {'tile was' if unread == 1 else 'tiles were'} not read: tap each amber tile and say what it is.")
        return
    if hand.indicator is None:
        st.warning("Pick the indicator: without it nobody knows which tile is the okey.")
        return
    try:
        check_hand(tiles, hand.indicator)
    except (HandError, NotationError) as error:
        sentence = str(error)
        st.warning(sentence[0].upper() + sentence[1:] + ".")
        return
    verdict = solve(tiles, hand.indicator)
    _headline(verdict, len(tiles))
    if verdict.arrangement:
        st.html(groups_html(verdict.arrangement))
    if verdict.left:
        st.write("Left over")
        st.html(groups_html([plain(verdict.left)]))
    if verdict.distance is not None and verdict.win is None:
        melds, pairs = (("-" if d is None else str(d)) for d in (verdict.distance_melds, verdict.distance_pairs))
        first, second = st.columns(2)
        first.metric("Draws to sets and runs", melds)
        second.metric("Draws to seven pairs", pairs)
    if verdict.outs:
        total = sum(out.unseen for out in verdict.outs)
        st.write(f"**Wins with** any of {total} unseen tiles:")
        st.html(groups_html([plain([out.tile]) for out in verdict.outs]))
        st.caption(", ".join(f"{out.tile}: {out.unseen}" for out in verdict.outs))


def _headline(verdict: Verdict, count: int) -> None:
    """The verdict in a sentence."""
    discard = f" Discard {spoken(verdict.discard)}." if verdict.discard else ""
    if verdict.win:
        way = "seven pairs" if verdict.win == "pairs" else "sets and runs"
        doubled = " It counts double: an okey is the last tile." if verdict.doubled else ""
        st.success(f"**This hand wins** with {way}.{discard}{doubled}")
    elif verdict.distance is not None:
        away = "One tile is missing" if verdict.distance == 1 else f"{verdict.distance} tiles are missing"
        st.info(f"**{away}.**{discard}")
    else:
        missing = HAND - count
        what = f"add the missing {missing}" if missing > 0 else f"take away {count - HAND - 1}"
        st.info(f"{count} tiles are here. A hand has {HAND}, or {HAND + 1} before the discard: {what} to have it judged.")
