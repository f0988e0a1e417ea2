//! A line of advice, computed from the rows: the smallest change that meets the budget.

use std::time::Duration;

use hasten_model::{Rate, ethernet};
use hasten_report::{micros, show_time};

use super::Row;

/// Common link rates, in bits per second.
const LINKS: [f64; 7] = [1e8, 1e9, 2.5e9, 1e10, 2.5e10, 4e10, 1e11];

/// Returns the smallest change relative to the first row that meets the budget, or `None` if there
/// are no rows.
pub fn line(rows: &[Row], budget: Duration) -> Option<String> {
    let first = rows.first()?;
    let met = rows.iter().filter(|row| row.within_budget);
    let nearest = met.min_by(|a, b| {
        change(first, a).partial_cmp(&change(first, b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    Some(match nearest {
        Some(row) if std::ptr::eq(row, first) => {
            format!(
                "nothing needs to change: {} with {} meets {}",
                row.alg,
                levels(row),
                show_time(budget)
            )
        }
        Some(row) => meets(first, row, budget),
        None => misses(rows, first, budget),
    })
}

/// Returns the size of a change: the difference of the levels, plus one for another set; then the
/// 99th percentile of the total, which decides between equal changes.
fn change(from: &Row, to: &Row) -> (usize, f64) {
    let climbed = from.steps.0.abs_diff(to.steps.0) + from.steps.1.abs_diff(to.steps.1);
    (climbed + usize::from(from.alg != to.alg), to.total_us.p99)
}

fn meets(first: &Row, row: &Row, budget: Duration) -> String {
    let set = if first.alg == row.alg { String::new() } else { format!(" and {}", row.alg) };
    format!(
        "the smallest change from {} that meets {} is {}{set}: {:.1} us",
        levels(first),
        show_time(budget),
        levels(row),
        row.total_us.p99
    )
}

fn misses(rows: &[Row], first: &Row, budget: Duration) -> String {
    let best =
        rows.iter().min_by(|a, b| a.total_us.p99.total_cmp(&b.total_us.p99)).unwrap_or(first);
    let faster =
        rows.iter().flat_map(|row| link_for(row, budget).map(|link| (link.0.bits(), row, link)));
    let cheapest = faster.min_by(|a, b| {
        (a.0, a.2.1).partial_cmp(&(b.0, b.2.1)).unwrap_or(std::cmp::Ordering::Equal)
    });
    match cheapest {
        Some((_, row, (link, total))) => format!(
            "no row meets {}; a link of {link} would, with {} and {}: {total:.1} us",
            show_time(budget),
            levels(row),
            row.alg
        ),
        None => nearest_miss(best, budget),
    }
}

fn nearest_miss(best: &Row, budget: Duration) -> String {
    let (part, time) = largest_part(best);
    format!(
        "no row meets {}, nor would a faster link; the nearest is {} with {}: {:.1} us, {part} alone {time:.1}",
        show_time(budget),
        levels(best),
        best.alg,
        best.total_us.p99
    )
}

/// Returns the slowest faster link with which a row would meet the budget, and the total time on
/// that link.
fn link_for(row: &Row, budget: Duration) -> Option<(Rate, f64)> {
    let payload = (row.message_bytes + row.signature_bytes) as u64;
    let rest = row.total_us.p99 - row.wire_us.p50;
    let faster = LINKS.into_iter().filter(|bits| *bits > row.link_bits).map(Rate::per_second);
    faster
        .map(|link| (link, rest + ethernet::busy_us(payload, link.bits())))
        .find(|(_, total)| *total <= micros(budget))
}

/// Returns the part with the largest median, and that median.
fn largest_part(row: &Row) -> (&'static str, f64) {
    let parts =
        [("sign", row.sign_us.p50), ("wire", row.wire_us.p50), ("verify", row.verify_us.p50)];
    parts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(("sign", 0.0))
}

/// Returns whether the budget is met, by how much it is missed, and which part takes longest.
pub fn verdict(row: &Row) -> String {
    let (part, _) = largest_part(row);
    let over = row.total_us.p99 - row.budget_us;
    if row.within_budget {
        format!("met, {part} is most")
    } else {
        format!("missed by {over:.1}, {part} is most")
    }
}

/// Returns the two levels as text.
fn levels(row: &Row) -> String {
    format!("{} + {}", row.signer, row.verifier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_report::Summary;

    const BUDGET: Duration = Duration::from_micros(100);

    /// Returns a row with the given medians of the parts and 99th percentile of the total.
    fn row(alg: &'static str, steps: (usize, usize), parts: [f64; 3], p99: f64) -> Row {
        let total = Summary { p99, ..Summary::constant(parts.iter().sum()) };
        Row {
            pair: None,
            alg,
            signer: ["none", "early-auth", "secrets", "masks", "chain-table"][steps.0],
            verifier: ["none", "masks", "node-cache", "ots-key"][steps.1],
            message_bytes: 64,
            signature_bytes: 2500,
            announce_bytes: 0,
            samples: 1000,
            idle_us: 0.0,
            keep_warm: false,
            keep_warm_cpu_percent: None,
            link_bits: 1e9,
            sign_us: Summary::constant(parts[0]),
            wire_us: Summary::constant(parts[1]),
            verify_us: Summary::constant(parts[2]),
            total_us: total,
            loopback_us: Summary::constant(0.0),
            sign_prepare_us: Summary::constant(0.0),
            verify_prepare_us: Summary::constant(0.0),
            cycle_ns: None,
            sign_cycles: None,
            verify_cycles: None,
            within_budget: p99 <= 100.0,
            budget_us: 100.0,
            steps,
        }
    }

    #[test]
    fn verdicts_name_the_largest_part() {
        let met = row("A", (1, 1), [10.0, 21.1, 20.0], 60.0);
        assert_eq!(verdict(&met), "met, wire is most");
        let missed = row("A", (0, 0), [300.0, 21.1, 20.0], 350.25);
        assert_eq!(verdict(&missed), "missed by 250.2, sign is most");
    }

    #[test]
    fn no_rows_no_advice() {
        assert_eq!(line(&[], BUDGET), None);
    }

    #[test]
    fn nothing_to_change() {
        let rows =
            [row("A", (0, 0), [10.0, 20.0, 30.0], 61.0), row("A", (4, 3), [1.0, 20.0, 9.0], 31.0)];
        assert_eq!(
            line(&rows, BUDGET).unwrap(),
            "nothing needs to change: A with none + none meets 100us"
        );
    }

    #[test]
    fn the_smallest_change_wins_over_the_fastest_row() {
        let rows = [
            row("A", (0, 0), [900.0, 20.0, 90.0], 1010.0),
            row("A", (1, 1), [40.0, 20.0, 35.0], 97.0),
            row("A", (4, 3), [1.0, 20.0, 9.0], 31.0),
            row("B", (1, 1), [30.0, 12.0, 30.0], 73.0),
        ];
        assert_eq!(
            line(&rows, BUDGET).unwrap(),
            "the smallest change from none + none that meets 100us is early-auth + masks: 97.0 us"
        );
    }

    #[test]
    fn another_set_is_named() {
        let rows = [
            row("A", (1, 1), [40.0, 20.0, 60.0], 121.0),
            row("B", (1, 1), [30.0, 12.0, 30.0], 73.0),
        ];
        assert_eq!(
            line(&rows, BUDGET).unwrap(),
            "the smallest change from early-auth + masks that meets 100us is early-auth + masks and B: 73.0 us"
        );
    }

    #[test]
    fn a_faster_link_where_no_row_meets() {
        let rows = [row("A", (4, 3), [1.0, 211.2, 9.0], 222.0)];
        let rows = rows.map(|row| Row { link_bits: 1e8, ..row });
        assert_eq!(
            line(&rows, BUDGET).unwrap(),
            "no row meets 100us; a link of 1Gbit would, with chain-table + ots-key and A: 31.9 us"
        );
    }

    #[test]
    fn out_of_reach() {
        let rows = [row("A", (4, 3), [400.0, 21.12, 9.0], 440.0)];
        assert_eq!(
            line(&rows, BUDGET).unwrap(),
            "no row meets 100us, nor would a faster link; the nearest is chain-table + ots-key with A: 440.0 us, sign alone 400.0"
        );
    }
}
