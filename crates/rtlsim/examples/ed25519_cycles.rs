//! Prints the cycles of the point unit for several latencies of the multiplier, from the exact
//! model: `cargo run -p hasten-rtlsim --example ed25519_cycles`.

#[allow(dead_code)] // shared with the tests
#[path = "../tests/support/mod.rs"]
mod support;

use hasten_rtlsim::ed25519::model::Model;
use hasten_rtlsim::ed25519::operations::Config;
use support::inputs;

fn main() {
    println!("config latency fixed_time keygen sign verify (products)");
    for config in Config::ALL {
        let program = config.program();
        for latency in [2, 3, 4, 5, 6, 7, 8] {
            for fixed_time in [true, false] {
                if config != Config::Paper && !fixed_time {
                    continue;
                }
                let model = Model::new(config, latency, fixed_time);
                let runs = ["Keygen", "Sign", "Verify"].iter().enumerate().map(|(op, entry)| {
                    let count = 8;
                    let total = (0..count).map(|i| {
                        let outcome =
                            model.run(&program, entry, &inputs(&support::family(i, 32)[op]));
                        (outcome.cycles, outcome.products)
                    });
                    let (cycles, products) =
                        total.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
                    format!("{} ({})", cycles / count, products / count)
                });
                println!(
                    "{} {latency} {fixed_time} {}",
                    config.name(),
                    runs.collect::<Vec<_>>().join(" ")
                );
            }
        }
    }
}
