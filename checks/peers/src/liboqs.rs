//! liboqs: SPHINCS+ of round 3.1 (simple). It hashes like SLH-DSA, except for the message's prefix
//! and the order of bits in FORS indices.

use std::hint::black_box;

use hasten_hbs::Set;
use oqs::sig::{Algorithm, Sig};

use crate::MESSAGE;
use crate::side::{Peer, Side, Work};

/// Returns the name of a set in liboqs.
fn algorithm(set: &Set) -> Option<Algorithm> {
    Some(match set.name {
        "SLH-DSA-SHA2-128s" => Algorithm::SphincsSha2128sSimple,
        "SLH-DSA-SHA2-128f" => Algorithm::SphincsSha2128fSimple,
        "SLH-DSA-SHA2-192s" => Algorithm::SphincsSha2192sSimple,
        "SLH-DSA-SHA2-192f" => Algorithm::SphincsSha2192fSimple,
        "SLH-DSA-SHA2-256s" => Algorithm::SphincsSha2256sSimple,
        "SLH-DSA-SHA2-256f" => Algorithm::SphincsSha2256fSimple,
        "SLH-DSA-SHAKE-128s" => Algorithm::SphincsShake128sSimple,
        "SLH-DSA-SHAKE-128f" => Algorithm::SphincsShake128fSimple,
        "SLH-DSA-SHAKE-192s" => Algorithm::SphincsShake192sSimple,
        "SLH-DSA-SHAKE-192f" => Algorithm::SphincsShake192fSimple,
        "SLH-DSA-SHAKE-256s" => Algorithm::SphincsShake256sSimple,
        "SLH-DSA-SHAKE-256f" => Algorithm::SphincsShake256fSimple,
        _ => return None,
    })
}

/// Returns liboqs' operations on `set`, if it supports the set.
pub fn side(set: &'static Set) -> Option<Side> {
    let algorithm = algorithm(set)?;
    oqs::init();
    let sig = || Sig::new(algorithm).expect("the feature sphincs is on");
    let (make, sign, verify) = (sig(), sig(), sig());
    let (public, secret) = make.keypair().expect("a generator of random bytes");
    let signature = sign.sign(&MESSAGE, &secret).expect("a message");
    Some(Side {
        peer: Peer {
            name: "liboqs 0.13.0".to_owned(),
            built: "C compiler, -O3 -march=native".to_owned(),
            uses: "AVX2: 8 SHA-256 or 4 Keccak lanes".to_owned(),
            remark: Some("SPHINCS+ of round 3.1: other message prefix and order of FORS bits"),
            rebuilds: false,
        },
        work: [
            Work::of(move || {
                black_box(make.keypair().expect("random bytes"));
            }),
            Work::of(move || {
                black_box(sign.sign(&MESSAGE, &secret).expect("a message"));
            }),
            Work::of(move || {
                verify.verify(&MESSAGE, &signature, &public).expect("its own signature");
            }),
        ],
        indices: None,
    })
}
