//! Times as a person writes them.

use std::time::Duration;

/// Returns a time as a person would write it: `100us`, `2.5ms`, `3s`.
pub fn show_time(time: Duration) -> String {
    match time.as_nanos() as f64 {
        0.0 => "0".to_owned(),
        ns if ns < 1e3 => format!("{ns}ns"),
        ns if ns < 1e6 => format!("{}us", ns / 1e3),
        ns if ns < 1e9 => format!("{}ms", ns / 1e6),
        ns => format!("{}s", ns / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_unit_that_fits() {
        for (ns, text) in [(0, "0"), (250, "250ns"), (100_000, "100us"), (2_500_000, "2.5ms")] {
            assert_eq!(show_time(Duration::from_nanos(ns)), text);
        }
    }
}
