//! How the blocks of a text are absorbed: those of a [template](Template) by what was prepared.

use super::chains::Engine;
use crate::hash::template::Template;

/// The functions of one template, compiled for a backend.
pub(crate) struct Routine<E: Engine> {
    /// Computes all that the constant words decide.
    pub prepare: unsafe fn(&mut E::Prepared, &E::Wide, &[E::Vector]),
    /// Absorbs a block into every lane.
    pub fill_in: unsafe fn(&mut E::Wide, &E::Prepared, &[E::Vector]),
}

/// A block of a text, with the constant part of its template.
pub(super) struct Plan<E: Engine> {
    routine: Option<Routine<E>>,
    prepared: E::Prepared,
    ready: bool,
}

impl<E: Engine> Plan<E> {
    /// Returns the plan of a block with these holes.
    #[inline(always)]
    pub fn new(template: Template) -> Self {
        Self { routine: E::routine(template), prepared: E::unprepared(), ready: false }
    }

    /// Takes note that a word changed that is no hole.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.ready = false;
    }

    /// Prepares the constant part, unless it is.
    #[inline(always)]
    pub fn prepare(&mut self, start: &E::Wide, block: &[E::Vector]) {
        if let (false, Some(routine)) = (self.ready, &self.routine) {
            // SAFETY: an engine names only functions that its backend may call, and backends exist
            // only where their features were found.
            unsafe { (routine.prepare)(&mut self.prepared, start, block) };
            self.ready = true;
        }
    }

    /// Absorbs the block into `start`, which is the state that was prepared for.
    #[inline(always)]
    pub fn begin(&self, to: &mut E::Wide, start: &E::Wide, block: &[E::Vector]) {
        match &self.routine {
            // SAFETY: as above. The routine of a block that a text begins with needs no state.
            Some(routine) if self.ready => unsafe { (routine.fill_in)(to, &self.prepared, block) },
            _ => E::begin(to, start, block),
        }
    }

    /// Absorbs the block into every lane.
    #[inline(always)]
    pub fn absorb(&self, state: &mut E::Wide, block: &[E::Vector]) {
        match &self.routine {
            // SAFETY: as above.
            Some(routine) if self.ready => unsafe {
                (routine.fill_in)(state, &self.prepared, block);
            },
            _ => E::absorb(state, block),
        }
    }
}
