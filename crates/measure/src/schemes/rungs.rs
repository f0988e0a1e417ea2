//! Signing and verifying at every level, with any meter.

use hasten_hbs::{
    PreparedVerifier, PublicKey, Signer, SignerLevel, Verifier, VerifierLevel, hazmat::Throwaway,
};
use hasten_kernels::Kernels;

use crate::meter::Meter;
use crate::{Error, Watch, keygen};

/// Length of a message in bytes.
const MESSAGE: usize = 64;

/// Number of signing levels, which share the signatures of one key.
pub const SIGNING_LEVELS: usize = SignerLevel::ALL.len();

/// One operation at one level, with its cost each time it was done.
pub struct Rung {
    /// The operation.
    pub op: &'static str,
    /// The level.
    pub level: &'static str,
    /// Number of bytes held ready at the level.
    pub bytes: usize,
    /// The costs.
    pub costs: Vec<f64>,
}

/// A message, its signature, and its announcement.
pub struct Signed {
    message: Vec<u8>,
    signature: Vec<u8>,
    announcement: Vec<u8>,
}

/// Makes `each` signatures at every level, and verifies those of the highest level at every
/// verification level. Each level has two rungs: the work before the message, then the work on it.
pub fn climb<'k>(
    mut signer: Signer<'k>,
    kernels: Kernels<'k>,
    meter: &impl Meter,
    each: usize,
    watch: Watch<'_>,
) -> Result<Vec<Rung>, Error> {
    let key = signer.public_key().clone();
    let mut permits = Throwaway::new();
    let (mut rungs, mut signed) = (Vec::new(), Vec::new());
    for level in SignerLevel::ALL.into_iter().rev() {
        watch.check()?;
        let (group, pair) = sign(&mut signer, &mut permits, level, meter, each)?;
        rungs.splice(0..0, pair);
        if level == SignerLevel::ChainTable {
            signed = group;
        }
    }
    for level in VerifierLevel::ALL {
        watch.check()?;
        rungs.extend(verify(&key, kernels, level, meter, (0, &signed))?);
    }
    Ok(rungs)
}

/// Prepares and makes `each` signatures at a level.
pub fn sign(
    signer: &mut Signer<'_>,
    permits: &mut Throwaway,
    level: SignerLevel,
    meter: &impl Meter,
    each: usize,
) -> Result<(Vec<Signed>, [Rung; 2]), Error> {
    let bytes = level.holds(signer.set());
    let rung = |op| Rung { op, level: level.name(), bytes, costs: Vec::with_capacity(each) };
    let (mut before, mut after) = (rung("sign-prepare"), rung("sign"));
    let mut signed = Vec::with_capacity(each);
    for _ in 0..each {
        let mut message = vec![0; MESSAGE];
        keygen::random(&mut message)?;
        let (prepared, cost) = meter.cost(|| signer.prepare(permits.permit(), level));
        before.costs.push(cost);
        let prepared = prepared?;
        // Only a chain table contains the announcement. At a lower level, computing it here would
        // do work that belongs to signing.
        let ready = level == SignerLevel::ChainTable;
        let announcement = if ready { prepared.announcement() } else { Vec::new() };
        let (signature, cost) = meter.cost(|| prepared.finish(&message));
        after.costs.push(cost);
        signed.push(Signed { message, signature: signature?.into_bytes(), announcement });
    }
    Ok((signed, [before, after]))
}

/// Prepares for and verifies consecutive signatures, the first of which has index `index`.
pub fn verify<'k>(
    key: &PublicKey,
    kernels: Kernels<'k>,
    level: VerifierLevel,
    meter: &impl Meter,
    (index, signed): (u64, &[Signed]),
) -> Result<[Rung; 2], Error> {
    let bytes = VerifierLevel::ALL.into_iter().filter(|below| *below <= level);
    let bytes = bytes.map(|below| below.adds(key.set())).sum();
    let rung =
        |op| Rung { op, level: level.name(), bytes, costs: Vec::with_capacity(signed.len()) };
    let (mut before, mut after) = (rung("verify-prepare"), rung("verify"));
    let verifier = Verifier::new(key, kernels);
    // Creating the verifier already prepares for the first index.
    let (mut verifier, mut first) = meter.cost(|| PreparedVerifier::new(verifier, level, index));
    for Signed { message, signature, announcement } in signed {
        let announced = level == VerifierLevel::OtsKey;
        let (prepared, cost) = meter.cost(|| {
            verifier.prepare();
            if announced { verifier.announce(announcement) } else { Ok(()) }
        });
        before.costs.push(cost + std::mem::take(&mut first));
        prepared?;
        let (verdict, cost) = meter.cost(|| verifier.verify(message, signature));
        after.costs.push(cost);
        verdict?;
    }
    Ok([before, after])
}
