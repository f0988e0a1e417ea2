"""Post-quantum signatures, with one-time keys that are never used twice.

`StatefulKey` signs with a key that has a state, `Key` with one that has none, and `verify`
verifies the signatures of both. Every exception is an `Error`, and its `hint` says what to do.
"""

from ._errors import (
    AlgorithmError,
    BadSignature,
    Busy,
    Closed,
    Error,
    Exhausted,
    Forked,
    InternalError,
    NearExhaustion,
    NotAKey,
    NotBuiltIn,
    PassphraseError,
    Refused,
    StateError,
    StorageError,
)
from ._hasten import (
    Key,
    Prepared,
    PublicKey,
    Secret,
    StatefulKey,
    Status,
    __version__,
    verify,
)

__all__ = [
    "AlgorithmError",
    "BadSignature",
    "Busy",
    "Closed",
    "Error",
    "Exhausted",
    "Forked",
    "InternalError",
    "Key",
    "NearExhaustion",
    "NotAKey",
    "NotBuiltIn",
    "PassphraseError",
    "Prepared",
    "PublicKey",
    "Refused",
    "Secret",
    "StateError",
    "StatefulKey",
    "Status",
    "StorageError",
    "__version__",
    "verify",
]
