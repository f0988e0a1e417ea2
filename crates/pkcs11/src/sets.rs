//! Mechanisms, key types and parameter sets: PKCS #11, section 6.65 (HSS) and section 6.66 (XMSS
//! and XMSS^MT); from its edition 3.2 also ML-DSA and SLH-DSA.

use cryptoki_sys::*;
use hasten_pq::hbs::Set;
use hasten_pq::hbs::params::Scheme;
use hasten_pq::keys::registry::{Family, Kind, Row, find};

/// A scheme with its numbers in PKCS#11.
#[derive(Debug, PartialEq, Eq)]
pub struct Numbers {
    /// CKA_KEY_TYPE.
    pub key_type: CK_KEY_TYPE,
    /// Mechanism for generating key pairs.
    pub generate: CK_MECHANISM_TYPE,
    /// Mechanism for signing and verifying.
    pub sign: CK_MECHANISM_TYPE,
}

/// HSS. A single LMS tree is HSS with one level.
pub const HSS: Numbers =
    Numbers { key_type: CKK_HSS, generate: CKM_HSS_KEY_PAIR_GEN, sign: CKM_HSS };
/// XMSS with a single tree.
pub const XMSS: Numbers =
    Numbers { key_type: CKK_XMSS, generate: CKM_XMSS_KEY_PAIR_GEN, sign: CKM_XMSS };
const XMSSMT: Numbers =
    Numbers { key_type: CKK_XMSSMT, generate: CKM_XMSSMT_KEY_PAIR_GEN, sign: CKM_XMSSMT };

const SLH_DSA: Numbers =
    Numbers { key_type: CKK_SLH_DSA, generate: CKM_SLH_DSA_KEY_PAIR_GEN, sign: CKM_SLH_DSA };
const ML_DSA: Numbers =
    Numbers { key_type: CKK_ML_DSA, generate: CKM_ML_DSA_KEY_PAIR_GEN, sign: CKM_ML_DSA };

/// All schemes of this build.
pub const ALL: &[&Numbers] = if cfg!(feature = "aws-lc") {
    &[&HSS, &XMSS, &XMSSMT, &SLH_DSA, &ML_DSA]
} else {
    &[&HSS, &XMSS, &XMSSMT, &SLH_DSA]
};

/// CKA_PARAMETER_SET of stateless schemes, with the name of each set.
const STATELESS: [(CK_ULONG, &str); 15] = [
    (CKP_SLH_DSA_SHA2_128S, "SLH-DSA-SHA2-128s"),
    (CKP_SLH_DSA_SHAKE_128S, "SLH-DSA-SHAKE-128s"),
    (CKP_SLH_DSA_SHA2_128F, "SLH-DSA-SHA2-128f"),
    (CKP_SLH_DSA_SHAKE_128F, "SLH-DSA-SHAKE-128f"),
    (CKP_SLH_DSA_SHA2_192S, "SLH-DSA-SHA2-192s"),
    (CKP_SLH_DSA_SHAKE_192S, "SLH-DSA-SHAKE-192s"),
    (CKP_SLH_DSA_SHA2_192F, "SLH-DSA-SHA2-192f"),
    (CKP_SLH_DSA_SHAKE_192F, "SLH-DSA-SHAKE-192f"),
    (CKP_SLH_DSA_SHA2_256S, "SLH-DSA-SHA2-256s"),
    (CKP_SLH_DSA_SHAKE_256S, "SLH-DSA-SHAKE-256s"),
    (CKP_SLH_DSA_SHA2_256F, "SLH-DSA-SHA2-256f"),
    (CKP_SLH_DSA_SHAKE_256F, "SLH-DSA-SHAKE-256f"),
    (CKP_ML_DSA_44, "ML-DSA-44"),
    (CKP_ML_DSA_65, "ML-DSA-65"),
    (CKP_ML_DSA_87, "ML-DSA-87"),
];

impl Numbers {
    /// Returns true if keys have a state, which is kept in a store.
    pub fn has_state(&self) -> bool {
        self.key_type != CKK_SLH_DSA && self.key_type != CKK_ML_DSA
    }
}

/// Returns the numbers of an algorithm, if it has a mechanism here. A single LMS tree is HSS with
/// one level.
pub fn numbers(row: &Row) -> Option<&'static Numbers> {
    let numbers = match (row.family, row.kind) {
        (Family::Xmss, _) => &XMSS,
        (Family::XmssMt, _) => &XMSSMT,
        (Family::Lms | Family::Hss, _) => &HSS,
        (Family::SlhDsa, Kind::Signature) => &SLH_DSA,
        (Family::MlDsa, _) => &ML_DSA,
        _ => return None,
    };
    ALL.contains(&numbers).then_some(numbers)
}

/// Returns CKA_PARAMETER_SET of a stateless algorithm.
pub fn parameter_set(row: &Row) -> Option<CK_ULONG> {
    STATELESS.iter().find(|(_, name)| *name == row.name).map(|(number, _)| *number)
}

/// The requested set or algorithm of a new key pair.
pub enum Wanted {
    /// A stateful key.
    Set(&'static Set),
    /// A stateless key.
    Row(&'static Row),
}

/// Returns the typecodes of the levels of a set, the highest first: LMS and LM-OTS typecodes.
pub fn typecodes(set: &'static Set) -> (Vec<CK_ULONG>, Vec<CK_ULONG>) {
    let of = |level: &'static Set| match level.scheme {
        Scheme::Lms { ots } => Some((CK_ULONG::from(level.number.get()), CK_ULONG::from(ots))),
        _ => None,
    };
    set.levels().into_iter().filter_map(of).unzip()
}

/// Returns the stateless algorithm with this number.
pub fn stateless(wanted: &Numbers, number: CK_ULONG) -> Option<&'static Row> {
    let rows = STATELESS.iter().filter(|(known, _)| *known == number);
    let mut rows = rows.filter_map(|(_, name)| find(name).ok());
    rows.find(|row| numbers(row) == Some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typecodes_are_those_of_the_levels() {
        let one = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
        assert_eq!(typecodes(one), (vec![0x0a], vec![0x08]));
        let two = Set::named("HSS(LMS_SHA256_M32_H10_W4,LMS_SHA256_M32_H5_W8)").unwrap();
        assert_eq!(typecodes(two), (vec![0x06, 0x05], vec![0x03, 0x04]));
        let xmss = Set::named("XMSS-SHA2_10_256").unwrap();
        assert_eq!(typecodes(xmss), (vec![], vec![]));
    }

    #[test]
    fn each_number_is_of_one_algorithm() {
        for (number, name) in STATELESS {
            let row = find(name).unwrap();
            assert_eq!(parameter_set(row), Some(number), "{name}");
            let Some(numbers) = numbers(row) else {
                assert!(name.starts_with("ML-DSA") && !cfg!(feature = "aws-lc"), "{name}");
                continue;
            };
            assert_eq!(stateless(numbers, number), Some(row), "{name}");
            assert!(!numbers.has_state());
        }
        assert_eq!(stateless(&SLH_DSA, 13), None);
        assert_eq!(stateless(&HSS, 1), None);
        assert_eq!(numbers(find("Ed25519").unwrap()), None);
        assert_eq!(numbers(find("HSS").unwrap()), Some(&HSS));
    }
}
