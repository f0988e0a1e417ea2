//! The entry points of a backend: functions compiled for its CPU features.
//!
//! Code in lanes is written once, `#[inline(always)]` and without a target feature. A backend
//! compiles it for its features by two functions: [`Features::enter`] runs a whole [`Job`], and
//! [`Rounded::absorb`] runs the rounds. Each type of job gets an entry function of its own. The
//! stack that a job uses must be overwritten afterwards; with its own entry function, it is only
//! the stack of that job.

use super::templates::Templates;
use crate::hash::template::Template;
use crate::hash::{Rounds, Words};
use crate::kernel::chain::{Masked, Rows, Rule, Span, Tweak};
use crate::lanes;
use crate::lanes::chains::{Engine, Work};
use crate::lanes::plan::Routine;
use core::marker::PhantomData;

/// Work that an entry runs.
pub(super) trait Job {
    /// The result of the work.
    type Done;

    /// Does the work. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Done;
}

/// The CPU features that a backend is compiled for.
pub(super) trait Features {
    /// Runs a job, compiled for the features.
    ///
    /// # Safety
    /// The CPU has the features.
    unsafe fn enter<J: Job>(job: J) -> J::Done;
}

/// A backend that runs the rounds of [`Rounds`] over words of its own.
pub(super) trait Rounded: Features + Words {
    /// Absorbs one block into every lane, compiled for the features.
    ///
    /// # Safety
    /// The CPU has the features.
    unsafe fn absorb<H: Rounds>(
        state: &mut H::Wide<H::Vector<Self>>,
        block: &H::Words<H::Vector<Self>>,
    ) where
        Self: Sized;

    /// Absorbs one block into copies of `from`, compiled for the features.
    ///
    /// # Safety
    /// The CPU has the features.
    unsafe fn begin<H: Rounds>(
        to: &mut H::Wide<H::Vector<Self>>,
        from: &H::Wide<H::Vector<Self>>,
        block: &H::Words<H::Vector<Self>>,
    ) where
        Self: Sized,
    {
        *to = *from;
        // SAFETY: the caller vouches for the features.
        unsafe { Self::absorb::<H>(to, block) }
    }

    /// Returns the routine that absorbs blocks of a template, if there is a special one.
    fn routine<H: Templates>(_template: Template) -> Option<Routine<Lanes<Self, H>>>
    where
        Self: Sized,
    {
        None
    }
}

/// A backend with special rounds for blocks of templates.
#[allow(dead_code, reason = "used where there are vectors")]
pub(super) trait Filled: Rounded + Sized {
    /// Runs [`Rounds::prepare`], compiled for the features.
    ///
    /// # Safety
    /// The CPU has the features.
    unsafe fn prepare<H: Rounds, const HOLES: u32, const FRESH: bool>(
        to: &mut H::Prepared<H::Vector<Self>>,
        start: &H::Wide<H::Vector<Self>>,
        block: &[H::Vector<Self>],
    );

    /// Runs [`Rounds::fill_in`], compiled for the features.
    ///
    /// # Safety
    /// The CPU has the features.
    unsafe fn fill_in<H: Rounds, const HOLES: u32, const FRESH: bool>(
        state: &mut H::Wide<H::Vector<Self>>,
        from: &H::Prepared<H::Vector<Self>>,
        block: &[H::Vector<Self>],
    );
}

/// Compiles the entry points of a backend for CPU features: jobs and rounds. With `templates`, it
/// also compiles the rounds of templates.
#[allow(unused_macros, reason = "used where there are vectors")]
macro_rules! entries {
    ($backend:ty, $features:literal) => {
        entries!(@ $backend, $features;);
    };
    ($backend:ty, $features:literal, templates) => {
        entries!(@ $backend, $features;
            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn begin<H: Rounds>(
                to: &mut H::Wide<H::Vector<Self>>,
                from: &H::Wide<H::Vector<Self>>,
                block: &H::Words<H::Vector<Self>>,
            ) {
                let mut state = *from;
                H::absorb_words(&mut state, block);
                *to = state;
            }

            fn routine<H: Templates>(template: Template) -> Option<Routine<Lanes<Self, H>>> {
                H::routine::<Self>(template)
            }
        );

        impl Filled for $backend {
            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn prepare<H: Rounds, const HOLES: u32, const FRESH: bool>(
                to: &mut H::Prepared<H::Vector<Self>>,
                start: &H::Wide<H::Vector<Self>>,
                block: &[H::Vector<Self>],
            ) {
                H::prepare::<_, HOLES, FRESH>(to, start, H::words(block));
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn fill_in<H: Rounds, const HOLES: u32, const FRESH: bool>(
                state: &mut H::Wide<H::Vector<Self>>,
                from: &H::Prepared<H::Vector<Self>>,
                block: &[H::Vector<Self>],
            ) {
                H::fill_in::<_, HOLES, FRESH>(state, from, H::words(block));
            }
        }
    };
    (@ $backend:ty, $features:literal; $($more:item)*) => {
        impl Features for $backend {
            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn enter<J: Job>(job: J) -> J::Done {
                job.run()
            }
        }

        impl Rounded for $backend {
            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn absorb<H: Rounds>(
                state: &mut H::Wide<H::Vector<Self>>,
                block: &H::Words<H::Vector<Self>>,
            ) {
                H::absorb_words(state, block);
            }

            $($more)*
        }
    };
}
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) use entries;

/// Hash function H in the lanes of backend B.
pub(super) struct Lanes<B, H>(PhantomData<(B, H)>);

impl<B: Rounded, H: Templates> Engine for Lanes<B, H> {
    type Vector = H::Vector<B>;
    type Hash = H;
    type Wide = H::Wide<H::Vector<B>>;
    type Prepared = H::Prepared<H::Vector<B>>;
    const BIG_ENDIAN: bool = H::BIG_ENDIAN;

    #[inline(always)]
    fn fill(word: H::Vector<B>) -> Self::Wide {
        H::fill(word)
    }

    #[inline(always)]
    fn absorb(state: &mut Self::Wide, block: &[H::Vector<B>]) {
        // SAFETY: engines are used only by a backend, which exists only where its features were
        // found.
        unsafe { B::absorb::<H>(state, H::words(block)) }
    }

    #[inline(always)]
    fn begin(to: &mut Self::Wide, from: &Self::Wide, block: &[H::Vector<B>]) {
        // SAFETY: as in `absorb`.
        unsafe { B::begin::<H>(to, from, H::words(block)) }
    }

    #[inline(always)]
    fn unprepared() -> Self::Prepared {
        H::unprepared()
    }

    #[inline(always)]
    fn routine(template: Template) -> Option<Routine<Self>> {
        B::routine::<H>(template)
    }
}

/// Advances every chain in the lanes of E. Returns false, with nothing done, if the rule or its
/// spans cannot be processed in lanes.
///
/// # Safety
/// The CPU has the features F.
pub(super) unsafe fn chains<F: Features, E: Engine>(
    work: &Work<'_, E::Hash>,
    values: &mut [u8],
) -> bool {
    // SAFETY: the caller vouches for the features.
    work.fits::<E>(values)
        && unsafe {
            match work.rule {
                Rule::Tweak(rule) => F::enter(Advance::<E, _> { work, rule, values }),
                Rule::Masked(rule) => F::enter(Advance::<E, _> { work, rule, values }),
                Rule::Rows(rule) => F::enter(Advance::<E, _> { work, rule, values }),
            }
        }
}

/// A job that advances chains by one rule.
struct Advance<'a, E: Engine, R> {
    work: &'a Work<'a, E::Hash>,
    rule: &'a R,
    values: &'a mut [u8],
}

impl<E: Engine> Job for Advance<'_, E, Tweak<'_, E::Hash>> {
    type Done = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.work.tweak::<E>(self.rule, self.values)
    }
}

impl<E: Engine> Job for Advance<'_, E, Masked<'_, E::Hash>> {
    type Done = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.work.masked::<E>(self.rule, self.values)
    }
}

impl<E: Engine> Job for Advance<'_, E, Rows<'_, E::Hash>> {
    type Done = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.work.rows::<E>(self.rule, self.values)
    }
}

/// A job that fills rows. It returns false, with nothing done, if the rule cannot be processed in
/// lanes.
pub(super) struct FillRows<'a, E: Engine> {
    pub rule: &'a Masked<'a, E::Hash>,
    pub spans: &'a [Span],
    pub rows: &'a mut [u8],
}

impl<E: Engine> Job for FillRows<'_, E> {
    type Done = bool;

    #[inline(always)]
    fn run(self) -> bool {
        lanes::fill_rows::<E>(self.rule, self.spans, self.rows)
    }
}
