"""The types of the module in Rust."""

from collections.abc import Callable
from os import PathLike
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias, final

from typing_extensions import Buffer

__all__ = [
    "Key",
    "Prepared",
    "PublicKey",
    "Secret",
    "StatefulKey",
    "Status",
    "__version__",
    "verify",
]

__version__: Final[str]

_Path: TypeAlias = str | PathLike[str]
_Passphrase: TypeAlias = str | bytes | bytearray
_Level: TypeAlias = Literal["none", "early-auth", "secrets", "masks", "chain-table"]

def verify(
    public_key: PublicKey | Buffer | str, message: Buffer, signature: Buffer, /
) -> None:
    """Verify a signature of a message.

    The key is a `PublicKey`, or PEM, DER or raw bytes that are read as one.

    Raises:
        BadSignature: the signature is not good, whatever is wrong with it.
        NotAKey, AlgorithmError: it could not be asked.
    """

@final
class PublicKey:
    """A public key."""

    def __new__(cls, data: Buffer | str, algorithm: str | None = None) -> Self:
        """Read PEM, DER (SubjectPublicKeyInfo) or the raw bytes of the algorithm's standard.

        `algorithm` names it where raw bytes fit several.
        """

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""

    @property
    def raw(self) -> bytes:
        """The raw bytes of the algorithm's standard; of one LMS tree those of HSS."""

    @property
    def der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""

    @property
    def pem(self) -> str:
        """SubjectPublicKeyInfo, PEM."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Secret:
    """Secret bytes, zeroised when they are wiped, or not needed any more.

    As a context manager it wipes them at the end. `bytes(secret)` is a copy, which Python does not
    zeroise.
    """

    def __len__(self) -> int: ...
    def __bytes__(self) -> bytes: ...
    def write(self, path: _Path) -> None:
        """Write the bytes to a new file that its owner alone may read."""

    def wipe(self) -> None:
        """Fill the bytes with zeros."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

@final
class Key:
    """A private key without a state, ready to sign. Threads may share it."""

    @classmethod
    def generate(cls, algorithm: str) -> tuple[Key, Secret]:
        """Generate a key, and return it with its private form: PKCS#8 in PEM."""

    @classmethod
    def from_pem(cls, pem: Secret | Buffer | str) -> Key:
        """Read a private key from PKCS#8 in PEM."""

    @property
    def public_key(self) -> PublicKey:
        """The public half."""

    def sign(self, message: Buffer) -> bytes:
        """Sign a message."""

@final
class Status:
    """The account of a key: what has become of its indices."""

    @property
    def capacity(self) -> int:
        """Indices of the whole key."""

    @property
    def used(self) -> int:
        """Recorded as used."""

    @property
    def lost(self) -> int:
        """Reserved, and never recorded: not available any more."""

    @property
    def burned(self) -> int:
        """Given up on purpose."""

    @property
    def given(self) -> int:
        """Given to shards."""

    @property
    def reserved(self) -> int:
        """Reserved by the session that holds the key now."""

    @property
    def remaining(self) -> int:
        """Can still be reserved."""

@final
class Prepared:
    """A signature that waits for its message. It holds one index of its key.

    As a context manager it gives the index up if no message was signed.
    """

    @property
    def index(self) -> int:
        """The index that the signature uses up."""

    def finish(self, message: Buffer) -> bytes:
        """Sign a message, once.

        Raises:
            Closed: it signed already, or was given up, or the key is closed.
        """

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

@final
class StatefulKey:
    """A key with a state, open and owned by this process.

    No index signs twice: each is reserved on the disk before it is used. Threads may share the key,
    and a child of a fork may not use it. As a context manager it closes at the end.
    """

    @classmethod
    def generate(
        cls,
        algorithm: str,
        path: _Path,
        guard: _Path,
        *,
        passphrase: _Passphrase | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> StatefulKey:
        """Make a key of the set `algorithm` in the new directory `path`, and open it.

        The guard is a file outside of the directory that remembers how far the key was used: put it
        where no backup of the directory goes. A passphrase seals the secret; a `bytearray` is
        filled with zeros when it was read. `progress` is told how many leaves are done, of how
        many. Ctrl-C, and an exception of `progress`, break off, and the same call goes on later.
        """

    @classmethod
    def open(
        cls,
        path: _Path,
        *,
        guard: _Path | None = None,
        passphrase: _Passphrase | None = None,
        wait: float = 0.0,
    ) -> StatefulKey:
        """Open the key in a directory, which this process alone then has.

        `guard` is named only if it has moved. `wait` is how many seconds another process may take
        to let the key go.

        Raises:
            Refused: the directory is an old copy.
            Busy: another process has the key.
        """

    @property
    def public_key(self) -> PublicKey:
        """The public key."""

    @property
    def remaining(self) -> int:
        """How many signatures are left."""

    @property
    def status(self) -> Status:
        """The account."""

    def sign(self, message: Buffer) -> bytes:
        """Reserve an index on the disk, and sign a message with it."""

    def prepare(self, level: _Level = "chain-table") -> Prepared:
        """Reserve an index, and compute what needs no message, up to a level."""

    def close(self) -> Status | None:
        """End the session, and return the account; None if the key is closed already."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...
