//! Key figures of a graph.

use serde::Serialize;

use crate::function::Function;
use crate::graph::{Graph, Independence, Share};

/// Numbers of units for which schedules are computed.
pub const UNITS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The key figures of a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Account {
    /// Compressions in total.
    pub work: u64,
    /// Minimum number of sequential compressions.
    pub critical_path: u64,
    /// Maximum number of concurrent compressions.
    pub widest: u64,
    /// Numbers of compressions, by the inputs on which they depend.
    pub independent: Independence,
    /// The function with the largest share of the critical path.
    pub dominates: Option<Function>,
    /// Share of each function.
    pub functions: Vec<Share>,
    /// Number of steps on each number of units.
    pub steps: Vec<Steps>,
    /// Number of concurrent compressions in each step.
    pub profile: Vec<u64>,
}

/// Number of steps on a number of units.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Steps {
    /// Number of units.
    pub units: usize,
    /// Number of steps.
    pub steps: u64,
}

impl Graph {
    /// Returns all figures of the graph, with its steps on each number in [`UNITS`].
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
