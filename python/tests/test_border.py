"""Wrong arguments of every kind: an exception of Python or of Hasten, and never a panic."""

import array
import itertools
import pickle
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SMALL, Place

import hasten

HOSTILE = [
    None,
    True,
    -1,
    2**70,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\0",
    "\ud800",
    "a" * 100_000,
    b"",
    b"\0",
    b"\xff" * 4096,
    bytes(1 << 20),
    bytearray(60),
    memoryview(bytes(60)),
    memoryview(bytes(120))[::2],
    array.array("I", [1, 2, 3]),
    [],
    {},
    object(),
    Path("nowhere"),
    hasten.verify,
]
ALLOWED = (TypeError, ValueError, OverflowError, BufferError, hasten.Error)


def refused(call: Callable[..., object], *arguments: object) -> bool:
    """Returns true if the call raised what it may raise; anything else goes through."""
    try:
        call(*arguments)
    except hasten.InternalError:
        raise
    except ALLOWED:
        return True
    return False


def test_verify_takes_anything(key: hasten.StatefulKey) -> None:
    public, signature = key.public_key, key.sign(b"message")
    for hostile in HOSTILE:
        assert refused(hasten.verify, hostile, b"message", signature), hostile
        assert refused(hasten.verify, public, hostile, signature), hostile
        assert refused(hasten.verify, public, b"message", hostile), hostile
        refused(hasten.PublicKey, hostile)
        refused(hasten.PublicKey, public.raw, hostile)
    for pair in itertools.product(HOSTILE, repeat=2):
        assert refused(hasten.verify, *pair, signature), pair


def test_keys_take_anything(tmp_path: Path) -> None:
    for number, hostile in enumerate(HOSTILE):
        assert refused(hasten.Key.generate, hostile), hostile
        assert refused(hasten.Key.from_pem, hostile), hostile
        assert refused(hasten.StatefulKey.open, hostile), hostile
        place = tmp_path / str(number)
        generate = hasten.StatefulKey.generate
        assert refused(generate, hostile, place, place.with_suffix(".guard")), hostile
        assert refused(generate, SMALL, place, hostile) or Path(str(hostile)).exists(), hostile


def opened(place: Place, options: dict[str, object]) -> None:
    hasten.StatefulKey.open(place.key, **options).close()  # type: ignore[arg-type]


def test_an_open_key_takes_anything(place: Place, key: hasten.StatefulKey) -> None:
    for hostile in HOSTILE:
        assert refused(key.prepare, hostile), hostile
    assert key.remaining == 32
    key.close()
    for hostile in HOSTILE:
        for option in ("guard", "passphrase", "wait"):
            if (option, hostile) in (("guard", None), ("passphrase", None)):
                continue
            refused(opened, place, {option: hostile})
    with hasten.StatefulKey.open(place.key) as again:
        assert again.remaining == 32


def test_changed_bytes_are_never_good(key: hasten.StatefulKey) -> None:
    chance = random.Random(8554)
    public, signature = key.public_key, key.sign(b"message")
    for _ in range(300):
        bad = bytearray(signature)
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        with pytest.raises(hasten.BadSignature):
            hasten.verify(public, b"message", bad)
        other = bytearray(public.der)
        other[chance.randrange(len(other))] ^= 1 << chance.randrange(8)
        with pytest.raises(hasten.Error):
            hasten.verify(other, b"message", signature)
        cut = chance.randrange(len(signature))
        with pytest.raises(hasten.BadSignature):
            hasten.verify(public, b"message", signature[:cut])


def test_a_message_may_be_any_buffer(key: hasten.StatefulKey) -> None:
    for message in (b"abc", bytearray(b"abc"), memoryview(b"abc"), array.array("B", b"abc")):
        hasten.verify(key.public_key, b"abc", key.sign(message))
    empty = key.sign(b"")
    hasten.verify(key.public_key, bytearray(), empty)
    every_second = memoryview(b"a-b-c-")[::2]
    hasten.verify(key.public_key, b"abc", key.sign(every_second))


def test_exceptions_go_through_pickle() -> None:
    with pytest.raises(hasten.NotAKey) as raised:
        hasten.PublicKey(b"nothing")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again)) == (hasten.NotAKey, str(raised.value))


def test_every_exception_is_an_error_with_a_hint() -> None:
    for name in hasten.__all__:
        shown = getattr(hasten, name)
        if isinstance(shown, type) and issubclass(shown, BaseException):
            assert issubclass(shown, hasten.Error) and isinstance(shown.hint, str), name
    with pytest.raises(hasten.AlgorithmError) as unknown:
        hasten.Key.generate("RSA-1")
    assert "hasten list" in unknown.value.hint
    with pytest.raises(hasten.NotBuiltIn) as absent:
        hasten.Key.generate("ML-DSA-65")
    assert "aws-lc" in absent.value.hint


def test_others_run_while_it_hashes(key: hasten.StatefulKey) -> None:
    message, signature = bytes(8 << 20), key.sign(bytes(8 << 20))
    begin, ran = threading.Event(), threading.Event()

    def run() -> None:
        begin.wait()
        ran.set()

    other = threading.Thread(target=run)
    other.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        begin.set()
        sum(range(1_000_000))
        assert not ran.is_set(), "only a call that lets the interpreter go lets others run"
        for _ in range(100):
            hasten.verify(key.public_key, message, signature)
            if ran.is_set():
                break
        assert ran.is_set()
    finally:
        sys.setswitchinterval(before)
        other.join()
