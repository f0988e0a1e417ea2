//! Both ends of a connection over TCP: a server that echoes or hands out files, a client that
//! connects once or many times, and the configurations of both.
//!
//! Every byte is counted, and neither end may keep the other waiting for ever. It is behind the
//! feature `endpoint`. It reads no key files and prints nothing: certificates and keys come as DER,
//! and a caller hears of every connection.

pub mod agreed;
pub mod config;
pub mod connect;
mod error;
pub mod files;
pub mod http;
pub mod key_log;
pub mod link;
pub mod names;
pub mod reason;
pub mod serve;
pub mod signing;
pub mod talk;

pub use error::Error;
