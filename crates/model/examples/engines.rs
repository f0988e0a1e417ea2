//! Compares each simulated engine and processor with the lower bound for its operation, in cycles:
//! `cargo run --release -p hasten-model --example engines`.
//!
//! The bound assumes any number of units of the machine's kind, full preparation, and no link
//! (docs/latency.md, "Lower bounds and latency efficiency").

use hasten_hbs::Error;
use hasten_model::machines::efficiencies;
use hasten_model::profile::Profiles;
use hasten_report::{Origin, Report, Unneeded, published_command};
use serde_json::Value;

const HARDWARE: &str = include_str!("../../../results/hardware.json");
const ASIP: &str = include_str!("../../../results/asip.json");

fn main() -> Result<(), Error> {
    let read = |text| -> Value { serde_json::from_str(text).expect("results/ holds JSON") };
    let rows = efficiencies(&read(HARDWARE), &read(ASIP), &Profiles::default())?;
    let command = published_command("cargo run --release -p hasten-model --example engines");
    let on = Unneeded::because("cycles of a simulation and of a schedule do not depend on one");
    let report = Report::new("hasten.engines/1", command, Origin::checked_out(), on, &rows);
    print!("{}", report.by_line());
    Ok(())
}
