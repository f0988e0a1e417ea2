//! Measurement of all levels in turn, a few signatures at a time. Other measurements between the
//! turns then see the machine in the same state.

use hasten_hbs::{Signer, SignerLevel, VerifierLevel, hazmat::Throwaway};
use hasten_kernels::Kernels;

use crate::meter::Meter;
use crate::schemes::rungs::{Rung, sign, verify};
use crate::{Error, Watch};

/// Signatures of a level before the next level follows.
const TURN: usize = 10;
/// Signatures of a key used per sample: one at every level, and one to be verified.
pub const SHARE: usize = SignerLevel::ALL.len() + 1;

/// Signs and verifies `each` times at every level; `between` is called before every round. Only the
/// costs of the work after the message are returned.
pub fn climb<'k>(
    mut signer: Signer<'k>,
    kernels: Kernels<'k>,
    meter: &impl Meter,
    each: usize,
    watch: Watch<'_>,
    between: &mut dyn FnMut(),
) -> Result<Vec<Rung>, Error> {
    let key = signer.public_key().clone();
    let mut permits = Throwaway::new();
    let (signed, _) = sign(&mut signer, &mut permits, SignerLevel::ChainTable, meter, each)?;
    let mut rungs = Vec::new();
    for (round, signed) in signed.chunks(TURN).enumerate() {
        watch.check()?;
        between();
        for level in SignerLevel::ALL {
            let (_, [_, after]) = sign(&mut signer, &mut permits, level, meter, signed.len())?;
            keep(&mut rungs, after);
        }
        let first = (round * TURN) as u64;
        for level in VerifierLevel::ALL {
            let [_, after] = verify(&key, kernels, level, meter, (first, signed))?;
            keep(&mut rungs, after);
        }
    }
    Ok(rungs)
}

/// Appends the costs of a turn to those of the same operation and level.
fn keep(rungs: &mut Vec<Rung>, rung: Rung) {
    match rungs.iter_mut().find(|known| (known.op, known.level) == (rung.op, rung.level)) {
        Some(known) => known.costs.extend(rung.costs),
        None => rungs.push(rung),
    }
}
