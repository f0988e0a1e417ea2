"""COSE_Sign1 by other libraries: the structure by pycose, HSS/LMS by pyhsslms, ML-DSA by fido2.

    peer.py verify ALG PUBLIC FILE [PAYLOAD]   status 1 if it is refused
    peer.py sign ALG PREFIX PAYLOAD            with a new key: PREFIX.pub, PREFIX.cose, PREFIX.detached

Keys are raw. pycose knows neither algorithm and is told their numbers: it reads the structure and
makes what is signed, and the number in the protected header says by which library that is verified.
"""

import sys

import pyhsslms
from cryptography.hazmat.primitives.asymmetric import mldsa
from fido2 import cose
from pycose.algorithms import CoseAlgorithm
from pycose.headers import Algorithm
from pycose.messages import CoseMessage, Sign1Message

HSS_LMS = -46
NUMBERS = {"HSS-LMS": HSS_LMS, "ML-DSA-44": -48, "ML-DSA-65": -49, "ML-DSA-87": -50}
for name, number in NUMBERS.items():
    CoseAlgorithm.register_attribute()(type(name, (CoseAlgorithm,), {"identifier": number, "fullname": name}))


def number_in(message):
    """Returns the number in the protected header, which has nothing else."""
    if list(message.phdr) != [Algorithm] or message.uhdr:
        raise ValueError("other headers")
    return message.phdr[Algorithm].identifier


def is_signature(number, public, message, signature):
    """Returns whether the signature is that of the key, by the library that has the number."""
    if number == HSS_LMS:
        return pyhsslms.HssPublicKey.deserialize(public).verify(message, signature)
    try:
        cose.CoseKey.for_alg(number)({1: 7, 3: number, -1: public}).verify(message, signature)
    except Exception as refused:
        print(type(refused).__name__, file=sys.stderr)
        return False
    return True


def verify(algorithm, public, file, payload=None):
    """Returns whether the structure is signed by the key, with this algorithm."""
    message = CoseMessage.decode(file)
    assert isinstance(message, Sign1Message)
    number = number_in(message)
    signed = message._create_sig_structure(payload)
    good = number == NUMBERS[algorithm]
    return good and is_signature(number, public, signed, message.signature)


def new_key(algorithm):
    """Returns the raw public key of a new key, and what signs with it."""
    if algorithm == "HSS-LMS":
        key = pyhsslms.HssPrivateKey(levels=2)
        return key.publicKey().serialize(), key.sign
    key = getattr(mldsa, algorithm.replace("-", "") + "PrivateKey").generate()
    return key.public_key().public_bytes_raw(), key.sign


def sign(algorithm, prefix, payload):
    """Writes a new key, and the payload signed, in the structure and beside it."""
    public, by = new_key(algorithm)
    for ending, attached in ((".cose", True), (".detached", False)):
        message = Sign1Message(phdr={1: NUMBERS[algorithm]}, payload=payload if attached else None)
        message.signature = by(message._create_sig_structure(None if attached else payload))
        write(prefix + ending, message.encode(sign=False))
    write(prefix + ".pub", public)


def read(name):
    """Returns the bytes of a file."""
    with open(name, "rb") as file:
        return file.read()


def write(name, content):
    """Writes the bytes of a file."""
    with open(name, "wb") as file:
        file.write(content)


if sys.argv[1] == "sign":
    sign(sys.argv[2], sys.argv[3], read(sys.argv[4]))
else:
    is_good = verify(sys.argv[2], *map(read, sys.argv[3:]))
    print("good" if is_good else "bad")
    sys.exit(0 if is_good else 1)
