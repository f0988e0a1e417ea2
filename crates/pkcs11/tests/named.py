"""PyKCS11, a client that others wrote, with the mechanisms and attributes of HSS and XMSS by name.

    named.py MODULE SLOT KIND FILE

makes a pair in the slot, signs "firmware" twice, verifies, and writes the second signature; KIND is
HSS, XMSS or XMSSMT.
"""

import struct
import sys

import PyKCS11 as p

PIN = "12345678"
MESSAGE, OTHER = b"firmware", b"firmwarE"


def number(value):
    """Returns a number as the module reads it."""
    return struct.pack("@L", value)


# HSS has two levels, LMS_SHA256_M32_H5 with LMOTS_SHA256_N32_W4 and _W8; the others are
# XMSS-SHA2_10_256 and XMSSMT-SHA2_20/4_256. The set is an attribute of the private key, or of the
# public one.
LEVELS = [
    (p.CKA_HSS_LEVELS, number(2)),
    (p.CKA_HSS_LMS_TYPES, number(5) + number(5)),
    (p.CKA_HSS_LMOTS_TYPES, number(3) + number(4)),
]
KINDS = {
    "HSS": (p.CKM_HSS_KEY_PAIR_GEN, p.CKM_HSS, p.CKK_HSS, [], LEVELS),
    "XMSS": (p.CKM_XMSS_KEY_PAIR_GEN, p.CKM_XMSS, p.CKK_XMSS, [(p.CKA_PARAMETER_SET, number(1))], []),
    "XMSSMT": (p.CKM_XMSSMT_KEY_PAIR_GEN, p.CKM_XMSSMT, p.CKK_XMSSMT, [(p.CKA_PARAMETER_SET, number(2))], []),
}


def main(module, slot, kind, file):
    """Makes a pair, signs twice, and verifies."""
    generate, by, key_type, public_set, private_set = KINDS[kind]
    token = p.PyKCS11Lib()
    token.load(module)
    names = {p.CKM[generate], p.CKM[by]}
    assert names <= set(token.getMechanismList(slot)), token.getMechanismList(slot)
    session = token.openSession(slot, p.CKF_RW_SESSION | p.CKF_SERIAL_SESSION)
    session.login(PIN)
    on = [(p.CKA_TOKEN, p.CK_TRUE)]
    public, private = session.generateKeyPair(on + public_set, on + private_set, p.Mechanism(generate))
    assert session.getAttributeValue(private, [p.CKA_KEY_TYPE]) == [key_type]
    signatures = [bytes(session.sign(private, MESSAGE, p.Mechanism(by))) for _ in range(2)]
    for signature in signatures:
        assert session.verify(public, MESSAGE, signature, p.Mechanism(by))
        assert not session.verify(public, OTHER, signature, p.Mechanism(by))
    assert signatures[0] != signatures[1], "each takes an index of its own"
    if kind == "HSS":
        left = session.getAttributeValue(private, [p.CKA_HSS_KEYS_REMAINING])[0]
        assert bytes(left) == number(1024 - 2), left
    with open(file, "wb") as out:
        out.write(signatures[1])
    print(f"{kind}: two signatures of {len(signatures[0])} bytes")


main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
