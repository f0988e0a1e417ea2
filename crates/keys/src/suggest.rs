//! Known names that are similar to an unknown one.

/// Maximum number of suggestions.
const OFFERED: usize = 3;

/// Returns at most three names similar to `wanted`, best first; empty if none is similar.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let mut near: Vec<_> = names.into_iter().map(|name| (distance(&wanted, name), name)).collect();
    near.sort();
    let limit = (wanted.len() / 3).max(2);
    near.retain(|(distance, _)| *distance <= limit);
    near.truncate(OFFERED);
    near.into_iter().map(|(_, name)| name).collect()
}

fn distance(wanted: &str, name: &str) -> usize {
    strsim::damerau_levenshtein(wanted, &name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let names = ["early-auth", "secrets", "masks", "chain-table"];
        assert_eq!(nearest("earlyauth", names), ["early-auth"]);
        assert_eq!(nearest("MASK", names), ["masks"]);
        assert!(nearest("everything at once", names).is_empty());
    }

    #[test]
    fn a_slip_in_the_name_of_a_set_is_understood() {
        let sets = hasten_hbs::params::SETS.iter().map(|set| set.name);
        assert_eq!(nearest("xmss-sha2-10-256", sets)[0], "XMSS-SHA2_10_256");
    }
}
