//! `hw prove`: the proofs of a core, each a top module whose output `differs_o` is never 1 (`flow/equiv.ys`),
//! or not in so many cycles after a reset (`flow/bounded.ys`).

use super::cores::Core;
use super::options::Options;
use super::tool;
use crate::failure::Failure;

/// Proves everything that is stated, and says how long each took.
pub fn run(options: &Options) -> Result<(), Failure> {
    for core in Core::chosen(options)? {
        for proof in &core.proof {
            for point in &proof.points {
                let start = std::time::Instant::now();
                let log = tool::work("prove")?.join(format!("{}_{}.log", proof.top, point.slug()));
                let names = [
                    ("FILES", proof.sources(&core.root).join(" ")),
                    ("TOP", proof.top.clone()),
                    ("PARAMS", point.flags("-G ").join(" ")),
                    ("STEPS", proof.steps.unwrap_or(0).to_string()),
                ];
                let script = if proof.steps.is_some() { "bounded.ys" } else { "equiv.ys" };
                tool::yosys(script, &names, &log)?;
                println!(
                    "{} {}: proven in {} s",
                    proof.top,
                    point.slug(),
                    start.elapsed().as_secs()
                );
            }
        }
    }
    Ok(())
}
