//! Post-quantum groups and hash-based signatures for rustls.
//!
#![cfg_attr(feature = "provider", doc = "```")]
#![cfg_attr(not(feature = "provider"), doc = "```ignore")]
//! use std::sync::Arc;
//! use rustls::{ClientConfig, RootCertStore};
//!
//! let provider = Arc::new(rustls_hasten::provider());
//! let config = ClientConfig::builder_with_provider(provider)
//!     .with_protocol_versions(&[&rustls::version::TLS13])?
//!     .with_root_certificates(RootCertStore::empty())
//!     .with_no_client_auth();
//! # let _ = config;
//! # Ok::<(), rustls::Error>(())
//! ```
//!
//! The provider is that of aws-lc-rs with these additions:
//!
//! - groups SecP384r1MLKEM1024 (RFC 10024) and MLKEM512, after those that rustls already offers;
//!   [`SECP521R1MLKEM1024`], under a private-use number, and [`FFDHE2048`] only if they are
//!   requested;
//! - SLH-DSA (FIPS 205) in certificates and, under the numbers of its draft, in CertificateVerify;
//! - XMSS, XMSS^MT and HSS in certificates, only as signatures of an authority: a key that must
//!   write state to disk before each signature does not belong in a handshake, because the peer
//!   decides how often a handshake happens.
//!
//! The feature `legacy` adds another provider, `legacy_provider`, which also accepts Falcon and
//! Dilithium of round 3, in certificates and, under the numbers of their time, in
//! CertificateVerify. It also adds the groups `KYBER`. The feature does not change [`provider`],
//! because another crate of the program may have enabled it.
//!
//! The hybrids of rustls and of this crate follow the order of RFC 10024: the curve's share comes
//! first, except in X25519MLKEM768.
//!
//! [`account`] reads the length of each message of a connection from its records. [`flight`] tells
//! in advance which certificate chains are too long for rustls.
//!
//! Everything requires the feature `provider`, which is on by default. `endpoint`, which has both
//! ends of a connection over TCP, requires the feature of that name.
#![cfg(feature = "provider")]

pub mod account;
#[cfg(feature = "endpoint")]
pub mod endpoint;
pub mod flight;
mod groups;
mod sign;
mod verify;

#[cfg(feature = "legacy")]
pub use groups::KYBER;
pub use groups::{
    FFDHE2048, MLKEM512, SECP384R1MLKEM1024, SECP521R1, SECP521R1MLKEM1024, all_groups,
};

use rustls::crypto::{CryptoProvider, aws_lc_rs};

use verify::Known;

/// Returns the provider of aws-lc-rs with Hasten's additions.
pub fn provider() -> CryptoProvider {
    of(Known::Standards)
}

/// Returns the provider of [`provider`], which also accepts Falcon and Dilithium of round 3 in
/// certificates and CertificateVerify.
#[cfg(feature = "legacy")]
pub fn legacy_provider() -> CryptoProvider {
    of(Known::Legacy)
}

fn of(known: Known) -> CryptoProvider {
    let stock = aws_lc_rs::default_provider();
    let mut kx_groups: Vec<_> = stock.kx_groups.iter().copied().map(groups::stand_in).collect();
    let offered = |name| kx_groups.iter().any(|group| group.name() == name);
    let missing = [SECP384R1MLKEM1024, MLKEM512].into_iter().filter(|group| !offered(group.name()));
    let missing: Vec<_> = missing.collect();
    kx_groups.extend(missing);
    CryptoProvider {
        kx_groups,
        signature_verification_algorithms: verify::algorithms(known),
        key_provider: sign::key_provider(known),
        ..stock
    }
}
