//! Our side: every operation in one call, as the peers offer it; nothing is prepared.

use std::hint::black_box;

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::{Context, SigningKey};
use hasten_hbs::{Set, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use signature::SignerMut;

use crate::{MESSAGE, Side};

/// Returns the seed of every key.
pub fn seed(set: &Set) -> Vec<u8> {
    (0..set.seed_bytes()).map(|i| i as u8).collect()
}

/// Returns our operations on `set`.
pub fn side(set: &'static Set, kernels: Kernels<'static>) -> Side {
    let work = match set.scheme {
        Scheme::SlhDsa { .. } => stateless(set, kernels),
        _ => stateful(set, kernels),
    };
    Side { name: "hasten", built: "chosen at run time", work }
}

fn stateless(set: &'static Set, kernels: Kernels<'static>) -> [Box<dyn FnMut()>; 3] {
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

fn stateful(set: &'static Set, kernels: Kernels<'static>) -> [Box<dyn FnMut()>; 3] {
    let make = move || generate(set, &seed(set), kernels).expect("a seed");
    let mut signer = make().with_permits(Throwaway::new());
    let verifier = Verifier::new(signer.signer().public_key(), kernels);
    let signature = signer.sign(&MESSAGE);
    [
        Box::new(move || {
            black_box(make());
        }),
        Box::new(move || {
            // A key that is used up makes room for the same one anew.
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
