"""The words on Streamlit's own widgets, which know English only, in the language of the page."""

from __future__ import annotations

import json

from assistant.dashboard.language import N_, _
from assistant.dashboard.options import STREAMLIT_OPTIONS
from assistant.dashboard.texts import CAMERA_ASKED, CONNECTION_LOST

UPLOAD, TAKE_PHOTO, ANOTHER_PHOTO = N_("Upload"), N_("Take the photo"), N_("Take another photo")
PRESS_ENTER, NO_CONNECTION = N_("Press Enter"), N_("No connection")
LIMIT = N_("{megabytes} MB at most")
REFUSED = N_("This file cannot be used: it is of another kind than asked for, or larger than {megabytes} MB.")

STYLE = """
<style>
[data-testid="stFileUploaderDropzone"] button p, [data-testid="stFileUploaderDropzoneInstructions"] span,
[data-testid="stCameraInputButton"] {font-size: 0}
[data-testid="stFileUploaderDropzone"] button p::after {content: %s; font-size: .875rem}
[data-testid="stFileUploaderDropzoneInstructions"] span::after {content: %s; font-size: .875rem}
[data-testid="stCameraInputButton"]::after {content: %s; font-size: 1rem}
[data-testid="stCameraInput"]:has(img) [data-testid="stCameraInputButton"]::after {content: %s}
[data-testid="stCameraInputWebcamComponent"] p, [data-testid="InputInstructions"] {font-size: 0}
[data-testid="stCameraInputWebcamComponent"] p::after {content: %s; font-size: 1rem}
[data-testid="stCameraInputWebcamComponent"] a {display: none}
[data-testid="InputInstructions"]::after {content: %s; font-size: .75rem}
[data-testid="stFileChip"] [role="alert"], [data-testid="stTooltipErrorContent"] {display: none}
[data-testid="stFileUploader"]:has([data-testid="stFileChip"][aria-invalid="true"])::after
{content: %s; display: block; margin-top: .5rem; font-size: .875rem}
.stDialog section:not(:has(.stVerticalBlock)) h2 {font-size: 0}
.stDialog section:not(:has(.stVerticalBlock)) h2::after {content: %s; font-size: 1.5rem}
.stDialog section:not(:has(.stVerticalBlock)) h2 + div > * {display: none}
.stDialog section:not(:has(.stVerticalBlock)) h2 + div::after {content: %s}
</style>
"""
"""Streamlit's word gives way to the translated one. Why a file is not taken it says where a mouse hovers alone: here below, for all. The
one dialog of its own, without any of a page's blocks, says to programmers that the connection is lost."""


def words_style() -> str:
    """The style that puts the page's language on the widgets."""
    megabytes = STREAMLIT_OPTIONS["server.maxUploadSize"]
    limit, refused = (_(words).format(megabytes=megabytes) for words in (LIMIT, REFUSED))
    words = (
        _(UPLOAD), limit, _(TAKE_PHOTO), _(ANOTHER_PHOTO), _(CAMERA_ASKED), _(PRESS_ENTER), refused, _(NO_CONNECTION), _(CONNECTION_LOST),
    )  # fmt: skip
    return STYLE % tuple(json.dumps(word, ensure_ascii=False) for word in words)
