"""Where a visitor of the pages sits."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_here(client: str | None, host: str | None) -> bool:
    """Whether a visitor with this address, who came to this host name, sits at this computer itself.

    The name counts, too: a foreign name may be made to lead here, and its page is not to see through this computer's cameras.
    """
    return is_local(client) and is_local(urlsplit(f"//{host}").hostname)


def is_local(name: str | None) -> bool:
    """Whether a name or an address is what a computer calls itself."""
    try:
        return name == "localhost" or ip_address(name or "").is_loopback
    except ValueError:
        return False
