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
//! The provider is that of aws-lc-rs, with these added:
//!
//! - groups SecP384r1MLKEM1024 (RFC 10024) and MLKEM512, behind those that rustls offers already;
//!   [`SECP521R1MLKEM1024`], under a private-use number, and [`FFDHE2048`] only where they are asked
//!   for;
//! - SLH-DSA (FIPS 205) in certificates and, under the numbers of its draft, in CertificateVerify;
//! - XMSS, XMSS^MT and HSS in certificates, as signatures of an authority only: a key that
//!   must write state to disk before each signature does not belong in a handshake, whose peer
//!   decides how often it happens.
//!
//! With the feature `legacy` there is another provider, `legacy_provider`, that takes Falcon and
//! Dilithium of round 3 as well, in certificates and, under the numbers of their time, in
//! CertificateVerify; and there are the groups `KYBER`. [`provider`] is the same with the feature and
//! without, for another crate of the program may have turned it on.
//!
//! The hybrids of rustls and the ones here follow the order of RFC 10024: the curve's share stands
//! in front, but for X25519MLKEM768.
//!
//! [`account`] reads what each message of a connection took off its own records; [`flight`] says
//! beforehand which chains are too long for rustls.
//!
//! All of it is behind the feature `provider`, which is on by default; `endpoint`, both ends of a
//! connection over TCP, is behind a feature of that name.
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

/// Returns the provider of aws-lc-rs with what Hasten adds.
pub fn provider() -> CryptoProvider {
    of(Known::Standards)
}

/// Works as [`provider`], and takes Falcon and Dilithium of round 3 in certificates and
/// CertificateVerify.
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
