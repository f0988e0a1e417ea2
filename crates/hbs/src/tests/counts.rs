//! The exact cost of every operation in compressions, and how evenly costs are spread.

use crate::hazmat::Throwaway;
use crate::one_time::digits::{MOST_CHAINS, digits};
use crate::{
    KeyGeneration, PreparedVerifier, PublicKey, Set, Signer, SignerLevel, Verifier, VerifierLevel,
    load,
};
use alloc::vec;
use core::ops::ControlFlow;
use hasten_kernels::{Counter, Counting, Kernels};
use std::boxed::Box;
use std::sync::OnceLock;
use std::vec::Vec;

/// Compressions in one call. If a PRF has a constant first block, that block is computed in
/// advance.
struct Costs {
    set: &'static str,
    prf: u64,
    prf_keygen: u64,
    f: u64,
    h: u64,
    /// F and H with given KEY and masks.
    f_core: u64,
    h_core: u64,
    /// Size of a block in bytes. `message` is the number of bytes that H_msg hashes in addition to
    /// the message, including padding.
    block: u64,
    message: u64,
    leaf: u64,
}

const ALL: &[Costs] = &[
    Costs {
        set: "XMSS-SHA2_10_256",
        prf: 1,
        prf_keygen: 2,
        f: 4,
        h: 6,
        f_core: 1,
        h_core: 2,
        block: 64,
        message: 137,
        leaf: 4550,
    },
    Costs {
        set: "XMSS-SHA2_10_192",
        prf: 2,
        prf_keygen: 1,
        f: 5,
        h: 8,
        f_core: 1,
        h_core: 2,
        block: 64,
        message: 85,
        leaf: 4276,
    },
    Costs {
        set: "XMSS-SHA2_10_512",
        prf: 1,
        prf_keygen: 1,
        f: 4,
        h: 6,
        f_core: 1,
        h_core: 2,
        block: 128,
        message: 273,
        leaf: 8771,
    },
    Costs {
        set: "XMSS-SHAKE_10_256",
        prf: 1,
        prf_keygen: 1,
        f: 3,
        h: 4,
        f_core: 1,
        h_core: 1,
        block: 168,
        message: 129,
        leaf: 3346,
    },
    Costs {
        set: "XMSS-SHAKE256_10_256",
        prf: 1,
        prf_keygen: 1,
        f: 3,
        h: 4,
        f_core: 1,
        h_core: 1,
        block: 136,
        message: 129,
        leaf: 3346,
    },
    Costs {
        set: "XMSS-SHAKE256_10_192",
        prf: 1,
        prf_keygen: 1,
        f: 3,
        h: 4,
        f_core: 1,
        h_core: 1,
        block: 136,
        message: 77,
        leaf: 2546,
    },
    // The first block of a PRF ends inside the address, in the part that is constant in a tree.
    Costs {
        set: "XMSS-SHAKE_10_512",
        prf: 1,
        prf_keygen: 1,
        f: 4,
        h: 5,
        f_core: 2,
        h_core: 2,
        block: 136,
        message: 257,
        leaf: 8641,
    },
];

const MESSAGE: usize = 64;

impl Costs {
    /// Returns the parameter set, with a tree of 64 leaves.
    fn row(&self) -> &'static Set {
        Box::leak(Box::new(Set { h: 6, ..*Set::named(self.set).unwrap() }))
    }

    /// Returns the cost of H_msg for the message, from the first byte on.
    fn h_msg(&self) -> u64 {
        (self.message + MESSAGE as u64).div_ceil(self.block)
    }

    /// Returns the cost of H_msg after the whole blocks before the message are absorbed.
    fn h_msg_rest(&self) -> u64 {
        let set = self.row();
        self.h_msg() - (set.pad() + 3 * set.n) as u64 / self.block
    }

    fn len(&self) -> u64 {
        self.row().len() as u64
    }

    /// Returns the cost of `finish` at a level if its chains take `d` steps in total, without the
    /// share of the traversal at level `none`.
    fn finish(&self, level: SignerLevel, d: u64) -> u64 {
        match level {
            SignerLevel::None | SignerLevel::EarlyAuth => {
                self.prf + self.h_msg() + self.len() * self.prf_keygen + d * self.f
            }
            SignerLevel::Secrets => self.h_msg_rest() + d * self.f,
            SignerLevel::Masks => self.h_msg_rest() + d * self.f_core,
            SignerLevel::ChainTable => self.h_msg_rest(),
        }
    }

    /// Returns the cost of `prepare` at a level, without the share of the traversal.
    fn prepare(&self, level: SignerLevel) -> u64 {
        let steps = self.len() * (self.row().w() as u64 - 1);
        let secrets = self.prf + self.len() * self.prf_keygen + self.h_msg() - self.h_msg_rest();
        match level {
            SignerLevel::None | SignerLevel::EarlyAuth => 0,
            SignerLevel::Secrets => secrets,
            SignerLevel::Masks => secrets + steps * (self.f - self.f_core),
            SignerLevel::ChainTable => secrets + steps * self.f,
        }
    }

    fn verify(&self, masks: bool, d: u64) -> u64 {
        let set = self.row();
        let steps = self.len() * (set.w() as u64 - 1) - d;
        let nodes = self.len() - 1 + u64::from(set.h);
        let (f, h) = if masks { (self.f_core, self.h_core) } else { (self.f, self.h) };
        self.h_msg() + steps * f + nodes * h
    }
}

/// Returns the sum of the digits of a signature's digest.
fn digit_sum(verifier: &Verifier<'_>, message: &[u8], signature: &[u8]) -> u64 {
    let set = verifier.public_key().set();
    let (mut digest, mut steps) = ([0; 64], [0; MOST_CHAINS]);
    let parts = verifier.split(signature).unwrap();
    verifier.opening(&parts).finish(message, &mut digest[..set.n]);
    digits(set, &digest[..set.n], &mut steps[..set.len()]);
    steps.iter().map(|step| u64::from(*step)).sum()
}

fn spent<R>(counter: &Counter, work: impl FnOnce() -> R) -> (R, u64) {
    let before = counter.total();
    let result = work();
    (result, counter.total() - before)
}

/// Returns a key whose hashes are all counted, and the cost of its generation.
fn counted<'k>(set: &'static Set, kernels: Kernels<'k>, counter: &Counter) -> (Signer<'k>, u64) {
    let seed = vec![0x5e; set.seed_bytes()];
    let mut generation = KeyGeneration::new(set, &seed, kernels).unwrap();
    spent(counter, || generation.run(2, &mut |_| ControlFlow::Continue(())).unwrap())
}

#[test]
fn every_count_of_the_latency_chapter() {
    for costs in ALL {
        let counter = Counter::new();
        let counting = Counting::new(Kernels::best(), &counter);
        let (mut signer, generation) = counted(costs.row(), counting.kernels(), &counter);
        assert_eq!(generation, 64 * costs.leaf + 63 * costs.h, "{}", costs.set);
        let plain = Verifier::new(signer.public_key(), Kernels::best());
        let verifier = Verifier::new(signer.public_key(), counting.kernels());
        let mut permits = Throwaway::new();
        for level in SignerLevel::ALL {
            one_signature(costs, level, &mut signer, &mut permits, &counter, &plain, &verifier);
        }
    }
}

fn one_signature(
    costs: &Costs,
    level: SignerLevel,
    signer: &mut Signer<'_>,
    permits: &mut Throwaway,
    counter: &Counter,
    plain: &Verifier<'_>,
    verifier: &Verifier<'_>,
) {
    let message = [level as u8; MESSAGE];
    // Index i completes the nodes of the next subtree that end with its leaf.
    let index = signer.next_index();
    let traversal = costs.leaf + u64::from((index + 1).trailing_zeros().min(3)) * costs.h;
    let (prepared, prepare) = spent(counter, || signer.prepare(permits.permit(), level).unwrap());
    let (signature, finish) = spent(counter, || prepared.finish(&message).unwrap());
    let d = digit_sum(plain, &message, signature.as_bytes());
    let inside = if level == SignerLevel::None { traversal } else { 0 };
    assert_eq!(prepare, traversal - inside + costs.prepare(level), "{} {level:?}", costs.set);
    assert_eq!(finish, inside + costs.finish(level, d), "{} {level:?}", costs.set);

    let none = || verifier.verify(&message, signature.as_bytes()).unwrap();
    assert_eq!(spent(counter, none).1, costs.verify(false, d), "{}", costs.set);
    let mut masks = PreparedVerifier::new(verifier.clone(), VerifierLevel::Masks, index);
    let verify = || masks.verify(&message, signature.as_bytes()).unwrap();
    assert_eq!(spent(counter, verify).1, costs.verify(true, d), "{}", costs.set);
}

/// Returns the public key and the cache of an XMSS-SHA2_10_256 key, generated once and counted.
fn generated() -> &'static (PublicKey, Vec<u8>) {
    static KEY: OnceLock<(PublicKey, Vec<u8>)> = OnceLock::new();
    KEY.get_or_init(|| {
        let counter = Counter::new();
        let counting = Counting::new(Kernels::best(), &counter);
        let set = Set::named("XMSS-SHA2_10_256").unwrap();
        let (signer, generation) = counted(set, counting.kernels(), &counter);
        assert_eq!(generation, 4_665_338);
        (signer.public_key().clone(), signer.to_cache())
    })
}

/// Returns the costs of `prepare` and of `finish` for every index of a key.
fn whole_life(level: SignerLevel) -> (Vec<u64>, Vec<u64>) {
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let (public, cache) = generated();
    let mut signer =
        load(public, &[0x5e; 96], cache, &Throwaway::new(), counting.kernels()).unwrap();
    let mut permits = Throwaway::new();
    let one = |i: u64| {
        let (prepared, prepare) =
            spent(&counter, || signer.prepare(permits.permit(), level).unwrap());
        let (_, finish) = spent(&counter, || prepared.finish(&i.to_be_bytes()).unwrap());
        (prepare, finish)
    };
    (0..1024).map(one).unzip()
}

#[test]
fn no_signature_of_a_key_is_much_dearer_than_another() {
    for level in SignerLevel::ALL {
        let (prepare, finish) = whole_life(level);
        for costs in [prepare, finish] {
            let (sum, max) = (costs.iter().sum::<u64>(), *costs.iter().max().unwrap());
            assert!(max * 1024 <= 2 * sum, "{level:?}: {max} over {}", sum / 1024);
        }
    }
}

#[test]
fn a_verifier_that_saw_the_last_signature_climbs_one_level_on_average() {
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let costs = &ALL[0];
    let (public, cache) = generated();
    let mut signer = load(public, &[0x5e; 96], cache, &Throwaway::new(), Kernels::best()).unwrap();
    let plain = Verifier::new(public, Kernels::best());
    let verifier = Verifier::new(public, counting.kernels());
    let mut watch = PreparedVerifier::new(verifier.clone(), VerifierLevel::NodeCache, 0);
    let mut known = PreparedVerifier::new(verifier, VerifierLevel::OtsKey, 0);
    let mut permits = Throwaway::new();
    let (mut levels, message) = (0, [9; MESSAGE]);
    for _ in 0..256 {
        let prepared = signer.prepare(permits.permit(), SignerLevel::ChainTable).unwrap();
        known.announce(&prepared.announcement()).unwrap();
        let signature = prepared.finish(&message).unwrap();
        let d = digit_sum(&plain, &message, signature.as_bytes());
        let below = costs.verify(true, d) - 6 * costs.h_core;
        let cached = spent(&counter, || watch.verify(&message, signature.as_bytes()).unwrap()).1;
        levels += (cached - below) / costs.h_core;
        let ots = spent(&counter, || known.verify(&message, signature.as_bytes()).unwrap()).1;
        assert_eq!(ots, costs.h_msg() + 1005 - d);
        watch.prepare();
        known.prepare();
    }
    // The first signature climbs all ten levels. Of the others, every 2^k-th climbs k more.
    assert!(levels <= 256 + 10, "{levels} levels for 256 signatures");
}

#[test]
fn loading_costs_one_low_subtree_or_one_leaf() {
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let costs = &ALL[0];
    let (public, cache) = generated();
    let load = || {
        load(public, &[0x5e; 96], cache, &Throwaway::starting_at(700), counting.kernels()).unwrap()
    };
    let prefixes = 3;
    assert_eq!(spent(&counter, load).1, 16 * costs.leaf + (15 + 63) * costs.h + prefixes);
    let kept = [&cache[..], &load().to_leaves()].concat();
    let load = || {
        crate::load(public, &[0x5e; 96], &kept, &Throwaway::starting_at(700), counting.kernels())
            .unwrap()
    };
    assert_eq!(spent(&counter, load).1, costs.leaf + (15 + 63) * costs.h + prefixes);
}

#[test]
fn small_keys_of_every_hash_are_used_up_and_end() {
    for costs in ALL {
        let counter = Counter::new();
        let (mut signer, _) = counted(costs.row(), Kernels::best(), &counter);
        let verifier = Verifier::new(signer.public_key(), Kernels::best());
        let mut permits = Throwaway::new();
        for index in 0..64 {
            let level = SignerLevel::ALL[index % 5];
            let prepared = signer.prepare(permits.permit(), level).unwrap();
            let signature = prepared.finish(&[index as u8]).unwrap();
            verifier.verify(&[index as u8], signature.as_bytes()).unwrap();
        }
        let past = signer.prepare(permits.permit(), SignerLevel::None);
        assert_eq!(past.err(), Some(crate::Error::Exhausted));
    }
}
