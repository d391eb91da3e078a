"""The certificate of `istaka serve --https`: good for this machine, private, kept while it serves, and trusted by a real client."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from websockets.sync.client import connect

from assistant import certificate
from assistant.certificate import CertificateError, kept_certificate
from assistant.dashboard.live import PATH
from assistant.serve import lan_addresses

NAMES = ["localhost", "192.168.1.20", "::1", "tea-house.local"]
PATIENCE_S = 60


def _parsed(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_names_addresses_and_what_phones_ask_for(tmp_path: Path) -> None:
    made = _parsed(kept_certificate(NAMES, tmp_path))
    alternatives = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(alternatives.get_values_for_type(x509.DNSName)) == {"localhost", "tea-house.local"}
    assert set(map(str, alternatives.get_values_for_type(x509.IPAddress))) == {"192.168.1.20", "::1"}
    assert ExtendedKeyUsageOID.SERVER_AUTH in made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=398)
    assert made.not_valid_before_utc < datetime.now(timezone.utc) < made.not_valid_after_utc


@pytest.mark.skipif(os.name == "nt", reason="the user's folders are private on Windows as they are")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    file = kept_certificate(NAMES, tmp_path / "new" / "folder")
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    file.chmod(0o644)  # others may have read the key by now
    assert kept_certificate(NAMES, tmp_path / "new" / "folder").read_bytes() != before
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_it_is_kept_while_it_serves(tmp_path: Path) -> None:
    before = kept_certificate(NAMES, tmp_path).read_bytes()
    assert kept_certificate(NAMES[:2], tmp_path).read_bytes() == before


def test_it_is_made_anew_when_the_address_changes(tmp_path: Path) -> None:
    before = kept_certificate(NAMES, tmp_path).read_bytes()
    file = kept_certificate([*NAMES, "10.0.0.7"], tmp_path)
    assert file.read_bytes() != before
    assert kept_certificate(["10.0.0.7"], tmp_path).read_bytes() == file.read_bytes()


def test_a_computer_that_is_carried_between_two_networks_is_accepted_once_in_each(tmp_path: Path) -> None:
    at_home, away = ["localhost", "192.168.1.20"], ["localhost", "10.0.0.7"]
    _, second, third, fourth = (kept_certificate(names, tmp_path).read_bytes() for names in (at_home, away, at_home, away))
    assert second == third == fourth


def test_it_is_made_anew_before_it_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as then:
        then.setattr(certificate, "VALID", timedelta(days=29))
        before = kept_certificate(NAMES, tmp_path).read_bytes()
    file = kept_certificate(NAMES, tmp_path)
    assert file.read_bytes() != before
    assert _parsed(file).not_valid_after_utc > datetime.now(timezone.utc) + timedelta(days=300)


@pytest.mark.parametrize("damage", [b"", b"no certificate", None])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: bytes | None) -> None:
    file = kept_certificate(NAMES, tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert "localhost" in _parsed(kept_certificate(NAMES, tmp_path)).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    ).value.get_values_for_type(x509.DNSName)


def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(CertificateError, match="or start without --https"):
        kept_certificate(NAMES, blocked)


def test_a_client_that_trusts_just_this_certificate_gets_the_page(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    command = [sys.executable, "-m", "assistant", "serve", "--host", "0.0.0.0", "--https", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        for host in ("localhost", "127.0.0.1", *lan_addresses()[:1]):
            with _opened(f"https://{host}:{port}/", tmp_path) as answer:
                assert "Streamlit" in answer.read().decode()
        trusting = ssl.create_default_context(cafile=next(tmp_path.rglob(certificate.FILE)))
        with connect(f"wss://localhost:{port}{PATH}", origin=f"https://localhost:{port}", ssl=trusting) as stream:
            stream.send(json.dumps({"language": "en", "preset": "classic", "rules": {}, "source": None, "table": None, "taught": None}))
            stream.send(b"no picture")
            assert "is no photo" in json.loads(stream.recv(PATIENCE_S))["problem"]
    finally:
        os.killpg(server.pid, signal.SIGINT)
        said, _ = server.communicate(timeout=PATIENCE_S)
    assert f"istaka: https://localhost:{port}" in said
    assert "The phone will warn once" in said


def _opened(url: str, data: Path) -> urllib.request.addinfourl:
    """The answer from `url`, once there is a server there; only its own certificate is trusted."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            trusting = ssl.create_default_context(cafile=next(data.rglob(certificate.FILE)))
            return urllib.request.urlopen(url, timeout=10, context=trusting)
        except (urllib.error.URLError, StopIteration) as problem:
            assert not isinstance(getattr(problem, "reason", None), ssl.SSLCertVerificationError), problem
            assert time.monotonic() < end, problem
            time.sleep(0.2)
