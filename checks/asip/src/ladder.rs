//! Signing and verification at the levels of the ladder, in cycles.

use crate::heap;
use crate::key::{Key, MESSAGE};
use crate::machine::{Host, Spent, end};
use core::fmt::Write;
use core::hint::black_box;
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::params::Scheme;
use hasten_hbs::{
    PreparedVerifier, PublicKey, Set, Signer, SignerLevel, Verifier, VerifierLevel, load,
};
use hasten_kernels::Kernels;

/// Verifies and signs with `key` at these levels and prints a line for each, then ends: with status
/// 0 if every verdict and every signature was right.
pub fn climb(
    key: &Key,
    kernels: Kernels<'static>,
    verifier: &[VerifierLevel],
    signer: &[SignerLevel],
) -> ! {
    let well = verify(key, kernels, verifier).is_some() && sign(key, kernels, signer).is_some();
    end(well)
}

/// Verifies the signature with index 0 at each level, and refuses it for another message.
fn verify(key: &Key, kernels: Kernels<'static>, levels: &[VerifierLevel]) -> Option<()> {
    let public = public(key)?;
    let plain = Verifier::new(&public, kernels);
    for &level in levels {
        let mut verifier = PreparedVerifier::new(plain.clone(), level, 0);
        verifier.prepare();
        let mut refused = PreparedVerifier::new(plain.clone(), level, 0);
        refused.prepare();
        let signature = black_box(key.signature(0));
        let used = timed(|| verifier.verify(black_box(MESSAGE), signature).ok())?;
        say(key, "verify", level.name(), used);
        if refused.verify(&MESSAGE[1..], signature).is_ok() {
            return None;
        }
    }
    Some(())
}

/// Signs at each level, each time with the next index.
fn sign(key: &Key, kernels: Kernels<'static>, levels: &[SignerLevel]) -> Option<()> {
    let mut permits = Throwaway::new();
    let mut signer: Signer<'_> =
        load(&public(key)?, black_box(key.seed), key.cache, &permits, kernels).ok()?;
    for (index, &level) in levels.iter().enumerate() {
        let prepared = signer.prepare(permits.permit(), level).ok()?;
        let mut signature = None;
        let used = timed(|| {
            signature = Some(prepared.finish_apart(black_box(MESSAGE)).ok()?);
            Some(())
        })?;
        say(key, "sign", level.name(), used);
        if signature?.0.as_bytes() != key.signature(index) {
            return None;
        }
    }
    Some(())
}

fn public(key: &Key) -> Option<PublicKey> {
    let set = Set::named(key.set).ok()?;
    let bytes = black_box(key.public);
    match set.scheme {
        Scheme::Xmss => PublicKey::from_xmss_bytes(bytes).ok(),
        _ => PublicKey::from_lms_bytes(bytes).ok(),
    }
}

/// Returns the cycles that a job took which has gone well.
fn timed(job: impl FnOnce() -> Option<()>) -> Option<Spent> {
    let before = Spent::now();
    job()?;
    Some(Spent::now().since(before))
}

fn say(key: &Key, op: &str, level: &str, used: Spent) {
    let (alg, heap) = (key.set, heap::peak());
    let Spent { cycles, moving, unit, control } = used;
    let line = writeln!(
        Host,
        "{{\"alg\":\"{alg}\",\"level\":\"{level}\",\"op\":\"{op}\",\"cycles\":{cycles},\
         \"moving\":{moving},\"unit\":{unit},\"control\":{control},\"heap_bytes\":{heap}}}"
    );
    line.unwrap_or_else(|_| end(false));
}
