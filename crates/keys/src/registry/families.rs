//! Family names, which do not name a parameter set.

/// Each family name with a parameter set of that family, as an example to show.
const FAMILIES: [(&str, &str); 11] = [
    ("LMS", "LMS_SHA256_M24_H15_W4"),
    ("HSS", "'HSS(LMS_SHA256_M24_H20_W4,LMS_SHA256_M24_H15_W4)'"),
    ("HSS/LMS", "LMS_SHA256_M24_H15_W4"),
    ("XMSS", "XMSS-SHA2_16_192"),
    ("XMSSMT", "XMSSMT-SHA2_40/2_256"),
    ("XMSS^MT", "XMSSMT-SHA2_40/2_256"),
    ("SLH-DSA", "SLH-DSA-SHA2-128s"),
    ("ML-DSA", "ML-DSA-65"),
    ("ML-KEM", "ML-KEM-768"),
    ("ECDSA", "ECDSA-P-256"),
    ("RSA", "RSA-3072"),
];

/// Returns an example of a parameter set of the family with this name, quoted for a shell.
pub fn example_of_family(name: &str) -> Option<&'static str> {
    let family = FAMILIES.iter().find(|(family, _)| family.eq_ignore_ascii_case(name));
    family.map(|(_, example)| *example)
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn every_example_is_a_set() {
        for (family, example) in FAMILIES {
            assert!(find(example.trim_matches('\'')).is_ok(), "{example}");
            assert_eq!(example_of_family(&family.to_lowercase()), Some(example));
        }
        assert_eq!(example_of_family("LMS_SHA256_M24_H15_W4"), None);
    }
}
