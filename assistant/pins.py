"""The PIN of a table: made, kept as a slow hash, and tried only so often."""

from __future__ import annotations

import hashlib
import hmac
import secrets

SHORTEST, LONGEST, USUAL = 4, 12, 6
"""Digits of a PIN: those that a table may choose, and those of one that is made for it."""
SCRYPT = {"n": 2**14, "r": 8, "p": 1}
TRIES = 5
"""How many wrong PINs in a row make everyone wait."""
FIRST_WAIT_S, LONGEST_WAIT_S = 60, 15 * 60
"""The wait after the first five; it doubles after each five more, so that an evening is too short to guess a PIN."""


def new_pin() -> str:
    """A random PIN."""
    return "".join(secrets.choice("0123456789") for _ in range(USUAL))


def is_pin(text: str) -> bool:
    """Whether this can be a PIN."""
    return text.isascii() and text.isdigit() and SHORTEST <= len(text) <= LONGEST


def hashed(pin: str) -> tuple[bytes, bytes]:
    """A new salt, and the hash of the PIN with it."""
    salt = secrets.token_bytes(16)
    return salt, _hash(pin, salt)


def matches(pin: str, salt: bytes, pin_hash: bytes) -> bool:
    """Whether the hash is of this PIN; takes the same time for every wrong one."""
    return hmac.compare_digest(_hash(pin, salt), pin_hash)


def wait_s(wrong: int) -> int:
    """Seconds to wait after so many wrong PINs in a row."""
    if wrong % TRIES:
        return 0
    return min(FIRST_WAIT_S << (wrong // TRIES - 1), LONGEST_WAIT_S)


def _hash(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, **SCRYPT)
