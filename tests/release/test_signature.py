"""Whose release it is: what is signed, and one command of ssh-keygen that checks it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.club.box.keys import KeyPair
from release.__main__ import put_signer, release
from release.signature import fingerprint, signature, signer
from tests.manual.book import ROOT

KEY = bytes(range(32))
SIGNED = """-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgA6EHv/POEL4dcN0Y50vAmWfk1j
CbpQ1fHdyGZBJVMbgAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
OQAAAECiuUNuqg7CyByjSMdbEz3D8F3NIk+YaN59qngibrCQbnwLLsXDooxkru2oZ+K7M1
uDsolJ9v+FVwKdNVbjeccH
-----END SSH SIGNATURE-----
"""
"""What `ssh-keygen -Y sign -n file` of OpenSSH 9.2 gave for “0  a” with that key."""


def test_a_signature_is_identical_to_that_of_ssh_keygen() -> None:
    keys = KeyPair.from_private(KEY)
    assert signature(keys, b"0  a\n") == SIGNED
    assert fingerprint(keys) == "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
    assert signature(keys, b"1  a\n") != SIGNED


def test_the_sums_of_a_release_are_signed_if_a_key_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command checked is the one in START-HERE; files that were changed have no good
    signature."""
    key, out = tmp_path / "key", tmp_path / "release"
    parts = {"the signature": put_signer}
    monkeypatch.delenv("KEY", raising=False)
    _, (lack,) = release(out, parts)
    assert "make release KEY=FILE" in lack and not (out / "SHA256SUMS.sig").exists()
    monkeypatch.setenv("KEY", str(key))
    key.write_text("no key")
    (lack,), _ = release(out, parts)
    assert "is no key" in lack and not (out / "SHA256SUMS.sig").exists()
    key.write_text(f"{KEY.hex()}\n")
    assert release(out, parts) == ([], [])
    keys, told = KeyPair.from_private(KEY), (out / "SHA256SUMS").read_bytes()
    assert (out / "SIGNED-BY").read_text() == signer(keys)
    assert (out / "SHA256SUMS.sig").read_text() == signature(keys, told)
    assert b"  SIGNED-BY\n" in told and b"SHA256SUMS.sig" not in told
    if shutil.which("ssh-keygen"):
        guide = (ROOT / "systemd" / "release" / "start-here.md").read_text("utf-8")
        (command,) = re.findall(r"^    (ssh-keygen -Y verify .+)$", guide, re.MULTILINE)
        subprocess.run(["sh", "-c", command], cwd=out, check=True)
        (out / "SHA256SUMS").write_bytes(told + b"\n")
        assert subprocess.run(["sh", "-c", command], cwd=out, check=False).returncode
