//! TLS 1.3 over plain sockets and threads: what `serve`, `connect` and `tables` share.

pub mod config;
pub mod connect;
mod http;
pub mod link;
mod many;
pub mod reason;
pub mod serve;
pub mod summary;
pub mod talk;
