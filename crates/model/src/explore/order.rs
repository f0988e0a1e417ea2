//! Orders in which tables and plots show points.

use super::Point;

/// Returns the link rates, slowest first.
pub fn links(points: &[Point]) -> Vec<f64> {
    let mut links: Vec<f64> = points.iter().map(|point| point.link_bits).collect();
    links.sort_by(f64::total_cmp);
    links.dedup();
    links
}

/// Returns the fastest choice of every algorithm, the fastest first.
pub fn fastest<'p>(points: &[&'p Point]) -> Vec<&'p Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.total_us.tail().total_cmp(&b.total_us.tail()));
    let mut seen = std::collections::HashSet::new();
    sorted.retain(|point| seen.insert(point.alg.as_str()));
    sorted
}
