//! How the blocks of a text are absorbed: those of a [template](Template) by what was prepared.

use super::chains::Engine;
use crate::hash::template::Template;
use core::mem::MaybeUninit;

/// The functions of one template, compiled for a backend.
pub(crate) struct Routine<E: Engine> {
    /// Computes all that the constant words decide.
    pub prepare: unsafe fn(&mut E::Prepared, &E::Wide, &[E::Vector]),
    /// Absorbs a block into every lane.
    pub fill_in: unsafe fn(&mut E::Wide, &E::Prepared, &[E::Vector]),
}

/// A block of a text, with the constant part of its template.
pub(super) struct Plan<'p, E: Engine> {
    routine: Option<Routine<E>>,
    prepared: &'p mut MaybeUninit<E::Prepared>,
    /// True if `prepared` was ever written.
    written: bool,
    holes: u32,
    ready: bool,
}

impl<'p, E: Engine> Plan<'p, E> {
    /// Returns the plan of a block with these holes; what is constant goes to `prepared`.
    #[inline(always)]
    pub fn new(template: Template, prepared: &'p mut MaybeUninit<E::Prepared>) -> Self {
        let routine = E::routine(template);
        Self { routine, prepared, written: false, holes: template.holes, ready: false }
    }

    /// Takes note that words of the block changed, word i as bit i.
    #[inline(always)]
    pub fn change(&mut self, words: u32) {
        self.ready &= words & !self.holes == 0;
    }

    /// Prepares the constant part, unless it is.
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

    /// Returns how a prepared block is absorbed, and what was prepared.
    #[inline(always)]
    fn ready(&self) -> Option<(&Routine<E>, &E::Prepared)> {
        if !self.ready {
            return None;
        }
        let routine = self.routine.as_ref()?;
        // SAFETY: what is ready was written.
        Some((routine, unsafe { self.prepared.assume_init_ref() }))
    }

    /// Absorbs the block into `start`, which is the state that was prepared for.
    #[inline(always)]
    pub fn begin(&self, to: &mut E::Wide, start: &E::Wide, block: &[E::Vector]) {
        match self.ready() {
            // SAFETY: as above. The routine of a block that a text begins with needs no state.
            Some((routine, prepared)) => unsafe { (routine.fill_in)(to, prepared, block) },
            None => E::begin(to, start, block),
        }
    }

    /// Absorbs the block into every lane.
    #[inline(always)]
    pub fn absorb(&self, state: &mut E::Wide, block: &[E::Vector]) {
        match self.ready() {
            // SAFETY: as above.
            Some((routine, prepared)) => unsafe { (routine.fill_in)(state, prepared, block) },
            None => E::absorb(state, block),
        }
    }
}
