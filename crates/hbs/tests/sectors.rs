//! Keys whose sectors have seeds of their own: one public key, and each seed signs for its sector.

use std::ops::ControlFlow;

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{
    Error, KeyGeneration, Permit, PublicKey, Sectors, Set, Signer, SignerLevel, Verifier, generate,
    load_levels, most_sectors,
};
use hasten_kernels::Kernels;

/// A permit for any index, any number of times: the tests sign one index with several signers.
struct At(u64);

impl Permit for At {
    fn index(&self) -> u64 {
        self.0
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn is_for(&self, _public_key: &[u8]) -> bool {
        true
    }
}

/// Returns seeds that share their public part.
fn seeds(set: &Set, count: u32) -> Vec<Vec<u8>> {
    let seed = |sector: u32| {
        let mut seed = vec![sector as u8 + 1; set.seed_bytes()];
        Sectors::share(set, &vec![0xaa; set.seed_bytes()], &mut seed).unwrap();
        seed
    };
    (0..count).map(seed).collect()
}

/// For LMS the first 16 bytes are shared, for XMSS the last n. The rest is unchanged.
#[test]
fn only_the_public_part_is_shared() {
    let cases = [("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4", 0..16), ("XMSS-SHA2_10_192", 48..72)];
    for (name, public) in cases {
        let seed = &seeds(Set::named(name).unwrap(), 2)[1];
        assert!(seed.iter().enumerate().all(|(at, byte)| public.contains(&at) == (*byte == 0xaa)));
    }
    let set = Set::named("XMSS-SHA2_10_192").unwrap();
    assert_eq!(Sectors::share(set, &[0; 71], &mut [0; 72]), Err(Error::BadSeed));
}

fn some<'s>(seeds: &'s [Vec<u8>], which: &[u32]) -> Sectors<'s> {
    let here = which.iter().map(|sector| (*sector, &*seeds[*sector as usize])).collect();
    Sectors::of(seeds.len() as u32, here).unwrap()
}

fn all(seeds: &[Vec<u8>]) -> Sectors<'_> {
    some(seeds, &(0..seeds.len() as u32).collect::<Vec<_>>())
}

fn grow(set: &'static Set, seeds: &Sectors<'_>) -> Signer<'static> {
    let mut tree = KeyGeneration::of_sectors(set, seeds, Kernels::best()).unwrap();
    tree.run(2, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn sign(signer: &mut Signer<'_>, index: u64) -> Vec<u8> {
    let prepared = signer.prepare(At(index), SignerLevel::ChainTable).unwrap();
    prepared.finish(b"message").unwrap().into_bytes()
}

fn assert_good(key: &PublicKey, signature: &[u8]) {
    assert_eq!(Verifier::new(key, Kernels::portable()).verify(b"message", signature), Ok(()));
}

/// Asserts that the whole key and each single sector give the same signatures for the first, an
/// inner and the last index of the sector, and that a sector refuses the indices of the next one.
fn each_sector_signs_for_the_same_key(name: &str, count: u32) {
    let set = Set::named(name).unwrap();
    let seeds = seeds(set, count);
    let mut whole = grow(set, &all(&seeds));
    let (public, cache) = (whole.public_key().clone(), whole.to_cache());
    let size = set.capacity() / u64::from(count);
    for sector in 0..count {
        let first = u64::from(sector) * size;
        let seeds = some(&seeds, &[sector]);
        let mut alone = load_levels(
            set,
            &public,
            &seeds,
            &cache,
            &Throwaway::starting_at(first),
            Kernels::best(),
        )
        .expect("the sector");
        for index in [first, first + 1, first + size - 1] {
            let signature = sign(&mut alone, index);
            assert_good(&public, &signature);
            assert_eq!(signature, sign(&mut whole, index), "{name} {index}");
        }
        if sector + 1 < count {
            let beyond = alone.prepare(At(first + size), SignerLevel::Secrets);
            assert_eq!(beyond.err(), Some(Error::OtherSector));
        }
        let used_up = load_levels(
            set,
            &public,
            &seeds,
            &cache,
            &Throwaway::starting_at(first + size),
            Kernels::best(),
        );
        assert!(used_up.is_ok(), "a sector that is used up still opens");
    }
}

#[test]
fn sectors_of_one_tree() {
    each_sector_signs_for_the_same_key("XMSS-SHA2_10_256", 4);
    each_sector_signs_for_the_same_key("XMSS-SHA2_10_192", 64);
    each_sector_signs_for_the_same_key("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4", 4);
}

#[test]
fn sectors_of_several_layers() {
    each_sector_signs_for_the_same_key("XMSSMT-SHA2_20/4_192", 2);
    each_sector_signs_for_the_same_key("HSS(LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W8)", 4);
}

#[test]
fn every_index_of_a_sector_in_order() {
    let set = Set::named("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4").unwrap();
    let seeds = seeds(set, 2);
    let whole = grow(set, &all(&seeds));
    let (key, cache) = (whole.public_key().clone(), whole.to_cache());
    let mut upper = load_levels(
        set,
        &key,
        &some(&seeds, &[1]),
        &cache,
        &Throwaway::starting_at(16),
        Kernels::best(),
    )
    .unwrap();
    (16..32).for_each(|index| assert_good(&key, &sign(&mut upper, index)));
}

#[test]
fn one_sector_is_a_plain_key() {
    let set = Set::named("XMSS-SHA2_10_192").unwrap();
    let seeds = seeds(set, 1);
    let plain = generate(set, &seeds[0], Kernels::best()).unwrap();
    assert_eq!(grow(set, &all(&seeds)).public_key(), plain.public_key());
}

#[test]
fn seeds_that_do_not_fit_are_refused() {
    let set = Set::named("XMSS-SHA2_10_192").unwrap();
    let begin = |seeds: &Sectors<'_>| KeyGeneration::of_sectors(set, seeds, Kernels::best()).err();
    let four = seeds(set, 4);
    assert_eq!(begin(&some(&four, &[0, 1, 3])), Some(Error::BadSeed), "one is missing");
    assert_eq!(begin(&all(&seeds(set, 3))), Some(Error::BadSeed), "no power of two");
    let many = seeds(set, 2 * most_sectors(set));
    assert_eq!(begin(&all(&many)), Some(Error::BadSeed), "too many");
    let absurd = Sectors::of(1 << 31, vec![(0, &*four[0])]).unwrap();
    let opened = load_levels(
        set,
        generate(set, &four[0], Kernels::best()).unwrap().public_key(),
        &absurd,
        &[],
        &Throwaway::new(),
        Kernels::best(),
    );
    assert_eq!(opened.err(), Some(Error::BadSeed), "and no memory is taken for them");
    let mut foreign = four.clone();
    *foreign[2].last_mut().unwrap() ^= 1;
    assert_eq!(begin(&all(&foreign)), Some(Error::BadSeed), "another public part");
    let twice = Sectors::of(4, vec![(1, &*four[1]), (1, &*four[1])]);
    assert_eq!(twice.err(), Some(Error::BadSeed));
    assert_eq!(Sectors::of(4, vec![(4, &*four[1])]).err(), Some(Error::BadSeed));
    assert_eq!(Sectors::of(4, Vec::new()).err(), Some(Error::BadSeed));
}

#[test]
fn a_sector_does_not_open_with_anothers_seed() {
    let set = Set::named("XMSS-SHA2_10_192").unwrap();
    let seeds = seeds(set, 4);
    let whole = grow(set, &all(&seeds));
    let swapped = Sectors::of(4, vec![(2, &*seeds[1])]).unwrap();
    let opened = load_levels(
        set,
        whole.public_key(),
        &swapped,
        &whole.to_cache(),
        &Throwaway::starting_at(512),
        Kernels::best(),
    );
    assert_eq!(opened.err(), Some(Error::BadCache));
}

#[test]
fn debug_shows_no_seed() {
    let seeds = seeds(Set::named("XMSS-SHA2_10_192").unwrap(), 4);
    assert_eq!(format!("{:?}", some(&seeds, &[1, 3])), "Sectors([1, 3] of 4)");
}
