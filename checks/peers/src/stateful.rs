//! LMS by the crate hbs-lms, XMSS and XMSS^MT by the crate xmss; ours verifies a signature of each.

use std::hint::black_box;

use hasten_hbs::{PublicKey, Set, Verifier};
use hasten_kernels::Kernels;
use hbs_lms::signature::Verifier as _;
use hbs_lms::{HssParameter, LmotsAlgorithm, LmsAlgorithm, Seed, Sha256_256};
use xmss::{KeyPair, XmssMtSha2_20_2_256, XmssMtSha2_20_4_256, XmssParameter, XmssSha2_10_256};

use crate::ours::seed;
use crate::{MESSAGE, Side};

/// The sets measured if none is named.
pub const SETS: [&str; 6] = [
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8",
    "XMSS-SHA2_10_256",
    "XMSSMT-SHA2_20/4_256",
];

/// Bytes of the cache that hbs-lms keeps of a tree: more than it fills at height 10.
const CACHE: usize = 1 << 17;

/// Returns the peer that has `set`.
pub fn side(set: &'static Set) -> Option<Side> {
    use LmotsAlgorithm::{LmotsW1, LmotsW2, LmotsW4, LmotsW8};
    use LmsAlgorithm::{LmsH5, LmsH10};
    Some(match set.name {
        "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4" => lms(set, LmotsW4, LmsH5),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1" => lms(set, LmotsW1, LmsH10),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2" => lms(set, LmotsW2, LmsH10),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4" => lms(set, LmotsW4, LmsH10),
        "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8" => lms(set, LmotsW8, LmsH10),
        "XMSS-SHA2_10_256" => xmss::<XmssSha2_10_256>(set, PublicKey::from_xmss_bytes),
        "XMSSMT-SHA2_20/2_256" => xmss::<XmssMtSha2_20_2_256>(set, PublicKey::from_xmssmt_bytes),
        "XMSSMT-SHA2_20/4_256" => xmss::<XmssMtSha2_20_4_256>(set, PublicKey::from_xmssmt_bytes),
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

    /// Returns the next signature; a key that is used up begins anew.
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
    // HSS of one level: the number of levels less one, then what LMS writes.
    let [key, signed] = [signer.public.as_slice(), signature.as_ref()].map(|b| &b[4..]);
    check(PublicKey::from_lms_bytes(key), set, signed);
    let public = signer.public.clone();
    Side {
        name: "hbs-lms 0.2.0-alpha.1",
        built: "sha2 0.10 (SHA-NI found at run time), its cache of the tree given to it",
        work: [
            Box::new(move || {
                black_box(Lms::new(ots, tree));
            }),
            Box::new(move || {
                black_box(signer.sign(&fresh));
            }),
            Box::new(move || {
                public.verify(&MESSAGE, &signature).expect("its own signature");
            }),
        ],
    }
}

fn xmss<P: XmssParameter>(
    set: &'static Set,
    parse: fn(&[u8]) -> Result<PublicKey, hasten_hbs::Error>,
) -> Side {
    let make = move || KeyPair::<P>::from_seed(&seed(set)).expect("a seed");
    let mut pair = make();
    let signature = pair.signing_key().sign_detached(&MESSAGE).expect("an index is left");
    check(parse(pair.verifying_key().as_ref()), set, signature.as_ref());
    let public = pair.verifying_key().clone();
    Side {
        name: "xmss 0.1.0-pre.0",
        built: "sha2 0.10 (SHA-NI found at run time)",
        work: [
            Box::new(move || {
                black_box(make());
            }),
            Box::new(move || {
                black_box(pair.signing_key().sign_detached(&MESSAGE).expect("an index is left"));
            }),
            Box::new(move || {
                public.verify_detached(&signature, &MESSAGE).expect("its own signature");
            }),
        ],
    }
}

/// Ours verifies theirs.
fn check(key: Result<PublicKey, hasten_hbs::Error>, set: &Set, signature: &[u8]) {
    let key = key.expect("a key of the same standard");
    assert_eq!(key.set().name, set.name);
    let verdict = Verifier::new(&key, Kernels::best()).verify(&MESSAGE, signature);
    verdict.expect("a signature of the same standard");
}
