//! SLH-DSA: the crates slh-dsa and fips205. Both implement FIPS 205, so their signatures are
//! compared with Hasten's before anything is timed.

use std::hint::black_box;

use fips205::traits::{KeyGen, SerDes, Signer as _, Verifier as _};
use hasten_hbs::Set;
use hasten_hbs::slhdsa::{Context, SigningKey};
use hasten_kernels::Kernels;
use slh_dsa::ParameterSet;

use crate::MESSAGE;
use crate::ours::seed;
use crate::side::{Peer, Side, Work, of_this_build};

/// The sets measured by default.
pub const SETS: [&str; 6] = [
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHAKE-128s",
    "SLH-DSA-SHAKE-128f",
    "SLH-DSA-SHA2-256f",
    "SLH-DSA-SHAKE-256f",
];

/// Returns the peers that support `set`.
pub fn sides(set: &'static Set) -> Vec<Side> {
    match set.name {
        "SLH-DSA-SHA2-128s" => both::<slh_dsa::Sha2_128s>(set, fips_sha2_128s),
        "SLH-DSA-SHA2-128f" => both::<slh_dsa::Sha2_128f>(set, fips_sha2_128f),
        "SLH-DSA-SHAKE-128s" => both::<slh_dsa::Shake128s>(set, fips_shake_128s),
        "SLH-DSA-SHAKE-128f" => both::<slh_dsa::Shake128f>(set, fips_shake_128f),
        "SLH-DSA-SHA2-256f" => both::<slh_dsa::Sha2_256f>(set, fips_sha2_256f),
        "SLH-DSA-SHAKE-256f" => both::<slh_dsa::Shake256f>(set, fips_shake_256f),
        _ => Vec::new(),
    }
}

fn both<P: ParameterSet + 'static>(set: &'static Set, fips: fn(&'static Set) -> Side) -> Vec<Side> {
    vec![rustcrypto::<P>(set), fips(set)]
}

/// Returns the side of the crate slh-dsa.
fn rustcrypto<P: ParameterSet + 'static>(set: &'static Set) -> Side {
    let make = move || {
        let seed = seed(set);
        let part = |i: usize| &seed[i * set.n..(i + 1) * set.n];
        slh_dsa::SigningKey::<P>::slh_keygen_internal(part(0), part(1), part(2))
    };
    let key = make();
    let signature = key.try_sign_with_context(&MESSAGE, &[], None).expect("a message");
    let own = SigningKey::from_seed(&Kernels::best(), set, &seed(set)).expect("a seed");
    let ours = own.sign(Context::EMPTY, &MESSAGE, None).expect("a message");
    assert!(ours.as_bytes() == signature.to_vec(), "slh-dsa signs otherwise than we do");
    let public: slh_dsa::VerifyingKey<P> = AsRef::<slh_dsa::VerifyingKey<P>>::as_ref(&key).clone();
    Side {
        peer: Peer {
            uses: "sha2 0.11: SHA-NI or AVX2 found at run time; sha3 0.11: portable".to_owned(),
            ..of_this_build("slh-dsa 0.2.0-rc.5")
        },
        work: [
            Work::of(move || {
                black_box(make());
            }),
            Work::of(move || {
                black_box(key.try_sign_with_context(&MESSAGE, &[], None).expect("a message"));
            }),
            Work::of(move || {
                let verdict = public.try_verify_with_context(&MESSAGE, &[], &signature);
                verdict.expect("its own signature");
            }),
        ],
        indices: None,
    }
}

macro_rules! fips {
    ($($name:ident: $module:ident;)*) => {$(
        /// Returns the side of the crate fips205.
        fn $name(set: &'static Set) -> Side {
            use fips205::$module as set_of;
            const N: usize = set_of::N;
            let make = move || {
                let seed = seed(set);
                let part = |i: usize| -> [u8; N] { core::array::from_fn(|j| seed[i * N + j]) };
                set_of::KG::keygen_from_seed::<N>(&part(0), &part(1), &part(2))
            };
            let (public, key) = make();
            let signature = key.try_sign(&MESSAGE, &[], false).expect("a message");
            let own = SigningKey::from_seed(&Kernels::best(), set, &seed(set)).expect("a seed");
            assert!(public.clone().into_bytes() == own.verifying_key().as_bytes());
            let ours = own.sign(Context::EMPTY, &MESSAGE, None).expect("a message");
            assert!(ours.as_bytes() == signature, "fips205 signs otherwise than we do");
            Side {
                peer: Peer {
                    uses: "sha2 0.10: SHA-NI found at run time; sha3 0.10: portable".to_owned(),
                    ..of_this_build("fips205 0.5.0")
                },
                work: [
                    Work::of(move || {
                black_box(make());
            }),
                    Work::of(move || {
                        black_box(key.try_sign(&MESSAGE, &[], false).expect("a message"));
                    }),
                    Work::of(move || {
                        assert!(public.verify(&MESSAGE, &signature, &[]), "its own signature");
                    }),
                ],
                indices: None,
            }
        }
    )*};
}

fips! {
    fips_sha2_128s: slh_dsa_sha2_128s;
    fips_sha2_128f: slh_dsa_sha2_128f;
    fips_shake_128s: slh_dsa_shake_128s;
    fips_shake_128f: slh_dsa_shake_128f;
    fips_sha2_256f: slh_dsa_sha2_256f;
    fips_shake_256f: slh_dsa_shake_256f;
}
