//! Two parties with certificates of one algorithm, between which the measurements connect.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use hasten_kernels::Kernels;
use hasten_keys::encoding::encode_pkcs8;
use hasten_keys::x509::{self, New, Period, Role, Subject};
use hasten_keys::{Error as KeyError, registry, stateless};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::version::TLS13;
use rustls::{ClientConfig, RootCertStore, ServerConfig};

/// A root and a leaf certificate of one algorithm with the key of the leaf, all in DER.
pub struct Identity {
    /// Name of the algorithm.
    pub alg: &'static str,
    root: Vec<u8>,
    leaf: Vec<u8>,
    key: Vec<u8>,
}

/// The name in the leaf certificate.
const NAME: &str = "localhost";

fn fresh(alg: &str) -> Result<(stateless::Signer<'static>, Vec<u8>), KeyError> {
    let key = stateless::generate(registry::find(alg)?, Kernels::best())?;
    let der = encode_pkcs8(&key)?.to_vec();
    Ok((stateless::Signer::new(&key, Kernels::best())?, der))
}

fn of(role: Role, name: &str) -> New {
    let subject = Subject { name: name.into(), dns: vec![NAME.into()], ip: vec![] };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let not_before = now.map_or(0, |since| since.as_secs()).saturating_sub(86_400);
    New { role, subject, period: Period { not_before, not_after: not_before + 10 * 86_400 } }
}

impl Identity {
    /// Generates keys and certificates.
    pub fn new(alg: &'static str) -> Result<Self, KeyError> {
        let ((mut above, _), (own, key)) = (fresh(alg)?, fresh(alg)?);
        let root =
            x509::issue(&of(Role::Root, "root"), &above.public_key().clone(), None, &mut above)?;
        let public = own.public_key().clone();
        let leaf = x509::issue(&of(Role::Leaf, NAME), &public, Some(&root), &mut above)?;
        Ok(Self { alg, root, leaf, key })
    }

    /// Writes root, leaf and key to a folder.
    pub fn save(&self, place: &Path) -> io::Result<()> {
        fs::write(place.join("root"), &self.root)?;
        fs::write(place.join("leaf"), &self.leaf)?;
        fs::write(place.join("key"), &self.key)
    }

    /// Reads the files that one side needs of a saved identity: the server leaf and key, the client
    /// the root.
    pub fn load(place: &Path, server: bool) -> io::Result<Self> {
        let read = |name: &str, wanted: bool| match wanted {
            true => fs::read(place.join(name)),
            false => Ok(Vec::new()),
        };
        let (root, leaf) = (read("root", !server)?, read("leaf", server)?);
        Ok(Self { alg: "", root, leaf, key: read("key", server)? })
    }

    fn roots(&self) -> Result<RootCertStore, rustls::Error> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(self.root.clone()))?;
        Ok(roots)
    }

    fn own(&self) -> (Vec<CertificateDer<'static>>, PrivatePkcs8KeyDer<'static>) {
        (vec![CertificateDer::from(self.leaf.clone())], PrivatePkcs8KeyDer::from(self.key.clone()))
    }

    /// Returns a server with this leaf. With `mutual` it requires a client certificate under the
    /// same root.
    pub fn server(
        &self,
        provider: &Arc<CryptoProvider>,
        mutual: bool,
    ) -> Result<ServerConfig, rustls::Error> {
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&TLS13])?;
        let (chain, key) = self.own();
        let builder = match mutual {
            false => builder.with_no_client_auth(),
            true => {
                let roots = Arc::new(self.roots()?);
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(roots, provider.clone()).build();
                let verifier =
                    verifier.map_err(|error| rustls::Error::General(error.to_string()))?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        builder.with_single_cert(chain, key.into())
    }

    /// Returns a client that trusts the root. With `mutual` it presents the same leaf. Session
    /// resumption is disabled.
    pub fn client(
        &self,
        provider: &Arc<CryptoProvider>,
        mutual: bool,
    ) -> Result<ClientConfig, rustls::Error> {
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&TLS13])?
            .with_root_certificates(self.roots()?);
        let (chain, key) = self.own();
        let mut config = match mutual {
            true => builder.with_client_auth_cert(chain, key.into())?,
            false => builder.with_no_client_auth(),
        };
        config.resumption = rustls::client::Resumption::disabled();
        Ok(config)
    }
}
