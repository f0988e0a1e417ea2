//! Groups and cipher suites by name.

use hasten_keys::nearest;
use hasten_keys::registry::{self, Era, Kind};
use rustls::crypto::SupportedKxGroup;
use rustls::{CipherSuite, NamedGroup, SupportedCipherSuite};

/// Reason why no group was found for a name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoGroup {
    /// It is a group of round-3 Kyber, which this build does not have.
    RoundThree {
        /// The group's name in the registry.
        name: &'static str,
        /// The current group that replaces it.
        instead: &'static str,
    },
    /// No group has this name.
    Unknown {
        /// Names that were probably meant.
        near: Vec<&'static str>,
    },
}

/// Returns a group by any of its names. If this build does not have round-3 Kyber, such a name is
/// refused with the current group that replaces it. The numbers of round-3 Kyber never stand for
/// another group.
///
/// # Errors
/// If there is no such group.
pub fn group(name: &str) -> Result<&'static dyn SupportedKxGroup, NoGroup> {
    let all = crate::all_groups();
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
        return Err(NoGroup::RoundThree { name: &row.name, instead: name_of(now) });
    }
    let names: Vec<_> = all.iter().map(|group| group_name(group.name())).collect();
    Err(NoGroup::Unknown { near: nearest(name, names.iter().copied()) })
}

/// Returns the name of a group in the registry.
pub fn group_name(group: NamedGroup) -> &'static str {
    let meanings = registry::tls_meanings(u16::from(group));
    meanings.first().map_or("unknown", |meaning| name_of(meaning.row))
}

/// Returns the name of a row as a group. For ML-KEM this is the name without hyphens.
fn name_of(row: &'static registry::Row) -> &'static str {
    let short = row.alias_of(registry::Naming::Short);
    short.filter(|name| name.starts_with("MLKEM")).unwrap_or(&row.name)
}

/// The names of the cipher suites of TLS 1.3.
pub const SUITES: [&str; 3] =
    ["TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"];

/// Returns a cipher suite of TLS 1.3 by its name in the standard, in upper or lower case.
pub fn suite(name: &str) -> Option<SupportedCipherSuite> {
    let mut all = crate::provider().cipher_suites.into_iter();
    let same = |suite: CipherSuite| suite_name(suite).eq_ignore_ascii_case(name);
    all.find(|suite| suite.tls13().is_some() && same(suite.suite()))
}

/// Returns the name of a suite in the standard.
pub fn suite_name(suite: CipherSuite) -> String {
    suite.as_str().unwrap_or("unknown").replacen("TLS13_", "TLS_", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_by_their_names() {
        let number = |name: &str| group(name).map(|group| u16::from(group.name()));
        assert_eq!(number("MLKEM768"), Ok(513));
        assert_eq!(number("ML-KEM-768"), Ok(513));
        assert_eq!(group_name(NamedGroup::X25519MLKEM768), "X25519MLKEM768");
        assert!(
            matches!(number("MLKEM76"), Err(NoGroup::Unknown { near }) if near[0] == "MLKEM768")
        );
    }

    #[test]
    fn suites_by_their_names() {
        let name = |given: &str| suite(given).map(|suite| suite_name(suite.suite()));
        assert_eq!(name("tls_aes_128_gcm_sha256").as_deref(), Some("TLS_AES_128_GCM_SHA256"));
        assert!(SUITES.iter().all(|known| name(known).as_deref() == Some(known)));
        assert_eq!(name("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"), None);
    }
}
