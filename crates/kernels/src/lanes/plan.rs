//! The plan to absorb a block of a text: blocks of a [template](Template) use a prepared constant
//! part.

use super::chains::Engine;
use crate::hash::template::Template;
use core::mem::MaybeUninit;

/// The functions of a template, compiled for a backend.
pub(crate) struct Routine<E: Engine> {
    /// Computes everything that depends only on the constant words.
    pub prepare: unsafe fn(&mut E::Prepared, &E::Wide, &[E::Vector]),
    /// Absorbs a prepared block into every lane.
    pub fill_in: unsafe fn(&mut E::Wide, &E::Prepared, &[E::Vector]),
}

/// The plan for one block of a text, with the constant part of its template.
pub(super) struct Plan<'p, E: Engine> {
    routine: Option<Routine<E>>,
    prepared: &'p mut MaybeUninit<E::Prepared>,
    /// True if `prepared` was ever written.
    written: bool,
    holes: u32,
    ready: bool,
}

impl<'p, E: Engine> Plan<'p, E> {
    /// Returns the plan for blocks of `template`. The constant part will be written to `prepared`.
    #[inline(always)]
    pub fn new(template: Template, prepared: &'p mut MaybeUninit<E::Prepared>) -> Self {
        let routine = E::routine(template);
        Self { routine, prepared, written: false, holes: template.holes, ready: false }
    }

    /// Records that words of the block changed, word i as bit i. A change outside the holes makes
    /// the constant part invalid.
    #[inline(always)]
    pub fn change(&mut self, words: u32) {
        self.ready &= words & !self.holes == 0;
    }

    /// Prepares the constant part, unless it is valid.
    #[inline(always)]
    pub fn prepare(&mut self, start: &E::Wide, block: &[E::Vector]) {
        if let (false, Some(routine)) = (self.ready, &self.routine) {
            if !self.written {
                self.prepared.write(E::unprepared());
                self.written = true;
            }
            // SAFETY: an engine names only functions that its backend may call, and backends exist
            // only where their features were found. `prepared` was written.
            unsafe { (routine.prepare)(self.prepared.assume_init_mut(), start, block) };
            self.ready = true;
        }
    }

    /// Returns the routine for the block and the constant part, if that is valid.
    #[inline(always)]
    fn ready(&self) -> Option<(&Routine<E>, &E::Prepared)> {
        if !self.ready {
            return None;
        }
        let routine = self.routine.as_ref()?;
        // SAFETY: `ready` is true only after `prepared` was written.
        Some((routine, unsafe { self.prepared.assume_init_ref() }))
    }

    /// Absorbs the block into `start`, the state that the block was prepared with.
    #[inline(always)]
    pub fn begin(&self, to: &mut E::Wide, start: &E::Wide, block: &[E::Vector]) {
        match self.ready() {
            // SAFETY: as in `prepare`. The routine of the first block of a text does not read the
            // state.
            Some((routine, prepared)) => unsafe { (routine.fill_in)(to, prepared, block) },
            None => E::begin(to, start, block),
        }
    }

    /// Absorbs the block into every lane.
    #[inline(always)]
    pub fn absorb(&self, state: &mut E::Wide, block: &[E::Vector]) {
        match self.ready() {
            // SAFETY: as in `prepare`.
            Some((routine, prepared)) => unsafe { (routine.fill_in)(state, prepared, block) },
            None => E::absorb(state, block),
        }
    }
}
