//! The table of the experiment, printed row by row, and the text around it.

use hasten_hbs::params::Set;
use hasten_model::Rate;
use hasten_report::{Machine, Table, grouped, numbers, show_time, words};

use super::{Experiment, Row, advice, fit};

impl Experiment<'_> {
    /// Returns the table for the rows, wide enough for every set.
    #[must_use]
    pub fn table(&self) -> Table {
        table(self.sets)
    }

    /// Returns the heading: the parameters of the experiment, the machine, and how waiting is done.
    #[must_use]
    pub fn heading(&self, machine: &Machine) -> String {
        let rest = match self.idle.is_zero() {
            true => "no rest between messages".to_owned(),
            false => format!("{} of rest before every message", show_time(self.idle)),
        };
        let warm = if self.keep_warm { ", one dummy step every 200us while waiting" } else { "" };
        format!(
            "budget {}, link {}, message {} bytes, {} messages a row, backend {} on {} ({} cores)\n\
             {rest}{warm}; times in us: medians, and the 99th percentile of the total\n",
            show_time(self.budget),
            Rate::per_second(self.link_bits),
            self.message,
            grouped(self.samples as u64),
            machine.backend.as_deref().unwrap_or("none"),
            machine.cpu,
            machine.cores
        )
    }

    /// Returns a sentence for each set whose key signs fewer messages than requested.
    pub fn capped(&self) -> impl Iterator<Item = String> {
        let capped = |set: &&&Set| fit(self.samples, set.capacity()).0 < self.samples;
        self.sets.iter().filter(capped).map(|set| {
            format!(
                "{} samples asked for, but a key of {} signs {} messages: that many are taken",
                grouped(self.samples as u64),
                set.name,
                grouped(set.capacity())
            )
        })
    }

    /// Returns the text after the table: what is counted, the cost of keeping warm, and the advice.
    #[must_use]
    pub fn closing(&self, rows: &[Row]) -> String {
        let dearest =
            rows.iter().filter_map(|row| row.keep_warm_cpu_percent).max_by(f64::total_cmp);
        let cost =
            |cost| format!("\nkeeping warm cost at most {cost:.1} % of a core while waiting.");
        let advice = advice::line(rows, self.budget).map(|line| format!("\nadvice: {line}"));
        [COUNTED.to_owned()].into_iter().chain(dearest.map(cost)).chain(advice).collect()
    }
}

/// Explanation of the columns.
const COUNTED: &str = "\nmet: the 99th percentile of sign + wire + verify is within the budget. \
    wire: message and signature\n\
    in Ethernet frames at the link's rate. loopback: sending and waking up here; not counted.";

/// Returns the table, wide enough for the names of `sets`.
fn table(sets: &[&Set]) -> Table {
    let widest = sets.iter().map(|set| set.name.len()).max().unwrap_or(0);
    Table::new(vec![
        words("set").at_least(widest),
        words("signer").at_least(11),
        words("verifier").at_least(10),
        numbers("signature"),
        numbers("announced"),
        numbers("sign").at_least(7),
        numbers("wire").at_least(6),
        numbers("verify").at_least(6),
        numbers("total").at_least(7),
        numbers("p99").at_least(7),
        numbers("(loopback)"),
        words("verdict"),
    ])
}

impl Row {
    /// Returns the cells of the row.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        let one = |micros: f64| format!("{micros:.1}");
        vec![
            self.alg.to_owned(),
            self.signer.to_owned(),
            self.verifier.to_owned(),
            self.signature_bytes.to_string(),
            self.announce_bytes.to_string(),
            one(self.sign_us.p50),
            one(self.wire_us.p50),
            one(self.verify_us.p50),
            one(self.total_us.p50),
            one(self.total_us.p99),
            format!("({:.1})", self.loopback_us.p50),
            advice::verdict(self),
        ]
    }
}
