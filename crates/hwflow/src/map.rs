//! From RTL to cells and LUTs: synthesis, netlists, buffers, timing, place and route.

pub mod asic;
pub mod fanout;
pub mod flat;
pub mod flatten;
pub mod fpga;
mod harness;
pub mod liberty;
pub mod lut_pairs;
pub mod map_hierarchy;
pub mod map_module;
pub mod netlist;
pub mod plain;
pub mod pnr;
mod routed;
mod router;
pub mod source_deps;
pub mod subject;
pub mod wide;
