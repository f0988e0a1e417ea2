//! Summary of a connection, as one line or one row.

use std::time::Duration;

use hasten_report::{Summary as Times, grouped, micros};
use rustls::Connection;
use rustls_hasten::account::{Message, Secrets};
use rustls_hasten::endpoint::agreed::Agreed;
use rustls_hasten::endpoint::link::Link;
use serde::Serialize;

/// One connection.
#[derive(Serialize)]
pub struct Row {
    pub peer: String,
    pub group: &'static str,
    pub suite: String,
    /// Algorithm of the server's key.
    pub server_alg: String,
    /// Algorithm of the client's key, if it showed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_alg: Option<String>,
    pub handshake_us: Times,
    pub messages: Vec<Said>,
    /// All bytes that the client sent, including the framing of records.
    pub client_bytes: u64,
    pub server_bytes: u64,
}

/// One handshake message.
#[derive(Serialize)]
pub struct Said {
    pub from: &'static str,
    pub name: &'static str,
    pub bytes: usize,
}

impl From<Message> for Said {
    fn from(message: Message) -> Self {
        let from = if message.from_client { "client" } else { "server" };
        Self { from, name: message.name, bytes: message.bytes }
    }
}

/// The endpoint that reports: its side, its key's algorithm, its peer, and the time of the
/// handshake.
pub struct End<'e> {
    pub is_client: bool,
    pub own: Option<&'e str>,
    pub peer: String,
    pub took: Duration,
}

impl Row {
    /// Returns the summary of a connection whose handshake is done.
    pub fn of(connection: &Connection, link: &Link, secrets: &Secrets, end: End<'_>) -> Self {
        let agreed = Agreed::of(connection, link, secrets);
        let (own, shown) = (end.own.map(str::to_owned), agreed.peer);
        let (server_alg, client_alg) = if end.is_client { (shown, own) } else { (own, shown) };
        Self {
            peer: end.peer,
            group: agreed.group,
            suite: agreed.suite,
            server_alg: server_alg.unwrap_or_default(),
            client_alg,
            handshake_us: Times::constant(micros(end.took)),
            messages: agreed.messages.into_iter().map(Said::from).collect(),
            client_bytes: agreed.client_bytes,
            server_bytes: agreed.server_bytes,
        }
    }

    /// Returns the summary as a line.
    pub fn line(&self) -> String {
        let side = |from: &str| {
            let all = self.messages.iter().filter(|said| said.from == from);
            let each: Vec<_> =
                all.map(|said| format!("{} {}", said.name, grouped(said.bytes as u64))).collect();
            each.join(", ")
        };
        format!(
            "{}  {}  {}  server {}  client {}  {:.1} ms  client sent {} B: {}  server sent {} B: {}",
            self.peer,
            self.group,
            self.suite,
            self.server_alg,
            self.client_alg.as_deref().unwrap_or("none"),
            self.handshake_us.min / 1e3,
            grouped(self.client_bytes),
            side("client"),
            grouped(self.server_bytes),
            side("server"),
        )
    }
}
