//! Sends messages through a simulated network that loses 20 of 100, repeats, reorders by 64 and
//! corrupts datagrams, and counts the messages that are delivered wrongly:
//! `cargo run -p hasten-channel --example network -- --messages N --json FILE`.

mod simulation;

use hasten_report::{Machine, number};
use simulation::simulate;

fn main() -> std::io::Result<()> {
    let rows = [simulate(number("--messages", 1_000_000), "LMS_SHA256_M24_H10_W4", 1)];
    assert_eq!((rows[0].wrong, rows[0].due), (0, rows[0].delivered), "{:?}", rows[0]);
    let program = "cargo run --quiet --locked -p hasten-channel --example network";
    hasten_report::publish("hasten.channel-network/1", program, Machine::this(), &rows)
}
