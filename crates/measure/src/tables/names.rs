//! Names, code points, OIDs and sizes, taken from the registry.

use hasten_keys::registry::{self, Era, Family, Kind, Naming, Row};

use super::appendix;
use super::sheet::{Cell, Sheet};

/// Returns the algorithm that replaces one of round 3 today, and notes if it lacks a corresponding
/// part or is for private use.
fn today(row: &Row) -> String {
    let Some(now) = registry::successor(row) else { return "none yet".to_owned() };
    let name = &now.name;
    if now.tls.iter().any(|(era, _)| *era == Era::Private) {
        return format!("{name} (private use)");
    }
    match kem_of_today(row).filter(|kem| !name.ends_with(&kem.replace('-', ""))) {
        Some(missing) => format!("{name} (none with {missing})"),
        None => name.clone(),
    }
}

/// Returns the ML-KEM that replaces the Kyber in a hybrid today.
fn kem_of_today(hybrid: &Row) -> Option<&'static str> {
    let (_, kyber) = hybrid.name.split_once('_')?;
    registry::successor(registry::find(kyber).ok()?).map(|kem| kem.name.as_str())
}

/// Returns wolfSSL's name of the algorithm that Hasten names `ours`.
pub fn wolfssl_name(ours: &str) -> &str {
    let row = registry::find(ours).ok();
    row.and_then(|row| row.alias_of(Naming::WolfSsl)).unwrap_or(ours)
}

fn with_wolfssl() -> impl Iterator<Item = (&'static Row, &'static str)> {
    let legacy =
        [Family::Falcon, Family::Dilithium, Family::SphincsPlus, Family::Kyber, Family::Hybrid];
    let rows = registry::all().iter().filter(move |row| legacy.contains(&row.family));
    rows.filter_map(|row| Some((row, row.alias_of(Naming::WolfSsl)?)))
}

/// Returns a table of wolfSSL's name, the submission, and the standard of today.
pub fn names() -> Sheet {
    let rows = with_wolfssl().map(|(row, theirs)| {
        vec![theirs.into(), row.name.as_str().into(), today(row).as_str().into()]
    });
    Sheet {
        name: "names",
        title: "Names: wolfSSL's, the submission's, and the standard of today",
        columns: vec![("wolfssl", "wolfSSL"), ("submission", "Submission"), ("today", "Today")],
        rows: rows.collect(),
        notes: vec!["What stands in one row is related, not the same: keys and signatures of round 3 are none of the standard's. SABER, NTRU and the 90s and AES variants of the appendix were withdrawn.".into()],
    }
}

fn era(era: Era) -> &'static str {
    match era {
        Era::Standard => "standard",
        Era::Draft => "draft",
        Era::OqsRound3 => "round 3 (the appendix)",
        Era::OqsRound31 => "Open Quantum Safe, 2023",
        Era::OqsLater => "Open Quantum Safe, later",
        Era::Private => "private use, Hasten",
        _ => "one product",
    }
}

/// Returns the groups and signature schemes of TLS 1.3 with their code points.
pub fn code_points() -> Sheet {
    let of = |row: &'static Row| {
        row.tls.iter().map(move |(when, number)| {
            let what = if matches!(row.kind, Kind::Signature) { "signature" } else { "group" };
            vec![
                row.name.as_str().into(),
                row.alias_of(Naming::WolfSsl).into(),
                what.into(),
                usize::from(*number).into(),
                format!("0x{number:04X}").as_str().into(),
                era(*when).into(),
            ]
        })
    };
    Sheet {
        name: "code-points",
        title: "Code points of TLS 1.3",
        columns: vec![("alg", "Algorithm"), ("wolfssl", "wolfSSL"), ("what", "What"), ("number", "Number"), ("hex", "Hex"), ("era", "Whose")],
        rows: registry::all().iter().flat_map(of).collect(),
        notes: vec!["570, 572, 573, 12090, 12092 and 12093 mean round-3 Kyber and are never used for ML-KEM. HSS, XMSS and XMSS^MT have no number: their keys sign certificates only.".into()],
    }
}

/// Returns the object identifiers of the algorithms.
pub fn oids() -> Sheet {
    let sets = [Family::Lms, Family::Xmss, Family::XmssMt];
    let shared = |row: &&Row| {
        !sets.contains(&row.family)
            || ["XMSS-SHA2_10_256", "XMSSMT-SHA2_20/2_256"].contains(&row.name.as_str())
    };
    let name = |row: &Row| match row.family {
        Family::Xmss => "XMSS, every set".to_owned(),
        Family::XmssMt => "XMSS^MT, every set".to_owned(),
        _ => row.name.clone(),
    };
    let of = |row: &'static Row| {
        row.oids.iter().map(move |(when, oid)| {
            let wolfssl = row.alias_of(Naming::WolfSsl);
            vec![
                name(row).as_str().into(),
                wolfssl.into(),
                oid.to_string().as_str().into(),
                era(*when).into(),
            ]
        })
    };
    Sheet {
        name: "oids",
        title: "Object identifiers in keys and certificates",
        columns: vec![
            ("alg", "Algorithm"),
            ("wolfssl", "wolfSSL"),
            ("oid", "OID"),
            ("era", "Whose"),
        ],
        rows: registry::all().iter().filter(shared).flat_map(of).collect(),
        notes: vec![],
    }
}

/// Returns the sizes of keys and signatures in bytes, with those of the appendix if it has the
/// algorithm.
pub fn signature_sizes() -> Sheet {
    let rows = registry::all().iter().filter(|row| {
        matches!(row.kind, Kind::Signature | Kind::StatefulSignature) && row.sizes.output > 0
    });
    let rows = rows.map(|row| {
        let theirs = row.alias_of(Naming::WolfSsl).and_then(appendix::sizes::signature);
        let theirs = |at: usize| Cell::from(theirs.map(|sizes| sizes[at]));
        let size = |bytes: usize| Cell::from(Some(bytes).filter(|bytes| *bytes > 0));
        let ours = [row.sizes.public, row.sizes.secret, row.sizes.output].map(size);
        let [public, secret, output] = ours;
        vec![row.name.as_str().into(), public, secret, output, theirs(0), theirs(1), theirs(2)]
    });
    Sheet {
        name: "signature-sizes",
        title: "Sizes of keys and signatures, in bytes",
        columns: vec![("alg", "Algorithm"), ("public_bytes", "Public key"), ("private_bytes", "Private key"), ("signature_bytes", "Signature, at most"), ("theirs_public", "Appendix: public"), ("theirs_private", "private"), ("theirs_signature", "signature")],
        rows: rows.collect(),
        notes: vec!["ML-DSA-65 and 87 are not the sizes of Dilithium3 and 5: FIPS 204 lengthened what is hashed into the challenge and stored in the key. The private key of a stateful algorithm is its seed and its state, in a store; that of RSA has no fixed size.".into()],
    }
}

/// Returns the sizes of KEM keys, ciphertexts and shared secrets in bytes.
pub fn kem_sizes() -> Sheet {
    let rows = registry::all().iter().filter(|row| row.kind == Kind::Kem).map(|row| {
        let sizes = [row.sizes.public, row.sizes.secret, row.sizes.output, row.sizes.shared]
            .map(Cell::from);
        let theirs = row.alias_of(Naming::WolfSsl).and_then(appendix::sizes::kem);
        let theirs = (0..3).map(|at| Cell::from(theirs.map(|sizes| sizes[at])));
        [row.name.as_str().into()].into_iter().chain(sizes).chain(theirs).collect()
    });
    Sheet {
        name: "kem-sizes",
        title: "Sizes of key encapsulation, in bytes",
        columns: vec![
            ("alg", "Algorithm"),
            ("public_bytes", "Public key"),
            ("private_bytes", "Private key"),
            ("ciphertext_bytes", "Ciphertext"),
            ("shared_bytes", "Shared secret"),
            ("theirs_public", "Appendix: public"),
            ("theirs_private", "private"),
            ("theirs_ciphertext", "ciphertext"),
        ],
        rows: rows.collect(),
        notes: vec![],
    }
}
