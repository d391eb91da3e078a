"""The page of one hand: the photo, the tiles to correct, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from assistant.dashboard import texts
from assistant.dashboard.board import board
from assistant.dashboard.drawing import (
    INDICATOR,
    TAKE_BACK,
    faces_html,
    indicator_html,
    legend_html,
    loose_html,
    outlines_svg,
    playing_html,
    question_html,
    rack_html,
    seen_html,
    told_html,
    verdict_html,
)
from assistant.dashboard.glance import Seen, glance
from assistant.dashboard.hand import ADDED, Hand, SeenIndicator
from assistant.dashboard.inks import look_at
from assistant.dashboard.judging import Judged, judge, seen_in_photo
from assistant.dashboard.language import _
from assistant.dashboard.photo import Photo, inks_in, read_photo
from assistant.dashboard.playing_on import PlayingOn
from assistant.dashboard.remember import remember, remembered
from assistant.dashboard.rules_texts import judged_by
from assistant.dashboard.score_texts import PRESET_NAMES, WHAT_IS_PLAYED
from assistant.dashboard.teach_page import chosen_set, inks_style, set_popover
from assistant.dashboard.win_form import offer_to_write_down
from assistant.rules import CLASSIC, JUDGING, PRESETS, Rules, rules_named, with_options
from assistant.tiles import Tile
from vision.reading import Place
from vision.sources import PhotoError

SAMPLE = Path(__file__).with_name("sample.jpg")
LOOK_EVERY_S = 1.0
"""How often the page asks what came of the deals that are played on."""
TYPES = ["image", "heic", "heif"]
"""What the browser offers: any picture, so that one of a kind that cannot be read is refused in the language of the page; no browser
knows for sure that a HEIC is one."""
PRESETS_OF_HANDS = [name for name, rules in PRESETS.items() if not rules.opens]
"""What a table may play by whose hands are judged."""
HOUSE_RULES = "house_rules"
"""What a visitor's session calls the house rules, and the browser's cookie."""
Part = Callable[[Photo, Hand], str | None]
"""Draws a part of a page about a photo, and returns the key of a tile that was tapped in it."""


def hand_page() -> None:
    """Draws the page. A visitor's session keeps the photo that is shown, and a hand for every photo.

    What is kept has no name that a part of the page has: Streamlit forgets those when another page is drawn.
    """
    photo_page(texts.NAME, _(texts.TAGLINE), (show_photo, _show_rack, show_indicator), _show_verdict)


def photo_page(title: str, tagline: str, show_seen: Sequence[Part], show_judged: Part) -> None:
    """Draws a page about the photo that this visitor looks at: what is seen in it beside what is said of it.

    Args:
        show_seen: draw what is seen, from the top.
        show_judged: draws the judgement.
    """
    name, chooser = st.columns(2, gap="medium", vertical_alignment="center")
    with name:
        st.title(title, anchor=False)
        st.caption(tagline)
    with chooser:
        _choose_photo()
    shown: Photo | None = st.session_state.get("shown")
    if shown is None:
        return
    look_at(inks_in(shown, chosen_set()))
    hand = _hands().setdefault(shown.key, Hand(shown.reading))
    seen, judged = st.columns(2, gap="medium")
    with seen:
        taps = [show_part(shown, hand) for show_part in show_seen]
    with judged:
        taps.append(show_judged(shown, hand))
    tapped = next(filter(None, taps), None)
    if tapped in (INDICATOR, *hand.held):  # what was still shown may be gone
        _ask(tapped, shown, hand)


def _hands() -> dict[str, Hand]:
    """The hands of this visitor by the photo's key: a photo that comes back brings its corrections back."""
    hands: dict[str, Hand] = st.session_state.setdefault("hands", {})
    return hands


def keep_hand(photo: Photo, hand: Hand) -> None:
    """Takes a change over and draws the page anew."""
    _hands()[photo.key] = hand
    st.rerun()


def _choose_photo() -> None:
    """Asks for a photo. The sample is there until one is given; what was there stays if one cannot be used."""
    way = st.segmented_control(
        _(texts.WAY),
        list(texts.WAYS),
        default="upload",
        format_func=lambda way: _(texts.WAYS[way]),
        key="way",
        label_visibility="collapsed",
        required=True,
    )
    if way == "upload":
        given = st.file_uploader(_(texts.UPLOAD_LABEL), type=TYPES, key="upload")
    else:
        given = st.camera_input(_(texts.CAMERA_LABEL), resolution="1080p", key="camera")
        st.caption(_(texts.CAMERA_HINT))
    state = st.session_state
    if "shown" not in state:
        take_photo(SAMPLE.read_bytes())
    file_id = given.file_id if given is not None else None
    if file_id != state.get("given"):
        state["given"], state["problem"] = file_id, None
        if given is not None:
            take_photo(given.getvalue())
    if is_sample():
        st.caption(_(texts.THIS_IS_THE_SAMPLE))
    if state.get("problem"):
        st.error(texts.cannot_use(*state["problem"]), icon=":material/broken_image:")


def is_sample() -> bool:
    """Whether what is shown is the sample, as before any photo was given, and again when the page was loaded anew."""
    return bool(st.session_state.get("data") == SAMPLE.read_bytes())


def take_photo(data: bytes) -> Photo | None:
    """Reads a photo, shows it and returns it; None if it cannot be used, and why is noted."""
    try:
        photo = read_photo(data, chosen_set())
    except PhotoError as error:
        st.session_state["problem"] = error.reason, "shown" in st.session_state
        return None
    st.session_state["shown"], st.session_state["data"] = photo, data
    return photo


def take_read(photo: Photo, hand: Hand) -> None:
    """Shows a picture that was read elsewhere, and the hand in it."""
    st.session_state["shown"], st.session_state["data"] = photo, photo.jpeg
    _hands()[photo.key] = hand


def take_frozen(jpeg: bytes, indicator: SeenIndicator | None, discards: Sequence[Tile]) -> None:
    """Shows a frozen picture, completed by what another camera has seen on the table; of one that cannot be read only why is noted."""
    st.session_state["given"] = st.session_state["problem"] = None  # a file that was given is forgotten by now
    photo = take_photo(jpeg)
    if photo is None:
        return
    _hands()[photo.key] = _hands().get(photo.key, Hand(photo.reading)).completed(indicator)
    _discards(photo)[:] = discards


def show_photo(photo: Photo, hand: Hand) -> str | None:
    """The photo with every tile outlined and named, and what changes the hand. Returns the key of a tile that was tapped."""
    tapped = board("photo", legend_html(), photo.address(), outlines_svg(hand))
    _show_changes(photo, hand)
    if not hand.edits and hand.tiles:
        for warning in photo.reading.warnings:
            st.caption(texts.sentence(texts.said(warning)))
    return tapped


def _show_changes(photo: Photo, hand: Hand) -> None:
    """What adds tiles, takes changes back, and has the photo read with another set."""
    with st.container(horizontal=True, gap="small"):
        if st.button(_(texts.ADD), icon=":material/add:", key="add"):
            st.dialog(_(texts.WHICH_NEW), width="medium", on_dismiss="rerun")(_ask_new)(photo)
        if st.button(_(texts.UNDO), icon=":material/undo:", key="undo", disabled=not hand.edits):
            keep_hand(photo, hand.undone())
        if st.button(_(texts.AS_READ), icon=":material/restart_alt:", key="as-read", disabled=not hand.edits):
            keep_hand(photo, hand.as_read())
        if set_popover(photo, hand):
            take_photo(st.session_state["data"])
            st.rerun()


def _show_rack(_photo: Photo, hand: Hand) -> str | None:
    """The rack as tiles. Returns the key of a tile that was tapped."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(texts.rack_of(len(hand.tiles)), anchor=False)
        order = st.segmented_control(
            _(texts.ORDER),
            list(texts.ORDERS),
            default="lies",
            key="order",
            format_func=lambda way: _(texts.ORDERS[way]),
            label_visibility="collapsed",
            required=True,
            wrap=True,
        )
    return board("rack", rack_html(hand.sorted_rows(order)))


def show_indicator(_photo: Photo, hand: Hand) -> str | None:
    """The indicator and the okey. Returns the key of the indicator if it was tapped."""
    return board("indicator", indicator_html(hand))


def _show_verdict(photo: Photo, hand: Hand) -> None:
    """The verdict, under the rules of this table and with what was seen on it."""
    drawn = st.container()
    with st.container(horizontal=True, gap="small"):
        rules = house_rules(texts.HAND_OPTIONS)
        discards = _discards(photo)
        if st.button(texts.discards_seen(len(discards)), icon=":material/visibility:", key="discards"):
            st.dialog(_(texts.DISCARDS), width="medium", on_dismiss="rerun")(_ask_discards)(photo, hand)
    st.caption(judged_by(rules))
    with drawn:
        judged = judge(hand, rules, discards)
        if is_sample():
            judged = replace(judged, text=f"{_(texts.OF_THE_SAMPLE)} {judged.text}")
        board("verdict", verdict_html(judged))
        offer_to_write_down(photo, hand, judged.verdict, rules)
        _play_on(judged)


def _play_on(judged: Judged) -> None:
    """Has the deal played on from the hand, beside the page, and shows what is known by now, again and again.

    A change of the hand ends what is played for the one before; so does a visitor who leaves, as nobody looks any more.
    """
    running: PlayingOn | None = st.session_state.get("played_on")
    if running is not None and (running.left or running.position != judged.position):
        running.stop()
        running = None
    if running is None and judged.position is not None:
        running = PlayingOn(judged.position)
    st.session_state["played_on"] = running
    if running is not None:
        glance("playing", partial(_played, judged, running, inks_style()), LOOK_EVERY_S)


def _played(judged: Judged, running: PlayingOn, style: str) -> Seen:
    """What is known by now, drawn with a style sheet."""
    playing = running.is_playing
    return Seen(style + playing_html(judged, running.look(), playing), over=not playing)


def house_rules(options: Mapping[str, str]) -> Rules:
    """Asks for the rules of this visitor's table: the preset, and options by name, each with its sentence.

    What was chosen holds on every page: Streamlit itself forgets what a part of the page holds while another page is drawn.
    """
    if HOUSE_RULES not in st.session_state:
        st.session_state[HOUSE_RULES] = _rules_of(remembered(HOUSE_RULES))
    kept: dict[str, Any] = st.session_state[HOUSE_RULES]
    with st.popover(_(texts.HOUSE_RULES), icon=":material/tune:"):
        # What is kept is given as the widgets' value, not as their state: a closed popover would miss that and show them off.
        kept["preset"] = st.selectbox(
            _(WHAT_IS_PLAYED),
            PRESETS_OF_HANDS,
            index=PRESETS_OF_HANDS.index(kept["preset"]),
            format_func=lambda name: _(PRESET_NAMES[name]),
            key="rule-preset",
        )
        for name, label in options.items():
            kept[name] = st.toggle(_(label), value=kept.get(name, getattr(CLASSIC, name)), key=f"rule-{name}")
    remember(HOUSE_RULES, urlencode(kept))
    return with_options(rules_named(kept["preset"]), {name: kept[name] for name in options})


def _rules_of(cookie: str) -> dict[str, Any]:
    """The house rules that a cookie tells, as a session keeps them; what makes no sense in it counts as not told."""
    told = dict(parse_qsl(cookie))
    options = {name: told[name] == str(True) for name in JUDGING if told.get(name) in (str(True), str(False))}
    return {"preset": told["preset"] if told.get("preset") in PRESETS_OF_HANDS else CLASSIC.name, **options}


def _discards(photo: Photo) -> list[Tile]:
    """The tiles that this visitor saw discarded in the deal of this photo."""
    by_photo: dict[str, list[Tile]] = st.session_state.setdefault("discarded", {})
    return by_photo.setdefault(photo.key, [])


def _ask_discards(photo: Photo, hand: Hand) -> None:
    """Asks for the tiles seen on the table, as many as the user taps."""
    discards = _discards(photo)
    st.write(_(texts.SEEN_LABEL))
    told = {f"{TAKE_BACK}{number} {tile}": tile for number, tile in enumerate(discards)}
    board("table-tiles", told_html(told), on_tap=partial(_seen_or_not, discards))
    seen = seen_in_photo(hand, discards)
    if seen:
        st.caption(texts.seen_in_photo(seen))
    _offer_done()


def _offer_done() -> None:
    """What closes a question to which there may be many answers; it stays in sight while these are scrolled."""
    with st.container(key="done"):
        if st.button(_(texts.DONE), type="primary", key="close"):
            st.rerun()


def _seen_or_not(discards: list[Tile], tapped: str) -> None:
    """Adds the tile that was tapped, or takes one of its face back: where it stands may have changed since; one tapped twice is gone."""
    tile = Tile.parse(tapped.split()[-1])
    if not tapped.startswith(TAKE_BACK):
        discards.append(tile)
    elif tile in discards:
        discards.remove(tile)


def _ask(key: str, photo: Photo, hand: Hand) -> None:
    """Opens the question about the tile that was tapped."""
    indicator = hand.indicator
    if key == INDICATOR or (indicator is not None and key == indicator.key):
        st.dialog(_(texts.WHICH_INDICATOR), width="medium")(_ask_indicator)(photo, hand)
    else:
        st.dialog(_(texts.WHICH_TILE), width="medium")(_ask_tile)(key, photo, hand)


def _ask_tile(key: str, photo: Photo, hand: Hand) -> None:
    """Asks what a tile is, and takes the answer over."""
    held = hand.held[key]
    likely = board("likely", question_html(held, _look(key, photo)))
    face = board("faces", faces_html(held.tile, jokers=True)) or likely
    if face is not None:
        keep_hand(photo, hand.changed(key, Tile.parse(face)))
    with st.container(horizontal=True, gap="small"):
        if held.place is Place.RACK and st.button(_(texts.REMOVE), icon=":material/delete:", key="remove"):
            keep_hand(photo, hand.removed(key))
        if held.tile.is_numbered and st.button(_(texts.IS_INDICATOR), icon=":material/flag:", key="is-indicator"):
            keep_hand(photo, hand.with_indicator(held.tile, key))


def _ask_new(photo: Photo) -> None:
    """Asks which tiles to add, as many as the user taps."""
    hand = _hands()[photo.key]
    st.markdown(f"**{texts.rack_beside_whole(len(hand.tiles))}**")
    st.write(_(texts.NEW_LABEL))
    board("new-tiles", told_html({held.key: held.tile for held in hand.tiles if not held.in_photo}), on_tap=partial(_added_or_not, photo))
    _offer_done()


def _added_or_not(photo: Photo, tapped: str) -> None:
    """Adds the tile that was tapped, or takes one back; the last one, tapped twice, is gone already."""
    hand = _hands()[photo.key]
    if not tapped.startswith(ADDED):
        _hands()[photo.key] = hand.added(Tile.parse(tapped))
    elif any(held.key == tapped for held in hand.tiles):
        _hands()[photo.key] = hand.removed(tapped)


def _ask_indicator(photo: Photo, hand: Hand) -> None:
    """Asks for the indicator: picked by hand, or tapped among the tiles of a photo of its own."""
    indicator = hand.indicator
    loose = [held for held in hand.held.values() if held.place is Place.TABLE and held.tile.is_numbered]
    if indicator is None and loose:
        st.write(_(texts.TAP_THE_INDICATOR))
        pointed = board("loose", loose_html(loose))
        if pointed is not None:
            keep_hand(photo, hand.with_indicator(hand.held[pointed].tile, pointed))
    likely = board("likely", question_html(indicator, _look(indicator.key, photo))) if indicator else None
    face = board("faces", faces_html(indicator.tile if indicator else None, jokers=False)) or likely
    if face is None:
        face = _read_indicator()
    if face is not None:
        keep_hand(photo, hand.with_indicator(Tile.parse(face)))
    if indicator is not None and st.button(_(texts.IN_HAND), icon=":material/move_up:", key="in-hand"):
        keep_hand(photo, hand.moved_to_rack(indicator.key))


def _read_indicator() -> str | None:
    """Reads a photo of the indicator. Returns the tile that the user tapped of those seen in it."""
    given = st.file_uploader(_(texts.INDICATOR_PHOTO), type=TYPES, key="indicator-photo")
    if given is None:
        return None
    try:
        seen = seen_html(read_photo(given.getvalue()).reading)
    except PhotoError as error:
        st.error(texts.plain(texts.complaint(error)))
        return None
    if not seen:
        st.warning(_(texts.NO_INDICATOR_SEEN))
        return None
    st.write(_(texts.TAP_THE_INDICATOR))
    return board("seen", seen)


def _look(key: str, photo: Photo) -> str:
    """How a tile looks in the photo; empty for one that the user added."""
    return photo.around(photo.reading.tiles[int(key)].outline) if key.isdigit() else ""
