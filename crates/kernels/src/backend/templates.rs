//! The list of templates with special rounds, derived from the blocks that the schemes hash.

use super::features::{Filled, Lanes};
use crate::hash::template::Template;
use crate::hash::{Keccak, Rounds, Sha256, Sha512};
use crate::lanes::plan::Routine;

/// A hash function with its list of templates.
pub(super) trait Templates: Rounds {
    /// Returns the routine of the first template in the list that covers `template`.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn routine<B: Filled>(template: Template) -> Option<Routine<Lanes<B, Self>>>;
}

macro_rules! templates {
    ($hash:ty, $row:literal: $($holes:literal $fresh:literal)*) => {
        impl Templates for $hash {
            #[inline(never)]
            fn routine<B: Filled>(template: Template) -> Option<Routine<Lanes<B, Self>>> {$(
                if template.is_part_of(Template { holes: $holes, fresh: $fresh, row: $row }) {
                    return Some(Routine {
                        prepare: B::prepare::<Self, $holes, $fresh>,
                        fill_in: B::fill_in::<Self, $holes, $fresh>,
                    });
                })*
                None
            }
        }

        #[cfg(test)]
        impl tests::Listed for $hash {
            fn check_all(words: &mut tests::Numbers) {
                $(tests::check::<_, Self, $holes, $fresh>(words);)*
            }
        }
    };
}

// Templates with the fewest operations come first: a block uses the first one that covers it.
templates! { Sha256, false:
    // A block of padding only, after the message: XMSS n=24, and H of XMSS n=32.
    0x0000 false
    // PRF of SLH-DSA. The holes for FORS are the number of an element, for WOTS+ the numbers of a
    // leaf and a chain.
    0x0020 true
    0x0038 true
    // PRF of XMSS n=24 and n=32. The holes are the hash address and the selector of key and mask.
    0x6000 true
    0x00c0 true
    // F of SLH-DSA, and LM-OTS: n=16, 24 and 32.
    0x03e0 true
    0x0fe0 true
    0x3fe0 true
    // F of SLH-DSA, and LM-OTS, with the numbers of a leaf and a chain among the holes.
    0x03f8 true
    0x0ff8 true
    0x3ff8 true
    // KEY after a pad of 32 bytes; the value after KEY.
    0xff00 true
    0x00ff true
    0x00ff false
    // F of XMSS n=24.
    0x1ffe true
}

templates! { Sha512, false:
    0x0000 false
    // H of SLH-DSA, n=24 and 32. The holes are the number of a node and its two children.
    0x07fc true
    // PRF, KEY and the value after KEY, for XMSS n=64.
    0x0008 true
    0xff00 true
    0x00ff true
    0x00ff false
}

// Blocks with any holes, after which at most one row of the state is read.
templates! { Keccak, true:
    0xffff_ffff true
    0xffff_ffff false
}

#[cfg(test)]
mod tests {
    use super::Rounds;
    use crate::hash::template::ROW;
    use crate::hash::{Keccak, Sha256, Sha512, Which};
    use crate::word::vector::Vector;
    use crate::word::{Lane, Round};

    /// A hash function whose listed templates can be checked.
    pub(super) trait Listed {
        fn check_all(words: &mut Numbers);
    }

    /// Pseudorandom numbers for tests: SplitMix64.
    pub(super) struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }

        fn state<H: Rounds>(&mut self) -> H::Wide<H::Lane> {
            let mut state = H::fill(H::Lane::ZERO);
            state.as_mut().fill_with(|| self.words::<H::Lane, 1>()[0]);
            state
        }

        fn words<L: Lane, const N: usize>(&mut self) -> [L; N] {
            core::array::from_fn(|_| L::from_bytes(&self.next().to_le_bytes(), false))
        }
    }

    /// Compares the rounds of a template with those of any block: the constant part is prepared
    /// from one block, then its holes are filled twice with other words.
    pub(super) fn check<L, H, const HOLES: u32, const FRESH: bool>(numbers: &mut Numbers)
    where
        L: Lane + Vector<Lane = L> + Round<Lane = L> + PartialEq + core::fmt::Debug,
        H: Rounds<Lane = L>,
    {
        let (start, mut block) = (numbers.state::<H>(), numbers.words::<L, 16>());
        let mut prepared = H::unprepared::<L>();
        H::prepare::<L, HOLES, FRESH>(&mut prepared, &start, H::words(&block));
        for _ in 0..2 {
            for (i, word) in numbers.words::<L, 16>().into_iter().enumerate() {
                block[i] = if HOLES >> i & 1 == 1 { word } else { block[i] };
            }
            let mut expected = if FRESH { start } else { numbers.state::<H>() };
            let mut state = if FRESH { numbers.state::<H>() } else { expected };
            H::absorb_words::<L>(&mut expected, H::words(&block));
            H::fill_in::<L, HOLES, FRESH>(&mut state, &prepared, H::words(&block));
            let read = if H::WHICH == Which::Keccak { ROW } else { 8 };
            let [state, expected] = [&state, &expected].map(|state| &state.as_ref()[..read]);
            assert_eq!(state, expected, "holes {HOLES:#x}, state constant: {FRESH}");
        }
    }

    #[test]
    fn a_template_gives_the_state_of_its_whole_block() {
        let mut numbers = Numbers(1);
        (0..50).for_each(|_| Sha256::check_all(&mut numbers));
        (0..50).for_each(|_| Sha512::check_all(&mut numbers));
        (0..50).for_each(|_| Keccak::check_all(&mut numbers));
    }
}
