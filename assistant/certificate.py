"""The certificate with which this machine vouches for itself, so that browsers give the page a camera."""

from __future__ import annotations

import os
import ssl
from collections.abc import Collection
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from itertools import islice
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from platformdirs import user_data_path

FILE = "certificate.pem"
VALID = timedelta(days=397)
"""iPhones refuse a certificate valid for more than 825 days, other browsers one for more than 398."""
CLOCKS_DIFFER = timedelta(days=1)
"""A new one is valid from so long ago: a phone's clock may be behind."""
RENEWED_BEFORE = timedelta(days=30)
"""With less than this left it is made anew, so that it does not run out while the server runs."""
COMMON_NAME = "istaka"
MOST_OLD_NAMES = 40
"""So many names and addresses of the last certificate a new one takes over."""


class CertificateError(ValueError):
    """A certificate that cannot be kept; the message says why and what to do."""


def kept_certificate(names: Collection[str], folder: Path | None = None) -> Path:
    """The file with this machine's certificate and its private key, PEM; made anew if it does not serve any more.

    A new one is good for the names of the old one, too: a computer that is carried between two networks is accepted once in each.
    One file holds both, so that they never fail to match. Only its owner may read it.

    Args:
        names: host names and IP addresses under which the server is reached; each must be in the certificate.
        folder: where it is kept; else the user's data folder.

    Raises:
        CertificateError: when it cannot be written, or the user has no home folder.
    """
    try:
        folder = user_data_path("istaka", appauthor=False) if folder is None else folder
    except RuntimeError:
        raise CertificateError("there is no home folder to keep the certificate in: set HOME, or start without --https") from None
    file = folder / FILE
    if not _serves(file, set(names)):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write_private(file, _made_for([*names, *islice(sorted(_names_in(file) - set(names)), MOST_OLD_NAMES)]))
        except OSError as error:
            raise CertificateError(
                f"the certificate cannot be kept in {folder} ({error.strerror}): make the folder writable, or start without --https"
            ) from None
    return file


def _serves(file: Path, names: set[str]) -> bool:
    """Whether the kept certificate is whole, private, good for all names and valid for some time."""
    try:
        if os.name != "nt" and file.stat().st_mode & 0o077:
            return False
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file)  # the key is there and matches
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
    except (OSError, ValueError):  # not there, or damaged: ssl.SSLError is an OSError
        return False
    now = datetime.now(timezone.utc)
    return names <= _names_in(file) and certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - RENEWED_BEFORE


def _names_in(file: Path) -> set[str]:
    """The names that a kept certificate is good for; none where it cannot be read."""
    try:
        extensions = x509.load_pem_x509_certificate(file.read_bytes()).extensions
        alternatives = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return set()
    return {*alternatives.get_values_for_type(x509.DNSName), *map(str, alternatives.get_values_for_type(x509.IPAddress))}


def _made_for(names: Collection[str]) -> bytes:
    """A new key and a certificate signed with it, PEM.

    Phones ask for the names as subject alternative names, addresses as such, and for the purpose "server authentication";
    the common name is only shown.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, COMMON_NAME)])
    now = datetime.now(timezone.utc)
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now - CLOCKS_DIFFER + VALID)
        .add_extension(x509.SubjectAlternativeName([_alternative(name) for name in sorted(names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)


def _alternative(name: str) -> x509.GeneralName:
    """A name or an address as it stands in a certificate."""
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write_private(file: Path, contents: bytes) -> None:
    """Writes a file that only its owner may read, at no moment half or open to others."""
    new = file.with_suffix(f".{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(contents)
    new.replace(file)
