//! The seam over plain registers, which hold one state at a time.

/// True if the plain bodies of the seam serve, which are slower and take less code.
pub(super) const SMALL: bool = cfg!(feature = "small");

/// Writes the seam for a backend of one lane, whose state of all lanes is the state itself. A value
/// of the backend exists only where its features were found.
macro_rules! plain {
    ($backend:ty, $name:literal) => {
        const _: () = {
            use $crate::backend::features::{FillRows, Lanes, chains};
            use $crate::backend::plain::SMALL;
            use $crate::backend::templates::Templates;
            use $crate::hash::HashFunction;
            use $crate::kernel::Kernel;
            use $crate::kernel::chain::{self, Masked, Rule, Span};
            use $crate::lanes::chains::{Engine, Work};

            impl<H> Kernel<H> for $backend
            where
                H: Templates<Vector<Self> = <H as Rounds>::Lane>,
                H: HashFunction<State = <H as Rounds>::Wide<<H as Rounds>::Lane>>,
            {
                fn name(&self) -> &'static str {
                    $name
                }

                fn lanes(&self) -> usize {
                    1
                }

                fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
                    assert_eq!(states.len(), blocks.len());
                    for (state, block) in states.iter_mut().zip(blocks) {
                        let words = H::transpose_blocks(core::slice::from_ref(block));
                        Lanes::<Self, H>::absorb(state, words.as_ref());
                    }
                }

                fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
                    let work = Work { rule, spans, break_even: 1, narrow: &|_, _, _| () };
                    // SAFETY: `self` exists, so the features were found.
                    if SMALL || !unsafe { chains::<Self, Lanes<Self, H>>(&work, values) } {
                        chain::advance(self, rule, spans, values);
                    }
                }

                fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
                    let job = FillRows::<Lanes<Self, H>> { rule, spans, rows: &mut *rows };
                    // SAFETY: `self` exists, so the features were found.
                    if SMALL || !unsafe { Self::enter(job) } {
                        chain::fill_rows(self, rule, spans, rows);
                    }
                }
            }
        };
    };
}
pub(super) use plain;
