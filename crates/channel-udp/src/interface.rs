//! Network interfaces of this machine.

use std::fmt;
use std::net::Ipv4Addr;

/// A network interface of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The interface with this address, for IPv4.
    Address(Ipv4Addr),
    /// The interface with this number, for IPv6.
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
    /// Parses an interface that is given as an IPv4 address or as a number.
    pub fn named(text: &str) -> Option<Self> {
        let number = || text.parse().ok().filter(|number| *number > 0).map(Self::Number);
        text.parse().ok().map(Self::Address).or_else(number)
    }
}
