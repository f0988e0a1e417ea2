//! Handshakes in memory: both sides run in one thread, with their bytes and times counted
//! separately.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::thread_time;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::{ClientConfig, ClientConnection, Connection, Error, ServerConfig, ServerConnection};
use rustls_hasten::endpoint::names;

/// Both sides of a connection, with the bytes and the time of each.
pub struct Pair {
    /// The client's side.
    pub client: Connection,
    /// The server's side.
    pub server: Connection,
    /// Bytes sent by the client, then by the server.
    pub bytes: [usize; 2],
    /// CPU time of the client, then of the server.
    pub time: [Duration; 2],
}

/// Returns the provider for the tables, including round 3 if this build has it.
pub fn every() -> CryptoProvider {
    #[cfg(feature = "legacy")]
    return rustls_hasten::legacy_provider();
    #[cfg(not(feature = "legacy"))]
    return rustls_hasten::provider();
}

/// Returns the group with this name.
pub fn group_of(name: &str) -> Result<&'static dyn SupportedKxGroup, crate::Error> {
    names::group(name).map_err(|_| crate::Error::Table("this build has no group of this name"))
}

/// Returns the provider restricted to one group and one cipher suite.
pub fn only(
    mut provider: CryptoProvider,
    group: &str,
) -> Result<Arc<CryptoProvider>, crate::Error> {
    provider.kx_groups = vec![group_of(group)?];
    provider
        .cipher_suites
        .retain(|suite| suite.suite() == rustls::CipherSuite::TLS13_AES_256_GCM_SHA384);
    Ok(Arc::new(provider))
}

fn hand_over(
    from: &mut Connection,
    to: &mut Connection,
    time: &mut [Duration; 2],
    at: usize,
) -> Result<usize, Error> {
    let (mut wire, begun) = (Vec::new(), thread_time());
    while from.wants_write() {
        from.write_tls(&mut wire).map_err(|error| Error::General(error.to_string()))?;
    }
    time[at] += thread_time() - begun;
    let (mut rest, begun) = (&wire[..], thread_time());
    while !rest.is_empty() {
        to.read_tls(&mut rest).map_err(|error| Error::General(error.to_string()))?;
        to.process_new_packets()?;
    }
    time[1 - at] += thread_time() - begun;
    Ok(wire.len())
}

impl Pair {
    /// Runs a whole handshake and returns the connection.
    pub fn shake(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) -> Result<Self, Error> {
        let begun = thread_time();
        let name = "localhost".try_into().map_err(|_| Error::UnsupportedNameType)?;
        let client = Connection::from(ClientConnection::new(client.clone(), name)?);
        let client_time = thread_time() - begun;
        let begun = thread_time();
        let server = Connection::from(ServerConnection::new(server.clone())?);
        let mut pair =
            Self { client, server, bytes: [0; 2], time: [client_time, thread_time() - begun] };
        for _ in 0..4 {
            pair.exchange()?;
        }
        if pair.client.is_handshaking() || pair.server.is_handshaking() {
            return Err(Error::HandshakeNotComplete);
        }
        Ok(pair)
    }

    /// Transfers all pending data from each side to the other.
    pub fn exchange(&mut self) -> Result<(), Error> {
        self.bytes[0] += hand_over(&mut self.client, &mut self.server, &mut self.time, 0)?;
        self.bytes[1] += hand_over(&mut self.server, &mut self.client, &mut self.time, 1)?;
        Ok(())
    }
}
