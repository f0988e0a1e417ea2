//! Certificates: every kind of key can sign them, path validation succeeds or fails for the correct
//! reason, and untrusted input causes no panics.
#![cfg(feature = "x509")]

use hasten_kernels::Kernels;
use hasten_keys::{
    Error, registry,
    stateful::{Generation, NewStateful, Sealed, Stateful},
    stateless,
    x509::{self, CertificateSigner, New, Period, Question, Role, Subject, Usage},
};
use hasten_store::Options;
use std::slice::from_ref;

const NOW: u64 = 1_800_000_000;
const YEAR: u64 = 365 * 86_400;

fn key(alg: &str) -> stateless::Signer<'static> {
    let row = registry::find(alg).unwrap();
    let key = stateless::generate(row, Kernels::best()).unwrap();
    stateless::Signer::new(&key, Kernels::best()).unwrap()
}

fn new(role: Role, name: &str) -> New {
    let subject = Subject { name: name.into(), dns: vec![format!("{name}.example")], ip: vec![] };
    New { role, subject, period: Period { not_before: NOW - YEAR, not_after: NOW + YEAR } }
}

fn root(signer: &mut dyn CertificateSigner) -> Vec<u8> {
    let public = signer.public_key().unwrap();
    x509::issue(&new(Role::Root, "root"), &public, None, signer).unwrap()
}

fn leaf(alg: &str, root: &[u8], signer: &mut dyn CertificateSigner) -> Vec<u8> {
    let public = key(alg).public_key().clone();
    x509::issue(&new(Role::Leaf, "leaf"), &public, Some(root), signer).unwrap()
}

fn verdict(chain: &[Vec<u8>], roots: &[Vec<u8>]) -> Result<usize, Error> {
    let name = Some("leaf.example");
    let question = Question { chain, roots, name, at: NOW, usage: Usage::Server };
    x509::verify_path(&question).map(|path| path.len())
}

#[test]
fn every_stateless_key_of_this_build_signs_certificates() {
    let lattice: &[&str] = if cfg!(feature = "aws-lc") {
        &[
            "ML-DSA-44",
            "ML-DSA-65",
            "ML-DSA-87",
            "ECDSA-P-256",
            "ECDSA-P-384",
            "ECDSA-P-521",
            "RSA-2048",
        ]
    } else {
        &[]
    };
    for alg in ["Ed25519", "SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-192f"].iter().chain(lattice) {
        let mut authority = key(alg);
        let root = root(&mut authority);
        let leaf = leaf("Ed25519", &root, &mut authority);
        assert_eq!(verdict(&[leaf], &[root]), Ok(2), "{alg}");
    }
}

/// Stateful keys in a store: HSS with one level, XMSS and XMSS^MT; each certificate uses one index.
#[test]
fn stateful_keys_sign_certificates() {
    for set in ["LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8", "XMSS-SHA2_10_192", "XMSSMT-SHA2_20/4_256"]
    {
        let place = tempfile::tempdir().unwrap();
        let (dir, guard) = (place.path().join("key"), place.path().join("guard"));
        let set = hasten_hbs::Set::named(set).unwrap();
        let options = || Options::new().guard(&guard);
        let new = NewStateful { set, reserve: 1, sectors: 1 };
        let made = Generation::begin(&dir, options(), new, None).unwrap();
        made.run(Kernels::best(), 2, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        let kept = Sealed::of_store(&dir).unwrap().open(None).unwrap();
        let mut authority = Stateful::open(&dir, options(), &kept, Kernels::best()).unwrap();
        let root = root(&mut authority);
        let leaf = leaf("Ed25519", &root, &mut authority);
        assert_eq!(verdict(from_ref(&leaf), from_ref(&root)), Ok(2), "{}", set.name);
        let mut bent = leaf;
        *bent.last_mut().unwrap() ^= 1;
        assert!(verdict(&[bent], &[root]).is_err(), "{}", set.name);
        assert_eq!(authority.close().unwrap().next, 2);
    }
}

#[test]
fn a_path_over_two_authorities() {
    let (mut top, mut middle) = (key("SLH-DSA-SHA2-128f"), key("Ed25519"));
    let root = root(&mut top);
    let public = middle.public_key().clone();
    let between =
        x509::issue(&new(Role::Intermediate, "between"), &public, Some(&root), &mut top).unwrap();
    let leaf = leaf("Ed25519", &between, &mut middle);
    let roots = [root];
    assert_eq!(verdict(&[leaf.clone(), between.clone()], &roots), Ok(3));
    let missing = verdict(from_ref(&leaf), &roots).unwrap_err();
    assert!(matches!(&missing, Error::Path(e) if e.0 == webpki::Error::UnknownIssuer), "{missing}");
    let question = Question {
        chain: &[leaf, between],
        roots: &roots,
        name: None,
        at: NOW,
        usage: Usage::Client,
    };
    assert!(x509::verify_path(&question).is_ok());
    for at in [NOW - 2 * YEAR, NOW + 2 * YEAR] {
        assert!(matches!(x509::verify_path(&Question { at, ..question }), Err(Error::Path(_))));
    }
    let wrong = Question { name: Some("leaf.example.org"), ..question };
    assert!(matches!(x509::verify_path(&wrong), Err(Error::Path(_))));
}

/// Only an authority may sign certificates, and only with its own key.
#[test]
fn who_may_not_sign() {
    let (mut authority, mut other) = (key("Ed25519"), key("Ed25519"));
    let root = root(&mut authority);
    let leaf = leaf("Ed25519", &root, &mut authority);
    let public = other.public_key().clone();
    let asked = new(Role::Leaf, "leaf");
    assert_eq!(x509::issue(&asked, &public, Some(&root), &mut other), Err(Error::NotThisKey));
    assert_eq!(x509::issue(&asked, &public, Some(&leaf), &mut other), Err(Error::NotAnAuthority));
    assert_eq!(x509::issue(&asked, &public, None, &mut authority), Err(Error::NotThisKey));
    for name in ["", "a\nb", "CN", "=", "XX=1"] {
        let mut asked = asked.clone();
        asked.subject.name = name.into();
        let made = x509::issue(&asked, &public, Some(&root), &mut authority);
        assert_eq!(made.is_err(), name != "CN", "{name:?}");
    }
}

#[test]
fn requests_carry_names_and_proof() {
    let mut own = key("SLH-DSA-SHA2-128f");
    let ip = vec!["127.0.0.1".parse().unwrap(), "::1".parse().unwrap()];
    let subject = Subject { name: "asked".into(), dns: vec!["a.example".into()], ip };
    let der = x509::request(&subject, &mut own).unwrap();
    let asked = x509::read_request(&der, Kernels::best()).unwrap();
    assert_eq!((asked.subject.dns, asked.subject.ip), (subject.dns, subject.ip));
    assert_eq!(&asked.key, own.public_key());
    for at in (0..der.len()).step_by(131) {
        let mut bent = der.clone();
        bent[at] ^= 0x10;
        assert!(x509::read_request(&bent, Kernels::best()).is_err(), "byte {at}");
    }
}

/// Every modified bit and every truncation of a certificate invalidates the path.
#[test]
fn bent_and_cut_certificates() {
    let mut authority = key("Ed25519");
    let roots = [root(&mut authority)];
    let leaf = leaf("Ed25519", &roots[0], &mut authority);
    assert!(verdict(from_ref(&leaf), &roots).is_ok());
    for at in 0..leaf.len() {
        let mut bent = leaf.clone();
        bent[at] ^= 1 << (at % 8);
        assert!(verdict(&[bent.clone()], &roots).is_err(), "byte {at}");
        let _ = verdict(from_ref(&leaf), from_ref(&bent));
        let _ = (x509::certificates(&bent), x509::public_key(&bent), x509::is_root(&bent));
        let _ = x509::issue(
            &new(Role::Leaf, "l"),
            &authority.public_key().clone(),
            Some(&bent),
            &mut authority,
        );
        assert!(verdict(&[leaf[..at].to_vec()], &roots).is_err(), "cut at {at}");
    }
}

/// Certificates signed by round 3 code of SPHINCS+, under the number of that round.
#[cfg(feature = "legacy")]
#[test]
fn certificates_of_round_3() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/sphincs/round3/");
    let [root, leaf] =
        ["root.der", "leaf.der"].map(|name| std::fs::read(format!("{folder}{name}")).unwrap());
    assert_eq!(verdict(from_ref(&leaf), from_ref(&root)), Ok(2));
    for at in [100, leaf.len() / 2, leaf.len() - 1] {
        let mut changed = leaf.clone();
        changed[at] ^= 1;
        assert!(verdict(from_ref(&changed), from_ref(&root)).is_err(), "{at}");
    }
    let mut other = root.clone();
    let key = root.windows(3).position(|bytes| bytes == [3, 33, 0]).unwrap() + 3;
    other[key] ^= 1;
    assert!(verdict(from_ref(&leaf), from_ref(&other)).is_err());
}
