"""The words on Streamlit's own widgets, which know English only, in the language of the page."""

from __future__ import annotations

import json

from assistant.dashboard.language import N_, _
from assistant.dashboard.options import STREAMLIT_OPTIONS

UPLOAD, TAKE_PHOTO, ANOTHER_PHOTO = N_("Upload"), N_("Take the photo"), N_("Take another photo")

STYLE = """
<style>
[data-testid="stFileUploaderDropzone"] button p, [data-testid="stFileUploaderDropzoneInstructions"] span,
[data-testid="stCameraInputButton"] {font-size: 0}
[data-testid="stFileUploaderDropzone"] button p::after {content: %s; font-size: .875rem}
[data-testid="stFileUploaderDropzoneInstructions"] span::after {content: %s; font-size: .875rem}
[data-testid="stCameraInputButton"]::after {content: %s; font-size: 1rem}
[data-testid="stCameraInput"]:has(img) [data-testid="stCameraInputButton"]::after {content: %s}
</style>
"""
"""Streamlit's word gives way to the translated one."""


def words_style() -> str:
    """The style that puts the page's language on the widgets."""
    limit = _("{megabytes} MB at most").format(megabytes=STREAMLIT_OPTIONS["server.maxUploadSize"])
    words = (_(UPLOAD), limit, _(TAKE_PHOTO), _(ANOTHER_PHOTO))
    return STYLE % tuple(json.dumps(word, ensure_ascii=False) for word in words)
