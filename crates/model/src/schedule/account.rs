//! A graph in numbers.

use serde::Serialize;

use crate::function::Function;
use crate::graph::{Graph, Independence, Share};

/// Numbers of units that are scheduled.
pub const UNITS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Holds what is said of a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Account {
    /// Compressions in all.
    pub work: u64,
    /// Compressions at least one after the other.
    pub critical_path: u64,
    /// Compressions at most at once.
    pub widest: u64,
    /// Compressions by what they depend on.
    pub independent: Independence,
    /// The function with most of the critical path.
    pub dominates: Option<Function>,
    /// Each function's share.
    pub functions: Vec<Share>,
    /// Steps on each number of units.
    pub steps: Vec<Steps>,
    /// Compressions at once, step by step.
    pub profile: Vec<u64>,
}

/// Steps on a number of units.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Steps {
    /// The units.
    pub units: usize,
    /// The steps.
    pub steps: u64,
}

impl Graph {
    /// Returns all of its numbers, and its steps on each of [`UNITS`].
    #[must_use]
    pub fn account(&self) -> Account {
        let (functions, profile) = (self.shares(), self.profile());
        let steps = |units| Steps { units, steps: super::units(self, units) };
        Account {
            work: self.work(),
            critical_path: self.critical_path(),
            widest: profile.iter().copied().max().unwrap_or(0),
            independent: self.independence(),
            dominates: functions.first().map(|share| share.function),
            functions,
            steps: UNITS.map(steps).into(),
            profile,
        }
    }
}
