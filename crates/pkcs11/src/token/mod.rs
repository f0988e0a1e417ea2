//! The token: the module of a process, its slots, login and signing.

pub mod files;
pub mod login;
pub mod module;
pub mod sign;
pub mod slot;
