//! Datagrams over UDP, to one receiver or to a multicast group.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{AddressFamily, SocketType, bind, socket, sockopt};

use crate::Error;
pub use crate::interface::Interface;
use crate::wait::LOOK;

/// Returns the address of `udp://HOST:PORT`.
pub fn address(text: &str) -> Option<SocketAddr> {
    text.strip_prefix("udp://")?.to_socket_addrs().ok()?.next()
}

/// Returns a socket that sends to `address`. For a multicast group it sends over `interface`, or
/// over the one that the system chooses, through at most `hops` networks. Receivers of the group on
/// this machine get a copy.
///
/// # Errors
/// An error if the interface cannot be used with the address, and errors of the system.
pub fn sender(
    address: SocketAddr,
    hops: u32,
    interface: Option<Interface>,
) -> Result<UdpSocket, Error> {
    fits(address, interface)?;
    let opened = UdpSocket::bind((any(address.ip()), 0)).and_then(|socket| {
        match address.ip() {
            IpAddr::V4(ip) if ip.is_multicast() => socket.set_multicast_ttl_v4(hops)?,
            IpAddr::V6(ip) if ip.is_multicast() => sockopt::set_ipv6_multicast_hops(&socket, hops)?,
            _ => {}
        }
        match interface {
            Some(Interface::Address(own)) => sockopt::set_ip_multicast_if(&socket, &own)?,
            Some(Interface::Number(own)) => sockopt::set_ipv6_multicast_if(&socket, own)?,
            None => {}
        }
        socket.connect(address).map(|()| socket)
    });
    opened.map_err(Error::system("opening the socket"))
}

/// Sends a datagram. It is not an error if nobody listens on the port, because receivers may come
/// and go.
///
/// # Errors
/// The system's error.
pub fn send(socket: &UdpSocket, datagram: &[u8]) -> Result<(), Error> {
    match socket.send(datagram) {
        Err(cause) if cause.kind() != ErrorKind::ConnectionRefused => {
            Err(Error::system("sending")(cause))
        }
        _ => Ok(()),
    }
}

/// Returns a socket that receives datagrams for `address`. For a multicast group it joins the group
/// on `interface`, or on the one that the system chooses. With `spin` the socket never blocks.
///
/// Several receivers of a group may share its port. Receivers of a single address may not: the
/// system would give each datagram to only one of them.
///
/// # Errors
/// An error if the interface cannot be used with the address, and errors of the system.
pub fn receiver(
    address: SocketAddr,
    spin: bool,
    interface: Option<Interface>,
) -> Result<UdpSocket, Error> {
    fits(address, interface)?;
    let group = address.ip().is_multicast();
    let opened = if group { member(address, interface) } else { UdpSocket::bind(address) };
    let opened = opened.and_then(|socket| {
        match spin {
            true => socket.set_nonblocking(true)?,
            false => socket.set_read_timeout(Some(LOOK))?,
        }
        Ok(socket)
    });
    opened.map_err(Error::system("opening the socket"))
}

/// Returns a socket that has joined a group.
fn member(group: SocketAddr, interface: Option<Interface>) -> io::Result<UdpSocket> {
    let family = if group.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = socket(family, SocketType::DGRAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?; // macOS cannot set this when it creates the socket
    sockopt::set_socket_reuseaddr(&socket, true)?;
    bind(&socket, &SocketAddr::new(any(group.ip()), group.port()))?;
    let socket = UdpSocket::from(socket);
    match (group.ip(), interface) {
        (IpAddr::V4(ip), Some(Interface::Address(own))) => socket.join_multicast_v4(&ip, &own)?,
        (IpAddr::V4(ip), _) => socket.join_multicast_v4(&ip, &Ipv4Addr::UNSPECIFIED)?,
        (IpAddr::V6(ip), Some(Interface::Number(own))) => socket.join_multicast_v6(&ip, own)?,
        (IpAddr::V6(ip), _) => socket.join_multicast_v6(&ip, 0)?,
    }
    Ok(socket)
}

/// Returns an error for an interface without a multicast group, or one named in the form of the
/// other IP version.
fn fits(address: SocketAddr, interface: Option<Interface>) -> Result<(), Error> {
    let fits = match (address.ip(), interface) {
        (_, None) => true,
        (IpAddr::V4(ip), Some(Interface::Address(_))) => ip.is_multicast(),
        (IpAddr::V6(ip), Some(Interface::Number(_))) => ip.is_multicast(),
        _ => false,
    };
    let wrong = |interface| Err(Error::Interface { interface, address });
    interface.filter(|_| !fits).map_or(Ok(()), wrong)
}

/// Returns the length of the next datagram; `None` if none has arrived yet.
///
/// # Errors
/// The system's error.
pub fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> Result<Option<usize>, Error> {
    match socket.recv(buffer) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) => match cause.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(None),
            _ => Err(Error::system("receiving")(cause)),
        },
    }
}

/// Returns the unspecified address (all interfaces) of the same IP version as `ip`.
fn any(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_interfaces() {
        assert_eq!(address("udp://127.0.0.1:5000"), Some(([127, 0, 0, 1], 5000).into()));
        assert!(address("udp://[::1]:5000").unwrap().is_ipv6());
        for text in ["127.0.0.1:5000", "udp://127.0.0.1", "udp://", "tcp://127.0.0.1:1", ""] {
            assert!(address(text).is_none(), "{text}");
        }
        assert_eq!(Interface::named("127.0.0.1"), Some(Interface::Address(Ipv4Addr::LOCALHOST)));
        assert_eq!(Interface::named("2"), Some(Interface::Number(2)));
        for text in ["eth0", "0", "-1", "::1", ""] {
            assert!(Interface::named(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_datagram_arrives() {
        let to = receiver(([127, 0, 0, 1], 0).into(), false, None).unwrap();
        let from = sender(to.local_addr().unwrap(), 1, None).unwrap();
        send(&from, b"x").unwrap();
        assert_eq!(receive(&to, &mut [0; 9]).unwrap(), Some(1));
        assert_eq!(receive(&to, &mut [0; 9]).unwrap(), None);
    }

    /// Two receivers of a group on one machine both get each datagram.
    #[test]
    fn a_group_is_heard_by_all_its_members() {
        let own = Some(Interface::Address(Ipv4Addr::LOCALHOST));
        let first = receiver(([239, 255, 77, 1], 0).into(), false, own).unwrap();
        let port = first.local_addr().unwrap().port();
        let group = SocketAddr::from(([239, 255, 77, 1], port));
        let second = receiver(group, false, own).unwrap();
        let from = sender(group, 0, own).unwrap();
        send(&from, b"both").unwrap();
        for member in [first, second] {
            assert_eq!(receive(&member, &mut [0; 9]).unwrap(), Some(4));
        }
    }

    #[test]
    fn an_address_is_taken_once_and_wants_no_interface() {
        let first = receiver(([127, 0, 0, 1], 0).into(), false, None).unwrap();
        assert!(receiver(first.local_addr().unwrap(), false, None).is_err());
        let (v4, v6) = (Interface::Address(Ipv4Addr::LOCALHOST), Interface::Number(1));
        for (to, named) in [
            ("udp://127.0.0.1:5", v4),
            ("udp://239.1.2.3:5", v6),
            ("udp://[ff02::1]:5", v4),
            ("udp://[::1]:5", v6),
        ] {
            let refused = sender(address(to).unwrap(), 1, Some(named));
            let why = Error::Interface { interface: named, address: address(to).unwrap() };
            assert_eq!(refused.unwrap_err().to_string(), why.to_string());
        }
    }
}
