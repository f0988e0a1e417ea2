//! Whole numbers in a readable form.

/// Returns a whole number with commas as thousands separators.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let cut = |(at, digit): (usize, char)| {
        let comma = at > 0 && (digits.len() - at).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit]).collect::<Vec<_>>()
    };
    digits.chars().enumerate().flat_map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_048_576, "1,048,576")] {
            assert_eq!(grouped(number), text);
        }
    }
}
