"""The sentences about sets that are taught."""

from __future__ import annotations

from assistant.dashboard.language import N_, _, ngettext

WHICH_SET = N_("Which set is in the photo?")
ANY_SET = N_("Any set")
TEACH_TITLE = N_("Teach this set")
TEACH_HOW = N_(
    "When every tile is right, give the set a name: its photos are then read with what was learnt. One to three photos are enough."
)
NOT_ALL_READ = N_("A tile is still in doubt: tap it and say what it is.")
NAME_LABEL = N_("Name of the set")
TEACH = N_("Teach")
FORGET = N_("Forget this set")
FORGET_FOR_ALL = N_("Forget it for everyone")


def set_label(name: str | None) -> str:
    """What the button says that opens the choice."""
    return _("Set: any") if name is None else _("Set: {name}").format(name=name)


def forget_for_all(name: str) -> str:
    """What forgetting a set means."""
    return _("What was learnt of {name} is lost for everyone who plays with it here.").format(name=name)


def learnt(name: str, tiles: int, photos: int) -> str:
    """What a set knows once it was taught."""
    of_photos = ngettext("one photo", "{count} photos", photos).format(count=photos)
    return ngettext("{name}: {count} tile learnt from {photos}", "{name}: {count} tiles learnt from {photos}", tiles).format(
        name=name, count=tiles, photos=of_photos
    )
