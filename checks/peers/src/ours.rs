//! Hasten's side: every operation in one call, like the peers' operations. Nothing is prepared.

use std::hint::black_box;

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::{Context, SigningKey};
use hasten_hbs::{Set, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use hasten_measure::clock::thread_time;
use hasten_report::micros;
use signature::SignerMut;

use crate::MESSAGE;
use crate::side::Indices;

/// Hasten's operations, in the order of [`crate::OPERATIONS`].
pub type Own = [Box<dyn FnMut()>; 3];

/// Returns the seed of every key.
pub fn seed(set: &Set) -> Vec<u8> {
    (0..set.seed_bytes()).map(|i| i as u8).collect()
}

/// Returns Hasten's operations on `set`.
pub fn side(set: &'static Set, kernels: Kernels<'static>) -> Own {
    match set.scheme {
        Scheme::SlhDsa { .. } => stateless(set, kernels),
        _ => stateful(set, kernels),
    }
}

/// Returns a function that signs with every index of a new stateful key of `set`.
pub fn indices(set: &'static Set, kernels: Kernels<'static>) -> Indices {
    Box::new(move || {
        let key = generate(set, &seed(set), kernels).map_err(|error| error.to_string())?;
        let mut signer = key.with_permits(Throwaway::new());
        let mut times = Vec::new();
        while signer.signer().remaining() > 0 {
            let began = thread_time();
            black_box(signer.sign(&MESSAGE));
            times.push(micros(thread_time() - began));
        }
        Ok(times)
    })
}

fn stateless(set: &'static Set, kernels: Kernels<'static>) -> Own {
    let make = move || SigningKey::from_seed(&kernels, set, &seed(set)).expect("a seed");
    let key = make();
    let signature = key.sign(Context::EMPTY, &MESSAGE, None).expect("a message");
    let public = make();
    [
        Box::new(move || {
            black_box(make());
        }),
        Box::new(move || {
            black_box(key.sign(Context::EMPTY, &MESSAGE, None).expect("a message"));
        }),
        Box::new(move || {
            let verdict =
                public.verifying_key().verify(Context::EMPTY, &MESSAGE, signature.as_bytes());
            verdict.expect("our own signature");
        }),
    ]
}

fn stateful(set: &'static Set, kernels: Kernels<'static>) -> Own {
    let make = move || generate(set, &seed(set), kernels).expect("a seed");
    let mut signer = make().with_permits(Throwaway::new());
    let verifier = Verifier::new(signer.signer().public_key(), kernels);
    let signature = signer.sign(&MESSAGE);
    [
        Box::new(move || {
            black_box(make());
        }),
        Box::new(move || {
            // A used-up key is replaced by the same key, generated again.
            if signer.signer().remaining() == 0 {
                signer = make().with_permits(Throwaway::new());
            }
            black_box(signer.sign(&MESSAGE));
        }),
        Box::new(move || {
            verifier.verify(&MESSAGE, signature.as_bytes()).expect("our own signature");
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_signed_by_once() {
        let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4").unwrap();
        let times = indices(set, Kernels::best())().unwrap();
        assert!(times.len() == 32 && times.iter().all(|time| *time > 0.0));
    }
}
