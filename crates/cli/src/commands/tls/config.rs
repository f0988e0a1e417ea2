//! Configuration of an endpoint, from arguments and files.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasten_keys::encoding::encode_pkcs8;
use hasten_keys::registry;
use hasten_keys::x509;
use hasten_report::grouped;
use rustls::client::ClientConfig;
use rustls::crypto::SupportedKxGroup;
use rustls::server::ServerConfig;
use rustls::{KeyLog, NoKeyLog, SupportedCipherSuite};
use rustls_hasten::endpoint::config::{self, Identity, Offer, Roots};
use rustls_hasten::endpoint::key_log::Lines;
use rustls_hasten::endpoint::names::{self, NoGroup};
use rustls_hasten::flight::{Flight, MOST, OtherLeaf, other_leaf};

use crate::certificates;
use crate::commands::{Connect, Serve, Wanted};
use crate::error::{BadValue, Error};
use crate::files::{self, Old};
use crate::passphrase::Source;
use crate::private_key;

/// Certificates and key of one side, and the name of the key's algorithm.
pub struct Own {
    identity: Identity,
    /// Name of the key's algorithm.
    pub alg: &'static str,
}

impl Own {
    /// Reads certificates and key. A chain that a peer with rustls could not accept is an error
    /// here.
    pub fn read(cert: &Path, key: &Path, passphrase: &Source) -> Result<Self, Error> {
        if key.is_dir() {
            return Err(Error::StatefulInTls(key.to_owned()));
        }
        let ders = certificates::of(cert)?;
        let public = x509::public_key(&ders[0]).map_err(Error::key(cert))?;
        let own = private_key::read(key, passphrase)?;
        let der = encode_pkcs8(&own).map_err(Error::key(key))?;
        if own.row != public.row {
            return Err(Error::key(key)(hasten_keys::Error::NotThisKey));
        }
        must_fit(cert, &ders, public.row)?;
        Ok(Self { identity: Identity::new(ders, der), alg: &public.row.name })
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

/// Returns a sentence on a chain that works: one with another key in the leaf or with another
/// authority.
fn instead(lengths: &[usize], row: &registry::Row) -> String {
    let Some(OtherLeaf { alg, bytes }) = other_leaf(lengths, row) else {
        return "sign the certificates with smaller signatures: ML-DSA, or SLH-DSA of the s sets"
            .to_owned();
    };
    let bytes = grouped(bytes as u64);
    format!("a leaf of {alg} under the same authority takes {bytes} bytes")
}

/// Returns the requested groups and suites, in that order.
fn offer(wanted: &Wanted) -> Result<Offer, Error> {
    Ok(Offer {
        groups: wanted.groups.iter().map(|name| group(name)).collect::<Result<_, _>>()?,
        suites: wanted.suites.iter().map(|name| suite(name)).collect::<Result<_, _>>()?,
        #[cfg(feature = "legacy")]
        legacy: wanted.legacy,
    })
}

fn group(name: &str) -> Result<&'static dyn SupportedKxGroup, Error> {
    names::group(name).map_err(|why| match why {
        NoGroup::RoundThree { name, instead } => {
            Error::RoundThree { name: name.to_owned(), instead }
        }
        NoGroup::Unknown { near } => unknown("--group", "group", name, near),
        _ => unknown("--group", "group", name, vec![]),
    })
}

fn suite(name: &str) -> Result<SupportedCipherSuite, Error> {
    names::suite(name)
        .ok_or_else(|| unknown("--suite", "cipher suite", name, names::SUITES.to_vec()))
}

fn unknown(
    option: &'static str,
    what: &'static str,
    given: &str,
    near: Vec<&'static str>,
) -> Error {
    Error::Value { option, value: BadValue::Name { what, given: given.into(), near } }
}

/// Returns the root certificates in the files.
fn roots(paths: &[PathBuf]) -> Result<Roots, Error> {
    let mut roots = Roots::default();
    for path in paths {
        for der in certificates::of(path)? {
            let added = roots.add(der);
            added.map_err(|_| Error::key(path)(hasten_keys::Error::NotACertificate))?;
        }
    }
    Ok(roots)
}

/// File of the root certificates that the system trusts.
const SYSTEM_ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Returns a server's configuration; the key log is set for each connection.
pub fn server(args: &Serve, own: &Own) -> Result<ServerConfig, Error> {
    let clients = roots(&args.client_ca)?;
    let clients = Some(clients).filter(|_| !args.client_ca.is_empty());
    Ok(config::server(&offer(&args.wanted)?, &own.identity, clients)?)
}

/// Returns a client's configuration.
pub fn client(args: &Connect, own: Option<&Own>) -> Result<ClientConfig, Error> {
    let system = [PathBuf::from(SYSTEM_ROOTS)];
    let roots = roots(if args.ca.is_empty() { &system } else { &args.ca })?;
    Ok(config::client(&offer(&args.wanted)?, own.map(|own| &own.identity), roots)?)
}

/// Returns a key log in the format of NSS. Without a path, nothing is logged.
pub fn key_log(path: Option<&Path>) -> Result<Arc<dyn KeyLog>, Error> {
    let Some(path) = path else { return Ok(Arc::new(NoKeyLog)) };
    // The log is appended to, which would also damage a key's file or its guard.
    files::check(path, Old::Goes, &[])?;
    let mut options = OpenOptions::new();
    let opened = options.append(true).create(true).mode(0o600).open(path);
    let file =
        opened.map_err(|cause| Error::File { path: path.to_owned(), doing: "writing", cause })?;
    files::keeps_secrets(&file, path)?;
    Ok(Arc::new(Lines::new(file)))
}
