//! Groups that rustls does not have: ML-KEM-512 alone, curves with ML-KEM-1024, ffdhe2048 and, with
//! the feature `legacy`, those of round-3 Kyber with the code points of that time. The groups with
//! ML-KEM-768 replace those of rustls: they exchange the same bytes in less time.

mod finite_field;

use aws_lc_rs::agreement::{self, ECDH_P521, EphemeralPrivateKey, UnparsedPublicKey};
use aws_lc_rs::rand::SystemRandom;
use hasten_keys::encoding::PublicKey;
use hasten_keys::kem;
use hasten_keys::registry::{self, Row};
use rustls::crypto::aws_lc_rs::ALL_KX_GROUPS;
use rustls::crypto::aws_lc_rs::kx_group::{MLKEM1024, SECP256R1, SECP384R1, X25519};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};
use zeroize::Zeroizing;

pub use finite_field::FFDHE2048;

/// ML-KEM-512 alone.
pub static MLKEM512: &dyn SupportedKxGroup = &Kem { name: "ML-KEM-512", number: 0x0200 };

static MLKEM768: Kem = Kem { name: "ML-KEM-768", number: 0x0201 };

/// The groups with ML-KEM-768, which rustls has too.
static WITH_768: [&dyn SupportedKxGroup; 3] = [
    &Pair { curve: X25519, order: Order::kem_first(32), kem: &MLKEM768, number: 0x11EC },
    &Pair { curve: SECP256R1, order: Order::curve_first(65), kem: &MLKEM768, number: 0x11EB },
    &MLKEM768,
];

/// P-384 with ML-KEM-1024 (RFC 10024).
pub static SECP384R1MLKEM1024: &dyn SupportedKxGroup =
    &Pair { curve: SECP384R1, order: Order::curve_first(97), kem: MLKEM1024, number: 0x11ED };

/// P-521 with ML-KEM-1024, under a private-use number. Both ends must use Hasten.
pub static SECP521R1MLKEM1024: &dyn SupportedKxGroup =
    &Pair { curve: &P521, order: Order::curve_first(133), kem: MLKEM1024, number: 0xFE21 };

/// P-521 alone, for comparison. rustls does not have this group.
pub static SECP521R1: &dyn SupportedKxGroup = &P521;

/// Round-3 Kyber, alone and combined with a curve, under the numbers that Open Quantum Safe and
/// wolfSSL gave it. For interoperability with programs of that time. Never among the offered
/// groups.
#[cfg(feature = "legacy")]
pub static KYBER: [&dyn SupportedKxGroup; 6] = [
    &KYBER512,
    &KYBER768,
    &KYBER1024,
    &Pair { curve: SECP256R1, order: Order::curve_first(65), kem: &KYBER512, number: 12090 },
    &Pair { curve: SECP384R1, order: Order::curve_first(97), kem: &KYBER768, number: 12092 },
    &Pair { curve: SECP521R1, order: Order::curve_first(133), kem: &KYBER1024, number: 12093 },
];

#[cfg(feature = "legacy")]
static KYBER512: Kem = Kem { name: "Kyber512", number: 570 };
#[cfg(feature = "legacy")]
static KYBER768: Kem = Kem { name: "Kyber768", number: 572 };
#[cfg(feature = "legacy")]
static KYBER1024: Kem = Kem { name: "Kyber1024", number: 573 };

/// Returns the group that replaces the rustls group `stock`, or `stock` itself if there is none.
pub(crate) fn stand_in(stock: &'static dyn SupportedKxGroup) -> &'static dyn SupportedKxGroup {
    WITH_768.into_iter().find(|group| group.name() == stock.name()).unwrap_or(stock)
}

/// Returns all groups for TLS 1.3: those of rustls, and those of this crate.
pub fn all_groups() -> Vec<&'static dyn SupportedKxGroup> {
    let ours = [SECP384R1MLKEM1024, MLKEM512, SECP521R1MLKEM1024, SECP521R1, FFDHE2048];
    let all = ALL_KX_GROUPS.iter().copied().map(stand_in).chain(ours);
    #[cfg(feature = "legacy")]
    let all = all.chain(KYBER.iter().copied());
    all.collect()
}

fn bad_share<E>(_: E) -> Error {
    Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare)
}

fn failed<E>(_: E) -> Error {
    Error::FailedToGetRandomBytes
}

/// A hybrid of two groups, whose shares and secrets are concatenated.
#[derive(Debug)]
struct Pair {
    curve: &'static dyn SupportedKxGroup,
    order: Order,
    kem: &'static dyn SupportedKxGroup,
    number: u16,
}

/// The order of the parts, and the length of a point of the curve in bytes.
#[derive(Clone, Copy, Debug)]
struct Order {
    point: usize,
    kem_first: bool,
}

impl Order {
    const fn curve_first(point: usize) -> Self {
        Self { point, kem_first: false }
    }

    const fn kem_first(point: usize) -> Self {
        Self { point, kem_first: true }
    }

    fn joined(self, curve: &[u8], kem: &[u8]) -> Vec<u8> {
        if self.kem_first { [kem, curve].concat() } else { [curve, kem].concat() }
    }

    fn joined_secret(self, curve: &SharedSecret, kem: &SharedSecret) -> SharedSecret {
        let both = self.joined(curve.secret_bytes(), kem.secret_bytes());
        SharedSecret::from(&Zeroizing::new(both)[..])
    }

    /// Returns the curve's share and the KEM's share.
    fn split(self, shares: &[u8]) -> Result<(&[u8], &[u8]), Error> {
        let rest = shares.len().checked_sub(self.point).ok_or(()).map_err(bad_share)?;
        let (first, last) = shares.split_at(if self.kem_first { rest } else { self.point });
        Ok(if self.kem_first { (last, first) } else { (first, last) })
    }
}

impl SupportedKxGroup for Pair {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let (curve, kem) = (self.curve.start()?, self.kem.start()?);
        let (order, group) = (self.order, self.name());
        let share = order.joined(curve.pub_key(), kem.pub_key());
        Ok(Box::new(ActivePair { curve, order, kem, share, group }))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let order = self.order;
        let (point, key) = order.split(peer)?;
        let curve = self.curve.start_and_complete(point)?;
        let kem = self.kem.start_and_complete(key)?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: order.joined(&curve.pub_key, &kem.pub_key),
            secret: order.joined_secret(&curve.secret, &kem.secret),
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::from(self.number)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

struct ActivePair {
    curve: Box<dyn ActiveKeyExchange>,
    order: Order,
    kem: Box<dyn ActiveKeyExchange>,
    share: Vec<u8>,
    group: NamedGroup,
}

impl ActiveKeyExchange for ActivePair {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let (point, ciphertext) = self.order.split(peer)?;
        let (curve, kem) = (self.curve.complete(point)?, self.kem.complete(ciphertext)?);
        Ok(self.order.joined_secret(&curve, &kem))
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        Some((self.curve.group(), self.curve.pub_key()))
    }

    fn complete_hybrid_component(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        self.curve.complete(peer)
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn group(&self) -> NamedGroup {
        self.group
    }
}

/// ECDH on P-521, which rustls does not have.
#[derive(Debug)]
struct P521;

impl SupportedKxGroup for P521 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let key =
            EphemeralPrivateKey::generate(&ECDH_P521, &SystemRandom::new()).map_err(failed)?;
        let point = key.compute_public_key().map_err(failed)?.as_ref().to_vec();
        Ok(Box::new(ActiveP521 { key, point }))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::secp521r1
    }
}

struct ActiveP521 {
    key: EphemeralPrivateKey,
    point: Vec<u8>,
}

impl ActiveKeyExchange for ActiveP521 {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let uncompressed = peer.first() == Some(&4);
        if !uncompressed {
            return Err(bad_share(()));
        }
        let peer = UnparsedPublicKey::new(&ECDH_P521, peer);
        agreement::agree_ephemeral(self.key, peer, bad_share(()), |secret| {
            Ok(SharedSecret::from(secret))
        })
    }

    fn pub_key(&self) -> &[u8] {
        &self.point
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::secp521r1
    }
}

/// A KEM from this project's registry, used alone.
#[derive(Debug)]
struct Kem {
    name: &'static str,
    number: u16,
}

impl Kem {
    fn row(&self) -> Result<&'static Row, Error> {
        registry::find(self.name).map_err(failed)
    }
}

impl SupportedKxGroup for Kem {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let (private, public) = kem::Decapsulator::generate(self.row()?).map_err(failed)?;
        Ok(Box::new(ActiveKem { private, public, group: self.name() }))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let key = PublicKey::new(self.row()?, peer).map_err(bad_share)?;
        let made = kem::encapsulate(&key).map_err(bad_share)?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: made.ciphertext,
            secret: SharedSecret::from(&made.shared[..]),
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::from(self.number)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

struct ActiveKem {
    private: kem::Decapsulator,
    public: PublicKey,
    group: NamedGroup,
}

impl ActiveKeyExchange for ActiveKem {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let shared = self.private.decapsulate(peer).map_err(bad_share)?;
        Ok(SharedSecret::from(&shared[..]))
    }

    fn pub_key(&self) -> &[u8] {
        &self.public.raw
    }

    fn group(&self) -> NamedGroup {
        self.group
    }
}
