//! The TLS endpoints of `serve` and `connect`: arguments become configurations, and connections
//! become lines of output.

pub mod config;
pub mod connect;
mod many;
pub mod serve;
pub mod summary;
