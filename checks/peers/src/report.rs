//! Rows, as a table and as JSON.

use serde::Serialize;

use crate::Side;
use crate::measure::Times;

/// Minimum, median, 99th percentile and maximum.
#[derive(Clone, Copy, Serialize)]
pub struct Summary {
    pub min: f64,
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
}

impl Summary {
    fn of(samples: &[f64]) -> Self {
        let mut ranked = samples.to_vec();
        ranked.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let rank = ((share * ranked.len() as f64).ceil() as usize).saturating_sub(1);
            ranked.get(rank).map_or(0.0, |value| (value * 1e3).round() / 1e3)
        };
        Self { min: at(0.0), p50: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

/// One operation beside one peer.
#[derive(Serialize)]
pub struct Row {
    pub alg: &'static str,
    pub op: &'static str,
    pub time_us: Summary,
    pub peer: &'static str,
    pub peer_built: &'static str,
    pub peer_time_us: Summary,
    /// Least time of the peer over our least.
    pub ratio: f64,
    /// The same window by window.
    pub ratio_spread: Summary,
    pub windows: usize,
}

impl Row {
    pub fn new(alg: &'static str, op: &'static str, peer: &Side, times: Times) -> Self {
        let ratios: Vec<f64> =
            times.ours.iter().zip(&times.theirs).map(|(ours, theirs)| theirs / ours).collect();
        let (time_us, peer_time_us) = (Summary::of(&times.ours), Summary::of(&times.theirs));
        let ratio = (peer_time_us.min / time_us.min * 100.0).round() / 100.0;
        let (peer, peer_built) = (peer.name, peer.built);
        let (ratio_spread, windows) = (Summary::of(&ratios), ratios.len());
        Self { alg, op, time_us, peer, peer_built, peer_time_us, ratio, ratio_spread, windows }
    }
}

#[derive(Serialize)]
struct Machine {
    cpu: String,
    backend: &'static str,
    cores: usize,
}

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    command: String,
    version: &'static str,
    commit: &'static str,
    rustc: &'static str,
    target_features: &'static str,
    machine: Machine,
    rows: &'r [Row],
}

fn machine() -> Machine {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let name = model.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    let cores = info.lines().filter(|line| line.starts_with("processor")).count();
    let backend = hasten_kernels::Kernels::available().last().map_or("portable", |(name, _)| name);
    Machine { cpu: name.unwrap_or_else(|| std::env::consts::ARCH.into()), backend, cores }
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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let report = Report {
        schema: "hasten.peers/1",
        command: format!("cargo run -p peers --release -- {}", words.join(" ")),
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("PEERS_COMMIT"),
        rustc: env!("PEERS_RUSTC"),
        target_features: env!("PEERS_FEATURES"),
        machine: machine(),
        rows,
    };
    println!("{}", serde_json::to_string_pretty(&report).expect("numbers are finite"));
}
