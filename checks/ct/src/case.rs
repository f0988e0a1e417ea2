//! The cases: one small parameter set of each scheme and hash function.

use crate::memcheck::undefine;
use crate::public::Public;
use crate::watch::{Declarer, Recorder};
use hasten_hbs::slhdsa::{self, Context};
use hasten_hbs::{
    PublicKey, Set, Signer, SignerLevel, Verifier, generate, hazmat::Throwaway, load,
};
use hasten_kernels::Kernels;
use std::ops::Range;

/// The signed message.
const MESSAGE: &[u8] = b"a message that all may see";

/// One case.
pub struct Case {
    /// The parameter set.
    pub name: &'static str,
    /// Range of the secrets within the seed.
    secret: Range<usize>,
    /// Signs natively and returns the public data.
    record: fn(&Case) -> Public,
    /// Generates a key and signs, with the secrets undefined.
    check: fn(&Case, Kernels<'_>, PublicKeyAndCache),
}

type PublicKeyAndCache = (Vec<u8>, Vec<u8>);

/// All cases. Keys of XMSS have at least 1,024 leaves, too many for valgrind. An XMSS key is
/// therefore loaded, which computes leaves from the seed as key generation does.
pub const CASES: &[Case] = &[
    Case {
        name: "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4",
        secret: 16..48,
        record: |case| record_stateful(case, generate, PublicKey::from_lms_bytes),
        check: |case, kernels, _| {
            sign_levels(|| generate(case.set(), &case.seed(), kernels).expect("a key"));
        },
    },
    Case {
        name: "LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W8",
        secret: 16..40,
        record: |case| record_stateful(case, generate, PublicKey::from_lms_bytes),
        check: |case, kernels, _| {
            sign_levels(|| generate(case.set(), &case.seed(), kernels).expect("a key"));
        },
    },
    Case {
        name: "HSS(LMS_SHA256_M32_H5_W4,LMS_SHA256_M24_H5_W2)",
        secret: 16..48,
        record: |case| record_stateful(case, generate, PublicKey::from_hss_bytes),
        check: |case, kernels, _| {
            sign_levels(|| generate(case.set(), &case.seed(), kernels).expect("a key"));
        },
    },
    Case {
        name: "XMSS-SHA2_10_256",
        secret: 0..64,
        record: |case| record_stateful(case, generate, PublicKey::from_xmss_bytes),
        check: check_xmss,
    },
    Case {
        name: "XMSS-SHAKE_10_256",
        secret: 0..64,
        record: |case| record_stateful(case, generate, PublicKey::from_xmss_bytes),
        check: check_xmss,
    },
    Case {
        name: "SLH-DSA-SHA2-128f",
        secret: 0..32,
        record: record_stateless,
        check: check_stateless,
    },
    Case {
        name: "SLH-DSA-SHAKE-128f",
        secret: 0..32,
        record: record_stateless,
        check: check_stateless,
    },
];

fn check_xmss(case: &Case, kernels: Kernels<'_>, (key, cache): PublicKeyAndCache) {
    let public = PublicKey::from_xmss_bytes(&key).expect("the key recorded");
    sign_levels(|| {
        load(&public, &case.seed(), &cache, &Throwaway::new(), kernels).expect("the key recorded")
    });
}

fn check_stateless(case: &Case, kernels: Kernels<'_>, _: PublicKeyAndCache) {
    let key = slhdsa::SigningKey::from_seed(&kernels, case.set(), &case.seed());
    let signature = key.expect("a key").sign(Context::EMPTY, MESSAGE, None);
    std::hint::black_box(signature.expect("a signature"));
}

/// Returns the case of this name.
pub fn named(name: &str) -> &'static Case {
    CASES.iter().find(|case| case.name == name).expect("a case")
}

impl Case {
    fn set(&self) -> &'static Set {
        Set::named(self.name).expect("a set")
    }

    /// Returns the seed, which is the same in every run. Under valgrind its secrets are undefined.
    fn seed(&self) -> Vec<u8> {
        let mut seed: Vec<u8> =
            (0..self.set().seed_bytes()).map(|i| (i as u8).wrapping_mul(73) ^ 0x5e).collect();
        undefine(&mut seed[self.secret.clone()]);
        seed
    }

    /// Returns the public data.
    pub fn record(&self) -> Public {
        (self.record)(self)
    }

    /// Generates a key and signs while valgrind watches.
    pub fn check(&self, backend: &str, leak: bool, public: Public) {
        let kernels = Kernels::named(backend).expect("a backend of this processor");
        let data = (public.key.clone(), public.cache.clone());
        let declarer = Declarer { inner: kernels, public, leak };
        (self.check)(self, declarer.kernels(), data);
    }
}

/// Signs with index 0 at every level, each time with a new key.
fn sign_levels<'k>(make: impl Fn() -> Signer<'k>) {
    for level in [SignerLevel::None, SignerLevel::ChainTable] {
        let prepared = make().prepare(Throwaway::new().permit(), level).expect("an index");
        std::hint::black_box(prepared.finish(MESSAGE).expect("a signature"));
    }
}

fn record_stateful<E: std::fmt::Debug>(
    case: &Case,
    generate: fn(&'static Set, &[u8], Kernels<'static>) -> Result<Signer<'static>, E>,
    read: fn(&[u8]) -> Result<PublicKey, E>,
) -> Public {
    let kernels = Kernels::best();
    let mut signer = generate(case.set(), &case.seed(), kernels).expect("a key");
    let (key, cache) = (signer.public_key().as_bytes().to_vec(), signer.to_cache().to_vec());
    let prepared = signer.prepare(Throwaway::new().permit(), SignerLevel::None).expect("index 0");
    let signature = prepared.finish(MESSAGE).expect("a signature").into_bytes();
    let recorder = Recorder::new(kernels);
    let verifier = Verifier::new(&read(&key).expect("the key just made"), recorder.kernels());
    verifier.verify(MESSAGE, &signature).expect("the signature just made");
    drop(verifier);
    Public { key, cache, values: recorder.seen() }.close(&signature)
}

fn record_stateless(case: &Case) -> Public {
    let kernels = Kernels::best();
    let key = slhdsa::SigningKey::from_seed(&kernels, case.set(), &case.seed()).expect("a key");
    let signature = key.sign(Context::EMPTY, MESSAGE, None).expect("a signature").into_bytes();
    let public = key.verifying_key().as_bytes().to_vec();
    let recorder = Recorder::new(kernels);
    let watched = recorder.kernels();
    let verifier = slhdsa::VerifyingKey::from_bytes(&watched, case.set(), &public).expect("a key");
    verifier.verify(Context::EMPTY, MESSAGE, &signature).expect("the signature just made");
    drop(verifier);
    Public { key: public, cache: Vec::new(), values: recorder.seen() }.close(&signature)
}
