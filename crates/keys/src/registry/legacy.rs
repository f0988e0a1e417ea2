//! Algorithms of the third round under their numbers of that time, never under those of the
//! standards.

use super::row::{Era, Family, Kind, Naming, Row};

/// One wolfSSL level: set of the submission, set of the standard that replaced it, wolfSSL's name,
/// OIDs by era, TLS numbers by era, sizes.
struct Legacy {
    name: &'static str,
    now: Option<&'static str>,
    wolfssl: &'static str,
    oids: &'static [(Era, &'static str)],
    tls: &'static [(Era, u16)],
    sizes: [usize; 3],
}

const FALCON: [Legacy; 2] = [
    Legacy {
        name: "Falcon-512",
        now: None,
        wolfssl: "FALCON_LEVEL1",
        oids: &[
            (Era::OqsRound3, "1.3.9999.3.1"),
            (Era::OqsRound31, "1.3.9999.3.6"),
            (Era::OqsLater, "1.3.9999.3.11"),
        ],
        tls: &[(Era::OqsRound3, 0xFE0B), (Era::OqsRound31, 0xFEAE)],
        sizes: [897, 1281, 690],
    },
    Legacy {
        name: "Falcon-1024",
        now: None,
        wolfssl: "FALCON_LEVEL5",
        oids: &[
            (Era::OqsRound3, "1.3.9999.3.4"),
            (Era::OqsRound31, "1.3.9999.3.9"),
            (Era::OqsLater, "1.3.9999.3.14"),
        ],
        tls: &[(Era::OqsRound3, 0xFE0E), (Era::OqsRound31, 0xFEB1)],
        sizes: [1793, 2305, 1330],
    },
];

const DILITHIUM: [Legacy; 3] = [
    Legacy {
        name: "Dilithium2",
        now: Some("ML-DSA-44"),
        wolfssl: "DILITHIUM_LEVEL2",
        oids: &[(Era::OqsRound3, "1.3.6.1.4.1.2.267.7.4.4")],
        tls: &[(Era::OqsRound3, 0xFEA0)],
        sizes: [1312, 2528, 2420],
    },
    Legacy {
        name: "Dilithium3",
        now: Some("ML-DSA-65"),
        wolfssl: "DILITHIUM_LEVEL3",
        oids: &[(Era::OqsRound3, "1.3.6.1.4.1.2.267.7.6.5")],
        tls: &[(Era::OqsRound3, 0xFEA3)],
        sizes: [1952, 4000, 3293],
    },
    Legacy {
        name: "Dilithium5",
        now: Some("ML-DSA-87"),
        wolfssl: "DILITHIUM_LEVEL5",
        oids: &[(Era::OqsRound3, "1.3.6.1.4.1.2.267.7.8.7")],
        tls: &[(Era::OqsRound3, 0xFEA5)],
        sizes: [2592, 4864, 4595],
    },
];

const KYBER: [Legacy; 3] = [
    Legacy {
        name: "Kyber512",
        now: Some("ML-KEM-512"),
        wolfssl: "KYBER_LEVEL1",
        oids: &[(Era::OqsRound3, "1.3.6.1.4.1.22554.5.6.1")],
        tls: &[(Era::OqsRound3, 570)],
        sizes: [800, 1632, 768],
    },
    Legacy {
        name: "Kyber768",
        now: Some("ML-KEM-768"),
        wolfssl: "KYBER_LEVEL3",
        oids: &[(Era::OqsRound3, "1.3.6.1.4.1.22554.5.6.2")],
        tls: &[(Era::OqsRound3, 572)],
        sizes: [1184, 2400, 1088],
    },
    Legacy {
        name: "Kyber1024",
        now: Some("ML-KEM-1024"),
        wolfssl: "KYBER_LEVEL5",
        oids: &[(Era::OqsRound3, "1.3.6.1.4.1.22554.5.6.3")],
        tls: &[(Era::OqsRound3, 573)],
        sizes: [1568, 3168, 1568],
    },
];

/// A hybrid group of wolfSSL: curve, sizes of its point and secret, Kyber level, group number, and
/// the current group with the same curve. The ML-KEM of that group is the next larger one if there
/// is no group with the same size.
type Joined = (&'static str, usize, usize, usize, u16, &'static str);

const HYBRIDS: [Joined; 3] = [
    ("P256", 65, 32, 0, 12090, "SecP256r1MLKEM768"),
    ("P384", 97, 48, 1, 12092, "SecP384r1MLKEM1024"),
    ("P521", 133, 66, 2, 12093, "SecP521r1MLKEM1024"),
];

fn numbered(mut row: Row, from: &Legacy) -> Row {
    for (era, oid) in from.oids {
        row = row.oid(*era, oid);
    }
    row.tls = from.tls.to_vec();
    row.successor = from.now.map(Into::into);
    row.alias(Naming::WolfSsl, from.wolfssl)
}

fn signature(from: &Legacy, family: Family) -> Row {
    let [public, secret, output] = from.sizes;
    let row = Row::new(from.name, family, Kind::Signature).signs(public, secret, output);
    numbered(row, from).alias(Naming::Submission, from.name.replace('-', "").to_uppercase())
}

fn kyber(from: &Legacy) -> Row {
    let [public, secret, output] = from.sizes;
    let row = Row::new(from.name, Family::Kyber, Kind::Kem).encapsulates(public, secret, output);
    numbered(row, from)
}

fn hybrid((curve, point, secret, level, group, now): Joined) -> Row {
    let kem = &KYBER[level];
    let mut row = Row::new(format!("{curve}_{}", kem.name), Family::Hybrid, Kind::Agreement)
        .alias(Naming::WolfSsl, format!("{curve}_{}", kem.wolfssl))
        .tls(Era::OqsRound3, group)
        .followed_by(now);
    row.sizes.public = point + kem.sizes[0];
    row.sizes.output = point + kem.sizes[2];
    row.sizes.shared = secret + 32;
    row
}

pub(super) fn rows() -> Vec<Row> {
    let falcon = FALCON.iter().map(|l| signature(l, Family::Falcon).variable());
    let dilithium = DILITHIUM.iter().map(|l| signature(l, Family::Dilithium));
    let kyber = KYBER.iter().map(kyber);
    falcon.chain(dilithium).chain(kyber).chain(HYBRIDS.map(hybrid)).collect()
}
