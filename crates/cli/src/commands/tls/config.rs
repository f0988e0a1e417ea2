//! From arguments to what rustls asks for.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hasten_keys::encoding::encode_pkcs8;
#[cfg(feature = "legacy")]
use hasten_keys::registry::Family;
use hasten_keys::registry::{self, Era, Kind};
use hasten_keys::x509;
use rustls::client::ClientConfig;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ServerConfig, WebPkiClientVerifier};
use rustls::version::TLS13;
use rustls::{CipherSuite, KeyLog, NoKeyLog, RootCertStore, SupportedCipherSuite};
use rustls_hasten::endpoint::reason;
use rustls_hasten::flight::{Flight, MOST};
use zeroize::Zeroizing;

use crate::commands::{Connect, Serve, Wanted};
use crate::error::{BadValue, Error};
use crate::files::{self, Old};
use crate::passphrase::Source;
use crate::suggest;
use crate::table::grouped;

/// Certificates and key of one side, and the name of the key's algorithm.
pub struct Own {
    chain: Vec<CertificateDer<'static>>,
    key: Zeroizing<Vec<u8>>,
    /// Name of the algorithm.
    pub alg: &'static str,
}

impl Own {
    /// Reads them; a chain that rustls could not take from its peer is refused here already.
    pub fn read(cert: &Path, key: &Path, passphrase: &Source) -> Result<Self, Error> {
        if key.is_dir() {
            return Err(Error::StatefulInTls(key.to_owned()));
        }
        let ders = x509::certificates(&files::read(cert)?).map_err(Error::key(cert))?;
        let public = x509::public_key(&ders[0]).map_err(Error::key(cert))?;
        let own = files::private_key(key, passphrase)?;
        let der = encode_pkcs8(&own).map_err(Error::key(key))?;
        if own.row != public.row {
            return Err(Error::key(key)(hasten_keys::Error::NotThisKey));
        }
        must_fit(cert, &ders, public.row)?;
        let chain = ders.into_iter().map(CertificateDer::from).collect();
        Ok(Self { chain, key: der, alg: &public.row.name })
    }

    fn key(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.to_vec()).into()
    }
}

fn must_fit(path: &Path, ders: &[Vec<u8>], row: &'static registry::Row) -> Result<(), Error> {
    let lengths: Vec<_> = ders.iter().map(Vec::len).collect();
    let flight = Flight::new(&lengths, row.sizes.output);
    if flight.fits() {
        return Ok(());
    }
    Err(Error::FlightTooLong {
        path: path.to_owned(),
        bytes: flight.bytes(),
        most: MOST,
        instead: instead(&lengths, row),
    })
}

/// Returns the chain that does work, in a sentence: another key in the leaf, or another authority.
fn instead(lengths: &[usize], row: &registry::Row) -> String {
    let Ok(other) = registry::find("ML-DSA-65") else { return String::new() };
    let (leaf, above) = lengths.split_first().unwrap_or((&0, &[]));
    let with_leaf = leaf + other.sizes.public - row.sizes.public.min(*leaf);
    let lengths = [&[with_leaf], above].concat();
    let flight = Flight::new(&lengths, other.sizes.output);
    if flight.fits() {
        return format!(
            "a leaf of {} under the same authority takes {} bytes",
            other.name,
            grouped(flight.bytes() as u64)
        );
    }
    "sign the certificates with smaller signatures: ML-DSA, or SLH-DSA of the s sets".to_owned()
}

/// Returns whether algorithms of round 3 are asked for, by `--legacy` or by a certificate with a
/// key of theirs.
#[cfg(feature = "legacy")]
fn is_legacy<'d>(wanted: &Wanted, mut given: impl Iterator<Item = &'d [u8]>) -> bool {
    let of_round3 = |family| matches!(family, Family::Falcon | Family::Dilithium);
    wanted.legacy
        || given.any(|der| x509::public_key(der).is_ok_and(|key| of_round3(key.row.family)))
}

#[cfg(feature = "legacy")]
fn base<'d>(wanted: &Wanted, given: impl Iterator<Item = &'d [u8]>) -> CryptoProvider {
    match is_legacy(wanted, given) {
        true => rustls_hasten::legacy_provider(),
        false => rustls_hasten::provider(),
    }
}

#[cfg(not(feature = "legacy"))]
fn base<'d>(_wanted: &Wanted, _given: impl Iterator<Item = &'d [u8]>) -> CryptoProvider {
    rustls_hasten::provider()
}

/// Returns the provider with the groups and suites asked for, in that order, for the certificates
/// given.
fn provider<'d>(
    wanted: &Wanted,
    given: impl Iterator<Item = &'d [u8]>,
) -> Result<Arc<CryptoProvider>, Error> {
    let mut provider = base(wanted, given);
    if !wanted.groups.is_empty() {
        let groups: Result<Vec<_>, Error> = wanted.groups.iter().map(|name| group(name)).collect();
        provider.kx_groups = groups?;
    }
    provider.cipher_suites.retain(|suite| suite.tls13().is_some());
    if !wanted.suites.is_empty() {
        let all = provider.cipher_suites.clone();
        let suites: Result<Vec<_>, Error> =
            wanted.suites.iter().map(|name| suite(name, &all)).collect();
        provider.cipher_suites = suites?;
    }
    Ok(Arc::new(provider))
}

/// Returns a group by any of its names. Round-3 Kyber is refused where this build does not have it,
/// with today's group named; under its numbers there is never anything else.
pub fn group(name: &str) -> Result<&'static dyn SupportedKxGroup, Error> {
    let all = rustls_hasten::all_groups();
    let row = registry::find(name).ok();
    let now = row.and_then(|row| {
        let of_today = |era: &Era| matches!(era, Era::Standard | Era::Private);
        let kyber = row.name.contains("Kyber");
        row.tls.iter().find(|(era, _)| of_today(era) || kyber)
    });
    if let Some(found) =
        now.and_then(|(_, number)| all.iter().find(|g| u16::from(g.name()) == *number))
    {
        return Ok(*found);
    }
    let round_three = row.filter(|row| matches!(row.kind, Kind::Kem | Kind::Agreement));
    if let Some((row, now)) = round_three.and_then(|row| Some((row, registry::successor(row)?))) {
        return Err(Error::RoundThree { name: row.name.clone(), instead: name_of(now) });
    }
    let names = all.iter().map(|group| group_name(group.name()));
    let near = names.collect::<Vec<_>>();
    let near = suggest::nearest(name, near.iter().copied());
    Err(Error::Value {
        option: "--group",
        value: BadValue::Name { what: "group", given: name.into(), near },
    })
}

/// Returns the name of a group in the registry.
pub fn group_name(group: rustls::NamedGroup) -> &'static str {
    let meanings = registry::tls_meanings(u16::from(group));
    meanings.first().map_or("unknown", |meaning| name_of(meaning.row))
}

/// Returns what a row is called as a group: ML-KEM without its hyphens.
fn name_of(row: &'static registry::Row) -> &'static str {
    let short = row.alias_of(registry::Naming::Short);
    short.filter(|name| name.starts_with("MLKEM")).unwrap_or(&row.name)
}

/// Returns the name of a suite in the standard.
pub fn suite_name(suite: CipherSuite) -> String {
    suite.as_str().unwrap_or("unknown").replacen("TLS13_", "TLS_", 1)
}

fn suite(name: &str, all: &[SupportedCipherSuite]) -> Result<SupportedCipherSuite, Error> {
    let same = |suite: &&SupportedCipherSuite| suite_name(suite.suite()).eq_ignore_ascii_case(name);
    all.iter().find(same).copied().ok_or_else(|| {
        let near = vec![
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
        ];
        Error::Value {
            option: "--suite",
            value: BadValue::Name { what: "cipher suite", given: name.into(), near },
        }
    })
}

/// Returns the roots in the files, and the certificates themselves.
fn roots(paths: &[PathBuf]) -> Result<(RootCertStore, Vec<Vec<u8>>), Error> {
    let (mut roots, mut ders) = (RootCertStore::empty(), Vec::new());
    for path in paths {
        for der in x509::certificates(&files::read(path)?).map_err(Error::key(path))? {
            let added = roots.add(CertificateDer::from(der.as_slice()));
            added.map_err(|_| Error::key(path)(hasten_keys::Error::NotACertificate))?;
            ders.push(der);
        }
    }
    Ok((roots, ders))
}

/// Returns the certificates given: one's own, then the roots.
fn given<'d>(own: Option<&'d Own>, roots: &'d [Vec<u8>]) -> impl Iterator<Item = &'d [u8]> {
    let own = own.into_iter().flat_map(|own| own.chain.iter().map(|der| der.as_ref()));
    own.chain(roots.iter().map(Vec::as_slice))
}

/// Holds what the system trusts.
const SYSTEM_ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";

fn unusable(error: rustls::Error) -> Error {
    Error::Tls(reason::of(&error))
}

/// Returns a server's configuration; the key log is set for each connection.
pub fn server(args: &Serve, own: &Own) -> Result<ServerConfig, Error> {
    let (roots, ders) = roots(&args.client_ca)?;
    let provider = provider(&args.wanted, given(Some(own), &ders))?;
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])
        .map_err(unusable)?;
    let builder = match args.client_ca.is_empty() {
        true => builder.with_no_client_auth(),
        false => {
            let roots = Arc::new(roots);
            let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
            let verifier = verifier.map_err(|error| Error::Tls(error.to_string()))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    builder.with_single_cert(own.chain.clone(), own.key()).map_err(unusable)
}

/// Returns a client's configuration.
pub fn client(args: &Connect, own: Option<&Own>) -> Result<ClientConfig, Error> {
    let system = [PathBuf::from(SYSTEM_ROOTS)];
    let (roots, ders) = roots(if args.ca.is_empty() { &system } else { &args.ca })?;
    let provider = provider(&args.wanted, given(own, &ders))?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .map_err(unusable)?
        .with_root_certificates(roots);
    match own {
        Some(own) => builder.with_client_auth_cert(own.chain.clone(), own.key()).map_err(unusable),
        None => Ok(builder.with_no_client_auth()),
    }
}

/// Returns a key log in the format of NSS, or none.
pub fn key_log(path: Option<&Path>) -> Result<Arc<dyn KeyLog>, Error> {
    let Some(path) = path else { return Ok(Arc::new(NoKeyLog)) };
    // It is appended to: a key's file or its guard would be damaged by that as well.
    files::check(path, Old::Goes, &[])?;
    let mut options = OpenOptions::new();
    let opened = options.append(true).create(true).mode(0o600).open(path);
    let file =
        opened.map_err(|cause| Error::File { path: path.to_owned(), doing: "writing", cause })?;
    Ok(Arc::new(KeyFile(Mutex::new(file))))
}

#[derive(Debug)]
struct KeyFile(Mutex<std::fs::File>);

impl KeyLog for KeyFile {
    fn log(&self, label: &str, client_random: &[u8], secret: &[u8]) {
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        let line = Zeroizing::new(format!("{label} {} {}\n", hex(client_random), hex(secret)));
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that cannot be written must not end the connection.
        let _ = file.write_all(line.as_bytes());
    }
}
