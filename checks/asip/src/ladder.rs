//! Signing and verification at each level of the ladder, in cycles.

use crate::heap;
use crate::key::{Key, MESSAGE};
use crate::machine::{Host, Spent, end};
use crate::stack;
use alloc::boxed::Box;
use core::fmt::Write;
use core::hint::black_box;
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::params::Scheme;
use hasten_hbs::{
    PreparedVerifier, PublicKey, Set, Signer, SignerLevel, Verifier, VerifierLevel, load,
};
use hasten_kernels::Kernels;

/// The levels at which a program measures.
#[derive(Clone, Copy)]
pub struct Levels {
    /// Levels of the verifier.
    pub verifier: &'static [VerifierLevel],
    /// Levels of the signer.
    pub signer: &'static [SignerLevel],
}

impl Levels {
    /// All levels of a single processor, which gets no announcements.
    pub const ALL: Self = Self {
        verifier: &[VerifierLevel::None, VerifierLevel::Masks, VerifierLevel::NodeCache],
        signer: &SignerLevel::ALL,
    };

    /// The levels with nothing prepared and with everything prepared.
    pub const ENDS: Self = Self {
        verifier: &[VerifierLevel::None, VerifierLevel::NodeCache],
        signer: &[SignerLevel::EarlyAuth, SignerLevel::ChainTable],
    };
}

/// Verifies and signs with each of `keys` and prints a line for each operation. Then ends the
/// program, with status 0 if every verdict and every signature was right.
pub fn climb(keys: &[Key], kernels: Kernels<'static>, levels: Levels) -> ! {
    let mut each = keys.iter().map(|key| {
        verify(key, kernels, levels.verifier).and_then(|()| sign(key, kernels, levels.signer))
    });
    end(each.all(|well| well.is_some()))
}

/// Verifies the signature with index 1 at each level, and checks that it is refused for another
/// message. At a level that prepares something, the signature with index 0 is verified before.
fn verify(key: &Key, kernels: Kernels<'static>, levels: &[VerifierLevel]) -> Option<()> {
    let public = public(key)?;
    let plain = Verifier::new(&public, kernels);
    let [earlier, signature] = [0, 1].map(|index| black_box(key.signature(index)));
    for &level in levels {
        let mut verifier = PreparedVerifier::new(plain.clone(), level, 0);
        if level > VerifierLevel::None {
            verifier.verify(MESSAGE, earlier).ok()?;
            verifier.prepare();
        }
        if verifier.verify(&MESSAGE[1..], signature).is_ok() {
            return None;
        }
        let used = timed(|| verifier.verify(black_box(MESSAGE), signature).ok())?;
        say(key, "verify", level.name(), used);
    }
    Some(())
}

/// Signs at each level, each time with the next index. The stack used by a signature must have been
/// overwritten.
fn sign(key: &Key, kernels: Kernels<'static>, levels: &[SignerLevel]) -> Option<()> {
    let mut permits = Throwaway::new();
    let mut signer: Signer<'_> =
        load(&public(key)?, black_box(key.seed), key.cache, &permits, kernels).ok()?;
    for (index, &level) in levels.iter().enumerate() {
        // Boxed, so that the cost of moving it is not measured.
        let prepared = Box::new(signer.prepare(permits.permit(), level).ok()?);
        let mut signature = None;
        let finish = || {
            signature = Some(prepared.finish_apart(black_box(MESSAGE)).ok()?);
            Some(())
        };
        let (used, clean) = stack::is_overwritten(|| timed(finish));
        say(key, "sign", level.name(), used?);
        // A look-up leaves nothing that must be overwritten.
        let clean = clean || level == SignerLevel::ChainTable;
        if !clean || signature?.0.as_bytes() != key.signature(index) {
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

/// Returns the cycles that a job took, or `None` if it failed.
fn timed(job: impl FnOnce() -> Option<()>) -> Option<Spent> {
    let before = Spent::now();
    job()?;
    Some(Spent::now().since(before))
}

fn say(key: &Key, op: &str, level: &str, used: Spent) {
    let (alg, heap) = (key.set, heap::peak());
    let Spent { cycles, moving, hashing, control } = used;
    let line = writeln!(
        Host,
        "{{\"alg\":\"{alg}\",\"level\":\"{level}\",\"op\":\"{op}\",\"cycles\":{cycles},\
         \"moving\":{moving},\"hashing\":{hashing},\"control\":{control},\"heap_bytes\":{heap}}}"
    );
    line.unwrap_or_else(|_| end(false));
}
