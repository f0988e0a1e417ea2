//! Datagrams over UDP, to one receiver or to a multicast group.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::Duration;

use crate::error::{BadValue, Error};

/// How long a blocking receiver waits before it looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Returns the address that `udp://HOST:PORT` names.
pub fn address(text: &str) -> Result<SocketAddr, BadValue> {
    let bad = || BadValue::Address(text.to_owned());
    let place = text.strip_prefix("udp://").ok_or_else(bad)?;
    place.to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or_else(bad)
}

/// Returns a socket that sends to `address`.
pub fn sender(address: SocketAddr, hops: u32) -> Result<UdpSocket, Error> {
    let opened = UdpSocket::bind((any(address.ip()), 0)).and_then(|socket| {
        if address.is_ipv4() {
            socket.set_multicast_ttl_v4(hops)?;
        }
        socket.connect(address).map(|()| socket)
    });
    opened.map_err(Error::system("opening the socket"))
}

/// Sends a datagram. A machine that listens on no such port is no error: receivers come and go.
pub fn send(socket: &UdpSocket, datagram: &[u8]) -> Result<(), Error> {
    match socket.send(datagram) {
        Err(cause) if cause.kind() != ErrorKind::ConnectionRefused => {
            Err(Error::System { doing: "sending", cause })
        }
        _ => Ok(()),
    }
}

/// Returns a socket that receives what is sent to `address`; of a multicast group, once it is
/// joined. With `spin` it never waits.
pub fn receiver(address: SocketAddr, spin: bool) -> Result<UdpSocket, Error> {
    let group = address.ip().is_multicast();
    let local = if group { any(address.ip()) } else { address.ip() };
    let opened = UdpSocket::bind((local, address.port())).and_then(|socket| {
        match address.ip() {
            IpAddr::V4(ip) if group => socket.join_multicast_v4(&ip, &Ipv4Addr::UNSPECIFIED)?,
            IpAddr::V6(ip) if group => socket.join_multicast_v6(&ip, 0)?,
            _ => {}
        }
        match spin {
            true => socket.set_nonblocking(true)?,
            false => socket.set_read_timeout(Some(LOOK))?,
        }
        Ok(socket)
    });
    opened.map_err(Error::system("opening the socket"))
}

/// Returns the bytes of the next datagram; nothing if none is there yet.
pub fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> Result<Option<usize>, Error> {
    match socket.recv(buffer) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) => match cause.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(None),
            _ => Err(Error::System { doing: "receiving", cause }),
        },
    }
}

/// Returns the address of every interface, of the kind of `ip`.
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
    fn addresses() {
        assert_eq!(address("udp://127.0.0.1:5000"), Ok(([127, 0, 0, 1], 5000).into()));
        assert!(address("udp://[::1]:5000").unwrap().is_ipv6());
        for text in ["127.0.0.1:5000", "udp://127.0.0.1", "udp://", "tcp://127.0.0.1:1", ""] {
            assert!(address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_datagram_arrives() {
        let to = receiver(([127, 0, 0, 1], 0).into(), false).unwrap();
        let from = sender(to.local_addr().unwrap(), 1).unwrap();
        send(&from, b"x").unwrap();
        assert_eq!(receive(&to, &mut [0; 9]).unwrap(), Some(1));
        assert_eq!(receive(&to, &mut [0; 9]).unwrap(), None);
    }
}
