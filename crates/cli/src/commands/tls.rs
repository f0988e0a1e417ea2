//! The ends of a connection as `serve` and `connect` make them: from arguments to configurations,
//! and from connections to lines.

pub mod config;
pub mod connect;
mod many;
pub mod serve;
pub mod summary;
