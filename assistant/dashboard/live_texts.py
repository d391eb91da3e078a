"""Every sentence of the live page."""

from __future__ import annotations

from assistant.dashboard.language import N_, _
from assistant.dashboard.texts import CAMERA_ASKED, CONNECTION_LOST, complaint, sentence
from vision.profile import ProfileError
from vision.settle import Hint
from vision.sources import PhotoError
from vision.trouble import SourceError, Trouble
from vision.weights import WeightsError

LIVE_PAGE, LIVE_PATH = N_("Live"), "live"
LIVE_TAGLINE = N_("Point the camera at your rack and hold still: every tile is named, the hand judged.")
SOURCE = N_("Which camera")
THIS_DEVICE, OTHER_CAMERA = N_("This device’s camera"), N_("Another camera")
ADDRESS = N_("Its number on the computer, or its address in the network")
ADDRESS_HINT = N_("0 for the first camera of the computer, or rtsp://… or http://… as the camera’s own app shows it")
TABLE_CAMERA, NO_TABLE_CAMERA = N_("A camera above the table"), N_("none")
TABLE_CAMERA_HELP = N_(
    "It remembers the tiles that lie face up, and the indicator from the beginning of the deal, when it lies there alone."
)
TABLE_INDICATOR, TABLE_DISCARDS = N_("The indicator, seen by the camera above the table"), N_("Seen on the table in this deal")
HAND_SHOWN = N_("A hand is shown on the table")
STILL = N_("A still photo instead")
HOLD_STILL = N_("Hold the camera still: the verdict stands here as soon as the reading has settled.")
BUSY = N_("The computer is too busy to read: the picture is tried again.")
NOT_SHARED = N_(
    "only on the computer itself, at localhost, can any camera be named: open this page there, or let everyone look through a camera with "
    "istaka serve --camera"
)
NO_CAMERA = N_("{source} is no camera: give a number, as 0, or an address that begins with rtsp:// or http://")

HINTS = {
    Hint.NOTHING: N_("No tiles are seen: point the camera at the rack."),
    Hint.CLOSER: N_("Come closer: the tiles are too small to be read well."),
    Hint.LIGHT: N_("More light: the picture is too dark."),
    Hint.STILL: N_("Hold still: the picture moves."),
    Hint.LEFT: N_("The left end is cut off: show the whole rack."),
    Hint.RIGHT: N_("The right end is cut off: show the whole rack."),
    Hint.TOP: N_("The upper edge is cut off: show the whole rack."),
    Hint.BOTTOM: N_("The lower edge is cut off: show the whole rack."),
    Hint.HIDDEN: N_("Something is in front of the tiles."),
}
TROUBLES = {
    Trouble.CONNECTING: N_("Connecting to the camera …"),
    Trouble.LOST: N_("The connection to the camera is lost: it is tried again. Or choose this device’s camera."),
    Trouble.SILENT: N_("The camera sends no pictures: it is tried again. Or choose this device’s camera."),
    Trouble.BLACK: N_("The picture is black: is the lens covered?"),
    Trouble.FROZEN: N_("The picture stands still: the camera may have stopped."),
    Trouble.TORN: N_("The pictures arrive damaged: the network may be too slow."),
}


def camera(name: str) -> str:
    """A camera that everyone may look through."""
    return _("Camera {number} of the computer").format(number=name) if name.isdigit() else name


def words() -> dict[str, str]:
    """What the picture itself says, by the name that `live.js` or the browser has for it."""
    return {
        "freeze": _("Freeze and correct"),
        "dispute": _("Open it on the Dispute page"),
        "again": _("Try again"),
        "turn": _("The other camera"),
        "asking": _(CAMERA_ASKED),
        "starting": _("Starting the reader …"),
        "insecure": _(
            "The browser gives this page no camera, as the page is not encrypted: start istaka on the computer with "
            "istaka serve --host 0.0.0.0 --https, and scan its code again. Or take a still photo."
        ),
        "NotAllowedError": _(
            "The camera was refused: allow it for this page in the browser’s settings, then try again. Or take a still photo."
        ),
        "NotFoundError": _("This device has no camera: plug one in, or choose another camera above. Or take a still photo."),
        "NotReadableError": _("Another program uses the camera: close it, then try again. Or take a still photo."),
        "unusable": _("The camera cannot be used: try again, or take a still photo."),
        "unplugged": _("The camera has gone: plug it in again, and the picture comes back. Or take a still photo."),
        "lost": _(CONNECTION_LOST),
    }


def said(error: SourceError | PhotoError | ProfileError | WeightsError) -> str:
    """Why there is no picture."""
    if isinstance(error, SourceError):
        return sentence(_(error.template)).format(**error.values)  # a source keeps its small letter
    return complaint(error)
