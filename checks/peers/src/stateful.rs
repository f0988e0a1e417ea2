//! LMS with the crate hbs-lms, XMSS and XMSS^MT with the crate xmss. Hasten verifies a signature of
//! each.

use std::hint::black_box;

use hasten_hbs::Set;
use hbs_lms::signature::Verifier as _;
use hbs_lms::{HssParameter, LmotsAlgorithm, LmsAlgorithm, Seed, Sha256_256};
use xmss::{KeyPair, XmssMtSha2_20_2_256, XmssMtSha2_20_4_256, XmssParameter, XmssSha2_10_256};

use crate::ours::seed;
use crate::side::{Peer, Side, Work, of_this_build};
use crate::{MESSAGE, exchange};

/// The sets measured by default.
pub const SETS: [&str; 6] = [
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8",
    "XMSS-SHA2_10_256",
    "XMSSMT-SHA2_20/4_256",
];

/// Size of hbs-lms' cache of a tree, in bytes: more than it fills at height 10.
const CACHE: usize = 1 << 17;

/// Returns the peer that supports `set`.
pub fn side(set: &'static Set) -> Option<Side> {
    use LmotsAlgorithm::{LmotsW1, LmotsW2, LmotsW4, LmotsW8};
    use LmsAlgorithm::{LmsH5, LmsH10};
    Some(match set.name {
        "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4" => lms(set, LmotsW4, LmsH5),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1" => lms(set, LmotsW1, LmsH10),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2" => lms(set, LmotsW2, LmsH10),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4" => lms(set, LmotsW4, LmsH10),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8" => lms(set, LmotsW8, LmsH10),
        "XMSS-SHA2_10_256" => xmss::<XmssSha2_10_256>(set),
        "XMSSMT-SHA2_20/2_256" => xmss::<XmssMtSha2_20_2_256>(set),
        "XMSSMT-SHA2_20/4_256" => xmss::<XmssMtSha2_20_4_256>(set),
        _ => return None,
    })
}

/// A key of hbs-lms with its cache of the upper part of the tree.
struct Lms {
    key: hbs_lms::SigningKey<Sha256_256>,
    public: hbs_lms::VerifyingKey<Sha256_256>,
    cache: Vec<u8>,
}

impl Lms {
    fn new(ots: LmotsAlgorithm, tree: LmsAlgorithm) -> Self {
        let parameters = [HssParameter::<Sha256_256>::new(ots, tree)];
        let mut cache = vec![0; CACHE];
        let made = hbs_lms::keygen(&parameters, &Seed::default(), Some(&mut &mut cache[..]));
        let (key, public) = made.expect("known parameters");
        Self { key, public, cache }
    }

    /// Returns the next signature. A used-up key starts again from `fresh`.
    fn sign(&mut self, fresh: &[u8]) -> hbs_lms::Signature {
        if self.key.get_lifetime().is_ok_and(|left| left == 0) {
            self.key.as_mut_slice().copy_from_slice(fresh);
        }
        let signature = self.key.try_sign_with_aux(&MESSAGE, Some(&mut &mut self.cache[..]));
        signature.expect("an index is left")
    }
}

fn lms(set: &'static Set, ots: LmotsAlgorithm, tree: LmsAlgorithm) -> Side {
    let mut signer = Lms::new(ots, tree);
    let fresh = signer.key.as_slice().to_vec();
    let signature = signer.sign(&fresh);
    let checked = exchange::check(set, signer.public.as_slice(), signature.as_ref());
    checked.expect("a signature of the same standard");
    let public = signer.public.clone();
    Side {
        peer: Peer {
            uses: "sha2 0.10: SHA-NI found at run time".to_owned(),
            remark: Some("makes most of its tree anew for each signature, with its cache given"),
            rebuilds: true,
            ..of_this_build("hbs-lms 0.2.0-alpha.1")
        },
        work: [
            Work::of(move || {
                black_box(Lms::new(ots, tree));
            }),
            Work::of(move || {
                black_box(signer.sign(&fresh));
            }),
            Work::of(move || {
                public.verify(&MESSAGE, &signature).expect("its own signature");
            }),
        ],
        indices: None,
    }
}

fn xmss<P: XmssParameter>(set: &'static Set) -> Side {
    let make = move || KeyPair::<P>::from_seed(&seed(set)).expect("a seed");
    let mut pair = make();
    let signature = pair.signing_key().sign_detached(&MESSAGE).expect("an index is left");
    let checked = exchange::check(set, pair.verifying_key().as_ref(), signature.as_ref());
    checked.expect("a signature of the same standard");
    let public = pair.verifying_key().clone();
    Side {
        peer: Peer {
            uses: "sha2 0.10: SHA-NI found at run time".to_owned(),
            remark: Some("makes its trees anew for each signature"),
            rebuilds: true,
            ..of_this_build("xmss 0.1.0-pre.0")
        },
        work: [
            Work::of(move || {
                black_box(make());
            }),
            Work::of(move || {
                black_box(pair.signing_key().sign_detached(&MESSAGE).expect("an index is left"));
            }),
            Work::of(move || {
                public.verify_detached(&signature, &MESSAGE).expect("its own signature");
            }),
        ],
        indices: None,
    }
}
