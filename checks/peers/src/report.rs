//! The rows, printed as a table or as JSON.

use hasten_kernels::Kernels;
use hasten_report::{Machine, Origin, Report, Summary, published_command};
use serde::Serialize;

use crate::side::Peer;
use crate::turns::Turns;

/// One operation compared with one peer.
#[derive(Serialize)]
pub struct Row {
    pub alg: &'static str,
    pub op: &'static str,
    pub time_us: Summary,
    pub peer: String,
    pub peer_built: String,
    pub peer_uses: String,
    pub peer_time_us: Summary,
    /// The peer's minimum time divided by Hasten's.
    pub ratio: f64,
    /// The same ratio for each window.
    pub ratio_spread: Summary,
    pub windows: usize,
    /// Hasten's slowest signature divided by the median, over all indices of a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_over_median: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_worst_over_median: Option<f64>,
    /// Whether the peer rebuilt its trees within this operation, which is signing.
    pub rebuilds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<&'static str>,
}

impl Row {
    /// Returns the row for the times of both sides.
    pub fn new(alg: &'static str, op: &'static str, peer: &Peer, turns: &Turns) -> Self {
        let (ratio, ratio_spread) = turns.ratio();
        Self {
            alg,
            op,
            time_us: Summary::of(&turns.ours),
            peer: peer.name.clone(),
            peer_built: peer.built.clone(),
            peer_uses: peer.uses.clone(),
            peer_time_us: Summary::of(&turns.theirs),
            ratio,
            ratio_spread,
            windows: turns.ours.len(),
            worst_over_median: None,
            peer_worst_over_median: None,
            rebuilds: peer.rebuilds && op == "sign",
            remark: peer.remark,
        }
    }
}

/// Prints the rows.
pub fn print(rows: &[Row], json: bool) {
    if !json {
        rows.iter().for_each(print_row);
        return;
    }
    let program = match cfg!(feature = "liboqs") {
        true => "cargo run -p peers --release --",
        false => "cargo run -p peers --release --no-default-features --",
    };
    let command = published_command(program);
    let origin = Origin { rustc: Some(env!("PEERS_RUSTC").into()), ..Origin::checked_out() };
    let backend = Kernels::available().last().map_or("portable", |(name, _)| name);
    let report = Report::new("hasten.peers/2", command, origin, Machine::with(backend), rows);
    let report = Report { target_features: Some(env!("PEERS_FEATURES")), ..report };
    println!("{}", report.json());
}

fn print_row(row: &Row) {
    let Row { alg, op, peer, ratio, ratio_spread, .. } = row;
    let [ours, theirs] = [row.time_us.min, row.peer_time_us.min];
    let worst = |times: Option<f64>| times.map_or("-".to_owned(), |times| times.to_string());
    println!(
        "{alg:<42} {op:<7} {ours:>11.1} us, peer {theirs:>11.1} us, ratio {ratio:>8.2} ({:.2} to \
         {:.2}), worst over median {} and {}, {peer}",
        ratio_spread.min,
        ratio_spread.max,
        worst(row.worst_over_median),
        worst(row.peer_worst_over_median),
    );
}
