//! One side of a handshake, run in its own process and on a thread that is counted.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use rustls::{ClientConnection, Connection, ServerConnection, Stream};

use super::super::handshake::{every, only};
use super::super::identity::Identity;
use super::super::wire::{SAID, failed};
use crate::Error;

fn connection(server: bool, group: &str, place: &Path) -> Result<Connection, Error> {
    let reading = Error::system("reading certificates");
    let identity = Identity::load(place, server).map_err(reading)?;
    let provider = only(every(), group)?;
    if server {
        let config = identity.server(&provider, false).map_err(failed)?;
        return Ok(ServerConnection::new(Arc::new(config)).map_err(failed)?.into());
    }
    let config = identity.client(&provider, false).map_err(failed)?;
    let name = "localhost".try_into().map_err(|_| Error::Table("no name"))?;
    Ok(ClientConnection::new(Arc::new(config), name).map_err(failed)?.into())
}

fn speaking() -> impl FnOnce(std::io::Error) -> Error {
    Error::system("speaking with the other side")
}

/// Sends one message each way, first that of the client.
fn exchange(server: bool, stream: &mut (impl Read + Write)) -> Result<(), Error> {
    let (own, other) = if server { (SAID[1], SAID[0]) } else { (SAID[0], SAID[1]) };
    let mut heard = [0; 32];
    let heard = &mut heard[..other.len()];
    if !server {
        stream.write_all(own).map_err(speaking())?;
    }
    stream.read_exact(heard).map_err(speaking())?;
    if server {
        stream.write_all(own).map_err(speaking())?;
    }
    if heard == other { Ok(()) } else { Err(Error::Table("the other side said something else")) }
}

/// Runs the connection from its first byte to its last.
fn speak(server: bool, group: &str, place: &Path) -> Result<(), Error> {
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(speaking())?;
    let mut socket = UnixStream::from(socket);
    match connection(server, group, place)? {
        Connection::Client(mut client) => {
            exchange(server, &mut Stream::new(&mut client, &mut socket))
        }
        Connection::Server(mut with) => exchange(server, &mut Stream::new(&mut with, &mut socket)),
    }
}

/// Runs the side named `server:GROUP` or `client:GROUP`; its socket is the standard input. With the
/// suffix `:again`, the counted connection is the second of the process.
pub fn run(side: &str, place: &Path) -> Result<(), Error> {
    let mut words = side.split(':');
    let server = words.next() == Some("server");
    let group = words.next().unwrap_or_default();
    if words.next() == Some("again") {
        speak(server, group, place)?;
    }
    std::thread::scope(|scope| {
        // The counting library counts the thread with this name.
        let thread = std::thread::Builder::new().name("measured".into()).stack_size(1 << 22);
        let started = thread.spawn_scoped(scope, || speak(server, group, place));
        let joined = started.map_err(Error::system("starting a thread"))?.join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
