//! The parameters that both ends of a connection agreed on, and the messages that each sent.

use hasten_keys::x509;
use rustls::Connection;

use super::link::Link;
use super::names::{group_name, suite_name};
use crate::account::{Message, Secrets};

/// Report of a connection whose handshake is complete.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// The group of the key exchange.
    pub group: &'static str,
    /// The cipher suite.
    pub suite: String,
    /// Algorithm of the peer's key, if the peer presented a certificate.
    pub peer: Option<String>,
    /// The messages of both sides, the client's first, as far as they can be decrypted.
    pub messages: Vec<Message>,
    /// Number of bytes that the client sent, including record headers.
    pub client_bytes: u64,
    /// Number of bytes that the server sent, including record headers.
    pub server_bytes: u64,
}

impl Agreed {
    /// Returns the report of a connection.
    pub fn of(connection: &Connection, link: &Link, secrets: &Secrets) -> Self {
        let suite = connection.negotiated_cipher_suite().map(|suite| suite.suite());
        let group = connection.negotiated_key_exchange_group();
        let peer = connection.peer_certificates().and_then(|chain| chain.first()).map(|der| {
            x509::public_key(der).map_or("unknown".to_owned(), |key| key.row.name.clone())
        });
        let account = &link.account;
        Self {
            group: group.map_or("unknown", |group| group_name(group.name())),
            suite: suite.map_or_else(String::new, suite_name),
            peer,
            messages: suite.map(|suite| account.messages(suite, secrets)).unwrap_or_default(),
            client_bytes: account.client_bytes,
            server_bytes: account.server_bytes,
        }
    }
}
