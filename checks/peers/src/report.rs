//! Rows, as a table and as JSON.

use hasten_kernels::Kernels;
use hasten_measure::windows::Timing;
use hasten_report::{Machine, Origin, Report, Summary, published_command};
use serde::Serialize;

use crate::Side;

/// One operation beside one peer.
#[derive(Serialize)]
pub struct Row {
    pub alg: &'static str,
    pub op: &'static str,
    pub time_us: Summary,
    pub peer: String,
    pub peer_built: String,
    pub peer_time_us: Summary,
    /// Least time of the peer over our least.
    pub ratio: f64,
    /// The same window by window.
    pub ratio_spread: Summary,
    pub windows: usize,
}

impl Row {
    /// Returns the row of our times and the peer's.
    pub fn new(
        alg: &'static str,
        op: &'static str,
        peer: &Side,
        (ours, theirs): &(Timing, Timing),
    ) -> Self {
        let (time_us, peer_time_us) = (ours.summary(), theirs.summary());
        let ratio = (peer_time_us.min / time_us.min * 100.0).round() / 100.0;
        let (peer, peer_built) = (peer.name.to_owned(), peer.built.to_owned());
        let (ratio_spread, windows) = (ours.ratio(theirs), ours.windows());
        Self { alg, op, time_us, peer, peer_built, peer_time_us, ratio, ratio_spread, windows }
    }
}

/// Prints the rows.
pub fn print(rows: &[Row], json: bool) {
    if !json {
        println!(
            "{:<42} {:<7} {:>12} {:>12} {:>8}  spread, peer",
            "set", "op", "ours us", "peer us", "ratio"
        );
        for Row { alg, op, time_us, peer, peer_time_us, ratio, ratio_spread, .. } in rows {
            let (ours, theirs, spread) = (time_us.min, peer_time_us.min, ratio_spread);
            println!(
                "{alg:<42} {op:<7} {ours:>12.1} {theirs:>12.1} {ratio:>8.2}  {:.2} to {:.2}, {peer}",
                spread.min, spread.max
            );
        }
        return;
    }
    let program = match cfg!(feature = "liboqs") {
        true => "cargo run -p peers --release --",
        false => "cargo run -p peers --release --no-default-features --",
    };
    let command = published_command(program);
    let origin = Origin { rustc: Some(env!("PEERS_RUSTC").into()), ..Origin::checked_out() };
    let backend = Kernels::available().last().map_or("portable", |(name, _)| name);
    let report = Report::new("hasten.peers/1", command, origin, Machine::with(backend), rows);
    let report = Report { target_features: Some(env!("PEERS_FEATURES")), ..report };
    println!("{}", report.json());
}
