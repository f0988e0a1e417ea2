//! Handshakes in one process: every group, SLH-DSA in certificates and in CertificateVerify.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasten_keys::encoding::pem_blocks;
use rustls::crypto::{ActiveKeyExchange, CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{
    ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig, ServerConnection,
};
use rustls_hasten::{MLKEM512, SECP384R1MLKEM1024, SECP521R1MLKEM1024, all_groups, provider};

fn der(name: &str) -> Vec<u8> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let bytes = fs::read(root.join(Path::new(name))).unwrap();
    pem_blocks(&bytes).first().map_or(bytes.clone(), |block| block.der.to_vec())
}

struct Party {
    root: &'static str,
    leaf: &'static str,
    key: &'static str,
}

const ECDSA_UNDER_ML_DSA: Party =
    Party { root: "keys/ml-dsa-44-root.pem", leaf: "keys/p384-leaf.pem", key: "keys/p384.key" };
const ECDSA_UNDER_SLH_DSA: Party =
    Party { root: "tls/slh-root.der", leaf: "tls/p384-under-slh.der", key: "keys/p384.key" };
const SLH_DSA_UNDER_ML_DSA: Party =
    Party { root: "keys/ml-dsa-44-root.pem", leaf: "tls/slh-leaf.der", key: "tls/slh-leaf.key" };

fn server(provider: CryptoProvider, party: &Party) -> ServerConnection {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(der(party.key)));
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(der(party.leaf))], key)
        .unwrap();
    ServerConnection::new(Arc::new(config)).unwrap()
}

fn client(provider: CryptoProvider, root: &str, name: &'static str) -> ClientConnection {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(der(root))).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    ClientConnection::new(Arc::new(config), name.try_into().unwrap()).unwrap()
}

/// Passes all pending bytes of `from` to `to`.
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

fn shake(client: ClientConnection, server: ServerConnection) -> Result<Connection, rustls::Error> {
    let (mut client, mut server) = (Connection::from(client), Connection::from(server));
    for _ in 0..4 {
        pass(&mut client, &mut server)?;
        pass(&mut server, &mut client)?;
    }
    assert!(!client.is_handshaking() && !server.is_handshaking());
    Ok(client)
}

fn only(group: &'static dyn SupportedKxGroup) -> CryptoProvider {
    CryptoProvider { kx_groups: vec![group], ..provider() }
}

#[test]
fn every_group_here() {
    for group in [MLKEM512, SECP384R1MLKEM1024, SECP521R1MLKEM1024] {
        let party = &ECDSA_UNDER_ML_DSA;
        let done =
            shake(client(only(group), party.root, "leaf.example"), server(only(group), party));
        let used = done.unwrap().negotiated_key_exchange_group().unwrap().name();
        assert_eq!(used, group.name());
    }
}

/// The peer uses the unchanged provider of rustls.
#[test]
fn stock_rustls_agrees_on_what_both_have() {
    let (party, stock) = (&ECDSA_UNDER_ML_DSA, rustls::crypto::aws_lc_rs::default_provider);
    for (ours, theirs) in [(provider(), stock()), (stock(), provider())] {
        let done = shake(client(ours, party.root, "leaf.example"), server(theirs, party)).unwrap();
        let group = done.negotiated_key_exchange_group().unwrap().name();
        assert_eq!(u16::from(group), 0x11EC, "X25519MLKEM768");
    }
}

/// Groups with ML-KEM-768, which replace those of rustls. Either side may use the unchanged
/// provider of rustls, and the shares have the same lengths.
#[test]
fn groups_that_stand_in() {
    let party = &ECDSA_UNDER_ML_DSA;
    for theirs in rustls::crypto::aws_lc_rs::ALL_KX_GROUPS.iter().copied() {
        let ours = *all_groups().iter().find(|ours| ours.name() == theirs.name()).unwrap();
        for (client_group, server_group) in [(ours, theirs), (theirs, ours)] {
            let client = client(only(client_group), party.root, "leaf.example");
            let done = shake(client, server(only(server_group), party)).unwrap();
            assert_eq!(done.negotiated_key_exchange_group().unwrap().name(), theirs.name());
        }
        let [ours, theirs] = [ours, theirs].map(|group| group.start().unwrap());
        assert_eq!(ours.pub_key().len(), theirs.pub_key().len());
        let component = |of: &dyn ActiveKeyExchange| {
            of.hybrid_component().map(|(name, share)| (name, share.len()))
        };
        assert_eq!(component(&*ours), component(&*theirs));
    }
}

#[test]
fn slh_dsa_in_certificates_and_handshakes() {
    for party in [&ECDSA_UNDER_SLH_DSA, &SLH_DSA_UNDER_ML_DSA] {
        shake(client(provider(), party.root, "leaf.example"), server(provider(), party)).unwrap();
    }
}

#[test]
fn what_must_fail_fails() {
    let party = &ECDSA_UNDER_SLH_DSA;
    let refused =
        |root, name| shake(client(provider(), root, name), server(provider(), party)).is_err();
    assert!(refused(party.root, "other.example"), "wrong name");
    assert!(refused("keys/ml-dsa-44-root.pem", "leaf.example"), "wrong authority");
    let stock = rustls::crypto::aws_lc_rs::default_provider();
    let unable = shake(client(stock, party.root, "leaf.example"), server(provider(), party));
    assert!(unable.is_err(), "stock rustls knows no SLH-DSA");
}

/// Numbers of X25519 and, for the feature `legacy`, of Kyber alone. These groups accept any bytes
/// as a share.
const ANY_BYTES: [u16; 4] = [0x001D, 570, 572, 573];

/// Shares of wrong lengths, and a share whose bytes are neither a point nor a key.
#[test]
fn bad_shares_are_refused() {
    for group in all_groups() {
        let good = group.start().unwrap().pub_key().to_vec();
        for cut in [0, 1, 31, 32, 65, 97, 133, good.len() - 1] {
            assert!(group.start_and_complete(&good[..cut.min(good.len() - 1)]).is_err());
        }
        let any = group.start_and_complete(&vec![0xFF; good.len()]);
        assert!(any.is_err() || ANY_BYTES.contains(&u16::from(group.name())), "{group:?}");
        assert!(group.start().unwrap().complete(&[0; 7]).is_err());
    }
}
