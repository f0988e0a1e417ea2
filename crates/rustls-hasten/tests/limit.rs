//! The limit of rustls on one flight of a peer, tested at its edge with certificates that contain
//! many names.

use std::sync::Arc;

use hasten_kernels::Kernels;
use hasten_keys::encoding::encode_pkcs8;
use hasten_keys::x509::{self, New, Period, Role, Subject};
use hasten_keys::{registry, stateless};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::version::TLS13;
use rustls::{
    ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig, ServerConnection,
};
use rustls_hasten::flight::{Flight, MOST};
use rustls_hasten::provider;

const NOW: Period = Period { not_before: 1_600_000_000, not_after: 4_000_000_000 };

fn fresh() -> stateless::Signer<'static> {
    let row = registry::find("Ed25519").unwrap();
    let key = stateless::generate(row, Kernels::best()).unwrap();
    stateless::Signer::new(&key, Kernels::best()).unwrap()
}

/// Returns a DNS name of this many characters.
fn name(length: usize) -> String {
    let mut name: String = "abcdefghi.".chars().cycle().take(length - 1).collect();
    name.push('z');
    name
}

struct Chain {
    root: Vec<u8>,
    leaf: Vec<u8>,
    key: Vec<u8>,
}

/// Returns a leaf under a root, padded with names. The last name has `last` characters.
fn issue(names: usize, last: usize) -> Chain {
    let (row, mut above) = (registry::find("Ed25519").unwrap(), fresh());
    let new = |role, dns| {
        let subject = Subject { name: "edge".into(), dns, ip: vec![] };
        New { role, subject, period: NOW }
    };
    let public = above.public_key().clone();
    let root = x509::issue(&new(Role::Root, vec![]), &public, None, &mut above).unwrap();
    let own = stateless::generate(row, Kernels::best()).unwrap();
    let key = encode_pkcs8(&own).unwrap().to_vec();
    let public = stateless::public(&own, Kernels::best()).unwrap();
    let mut dns = vec!["localhost".to_owned()];
    dns.extend((0..names).map(|_| name(200)));
    dns.push(name(last));
    let leaf = x509::issue(&new(Role::Leaf, dns), &public, Some(&root), &mut above).unwrap();
    Chain { root, leaf, key }
}

fn flight(chain: &Chain) -> Flight {
    Flight::new(&[chain.leaf.len()], 64)
}

/// Returns a chain whose flight has exactly this length, including the allowance for other
/// messages.
fn of_length(wanted: usize) -> Chain {
    let mut names = wanted / 203;
    while flight(&issue(names, 20)).bytes() > wanted {
        names -= 1;
    }
    let missing = wanted - flight(&issue(names, 20)).bytes();
    // A longer name may need one more byte for its length, and serial numbers differ in length.
    (0..400)
        .map(|at| issue(names, (20 + missing).saturating_sub(at % 3).min(253)))
        .find(|chain| flight(chain).bytes() == wanted)
        .expect("one of them has the length")
}

fn shake(chain: &Chain) -> Result<(), String> {
    let provider = Arc::new(provider());
    let key = PrivatePkcs8KeyDer::from(chain.key.clone());
    let server = ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(chain.leaf.clone())], key.into())
        .unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(chain.root.clone())).unwrap();
    let client = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = ClientConnection::new(Arc::new(client), "localhost".try_into().unwrap()).unwrap();
    let mut sides =
        [Connection::from(client), ServerConnection::new(Arc::new(server)).unwrap().into()];
    for turn in 0..6 {
        let [from, to] = match turn % 2 {
            0 => sides.each_mut(),
            _ => {
                let [client, server] = sides.each_mut();
                [server, client]
            }
        };
        let mut wire = Vec::new();
        while from.wants_write() {
            from.write_tls(&mut wire).unwrap();
        }
        let mut rest = &wire[..];
        while !rest.is_empty() {
            to.read_tls(&mut rest).map_err(|error| error.to_string())?;
            to.process_new_packets().map_err(|error| error.to_string())?;
        }
    }
    let done = sides.iter().all(|side| !side.is_handshaking());
    if done { Ok(()) } else { Err("not done".into()) }
}

/// A flight that is reported to fit does fit, to the last byte. A flight that exceeds the limit
/// without the allowance does not.
#[test]
fn the_edge() {
    for (bytes, fits) in [(MOST - 1, true), (MOST, true), (MOST + 1, false)] {
        let chain = of_length(bytes);
        assert_eq!(flight(&chain).fits(), fits, "{bytes}");
        if fits {
            assert_eq!(shake(&chain), Ok(()), "{bytes}");
        }
    }
    // Without the allowance for other messages: Certificate and CertificateVerify alone are too
    // long.
    let beyond = of_length(MOST + 512 + 1);
    assert!(flight(&beyond).certificate + flight(&beyond).verify > MOST);
    assert!(shake(&beyond).is_err());
}
