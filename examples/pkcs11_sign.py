"""Signs a file with a key behind PKCS#11, and needs nothing but PyKCS11 (pip install PyKCS11).

    HASTEN_PKCS11_CONF=pkcs11.toml python3 examples/pkcs11_sign.py MODULE LABEL FILE SIG [PIN]

MODULE is libhasten_pkcs11.so, LABEL the slot's label in the configuration, which
'hasten pkcs11 KEY --out pkcs11.toml' writes. The PIN is the key's passphrase, if it has one.
"""

import sys

try:
    import PyKCS11 as p
except ImportError:
    sys.exit(f"PyKCS11 is not there: pip install PyKCS11\n{__doc__}")

MECHANISM = {p.CKK_HSS: p.CKM_HSS, p.CKK_XMSS: p.CKM_XMSS, p.CKK_XMSSMT: p.CKM_XMSSMT}


def slot_of(token, label):
    """Returns the slot with this label."""
    labels = {token.getTokenInfo(slot).label.strip(): slot for slot in token.getSlotList()}
    if label not in labels:
        sys.exit(f"no slot {label!r}; there are {sorted(labels)}")
    return labels[label]


def main(module, label, file, out, pin=None):
    """Signs a file with the private key of the slot."""
    token = p.PyKCS11Lib()
    token.load(module)
    session = token.openSession(slot_of(token, label), p.CKF_RW_SESSION | p.CKF_SERIAL_SESSION)
    if pin is not None:
        session.login(pin)
    keys = session.findObjects([(p.CKA_CLASS, p.CKO_PRIVATE_KEY)])
    if not keys:
        sys.exit("the slot shows no private key: is a PIN needed?")
    [kind] = session.getAttributeValue(keys[0], [p.CKA_KEY_TYPE])
    if kind not in MECHANISM:
        sys.exit("PyKCS11 has no name for this key's algorithm")
    with open(file, "rb") as message:
        signature = session.sign(keys[0], message.read(), p.Mechanism(MECHANISM[kind]))
    with open(out, "wb") as written:
        written.write(bytes(signature))
    session.closeSession()


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
