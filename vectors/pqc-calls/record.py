#!/usr/bin/env python3
"""Records every SHA-3 and SHAKE call of ML-KEM-768 and ML-DSA-65 into calls.txt, from kyber-py and dilithium-py.

Example: python3 -m venv v && v/bin/pip install -r requirements.txt && v/bin/python record.py

A line is WAVE FUNCTION MESSAGE LENGTH OUTPUT: the calls of one wave do not wait for each other's output, those of the next may;
LENGTH counts the bytes of output that were used, OUTPUT has the first 32 of them at most. A wave is a run of calls of the same
function with messages of the same length that come one after another, as the matrices, vectors and masks are expanded.
"""

import hashlib
import pathlib
import sys

from dilithium_py.shake import shake_wrapper

CALLS = []


class Output(bytes):
    """Output that notes how much of it is read."""

    def __new__(cls, data, call):
        self = super().__new__(cls, data)
        self.call = call
        return self

    def __getitem__(self, index):
        end = index.stop if isinstance(index, slice) else index + 1
        self.call["length"] = max(self.call["length"], min(end, len(self)))
        return super().__getitem__(index)


def note(function, message, output, length):
    CALLS.append({"function": function, "message": bytes(message), "output": output, "length": length})
    return CALLS[-1]


def whole(name, function):
    """A function of hashlib as kyber-py calls it: the whole output is used."""

    class Recorded:
        def __init__(self, message):
            self.message = message

        def digest(self, *length):
            output = function(self.message).digest(*length)
            if length and length[0] == 840:  # the stream of SampleNTT: as much as is read
                call = note(name, self.message, output, 0)
                return Output(output, call)
            note(name, self.message, output, len(output))
            return output

    return Recorded


import kyber_py.ml_kem.ml_kem as kem

for name in ("sha3_256", "sha3_512", "shake_128", "shake_256"):
    setattr(kem, name, whole(name.replace("_", "-") if name.startswith("sha3") else name.replace("_", ""), getattr(hashlib, name)))


class Stream(shake_wrapper.Shake):
    """The streams of dilithium-py: what is read counts."""

    def absorb(self, message):
        super().absorb(message)
        self.call = note("shake128" if self.block_length == 168 else "shake256", message, None, 0)

    def read(self, n):
        data = super().read(n)
        self.call["length"] = self.index
        self.call["output"] = self.buf
        return data


import dilithium_py.ml_dsa.ml_dsa as dsa
import dilithium_py.polynomials.polynomials as polynomials

for module in (dsa, polynomials):
    for name, algorithm, rate in (("shake128", hashlib.shake_128, 168), ("shake256", hashlib.shake_256, 136)):
        if hasattr(module, name):
            setattr(module, name, Stream(algorithm, rate))

from dilithium_py.ml_dsa import ML_DSA_65
from kyber_py.ml_kem import ML_KEM_768


def lines(title, work):
    CALLS.clear()
    result = work()
    out, wave, kind = [f"op {title}"], -1, None
    for call in CALLS:
        now = (call["function"], len(call["message"]))
        wave += now != kind
        kind = now
        head = call["output"][: min(32, call["length"])]
        out.append(f"{wave} {call['function']} {call['message'].hex() or '-'} {call['length']} {head.hex()}")
    return out, result


def passes(sk, message):
    """How often signing starts again; 5.1 is the mean (FIPS 204, section 4 (Parameter Sets), Table 1)."""
    out, _ = lines("", lambda: ML_DSA_65.sign(sk, message, deterministic=True))
    return sum(line.split()[1:2] == ["shake256"] and line.split()[3] == "640" for line in out) / 5


def main():
    seed = bytes(range(32))
    text = []

    def run(title, work):
        out, result = lines(title, work)
        text.extend(out)
        return result

    ek, dk = run("ML-KEM-768 keygen", lambda: ML_KEM_768._keygen_internal(seed, seed[::-1]))
    key, c = run("ML-KEM-768 encaps", lambda: ML_KEM_768._encaps_internal(ek, seed))
    assert run("ML-KEM-768 decaps", lambda: ML_KEM_768.decaps(dk, c)) == key
    pk, sk = run("ML-DSA-65 keygen", lambda: ML_DSA_65._keygen_internal(seed))
    message = next(m for m in (b"recorded %d" % i for i in range(1000)) if passes(sk, m) == 5)
    sig = run("ML-DSA-65 sign", lambda: ML_DSA_65.sign(sk, message, deterministic=True))
    assert run("ML-DSA-65 verify", lambda: ML_DSA_65.verify(pk, message, sig))
    pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "calls.txt").write_text("\n".join(text) + "\n")


main()
