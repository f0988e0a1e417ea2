//! Falcon and Dilithium of round 3 are accepted only by the legacy provider.

use std::sync::Arc;

use hasten_kernels::Kernels;
use hasten_keys::encoding::encode_pkcs8;
use hasten_keys::x509::{self, New, Period, Role, Subject};
use hasten_keys::{registry, stateless};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::version::TLS13;
use rustls::{
    ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig, ServerConnection,
};
use rustls_hasten::{legacy_provider, provider};

const NOW: Period = Period { not_before: 1_600_000_000, not_after: 4_000_000_000 };

/// A root, a leaf under it and the leaf's key.
struct Chain {
    root: Vec<u8>,
    leaf: Vec<u8>,
    key: Vec<u8>,
}

fn fresh(alg: &str) -> hasten_keys::encoding::PrivateKey {
    stateless::generate(registry::find(alg).unwrap(), Kernels::best()).unwrap()
}

fn chain(root: &str, leaf: &str) -> Chain {
    let (mut above, own) =
        (stateless::Signer::new(&fresh(root), Kernels::best()).unwrap(), fresh(leaf));
    let new = |role| {
        let subject = Subject { name: "x".into(), dns: vec!["localhost".into()], ip: vec![] };
        New { role, subject, period: NOW }
    };
    let public = above.public_key().clone();
    let root = x509::issue(&new(Role::Root), &public, None, &mut above).unwrap();
    let public = stateless::public(&own, Kernels::best()).unwrap();
    let leaf = x509::issue(&new(Role::Leaf), &public, Some(&root), &mut above).unwrap();
    Chain { root, leaf, key: encode_pkcs8(&own).unwrap().to_vec() }
}

fn pass(from: &mut Connection, to: &mut Connection) -> Result<(), rustls::Error> {
    let mut wire = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut wire).unwrap();
    }
    let mut rest = &wire[..];
    while !rest.is_empty() {
        to.read_tls(&mut rest).unwrap();
        to.process_new_packets()?;
    }
    Ok(())
}

fn shake(
    client: CryptoProvider,
    server: CryptoProvider,
    chain: &Chain,
) -> Result<(), rustls::Error> {
    let certs = vec![CertificateDer::from(chain.leaf.clone())];
    let server = ServerConfig::builder_with_provider(Arc::new(server))
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_single_cert(certs, PrivatePkcs8KeyDer::from(chain.key.clone()).into())?;
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(chain.root.clone())).unwrap();
    let client = ClientConfig::builder_with_provider(Arc::new(client))
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut client: Connection =
        ClientConnection::new(Arc::new(client), "localhost".try_into().unwrap())?.into();
    let mut server: Connection = ServerConnection::new(Arc::new(server))?.into();
    for _ in 0..4 {
        pass(&mut client, &mut server)?;
        pass(&mut server, &mut client)?;
    }
    assert!(!client.is_handshaking() && !server.is_handshaking());
    Ok(())
}

/// Round-3 keys in the certificate of an authority and in the handshake. The client only has to
/// trust the root.
#[test]
fn round_three_is_taken_only_where_it_is_asked_for() {
    for (root, leaf) in [
        ("Falcon-512", "Falcon-1024"),
        ("Falcon-512", "ECDSA-P-256"),
        ("ECDSA-P-256", "Falcon-512"),
        ("Dilithium2", "Dilithium3"),
        ("Dilithium2", "ECDSA-P-256"),
        ("ECDSA-P-256", "Dilithium2"),
    ] {
        let chain = chain(root, leaf);
        let asked = shake(legacy_provider(), legacy_provider(), &chain);
        assert_eq!(asked, Ok(()), "{leaf} under {root}");
        assert!(shake(provider(), legacy_provider(), &chain).is_err(), "{leaf} under {root}");
        assert!(shake(provider(), provider(), &chain).is_err(), "{leaf} under {root}");
    }
    let today = chain("ECDSA-P-256", "SLH-DSA-SHA2-128f");
    for (client, server) in [(provider(), legacy_provider()), (legacy_provider(), provider())] {
        assert_eq!(shake(client, server, &today), Ok(()));
    }
}

/// The standard provider has neither the scheme numbers nor the keys.
#[test]
fn the_standard_provider_offers_and_loads_nothing_of_round_three() {
    let offered = |provider: CryptoProvider| {
        provider.signature_verification_algorithms.supported_schemes().len()
    };
    assert_eq!(offered(legacy_provider()), offered(provider()) + 5);
    for alg in ["Falcon-512", "Dilithium2"] {
        let der = || PrivatePkcs8KeyDer::from(encode_pkcs8(&fresh(alg)).unwrap().to_vec()).into();
        assert!(provider().key_provider.load_private_key(der()).is_err(), "{alg}");
        assert!(legacy_provider().key_provider.load_private_key(der()).is_ok(), "{alg}");
    }
}
