"""A small key with a state, and a way to run Python in another process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hasten

SMALL = "LMS_SHA256_M24_H5_W8"


class Place:
    """Where a key and its guard lie."""

    def __init__(self, folder: Path) -> None:
        self.key = folder / "key"
        self.guard = folder / "key.guard"

    def generate(self, **options: object) -> hasten.StatefulKey:
        generate = hasten.StatefulKey.generate
        return generate(SMALL, self.key, self.guard, **options)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def key(place: Place) -> hasten.StatefulKey:
    return place.generate()


def index_in(signature: bytes) -> int:
    """Returns the index in a signature of HSS with one level: RFC 8554,
    section 6.2 (Signature Generation)."""
    return int.from_bytes(signature[4:8], "big")


def python(source: str, *arguments: object) -> "subprocess.Popen[bytes]":
    """Starts Python on a text, which hears on stdin and tells on stdout.

    Its functions are bound at the start: docs/python.md says why, under secrets.
    """
    return subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        env={**os.environ, "LD_BIND_NOW": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
