"""Runs the command of hasten-sign@.service behind a socket, as systemd does, and has files signed.

    test_units.py SERVICE HASTEN
"""

import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

CLIENTS = 4


def command_of(service: str, place: pathlib.Path) -> list[str]:
    """Returns the unit's command, with the folders that systemd would put in."""
    lines = pathlib.Path(service).read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith("ExecStart="))
    line = line.removeprefix("ExecStart=").replace("%S", f"{place}").replace("%d", f"{place}")
    assert "%" not in line, line
    return line.split()


def signed(path: pathlib.Path, message: bytes) -> bytes:
    """Sends a message, and returns what comes back."""
    with socket.socket(socket.AF_UNIX) as stream:
        stream.settimeout(60)
        connect(stream, path)
        stream.sendall(message)
        stream.shutdown(socket.SHUT_WR)
        return stream.makefile("rb").read()


def connect(stream: socket.socket, path: pathlib.Path) -> None:
    """Connects; a socket that is there already may not be listened to yet."""
    for _ in range(1000):
        try:
            return stream.connect(str(path))
        except ConnectionRefusedError:
            time.sleep(0.01)
    raise TimeoutError(path)


def main() -> None:
    service, hasten = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sign_behind_a_socket(service, hasten, pathlib.Path(folder))


def sign_behind_a_socket(service: str, hasten: str, place: pathlib.Path) -> None:
    """Runs the unit's command for several connections, and verifies what each was given."""
    (place / "hasten").mkdir()
    (place / "passphrase").write_text("of a test\n", encoding="utf-8")
    key, guard = place / "hasten/key", place / "hasten/guard.signer"
    make = [hasten, "keygen", "--alg", "LMS_SHA256_M24_H5_W8", "--store", key, "--guard", guard]
    subprocess.run([*make, "--passphrase-file", place / "passphrase", "--encrypt"], check=True, capture_output=True)
    listen = ["systemd-socket-activate", "--accept", "--inetd", f"--listen={place}/sign"]
    with open(place / "log", "wb") as log:
        server = subprocess.Popen([*listen, *command_of(service, place)], stderr=log)
    try:
        while not (place / "sign").exists():
            assert server.poll() is None, (place / "log").read_text(encoding="utf-8")
            time.sleep(0.01)
        signatures = sign_at_once(place)
    finally:
        server.terminate()
        server.wait()
    assert len(signatures) == CLIENTS, (place / "log").read_text(encoding="utf-8")
    for number, signature in signatures.items():
        (place / "message").write_bytes(b"firmware %d" % number)
        (place / "signature").write_bytes(signature)
        assert signature, (place / "log").read_text(encoding="utf-8")
        files = [place / "message", place / "signature"]
        subprocess.run([hasten, "verify", "-p", key / "public.pem", *files], check=True, capture_output=True)
    # The index of a signature of HSS with one level stands behind the number of levels.
    indices = {signature[4:8] for signature in signatures.values()}
    assert len(indices) == CLIENTS, "two connections have one index"


def sign_at_once(place: pathlib.Path) -> dict[int, bytes]:
    """Returns the signatures of several messages that come at the same time."""
    signatures = {}

    def run(number: int) -> None:
        try:
            signatures[number] = signed(place / "sign", b"firmware %d" % number)
        except OSError:
            signatures[number] = b""

    threads = [threading.Thread(target=run, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return signatures


main()
