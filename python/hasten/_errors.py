"""The exceptions, each with a hint. The module in Rust raises them by their names."""


class Error(Exception):
    """The base of every exception of Hasten."""

    hint: str = ""
    """Says what to do; empty where there is nothing to say."""


class BadSignature(Error):
    """The signature does not verify."""


class NotAKey(Error):
    """The bytes or the directory are no key, or a damaged one."""


class AlgorithmError(Error):
    """The algorithm is unknown, another one, or must be named."""

    hint = "'hasten list' shows the algorithms and the sets"


class NotBuiltIn(AlgorithmError):
    """The algorithm is known, and this build cannot compute with it."""

    hint = "build with the feature aws-lc for ML-DSA, ECDSA and RSA"


class PassphraseError(Error):
    """The passphrase is missing or wrong."""

    hint = "pass the one that the key was made with as passphrase"


class StorageError(Error):
    """Reading or writing failed, or the system gave no random bytes."""


class InternalError(Error):
    """A defect inside. A key that met one signs nothing any more."""

    hint = "please report it; open the key again to go on"


class StateError(Error):
    """The state of the key forbids it."""


class Refused(StateError):
    """The key is an old copy, or its guard or witness does not vouch for it."""

    hint = (
        "sign with the newest copy; if it is gone for good, 'hasten recover' shows what is known "
        "and goes on behind it"
    )


class Busy(StateError):
    """Another process has the key."""

    hint = "wait=SECONDS waits for it"


class Exhausted(StateError):
    """No index is left, or the key was retired."""

    hint = "make a new key"


class NearExhaustion(Exhausted):
    """So few indices are left that it must be said."""

    hint = "plan the next key; 'hasten sign --ack-exhaustion' lets this one sign on"


class Forked(StateError):
    """This process is a fork of the one that opened the key."""

    hint = "open the key in the process that signs, or start processes by spawn"


class Closed(StateError):
    """The key was closed, or the prepared signature is used up."""

    hint = "open the key again, or prepare another signature"
