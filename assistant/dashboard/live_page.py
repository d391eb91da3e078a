"""The live page: a camera's picture, every tile named as it is read, the verdict beside it."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from assistant.dashboard import live_texts as texts
from assistant.dashboard.answers import LIVE, give_back
from assistant.dashboard.cameras import shared_cameras, shown_on
from assistant.dashboard.dispute_page import DISPUTE_OPTIONS, dispute_page
from assistant.dashboard.hand_page import hand_page, house_rules, take_frozen, take_read
from assistant.dashboard.language import _, language
from assistant.dashboard.live_view import live_view
from assistant.dashboard.photo import photo_of
from assistant.dashboard.rules_texts import judged_by
from assistant.dashboard.teach_page import chosen_set
from assistant.dashboard.texts import DISPUTE_PATH, HAND_OPTIONS
from assistant.dashboard.visitors import is_here

DEVICE, OTHER = "device", "other"


def live_page() -> None:
    """Draws the page. A frozen picture becomes the photo of the hand's page, to be corrected there."""
    give_back("live", lambda key: key.startswith(LIVE))
    name, chooser = st.columns(2, gap="medium", vertical_alignment="center")
    with name:
        st.title(_(texts.LIVE_PAGE), anchor=False)
        st.caption(_(texts.LIVE_TAGLINE))
    with chooser:
        source = _choose_source()
    drawn = st.container()
    table = _choose_table()
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        asked = HAND_OPTIONS if table is None else DISPUTE_OPTIONS  # a hand that is shown on the table is judged as it lies
        rules = house_rules(asked)
        st.page_link(_hand(), label=_(texts.STILL), icon=":material/photo_camera:")
    st.caption(judged_by(rules, *(name for name in asked if name not in HAND_OPTIONS)))
    if source == "":
        return
    with drawn:
        options = {name: getattr(rules, name) for name in asked}
        frozen, disputed = live_view(
            {
                "language": language(),
                "preset": rules.name,
                "rules": options,
                "source": source,
                "table": table,
                "taught": chosen_set(),
            }
        )
    if frozen is not None:
        take_frozen(frozen.jpeg, frozen.indicator, frozen.discards)
        st.switch_page(_hand())
    shown = shown_on(table) if disputed and table is not None else None
    if shown is not None:
        take_read(photo_of(shown.picture, shown.hand.reading, shown.picture.tobytes()), shown.hand)
        st.switch_page(st.Page(dispute_page, url_path=DISPUTE_PATH))


def _choose_source() -> str | None:
    """Asks for the camera: None is the browser's own, nothing typed yet is empty."""
    ways = {DEVICE: _(texts.THIS_DEVICE), **{name: texts.camera(name) for name in shared_cameras()}}
    here = st.context.ip_address or "localhost"  # Streamlit leaves it out there
    if is_here(here, urlsplit(st.context.url).netloc):
        ways[OTHER] = _(texts.OTHER_CAMERA)
    if len(ways) == 1:
        return None
    way = st.segmented_control(
        _(texts.SOURCE),
        list(ways),
        default=DEVICE,
        format_func=ways.__getitem__,
        key="source",
        label_visibility="collapsed",
        required=True,
        wrap=True,
    )
    if way == OTHER:
        return st.text_input(_(texts.ADDRESS), placeholder=_(texts.ADDRESS_HINT), key="camera-address").strip()
    return None if way == DEVICE else way


def _choose_table() -> str | None:
    """Asks for the camera above the table, where this computer has cameras for everyone."""
    shared = shared_cameras()
    if not shared:
        return None
    return st.selectbox(
        _(texts.TABLE_CAMERA),
        [None, *shared],
        format_func=lambda name: _(texts.NO_TABLE_CAMERA) if name is None else texts.camera(name),
        key="table-camera",
        width=360,
        help=_(texts.TABLE_CAMERA_HELP),
    )


def _hand() -> st.Page:
    """The page on which a photo is judged and corrected."""
    return st.Page(hand_page, default=True)
