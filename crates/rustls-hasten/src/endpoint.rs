//! Both ends of a connection over TCP: a server that echoes or serves files, a client that connects
//! once or many times, and the configurations of both.
//!
//! All bytes are counted, and neither end can keep the other waiting forever. This module needs the
//! feature `endpoint`. It reads no key files and prints nothing: certificates and keys are passed
//! as DER, and the caller gets a report of every connection.

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
