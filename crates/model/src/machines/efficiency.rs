//! Comparison of each simulated engine and processor with the lower bound for its operation.

use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{cores, processors};
use crate::explore::Machine;
use crate::profile::{Digits, Profiles};
use crate::{Case, Delivery, Link};

/// Sets for which engines and processors were simulated from end to end.
const SETS: [&str; 2] = ["XMSS-SHA2_10_256", "XMSS-SHAKE_10_256"];

/// Pairs of levels: only the tree prepared, everything that the index determines, and a table of
/// the chains.
const LEVELS: [(SignerLevel, VerifierLevel); 4] = [
    (SignerLevel::EarlyAuth, VerifierLevel::None),
    (SignerLevel::Masks, VerifierLevel::Masks),
    (SignerLevel::ChainTable, VerifierLevel::Masks),
    (SignerLevel::ChainTable, VerifierLevel::NodeCache),
];

/// A clock period of one microsecond, with which times are numbers of cycles.
const CYCLE: Option<f64> = Some(1.0);

/// The efficiency of a machine that signs and verifies, in cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Name of the machine in a search.
    pub machine: String,
    /// The parameter set.
    pub alg: String,
    /// Level of preparation of the signer.
    pub signer: String,
    /// Level of preparation of the verifier.
    pub verifier: String,
    /// Cycles of signing.
    pub sign_cycles: u64,
    /// Cycles of verifying.
    pub verify_cycles: u64,
    /// Cycles of both, one after the other.
    pub cycles: u64,
    /// Lower bound for any number of units of the machine's kind, with full preparation.
    pub bound_cycles: u64,
    /// The bound divided by the cycles.
    pub eta: f64,
}

/// Returns the efficiencies of the engines of the hardware report and of the RISC-V processors, at
/// each pair of levels for which both operations were simulated.
///
/// # Errors
/// As [`Case::bounds`].
pub fn efficiencies(
    hardware: &Value,
    asip: &Value,
    profiles: &Profiles,
) -> Result<Vec<Efficiency>, Error> {
    let mut machines = cores(hardware, CYCLE);
    machines.retain(|machine| machine.name.starts_with("xmss/xmss_engine "));
    machines.extend(processors(asip, CYCLE));
    let mut rows = Vec::new();
    for machine in &machines {
        for alg in SETS {
            for levels in LEVELS {
                rows.extend(row(machine, alg, levels, profiles)?);
            }
        }
    }
    Ok(rows)
}

/// Returns the row of a set at these levels, if both operations were simulated on the machine.
fn row(
    machine: &Machine,
    alg: &str,
    (signer, verifier): (SignerLevel, VerifierLevel),
    profiles: &Profiles,
) -> Result<Option<Efficiency>, Error> {
    let ran = |op: &str, level: &str| {
        let measured = machine.measured.iter().flat_map(|all| all.iter());
        let mut of_set = measured.filter(|one| one.alg == alg && one.op == op);
        Some(of_set.find(|one| one.level.as_deref() == Some(level))?.time_us.p50.round() as u64)
    };
    let (Some(sign_cycles), Some(verify_cycles)) =
        (ran("sign", signer.name()), ran("verify", verifier.name()))
    else {
        return Ok(None);
    };
    let case = Case {
        set: Set::named(alg)?,
        message: 64,
        signer,
        verifier,
        delivery: Delivery::Sequential,
        signing: machine.units,
        verifying: machine.units,
        link: Link::bare(f64::INFINITY),
        digits: Digits::Typical,
        commit_us: 0.0,
    };
    let bound_cycles = case.bounds(profiles)?.sequential_us.round() as u64;
    let cycles = sign_cycles + verify_cycles;
    let machine = machine.name.split(" at ").next().unwrap_or_default().to_owned();
    Ok(Some(Efficiency {
        machine,
        alg: alg.to_owned(),
        signer: signer.name().to_owned(),
        verifier: verifier.name().to_owned(),
        sign_cycles,
        verify_cycles,
        cycles,
        bound_cycles,
        eta: (1e4 * bound_cycles as f64 / cycles as f64).round() / 1e4,
    }))
}
