//! Bytes sent in TLS 1.3, counted as in the appendix: a mutual handshake and one message each way.

use std::io::Write;
use std::sync::Arc;

use super::appendix::sent::{SENT, SENT_NOW, Sent};
use super::handshake::{Pair, every, only};
use super::identity::Identity;
use super::round_three;
use super::sheet::{Cell, Sheet};
use crate::Error;

/// The messages sent in the appendix.
pub const SAID: [&[u8]; 2] = [b"hello wolfssl!", b"I hear you fa shizzle!"];

/// Converts an error of rustls, for a failed handshake.
pub fn failed(error: rustls::Error) -> Error {
    Error::Tls(error)
}

/// Returns the bytes sent by client and server.
fn sent(identity: &Identity, group: &str) -> Result<[usize; 2], Error> {
    let provider = only(every(), group)?;
    let client = Arc::new(identity.client(&provider, true).map_err(failed)?);
    let server = Arc::new(identity.server(&provider, true).map_err(failed)?);
    let mut pair = Pair::shake(&client, &server).map_err(failed)?;
    let written =
        pair.client.writer().write_all(SAID[0]).and(pair.server.writer().write_all(SAID[1]));
    written.map_err(Error::system("writing"))?;
    pair.exchange().map_err(failed)?;
    Ok(pair.bytes)
}

/// The identities generated so far, which are reused because RSA key generation is slow.
#[derive(Default)]
pub struct Known(Vec<Identity>);

impl Known {
    /// Returns the identity of an algorithm, or `None` if this build does not have it.
    pub fn of(&mut self, alg: &'static str) -> Option<&Identity> {
        if !self.0.iter().any(|known| known.alg == alg) {
            self.0.push(Identity::new(alg).ok()?);
        }
        self.0.iter().find(|known| known.alg == alg)
    }
}

/// Returns a row: the algorithm, the group and the bytes sent, then those of the appendix.
fn row(alg: &str, group: &str, ours: Option<[usize; 2]>, theirs: Option<&Sent>) -> Vec<Cell> {
    let count = |at: usize| Cell::from(ours.map(|bytes| bytes[at]));
    let total = ours.map(|bytes| bytes[0] + bytes[1]);
    let difference = theirs.and_then(|row| Some(total? as f64 - row.bytes as f64));
    vec![
        alg.into(),
        group.into(),
        count(0),
        count(1),
        total.into(),
        theirs.map(|row| row.auth).into(),
        theirs.map(|row| row.group).into(),
        theirs.map(|row| row.bytes).into(),
        difference.map_or(Cell::Empty, |d| Cell::Number(d, 0)),
    ]
}

/// Returns a row for each combination of the appendix, measured with the algorithms used today,
/// followed by one with those of round 3 in a build that has them. Rows of combinations that are
/// only used today follow.
pub fn sheet(known: &mut Known) -> Result<Sheet, Error> {
    let mut rows = Vec::new();
    let mut add = |(alg, group), theirs, needed: bool| -> Result<(), Error> {
        let ours = known.of(alg).map(|identity| sent(identity, group)).transpose()?;
        if needed || ours.is_some() {
            rows.push(row(alg, group, ours, theirs));
        }
        Ok(())
    };
    for theirs in SENT {
        add(theirs.ours, Some(theirs), true)?;
        if let Some(own) = round_three::built_in(theirs.auth, theirs.group, theirs.ours) {
            add(own, Some(theirs), false)?;
        }
    }
    for ours in SENT_NOW {
        add(*ours, None, true)?;
    }
    Ok(Sheet {
        name: "tls-bytes",
        title: "TLS 1.3: bytes sent, mutual authentication, TLS_AES_256_GCM_SHA384, one message each way",
        columns: vec![("alg", "Authentication"), ("group", "Key exchange"), ("client_bytes", "Client sent"), ("server_bytes", "Server sent"), ("total_bytes", "Total"), ("theirs_alg", "Appendix: authentication"), ("theirs_group", "key exchange"), ("theirs_total", "total"), ("theirs_difference", "Ours less theirs")],
        rows,
        notes: vec![
            "Ours: a leaf under a root of the same algorithm, only the leaf sent, two session tickets of 81 bytes of the server, both messages of the appendix. Theirs: certificates of wolfSSL's and of Open Quantum Safe's, with longer names and extensions. The Dilithium rows of the appendix can hold the certificate of one side only: for level 2 two public keys and four signatures alone are 12,304 bytes. Where the group of round 3 has no successor with the same parts, the next larger one stands beside it; a build with the feature legacy has the combination of round 3 itself below that. With groups of round 3 on both sides the difference is the same in every row of RSA, and but for the varying length of its signatures of Falcon: it is that of the certificates.".into(),
        ],
    })
}
