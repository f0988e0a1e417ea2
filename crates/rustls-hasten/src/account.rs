//! Account of the bytes that a connection sent, message by message, read from the connection
//! itself.
//!
//! After the ServerHello every handshake message of TLS 1.3 is encrypted, and several may share a
//! record. [`Secrets`] is a key log that keeps the traffic secrets of one connection in memory.
//! With them [`Account`] decrypts the records that it has seen (RFC 9846) and names the messages
//! inside.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hkdf;
use rustls::{CipherSuite, KeyLog};
use zeroize::Zeroizing;

/// Largest number of bytes of a direction that are kept. Further bytes are only counted.
const KEPT: usize = 1 << 18;

/// One message, with its length without the record around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// True if the client sent it.
    pub from_client: bool,
    /// Name of the message in RFC 9846, `alert`, or `application data`.
    pub name: &'static str,
    /// Length of the message with its header, in bytes.
    pub bytes: usize,
}

type Kept = Vec<(String, Zeroizing<Vec<u8>>)>;

/// Key log that keeps the traffic secrets of one connection and passes them to another key log.
#[derive(Clone)]
pub struct Secrets {
    kept: Arc<Mutex<Kept>>,
    also: Arc<dyn KeyLog>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// Returns a key log that keeps all secrets and passes them to `also`.
    pub fn new(also: Arc<dyn KeyLog>) -> Self {
        Self { kept: Arc::default(), also }
    }

    fn of(&self, label: &str) -> Option<Zeroizing<Vec<u8>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(l, _)| l == label).map(|(_, secret)| secret.clone())
    }
}

impl KeyLog for Secrets {
    fn log(&self, label: &str, client_random: &[u8], secret: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((label.to_owned(), Zeroizing::new(secret.to_vec())));
        self.also.log(label, client_random, secret);
    }
}

/// The bytes of both directions of a connection.
#[derive(Default)]
pub struct Account {
    client: Vec<u8>,
    server: Vec<u8>,
    /// Number of bytes that the client sent, including record headers.
    pub client_bytes: u64,
    /// Number of bytes that the server sent, including record headers.
    pub server_bytes: u64,
}

impl Account {
    /// Adds bytes that one side sent.
    pub fn note(&mut self, from_client: bool, bytes: &[u8]) {
        let (kept, count) = match from_client {
            true => (&mut self.client, &mut self.client_bytes),
            false => (&mut self.server, &mut self.server_bytes),
        };
        let room = KEPT.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(&bytes[..room]);
        *count += bytes.len() as u64;
    }

    /// Returns the messages of both sides, the client's first, as far as they were kept and can be
    /// decrypted.
    pub fn messages(&self, suite: CipherSuite, secrets: &Secrets) -> Vec<Message> {
        let sides = [(true, &self.client, "CLIENT"), (false, &self.server, "SERVER")];
        sides
            .into_iter()
            .flat_map(|(c, bytes, side)| side_of(c, bytes, side, suite, secrets))
            .collect()
    }
}

fn side_of(
    from_client: bool,
    bytes: &[u8],
    side: &str,
    suite: CipherSuite,
    secrets: &Secrets,
) -> Vec<Message> {
    let key = |label: &str| Key::new(suite, &secrets.of(&format!("{side}_{label}"))?);
    let mut keys = vec![key("HANDSHAKE_TRAFFIC_SECRET"), key("TRAFFIC_SECRET_0")];
    keys.reverse();
    let mut current = keys.pop().flatten();
    let (mut found, mut joined, mut data) = (Vec::new(), Vec::new(), 0);
    let mut say = |name, bytes| found.push(Message { from_client, name, bytes });
    for record in records(bytes) {
        let (kind, inner) = match (record[0], &mut current) {
            (23, Some(key)) => match key.open(record) {
                Some(opened) => opened,
                None => break,
            },
            (kind, _) => (kind, record[5..].to_vec()),
        };
        match kind {
            22 => joined.extend_from_slice(&inner),
            21 => say("alert", inner.len()),
            20 => say("change_cipher_spec", inner.len()),
            _ => data += inner.len(),
        }
        while let Some((name, length)) = handshake(&joined) {
            say(name, length);
            joined.drain(..length);
            if name == "Finished" {
                current = keys.pop().flatten();
            }
        }
    }
    if data > 0 {
        say("application data", data);
    }
    found
}

/// Returns the complete records of a stream, with their headers of five bytes.
fn records(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let length = u16::from_be_bytes(bytes.get(3..5)?.try_into().ok()?);
        let (record, rest) = bytes.split_at_checked(5 + usize::from(length))?;
        bytes = rest;
        Some(record)
    })
}

/// Returns the first handshake message in `bytes`, if it is complete: RFC 9846, section 4
/// (Handshake Protocol).
fn handshake(bytes: &[u8]) -> Option<(&'static str, usize)> {
    let [kind, a, b, c] = *bytes.first_chunk()?;
    let length = 4 + u32::from_be_bytes([0, a, b, c]) as usize;
    let name = match kind {
        1 => "ClientHello",
        2 => "ServerHello",
        4 => "NewSessionTicket",
        8 => "EncryptedExtensions",
        11 => "Certificate",
        13 => "CertificateRequest",
        15 => "CertificateVerify",
        20 => "Finished",
        24 => "KeyUpdate",
        _ => "other",
    };
    (length <= bytes.len()).then_some((name, length))
}

/// One traffic key: RFC 9846, section 7.3 (Traffic Key Calculation).
struct Key {
    key: LessSafeKey,
    iv: [u8; 12],
    sequence: u64,
}

struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Computes HKDF-Expand-Label with an empty context.
fn expand(prk: &hkdf::Prk, label: &str, out: &mut [u8]) -> Option<()> {
    let (length, name) = ((out.len() as u16).to_be_bytes(), format!("tls13 {label}"));
    let info = [&length[..], &[name.len() as u8], name.as_bytes(), &[0]];
    prk.expand(&info, Length(out.len())).ok()?.fill(out).ok()
}

impl Key {
    fn new(suite: CipherSuite, secret: &[u8]) -> Option<Self> {
        let (hash, cipher) = match suite {
            CipherSuite::TLS13_AES_256_GCM_SHA384 => (hkdf::HKDF_SHA384, &aead::AES_256_GCM),
            CipherSuite::TLS13_AES_128_GCM_SHA256 => (hkdf::HKDF_SHA256, &aead::AES_128_GCM),
            CipherSuite::TLS13_CHACHA20_POLY1305_SHA256 => {
                (hkdf::HKDF_SHA256, &aead::CHACHA20_POLY1305)
            }
            _ => return None,
        };
        let prk = hkdf::Prk::new_less_safe(hash, secret);
        let (mut key, mut iv) = (Zeroizing::new(vec![0; cipher.key_len()]), [0; 12]);
        expand(&prk, "key", &mut key)?;
        expand(&prk, "iv", &mut iv)?;
        let key = LessSafeKey::new(UnboundKey::new(cipher, &key).ok()?);
        Some(Self { key, iv, sequence: 0 })
    }

    /// Decrypts a record. Returns its content type and content.
    fn open(&mut self, record: &[u8]) -> Option<(u8, Vec<u8>)> {
        let mut nonce = self.iv;
        for (byte, s) in nonce[4..].iter_mut().zip(self.sequence.to_be_bytes()) {
            *byte ^= s;
        }
        let (head, body) = record.split_at(5);
        let mut body = body.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        let length = self.key.open_in_place(nonce, Aad::from(head), &mut body).ok()?.len();
        body.truncate(length);
        self.sequence += 1;
        while body.last() == Some(&0) {
            body.pop();
        }
        let kind = body.pop()?;
        Some((kind, body))
    }
}
