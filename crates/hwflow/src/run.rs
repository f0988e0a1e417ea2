//! Steps that run a core: lint, simulation, proofs, seeded faults, mutants, random cases.

pub mod coverage;
mod cpu;
pub mod flips;
pub mod lint;
pub mod mutants;
pub mod mutate;
pub mod prove;
pub mod random;
mod runtime;
pub mod sim;
pub mod spike;
pub mod timing;
