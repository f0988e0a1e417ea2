//! Both ends of a connection over TCP: a socket whose bytes are counted and whose waiting has a
//! bound, the plain text inside it, and files over HTTP.
//!
//! It is behind the feature `endpoint`. Who may connect, and with which certificates, is decided
//! by the configurations that rustls is given.

pub mod http;
pub mod link;
pub mod reason;
pub mod talk;
