//! Keys with a signature limit: comparison with the plain algorithm, counting and refusals.

use super::*;
use crate::hazmat::Throwaway;
use crate::params::TOYS;
use crate::slhdsa::{Context, SigningKey, VerifyingKey};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hasten_kernels::{Counter, Counting, Kernels};

fn small() -> impl Iterator<Item = &'static Set> {
    TOYS.iter().filter(|set| set.h < 10)
}

fn seed(set: &Set) -> Vec<u8> {
    (0..set.seed_bytes() as u8).collect()
}

fn signer(set: &'static Set, threads: usize) -> LimitedSigner<'static> {
    let mut generation = LimitedGeneration::new(set, &seed(set), Kernels::best()).unwrap();
    generation.run(threads, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// Returns the set without its limit, so that the plain algorithm can sign with it.
fn plain(set: &'static Set) -> &'static Set {
    Box::leak(Box::new(Set { limit: None, ..*set }))
}

#[test]
fn keys_and_signatures_are_those_of_the_plain_algorithm() {
    let context = Context::new(b"boot").unwrap();
    for set in small() {
        let theirs = SigningKey::from_seed(&Kernels::best(), plain(set), &seed(set)).unwrap();
        for threads in [1, 3] {
            let mut ours = signer(set, threads);
            assert_eq!(ours.verifying_key().as_bytes(), theirs.verifying_key().as_bytes());
            let mut permits = Throwaway::new();
            for message in [&b""[..], b"firmware 1.2", &[7; 1000]] {
                let prepared = ours.prepare(permits.permit()).unwrap().on_threads(threads);
                let random = &[3; 32][..set.n];
                let made = prepared.sign(context, message, Some(random)).unwrap();
                assert!(made == theirs.sign(context, message, Some(random)).unwrap(), "{set:?}");
                ours.verifying_key().verify(context, message, made.as_bytes()).unwrap();
            }
        }
    }
}

/// FORS trees taller than a unit, and a tree whose stored row is high above its leaves.
#[test]
fn tall_trees_are_put_together_from_units() {
    let Scheme::SlhDsa { k, .. } = TOYS[0].scheme else { panic!() };
    let scheme = Scheme::SlhDsa { a: 14, k };
    let set: &Set = Box::leak(Box::new(Set { scheme, h: 12, ..TOYS[0] }));
    let theirs = SigningKey::from_seed(&Kernels::best(), plain(set), &seed(set)).unwrap();
    let mut ours = signer(set, 2);
    let prepared = ours.prepare(Throwaway::new().permit()).unwrap().on_threads(2);
    let made = prepared.sign(Context::EMPTY, b"m", None).unwrap();
    assert!(made == theirs.sign(Context::EMPTY, b"m", None).unwrap());
}

#[test]
fn the_limit_is_refused_and_indices_never_go_back() {
    let set = &TOYS[0];
    let mut signer = signer(set, 1);
    let mut permits = Throwaway::new();
    for left in (0..4).rev() {
        let prepared = signer.prepare(permits.permit()).unwrap();
        assert!(prepared.sign(Context::EMPTY, b"m", None).is_ok());
        assert_eq!(signer.remaining(), left);
    }
    assert_eq!(signer.prepare(permits.permit()).err(), Some(Error::Exhausted));
    let passed = signer.prepare(Throwaway::starting_at(2).permit());
    assert_eq!(passed.err(), Some(Error::IndexPassed));
}

#[test]
fn a_key_is_loaded_from_its_row_and_from_no_other() {
    let set = &TOYS[0];
    let made = signer(set, 1);
    let (row, public) = (made.to_cache(), made.verifying_key().as_bytes().to_vec());
    assert_eq!(row.len(), LimitedGeneration::row_bytes(set));
    let used = Throwaway::starting_at(3);
    let load = |public: &[u8], seed: &[u8], row: &[u8]| {
        LimitedSigner::load(set, public, seed, row, &used, Kernels::best())
    };
    let mut loaded = load(&public, &seed(set), &row).unwrap();
    assert_eq!((loaded.next_index(), loaded.remaining()), (3, 1));
    let prepared = loaded.prepare(Throwaway::starting_at(3).permit()).unwrap();
    let signature = prepared.sign(Context::EMPTY, b"m", None).unwrap();
    let key = VerifyingKey::from_bytes(&Kernels::best(), set, &public).unwrap();
    assert_eq!(key.verify(Context::EMPTY, b"m", signature.as_bytes()), Ok(()));
    let mut damaged = row.clone();
    damaged[5] ^= 1;
    assert_eq!(load(&public, &seed(set), &damaged).err(), Some(Error::BadCache));
    assert_eq!(load(&public, &seed(set), &row[1..]).err(), Some(Error::BadCache));
    assert_eq!(load(&public, &[0; 48], &row).err(), Some(Error::BadSeed));
    assert_eq!(load(&public, &[1], &row).err(), Some(Error::BadSeed));
    assert_eq!(load(&public[1..], &seed(set), &row).err(), Some(Error::BadKey));
}

#[test]
fn generation_goes_on_where_it_was_stopped() {
    let set = &TOYS[0];
    let begin = || LimitedGeneration::new(set, &seed(set), Kernels::best()).unwrap();
    let whole = signer(set, 1);
    let mut stopped = begin();
    let mut watch = |p: crate::Progress| match p.done < p.total / 2 {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    assert_eq!(stopped.run(1, &mut watch).err(), Some(Error::Stopped));
    let mut resumed = begin();
    resumed.resume(stopped.partial()).unwrap();
    let ended = resumed.run(2, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(ended.verifying_key().as_bytes(), whole.verifying_key().as_bytes());
    assert_eq!(begin().resume(&[0; 1 << 14]), Err(Error::BadCache));
    assert_eq!(begin().resume(&[0; 7]), Err(Error::BadCache));
}

#[test]
fn a_signature_is_stopped_and_gives_nothing() {
    let mut signer = signer(&TOYS[0], 1);
    let prepared = signer.prepare(Throwaway::new().permit()).unwrap();
    let stop = &mut |_| ControlFlow::Break(());
    let ended = prepared.sign_watched(Context::EMPTY, b"m", None, stop);
    assert_eq!(ended.err(), Some(Error::Stopped));
    assert_eq!(signer.next_index(), 1, "its index is lost");
}

#[test]
fn only_sets_with_a_limit_are_taken() {
    let kernels = Kernels::best();
    for name in ["SLH-DSA-SHA2-128s", "XMSS-SHA2_10_256"] {
        let set = Set::named(name).unwrap();
        let refused = LimitedGeneration::new(set, &seed(set), kernels);
        assert_eq!(refused.err(), Some(Error::UnknownSet));
    }
    assert_eq!(LimitedGeneration::new(&TOYS[0], &[0; 47], kernels).err(), Some(Error::BadSeed));
}

/// A signature computes every node of the FORS trees once. Of the tall tree it computes only the
/// leaves below one node of the row.
#[test]
fn a_signature_costs_its_fors_trees() {
    let set = &TOYS[0];
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let mut generation = LimitedGeneration::new(set, &seed(set), counting.kernels()).unwrap();
    let signer = generation.run(1, &mut |_| ControlFlow::Continue(())).unwrap();
    counter.reset();
    signer.sign_uncounted_beyond_any_limit(Context::EMPTY, b"", None, 1).unwrap();
    let Scheme::SlhDsa { a, k } = set.scheme else { panic!() };
    let fors = u64::from(k) * (3 * (1 << a) - 1) + 2;
    let leaf = set.len() as u64 * set.w() as u64 + (22 + set.ots_bytes() as u64 + 9).div_ceil(64);
    let low = (leaf + 1) * 8 - 1;
    let message = 4 + 4;
    let ots = counter.total() - fors - low - message;
    assert!((set.len() as u64..=4 * set.len() as u64).contains(&ots), "{ots}");
}
