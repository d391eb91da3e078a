"""The time where the visitor is."""

from __future__ import annotations

from datetime import datetime, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def zone() -> tzinfo:
    """The visitor's time zone as the browser names it, UTC if it does not."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return timezone.utc


def now() -> datetime:
    """This second, in the visitor's zone."""
    return datetime.now(zone()).replace(microsecond=0)


def here(stored: datetime) -> datetime:
    """A time as the store keeps it, UTC without saying so, in the visitor's zone."""
    return stored.replace(tzinfo=timezone.utc).astimezone(zone())
