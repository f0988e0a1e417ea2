//! Interfaces of this machine.

use std::fmt;
use std::net::Ipv4Addr;

/// An interface of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// By its address, as IPv4 names it.
    Address(Ipv4Addr),
    /// By its number, as IPv6 names it.
    Number(u32),
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl Interface {
    /// Returns the interface that an IPv4 address or a number names.
    pub fn named(text: &str) -> Option<Self> {
        let number = || text.parse().ok().filter(|number| *number > 0).map(Self::Number);
        text.parse().ok().map(Self::Address).or_else(number)
    }
}
