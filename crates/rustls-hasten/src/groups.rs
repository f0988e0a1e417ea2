//! Groups that rustls does not have: ML-KEM-512 alone, curves with ML-KEM-1024, and, behind the
//! feature `legacy`, those of round-3 Kyber under the numbers of its time.

use aws_lc_rs::agreement::{self, ECDH_P521, EphemeralPrivateKey, UnparsedPublicKey};
use aws_lc_rs::rand::SystemRandom;
use hasten_keys::encoding::{PrivateKey, PublicKey};
use hasten_keys::kem;
use hasten_keys::registry::{self, Row};
use rustls::crypto::aws_lc_rs::ALL_KX_GROUPS;
#[cfg(feature = "legacy")]
use rustls::crypto::aws_lc_rs::kx_group::SECP256R1;
use rustls::crypto::aws_lc_rs::kx_group::{MLKEM1024, SECP384R1};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};

/// ML-KEM-512 alone.
pub static MLKEM512: &dyn SupportedKxGroup = &Kem { name: "ML-KEM-512", number: 0x0200 };

/// P-384 with ML-KEM-1024 (RFC 10024).
pub static SECP384R1MLKEM1024: &dyn SupportedKxGroup =
    &Pair { curve: SECP384R1, point: 97, kem: MLKEM1024, number: 0x11ED };

/// P-521 with ML-KEM-1024, under a private-use number: both ends must be Hasten's.
pub static SECP521R1MLKEM1024: &dyn SupportedKxGroup =
    &Pair { curve: &P521, point: 133, kem: MLKEM1024, number: 0xFE21 };

/// P-521 alone, for comparison: rustls has no such group.
pub static SECP521R1: &dyn SupportedKxGroup = &P521;

/// Round-3 Kyber, alone and behind a curve, under the numbers that Open Quantum Safe and wolfSSL
/// gave it: for those who must speak with what was built then. Never among the groups offered.
#[cfg(feature = "legacy")]
pub static KYBER: [&dyn SupportedKxGroup; 6] = [
    &KYBER512,
    &KYBER768,
    &KYBER1024,
    &Pair { curve: SECP256R1, point: 65, kem: &KYBER512, number: 12090 },
    &Pair { curve: SECP384R1, point: 97, kem: &KYBER768, number: 12092 },
    &Pair { curve: SECP521R1, point: 133, kem: &KYBER1024, number: 12093 },
];

#[cfg(feature = "legacy")]
static KYBER512: Kem = Kem { name: "Kyber512", number: 570 };
#[cfg(feature = "legacy")]
static KYBER768: Kem = Kem { name: "Kyber768", number: 572 };
#[cfg(feature = "legacy")]
static KYBER1024: Kem = Kem { name: "Kyber1024", number: 573 };

/// Lists every group of TLS 1.3 there is: those of rustls, and those here.
pub fn all_groups() -> Vec<&'static dyn SupportedKxGroup> {
    let ours = [SECP384R1MLKEM1024, MLKEM512, SECP521R1MLKEM1024, SECP521R1];
    let all = ALL_KX_GROUPS.iter().copied().chain(ours);
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

/// Two groups in one: shares and secrets in sequence, the curve's in front.
#[derive(Debug)]
struct Pair {
    curve: &'static dyn SupportedKxGroup,
    /// Bytes of a point.
    point: usize,
    kem: &'static dyn SupportedKxGroup,
    number: u16,
}

fn joined(curve: &[u8], kem: &[u8]) -> Vec<u8> {
    [curve, kem].concat()
}

fn joined_secret(curve: &SharedSecret, kem: &SharedSecret) -> SharedSecret {
    SharedSecret::from(joined(curve.secret_bytes(), kem.secret_bytes()))
}

impl SupportedKxGroup for Pair {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let (curve, kem) = (self.curve.start()?, self.kem.start()?);
        let share = joined(curve.pub_key(), kem.pub_key());
        let (point, group) = (self.point, self.name());
        Ok(Box::new(ActivePair { curve, point, kem, share, group }))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (point, key) = peer.split_at_checked(self.point).ok_or(()).map_err(bad_share)?;
        let curve = self.curve.start_and_complete(point)?;
        let kem = self.kem.start_and_complete(key)?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: joined(&curve.pub_key, &kem.pub_key),
            secret: joined_secret(&curve.secret, &kem.secret),
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
    point: usize,
    kem: Box<dyn ActiveKeyExchange>,
    share: Vec<u8>,
    group: NamedGroup,
}

impl ActiveKeyExchange for ActivePair {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let (point, ciphertext) = peer.split_at_checked(self.point).ok_or(()).map_err(bad_share)?;
        let (curve, kem) = (self.curve.complete(point)?, self.kem.complete(ciphertext)?);
        Ok(joined_secret(&curve, &kem))
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

/// ECDH on P-521, which rustls lacks.
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

/// A KEM of this project's registry, alone.
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
        let (private, public) = kem::generate(self.row()?).map_err(failed)?;
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
    private: PrivateKey,
    public: PublicKey,
    group: NamedGroup,
}

impl ActiveKeyExchange for ActiveKem {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let shared = kem::decapsulate(&self.private, peer).map_err(bad_share)?;
        Ok(SharedSecret::from(&shared[..]))
    }

    fn pub_key(&self) -> &[u8] {
        &self.public.raw
    }

    fn group(&self) -> NamedGroup {
        self.group
    }
}
