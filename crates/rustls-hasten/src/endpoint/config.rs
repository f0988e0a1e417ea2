//! Configurations of rustls: the trusted roots, the own certificates, and the offered algorithms.

use std::sync::Arc;

#[cfg(feature = "legacy")]
use hasten_keys::{registry::Family, x509};
use rustls::client::ClientConfig;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ServerConfig, WebPkiClientVerifier};
use rustls::version::TLS13;
use rustls::{RootCertStore, SupportedCipherSuite};
use zeroize::Zeroizing;

use super::Error;

/// Certificate chain and private key of one side.
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: Zeroizing<Vec<u8>>,
}

impl Identity {
    /// Returns the identity of a certificate chain, with the leaf before its authorities, and a key
    /// in PKCS #8.
    pub fn new(chain: Vec<Vec<u8>>, key: Zeroizing<Vec<u8>>) -> Self {
        Self { chain: chain.into_iter().map(CertificateDer::from).collect(), key }
    }

    fn key(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.to_vec()).into()
    }
}

/// Certificates that are trusted as roots.
pub struct Roots {
    store: RootCertStore,
    ders: Vec<Vec<u8>>,
}

impl Default for Roots {
    fn default() -> Self {
        Self { store: RootCertStore::empty(), ders: Vec::new() }
    }
}

impl Roots {
    /// Adds a root certificate.
    ///
    /// # Errors
    /// If rustls cannot read it.
    pub fn add(&mut self, der: Vec<u8>) -> Result<(), rustls::Error> {
        self.store.add(CertificateDer::from(der.as_slice()))?;
        self.ders.push(der);
        Ok(())
    }
}

/// Groups and cipher suites that one side offers, best first. An empty list stands for all of the
/// provider.
#[derive(Default)]
pub struct Offer {
    /// Groups of the key exchange.
    pub groups: Vec<&'static dyn SupportedKxGroup>,
    /// Cipher suites.
    pub suites: Vec<SupportedCipherSuite>,
    /// True if round-3 algorithms are accepted even if no given certificate has such a key.
    #[cfg(feature = "legacy")]
    pub legacy: bool,
}

impl Offer {
    /// Returns true if round-3 algorithms are accepted.
    #[cfg(feature = "legacy")]
    fn is_legacy<'d>(&self, mut given: impl Iterator<Item = &'d [u8]>) -> bool {
        let of_round3 = |family| matches!(family, Family::Falcon | Family::Dilithium);
        self.legacy
            || given.any(|der| x509::public_key(der).is_ok_and(|key| of_round3(key.row.family)))
    }

    #[cfg(feature = "legacy")]
    fn base<'d>(&self, given: impl Iterator<Item = &'d [u8]>) -> CryptoProvider {
        if self.is_legacy(given) { crate::legacy_provider() } else { crate::provider() }
    }

    #[cfg(not(feature = "legacy"))]
    fn base<'d>(&self, _given: impl Iterator<Item = &'d [u8]>) -> CryptoProvider {
        crate::provider()
    }

    /// Returns the provider of this offer, for the given certificates.
    fn provider<'d>(&self, given: impl Iterator<Item = &'d [u8]>) -> Arc<CryptoProvider> {
        let mut provider = self.base(given);
        if !self.groups.is_empty() {
            provider.kx_groups = self.groups.clone();
        }
        provider.cipher_suites.retain(|suite| suite.tls13().is_some());
        if !self.suites.is_empty() {
            provider.cipher_suites = self.suites.clone();
        }
        Arc::new(provider)
    }
}

/// Returns the given certificates: first the own ones, then the roots.
fn given<'d>(own: Option<&'d Identity>, roots: &'d [Vec<u8>]) -> impl Iterator<Item = &'d [u8]> {
    let own = own.into_iter().flat_map(|own| own.chain.iter().map(|der| der.as_ref()));
    own.chain(roots.iter().map(Vec::as_slice))
}

/// Returns a server's configuration. With `clients`, every client must present a certificate issued
/// under one of these roots.
///
/// # Errors
/// If rustls rejects the configuration.
pub fn server(
    offer: &Offer,
    own: &Identity,
    clients: Option<Roots>,
) -> Result<ServerConfig, Error> {
    let ders = clients.as_ref().map_or(&[][..], |roots| &roots.ders);
    let provider = offer.provider(given(Some(own), ders));
    let builder =
        ServerConfig::builder_with_provider(provider.clone()).with_protocol_versions(&[&TLS13])?;
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(roots) => {
            let roots = Arc::new(roots.store);
            let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
            builder.with_client_cert_verifier(verifier.map_err(Error::Clients)?)
        }
    };
    Ok(builder.with_single_cert(own.chain.clone(), own.key())?)
}

/// Returns a client's configuration.
///
/// # Errors
/// If rustls rejects the configuration.
pub fn client(offer: &Offer, own: Option<&Identity>, roots: Roots) -> Result<ClientConfig, Error> {
    let provider = offer.provider(given(own, &roots.ders));
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots.store);
    Ok(match own {
        Some(own) => builder.with_client_auth_cert(own.chain.clone(), own.key())?,
        None => builder.with_no_client_auth(),
    })
}
