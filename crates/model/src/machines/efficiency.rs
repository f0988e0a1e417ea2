//! Each simulated engine and processor beside the lower bound of what it computes.

use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{cores, processors};
use crate::explore::Machine;
use crate::profile::{Digits, Profiles};
use crate::{Case, Delivery, Link};

/// The sets of which engines and processors were simulated from end to end.
const SETS: [&str; 2] = ["XMSS-SHA2_10_256", "XMSS-SHAKE_10_256"];

/// Levels that go together: the tree alone, all that the index decides, and a table of the chains.
const LEVELS: [(SignerLevel, VerifierLevel); 4] = [
    (SignerLevel::EarlyAuth, VerifierLevel::None),
    (SignerLevel::Masks, VerifierLevel::Masks),
    (SignerLevel::ChainTable, VerifierLevel::Masks),
    (SignerLevel::ChainTable, VerifierLevel::NodeCache),
];

/// A clock of one microsecond, at which times are cycles.
const CYCLE: Option<f64> = Some(1.0);

/// A machine that signs and verifies, in cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// The machine, as a search names it.
    pub machine: String,
    /// The parameter set.
    pub alg: String,
    /// What the signer has ready.
    pub signer: String,
    /// What the verifier has ready.
    pub verifier: String,
    /// Signing.
    pub sign_cycles: u64,
    /// Verifying.
    pub verify_cycles: u64,
    /// One after the other.
    pub cycles: u64,
    /// The least of any number of units of the machine's kind with everything prepared.
    pub bound_cycles: u64,
    /// The bound over the cycles.
    pub eta: f64,
}

/// Returns what engines of the hardware report and processors of theirs come to, at each pair of
/// levels of which both operations were simulated.
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

/// Returns the row of a set at these levels, if the machine ran both operations at them.
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
