//! The templates that have rounds of their own, derived from the blocks of the schemes.

use super::features::{Filled, Lanes};
use crate::hash::template::Template;
use crate::hash::{Keccak, Rounds, Sha256, Sha512};
use crate::lanes::plan::Routine;

/// A hash function, with its templates.
pub(super) trait Templates: Rounds {
    /// Returns how a template is absorbed: by the first in the list that it is a part of.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn routine<B: Filled>(template: Template) -> Option<Routine<Lanes<B, Self>>>;
}

macro_rules! templates {
    ($hash:ty: $($holes:literal $fresh:literal)*) => {
        impl Templates for $hash {
            #[inline(never)]
            fn routine<B: Filled>(template: Template) -> Option<Routine<Lanes<B, Self>>> {$(
                if template.is_part_of(Template { holes: $holes, fresh: $fresh }) {
                    return Some(Routine {
                        prepare: B::prepare::<Self, $holes, $fresh>,
                        fill_in: B::fill_in::<Self, $holes, $fresh>,
                    });
                })*
                None
            }
        }
    };
}

// Those with fewest operations first: a block is taken as the first that it is a part of.
templates! { Sha256:
    // Only padding, after the message: XMSS n=24, and H of XMSS n=32.
    0x0000 false
    // PRF of XMSS n=24 and n=32: hash address, key and mask.
    0x6000 true
    0x00c0 true
    // F of SLH-DSA, and LM-OTS: n=16, 24, 32.
    0x03e0 true
    0x0fe0 true
    0x3fe0 true
    // KEY after a pad of 32 bytes, and the value after KEY.
    0xff00 true
    0x00ff true
    0x00ff false
    // F of XMSS n=24.
    0x1ffe true
    // PRF and H of SLH-DSA n=16.
    0x03ff true
    0x3fff true
}

templates! { Sha512:
    0x0000 false
    // The same of XMSS n=64.
    0x0008 true
    0xff00 true
    0x00ff true
    0x00ff false
    // H of SLH-DSA n=24, 32.
    0x07ff true
}

impl Templates for Keccak {
    fn routine<B: Filled>(_template: Template) -> Option<Routine<Lanes<B, Self>>> {
        None
    }
}
