"""Keys with a state: no index twice, whatever happens to the process."""

import gc
import hashlib
import json
import multiprocessing
import random
import shutil
import signal
import threading
import time
from multiprocessing.connection import Connection

import pytest
from conftest import Place, index_in, python

import hasten

LEVELS = ("none", "early-auth", "secrets", "masks", "chain-table")


def test_signs_and_counts(place: Place) -> None:
    with place.generate() as key:
        signature = key.sign(b"firmware")
        hasten.verify(key.public_key, b"firmware", signature)
        with pytest.raises(hasten.BadSignature):
            hasten.verify(key.public_key, b"firmwarE", signature)
        assert (key.remaining, key.status.used, key.status.lost) == (31, 1, 0)
    with pytest.raises(hasten.Closed) as closed:
        key.sign(b"more")
    assert "open the key again" in closed.value.hint
    assert key.close() is None
    with hasten.StatefulKey.open(place.key) as key:
        assert key.remaining == 31
        assert index_in(key.sign(b"more")) == 1


def test_every_signature_is_recorded(place: Place) -> None:
    with place.generate() as key:
        key.sign(b"firmware")
        with key.prepare() as prepared:
            prepared.finish(b"late")
    told = [json.loads(line) for line in (place.key / "signed").read_text().splitlines()]
    digests = [hashlib.sha256(message).hexdigest() for message in (b"firmware", b"late")]
    assert [entry["sha256"] for entry in told] == digests
    assert {entry["purpose"] for entry in told} == {"message"}


@pytest.mark.parametrize("level", LEVELS)
def test_prepared_signs_once(key: hasten.StatefulKey, level: str) -> None:
    with key.prepare(level) as prepared:  # type: ignore[arg-type]
        assert (prepared.index, key.remaining) == (0, 31)
        signature = prepared.finish(b"message")
        with pytest.raises(hasten.Closed):
            prepared.finish(b"another")
    hasten.verify(key.public_key, b"message", signature)
    assert index_in(signature) == 0
    assert (key.status.used, key.status.lost) == (1, 0)


def test_a_prepared_signature_is_given_up(key: hasten.StatefulKey) -> None:
    with key.prepare() as prepared:
        pass
    with pytest.raises(hasten.Closed):
        prepared.finish(b"message")
    left = key.prepare()
    status = key.close()
    assert status is not None and (status.used, status.lost) == (0, 2)
    with pytest.raises(hasten.Closed):
        left.finish(b"message")


OPENS = """
import sys, hasten
with hasten.StatefulKey.open(sys.argv[1]) as key:
    print(int.from_bytes(key.sign(b"message")[4:8], "big"))
"""


def test_close_ends_the_lock_whatever_was_prepared(place: Place, key: hasten.StatefulKey) -> None:
    left = [key.prepare(), key.prepare()]
    left[0].finish(b"message")
    status = key.close()
    assert status is not None and (status.used, status.lost) == (1, 1)
    with hasten.StatefulKey.open(place.key) as again:
        assert index_in(again.sign(b"again")) == 2
        for prepared in left:
            with pytest.raises(hasten.Closed):
                prepared.finish(b"late")
        del left, prepared
        gc.collect()
        with pytest.raises(hasten.Busy):
            hasten.StatefulKey.open(place.key)
    assert python(OPENS, place.key).communicate()[0] == b"3\n"
    with hasten.StatefulKey.open(place.key) as last:
        assert (last.status.used, last.status.lost) == (3, 1)


def drops_and_waits(line: Connection) -> None:
    for thing in gc.get_objects():
        if isinstance(thing, hasten.StatefulKey):
            with pytest.raises(hasten.Forked):
                thing.close()
    line.send("dropped")
    line.recv()


def test_a_child_neither_ends_its_parents_lock_nor_keeps_it(place: Place) -> None:
    key = place.generate()
    prepared = key.prepare()
    ours, line = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=drops_and_waits, args=(line,))
    child.start()
    assert ours.recv() == "dropped"
    with pytest.raises(hasten.Busy):
        hasten.StatefulKey.open(place.key)
    hasten.verify(key.public_key, b"message", prepared.finish(b"message"))
    key.close()
    with hasten.StatefulKey.open(place.key) as again:
        assert index_in(again.sign(b"again")) == 1
        ours.send("end")
        child.join()
        with pytest.raises(hasten.Busy):
            hasten.StatefulKey.open(place.key)
        assert index_in(again.sign(b"more")) == 2


def test_a_wrong_message_uses_nothing_up(key: hasten.StatefulKey) -> None:
    with pytest.raises(TypeError):
        key.sign("text")  # type: ignore[arg-type]
    assert key.remaining == 32
    prepared = key.prepare()
    with pytest.raises(TypeError):
        prepared.finish(None)  # type: ignore[arg-type]
    hasten.verify(key.public_key, b"message", prepared.finish(b"message"))


def test_signs_to_the_last_index(key: hasten.StatefulKey) -> None:
    with pytest.raises(hasten.Exhausted) as exhausted:
        for _ in range(33):
            key.sign(b"message")
    assert exhausted.value.hint and isinstance(exhausted.value, hasten.StateError)
    assert key.remaining <= 32


def test_a_restored_backup_is_refused(place: Place) -> None:
    place.generate().close()
    backup = place.key.with_name("backup")
    shutil.copytree(place.key, backup)
    with hasten.StatefulKey.open(place.key) as key:
        key.sign(b"message")
    shutil.rmtree(place.key)
    backup.rename(place.key)
    with pytest.raises(hasten.Refused) as refused:
        hasten.StatefulKey.open(place.key)
    assert "REFUSED" in str(refused.value) and "newest copy" in refused.value.hint


def test_two_processes_do_not_share_a_key(place: Place, key: hasten.StatefulKey) -> None:
    other = python(
        "import sys, hasten\n"
        "try: hasten.StatefulKey.open(sys.argv[1])\n"
        "except hasten.Busy as busy: print(busy.hint)\n",
        place.key,
    )
    assert b"wait=SECONDS" in other.communicate()[0]
    assert key.remaining == 32


TURNS = """
import sys, hasten
for _ in range(8):
    with hasten.StatefulKey.open(sys.argv[1], wait=300) as key:
        print(int.from_bytes(key.sign(b"message")[4:8], "big"), flush=True)
"""


def test_two_processes_take_turns(place: Place) -> None:
    place.generate().close()
    both = [python(TURNS, place.key) for _ in range(2)]
    used = [int(line) for each in both for line in each.communicate()[0].split()]
    assert sorted(used) == list(range(16))


def test_a_fork_is_refused(key: hasten.StatefulKey) -> None:
    prepared = [key.prepare()]

    def sign(tell: Connection) -> None:
        for attempt in (lambda: key.sign(b"x"), lambda: prepared[0].finish(b"x"), key.close):
            try:
                attempt()
                tell.send(None)
            except hasten.StateError as refusal:
                tell.send(refusal)
        prepared.clear()
        gc.collect()

    fork = multiprocessing.get_context("fork")
    hear, tell = fork.Pipe(duplex=False)
    child = fork.Process(target=sign, args=(tell,))
    child.start()
    tell.close()  # a child that ends early is heard
    said = [hear.recv() for _ in range(3)]
    child.join(60)
    assert child.exitcode == 0
    assert [type(refusal) for refusal in said] == [hasten.Forked] * 3
    assert "process that signs" in said[0].hint
    assert index_in(prepared[0].finish(b"message")) == 0
    assert index_in(key.sign(b"message")) == 1


def test_each_thread_gets_its_own_index(key: hasten.StatefulKey) -> None:
    signatures: list[bytes] = []

    def sign() -> None:
        signatures.extend(key.sign(b"message") for _ in range(3))

    threads = [threading.Thread(target=sign) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for signature in signatures:
        hasten.verify(key.public_key, b"message", signature)
    assert sorted(map(index_in, signatures)) == list(range(24))


ENDLESS = """
import os, sys, hasten
key = hasten.StatefulKey.open(sys.argv[1])
while True:
    os.write(1, key.sign(b"message")[4:8])
"""


def test_a_kill_loses_at_most_the_reserved_index(place: Place) -> None:
    place.generate().close()
    chance, seen = random.Random(22), []
    kills = 5
    for kill in range(1, kills + 1):
        child = python(ENDLESS, place.key)
        assert child.stdout is not None
        told = child.stdout.read(4)
        time.sleep(chance.random() / 500)
        child.send_signal(signal.SIGKILL)
        told += child.communicate()[0]
        seen += [told[at : at + 4] for at in range(0, len(told), 4)]
        with hasten.StatefulKey.open(place.key) as key:
            status = key.status
        assert status.lost <= kill
        assert status.used + status.lost == status.capacity - status.remaining
        assert len(seen) <= status.used + status.lost
        if status.remaining < 12:
            break
    assert len(set(seen)) == len(seen) >= 1


def test_a_generation_that_was_broken_off_goes_on(place: Place) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hasten.StatefulKey.generate(
            "LMS_SHA256_M24_H15_W4", place.key, place.guard, progress=stop
        )
    told: list[tuple[int, int]] = []
    key = hasten.StatefulKey.generate(
        "LMS_SHA256_M24_H15_W4", place.key, place.guard, progress=lambda *at: told.append(at)
    )
    assert told[-1][0] == told[-1][1]
    hasten.verify(key.public_key, b"message", key.sign(b"message"))
