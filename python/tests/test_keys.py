"""Keys without a state, public keys in their forms, and secrets that do not stay in memory."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import SMALL, Place, python

import hasten


@pytest.mark.parametrize("algorithm", ["SLH-DSA-SHAKE-128f", "Ed25519"])
def test_a_key_without_a_state(algorithm: str, tmp_path: Path) -> None:
    key, secret = hasten.Key.generate(algorithm)
    signature = key.sign(b"message")
    hasten.verify(key.public_key, b"message", signature)
    again = hasten.Key.from_pem(secret)
    assert again.public_key == key.public_key
    assert hasten.Key.from_pem(bytes(secret)).public_key == key.public_key
    assert hasten.Key.from_pem(bytes(secret).decode()).public_key == key.public_key
    file = tmp_path / "key.pem"
    secret.write(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert hasten.Key.from_pem(file.read_bytes()).public_key == key.public_key
    with pytest.raises(FileExistsError):
        secret.write(file)
    with secret:
        assert len(secret) == file.stat().st_size
    with pytest.raises(ValueError, match="wiped"):
        bytes(secret)
    with pytest.raises(ValueError, match="wiped"):
        hasten.Key.from_pem(secret)


def test_nothing_secret_is_shown() -> None:
    key, secret = hasten.Key.generate("Ed25519")
    shown = repr(key) + repr(secret) + str(secret)
    assert "PRIVATE" not in shown and bytes(secret).split(b"\n")[1].decode() not in shown


def test_public_keys_in_every_form(key: hasten.StatefulKey) -> None:
    public = key.public_key
    assert public.algorithm.startswith("LMS_SHA256_M24_H5")
    signature = key.sign(b"message")
    for form in (public, public.pem, public.pem.encode(), public.der, public.raw):
        hasten.verify(form, b"message", signature)
        read = form if isinstance(form, hasten.PublicKey) else hasten.PublicKey(form)
        assert read == public and hash(read) == hash(public)
    other, _ = hasten.Key.generate("Ed25519")
    assert other.public_key != public and other.public_key != b""
    raw = other.public_key.raw
    assert hasten.PublicKey(raw, "Ed25519") == other.public_key


def test_a_passphrase(place: Place) -> None:
    words = bytearray(b"correct horse")
    place.generate(passphrase=words).close()
    assert words == bytes(13), "a bytearray is filled with zeros"
    for wrong in (None, "wrong", b"correct horsE", bytearray(b"x")):
        with pytest.raises(hasten.PassphraseError) as refused:
            hasten.StatefulKey.open(place.key, passphrase=wrong)
        assert refused.value.hint
    for right in ("correct horse", b"correct horse", bytearray(b"correct horse")):
        with hasten.StatefulKey.open(place.key, passphrase=right) as key:
            assert key.remaining == 32
    with pytest.raises(ValueError, match="empty"):
        hasten.StatefulKey.open(place.key, passphrase=b"")


def found_in(process: "subprocess.Popen[bytes]", needle: bytes) -> int:
    """Returns how often the bytes are in the writable memory of a process."""
    count = 0
    with open(f"/proc/{process.pid}/maps") as maps, open(f"/proc/{process.pid}/mem", "rb") as mem:
        for line in maps:
            area = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if area is None:
                continue
            low, high = (int(at, 16) for at in area.groups())
            mem.seek(low)
            try:
                count += mem.read(high - low).count(needle)
            except OSError:
                continue
    return count


OPEN = """
import os, sys, hasten
words = bytearray(32)
os.readv(0, [words])
keep = bytes(words) if sys.argv[2] == "keep" else None
key = hasten.StatefulKey.open(sys.argv[1], passphrase=words)
os.write(1, b"open")
os.read(0, 1)
"""


@pytest.mark.parametrize("kept", [False, True])
def test_a_passphrase_does_not_stay_in_memory(place: Place, kept: bool) -> None:
    words = os.urandom(32)
    place.generate(passphrase=words).close()
    child = python(OPEN, place.key, "keep" if kept else "forget")
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(words)
    child.stdin.flush()
    assert child.stdout.read(4) == b"open"
    count = found_in(child, words[8:])
    child.kill()
    child.communicate()
    assert (count > 0) == kept


WIPE = """
import os, sys, hasten
key, secret = hasten.Key.generate("SLH-DSA-SHA2-128f")
secret.write(sys.argv[1])
os.write(1, b"made")
os.read(0, 1)
secret.wipe()
os.write(1, b"gone")
os.read(0, 1)
"""


def test_a_wiped_secret_does_not_stay_in_memory(tmp_path: Path) -> None:
    child = python(WIPE, tmp_path / "key.pem")
    assert child.stdin is not None and child.stdout is not None
    assert child.stdout.read(4) == b"made"
    needle = (tmp_path / "key.pem").read_bytes().split(b"\n")[1][24:]
    before = found_in(child, needle)
    child.stdin.write(b".")
    child.stdin.flush()
    assert child.stdout.read(4) == b"gone"
    after = found_in(child, needle)
    child.kill()
    child.communicate()
    assert before > 0 and after == 0


def test_small_sets_have_small_names() -> None:
    with pytest.raises(hasten.AlgorithmError):
        hasten.Key.generate(SMALL)
