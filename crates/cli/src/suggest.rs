//! Nearest names, for a name that is not known.

/// How many names are offered at most.
const OFFERED: usize = 3;

/// The names nearest to `wanted`, best first, at most three; none if nothing is near.
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

/// Names as a sentence would list them: `a`, `a or b`, `a, b or c`.
pub fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
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
    fn sentences() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b or c");
    }
}
