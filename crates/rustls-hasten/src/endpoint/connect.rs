//! The client's side of a connection, once or many times.

use std::collections::BTreeMap;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, Connection, KeyLog};

use super::Error;
use super::link::Link;
use super::reason;
use super::talk::Talk;
use crate::account::Secrets;

/// Settings that all connections of a run share.
pub struct Client {
    /// The configuration. Its key log is replaced for each connection.
    pub config: ClientConfig,
    /// Key log for the secrets.
    pub log: Arc<dyn KeyLog>,
    /// Name that the server's certificate must have.
    pub name: ServerName<'static>,
    /// Host and port of the server.
    pub address: String,
    /// Time limit of the handshake, and of a pause without a byte after it.
    pub timeout: Duration,
}

/// A connection that was successful and has ended.
pub struct Done {
    /// State of the connection at the end.
    pub connection: Connection,
    /// The socket, with the account of its bytes.
    pub link: Link,
    /// The secrets for reading the account.
    pub secrets: Secrets,
    /// Time from the first byte to the end of the handshake.
    pub took: Duration,
}

impl Client {
    /// Makes one connection, from the first byte to the last; `talk` sends and receives on it. The
    /// inner error is the reason why the connection failed.
    ///
    /// # Errors
    /// If the connection could not be attempted.
    pub fn once(
        &self,
        talk: impl FnOnce(&mut Talk<'_>) -> io::Result<()>,
    ) -> Result<Result<Done, String>, Error> {
        let secrets = Secrets::new(self.log.clone());
        let mut config = self.config.clone();
        config.key_log = Arc::new(secrets.clone());
        let begun = ClientConnection::new(Arc::new(config), self.name.clone())?;
        let (mut connection, mut link) = (Connection::from(begun), self.dial()?);
        let begun = Instant::now();
        let shaken = link.shake(&mut connection).map(|()| begun.elapsed());
        let spoken = shaken.and_then(|took| {
            talk(&mut Talk { connection: &mut connection, link: &mut link })?;
            Ok(took)
        });
        match spoken {
            Ok(took) => {
                link.close(&mut connection);
                Ok(Ok(Done { connection, link, secrets, took }))
            }
            Err(error) => {
                link.end(&mut connection);
                Ok(Err(reason::of_io(&error)))
            }
        }
    }

    /// Connects to one of the host's addresses. Returns the last error if none of them answers.
    fn dial(&self) -> Result<Link, Error> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in self.address.to_socket_addrs().map_err(Error::Connecting)? {
            match TcpStream::connect_timeout(&address, self.timeout) {
                Ok(stream) => return Ok(Link::new(stream, true, self.timeout)),
                Err(error) => last = error,
            }
        }
        Err(Error::Connecting(last))
    }
}

/// Results of many connections: the times of the successful ones, and the reasons why the others
/// failed.
#[derive(Default)]
pub struct Tally {
    /// Durations of the handshakes.
    pub times: Vec<Duration>,
    /// Number of failures, by their reason.
    pub reasons: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, done: Result<Duration, String>) {
        match done {
            Ok(took) => self.times.push(took),
            Err(reason) => *self.reasons.entry(reason).or_default() += 1,
        }
    }

    /// Returns the number of connections that failed.
    pub fn failed(&self) -> usize {
        self.reasons.values().sum()
    }
}

/// Connects `times` times with `once`, at most `at_once` at the same time, until `stop` returns
/// true. `told` is called with the number of finished connections.
pub fn many(
    times: usize,
    at_once: usize,
    stop: impl Fn() -> bool + Sync,
    told: impl Fn(usize) + Sync,
    once: impl Fn() -> Result<Duration, String> + Sync,
) -> Tally {
    let (left, tally) = (AtomicUsize::new(times), Mutex::<Tally>::default());
    let next =
        || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    let work = || {
        while let (false, Ok(_)) = (stop(), next()) {
            let done = once();
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(done);
            told(tally.times.len() + tally.failed());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(times) {
            scope.spawn(work);
        }
    });
    tally.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for() {
        let calls = AtomicUsize::new(0);
        let once = || match calls.fetch_add(1, Ordering::Relaxed) % 2 {
            0 => Ok(Duration::from_millis(1)),
            _ => Err("odd".to_owned()),
        };
        let tally = many(10, 3, || false, |_| (), once);
        assert_eq!((tally.times.len(), tally.failed(), tally.reasons["odd"]), (5, 5, 5));
        assert_eq!(many(10, 3, || true, |_| (), once).times.len(), 0);
    }
}
