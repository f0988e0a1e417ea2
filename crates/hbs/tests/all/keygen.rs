//! Key generation: on several threads, stopped and continued.

use crate::key::key;
use hasten_hbs::{
    Error, KeyGeneration, Prepared, Progress, Set, Signer, SigningKey, Verifier, hazmat::Throwaway,
};
use hasten_kernels::Kernels;
use std::ops::ControlFlow::{Break, Continue};

fn begin() -> KeyGeneration<'static> {
    KeyGeneration::new(key().public.set(), &key().seed, Kernels::best()).unwrap()
}

#[test]
fn stopping_keeps_what_is_done_and_going_on_gives_the_same_key() {
    for threads in [1, 2, 5] {
        let mut generation = begin();
        let mut stop = |p: Progress| if p.done < 800 { Continue(()) } else { Break(()) };
        assert_eq!(generation.run(threads, &mut stop).err(), Some(Error::Stopped));
        let partial = generation.partial();
        assert_eq!(partial, key().row()[..800 / 16 * 32]);
        assert!(generation.run(threads, &mut |_| Continue(())).is_ok(), "the same goes on");

        let mut again = begin();
        again.resume(&partial).unwrap();
        let mut seen = Vec::new();
        let mut hear = |p: Progress| {
            seen.push((p.done, p.total));
            Continue(())
        };
        let signer = again.run(threads, &mut hear).unwrap();
        assert_eq!(signer.public_key(), &key().public);
        assert_eq!(signer.to_cache(), key().cache);
        let expected: Vec<_> = (816..=1024).step_by(16).map(|done| (done, 1024)).collect();
        assert_eq!(seen, expected, "every step is heard of, in order");
    }
}

#[test]
fn a_partial_that_cannot_be_one_is_refused() {
    let too_long = [key().row(), &[0; 32]].concat();
    for bad in [&key().row()[..33], &too_long] {
        assert_eq!(begin().resume(bad), Err(Error::BadCache));
    }
    let mut changed = key().row()[..64].to_vec();
    changed[0] ^= 1;
    let mut generation = begin();
    generation.resume(&changed).unwrap();
    let refused = generation.run(1, &mut |_| Continue(()));
    assert_eq!(refused.err(), Some(Error::BadCache), "its first subtree is computed again");
}

#[test]
fn seeds_of_a_wrong_length_are_refused() {
    for len in [0, 95, 97] {
        let refused = KeyGeneration::new(key().public.set(), &vec![0; len], Kernels::best());
        assert_eq!(refused.err(), Some(Error::BadSeed));
    }
    let n24 = Set::named("XMSS-SHA2_10_192").unwrap();
    assert!(KeyGeneration::new(n24, &[0; 96], Kernels::best()).is_err());
}

#[test]
fn everything_can_go_to_another_thread() {
    fn sends<T: Send>() {}
    sends::<Signer<'static>>();
    sends::<Prepared<'static, hasten_hbs::hazmat::ThrowawayPermit>>();
    sends::<SigningKey<'static, Throwaway>>();
    sends::<Verifier<'static>>();
    sends::<KeyGeneration<'static>>();
}
