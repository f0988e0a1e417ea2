//! Connect times and data rates by group.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::clock;
use hasten_report::{Summary, micros};

use super::appendix::connect::{Connected, connect};
use super::handshake::{Pair, every, group_of, only};
use super::sheet::{Cell, Sheet};
use super::speed::mean;
use super::wire::{Known, failed};
use crate::Error;

/// Groups of the table, including classical ones. The last ones are of round 3, and only in a build
/// that has them.
const GROUPS: [&str; 18] = [
    "secp256r1",
    "secp384r1",
    "secp521r1",
    "ffdhe2048",
    "X25519",
    "MLKEM512",
    "MLKEM768",
    "MLKEM1024",
    "X25519MLKEM768",
    "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024",
    "SecP521r1MLKEM1024",
    "Kyber512",
    "Kyber768",
    "Kyber1024",
    "P256_Kyber512",
    "P384_Kyber768",
    "P521_Kyber1024",
];

/// Returns the rates of client and server in megabytes per second while the client sends `bytes`.
fn bulk(pair: &mut Pair, bytes: usize) -> Result<(f64, f64), Error> {
    let (part, mut sink) = (vec![0x5A; 1 << 14], vec![0; 1 << 15]);
    pair.time = [Duration::ZERO; 2];
    let mut left = bytes;
    while left > 0 {
        let begun = clock::thread_time();
        pair.client.writer().write_all(&part).map_err(Error::system("writing"))?;
        pair.time[0] += clock::thread_time() - begun;
        pair.exchange().map_err(failed)?;
        let begun = clock::thread_time();
        let mut got = 0;
        while got < part.len() {
            got += pair.server.reader().read(&mut sink).map_err(Error::system("reading"))?;
        }
        pair.time[1] += clock::thread_time() - begun;
        left = left.saturating_sub(part.len());
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    Ok((rate(pair.time[0]), rate(pair.time[1])))
}

/// Returns connect times and data rates by group, with RSA-2048 on the server as in the appendix.
pub fn sheet(known: &mut Known, time: Duration) -> Result<Sheet, Error> {
    let identity = known.of("RSA-2048").ok_or(Error::NotBuiltIn("RSA-2048"))?;
    let mut rows = Vec::new();
    for group in GROUPS.into_iter().filter(|group| group_of(group).is_ok()) {
        let provider = only(every(), group)?;
        let client = Arc::new(identity.client(&provider, false).map_err(failed)?);
        let server = Arc::new(identity.server(&provider, false).map_err(failed)?);
        let mut taken: [Vec<f64>; 3] = Default::default();
        let mut pair = Pair::shake(&client, &server).map_err(failed)?;
        let begun = Instant::now();
        while begun.elapsed() < time || taken[0].len() < 3 {
            pair = Pair::shake(&client, &server).map_err(failed)?;
            let [c, s] = pair.time.map(micros);
            taken.iter_mut().zip([c + s, s, c]).for_each(|(list, t)| list.push(t));
        }
        let (tx, rx) = bulk(&mut pair, 32 << 20)?;
        let theirs = connect(group);
        let number = |of: fn(&Connected) -> f64| {
            theirs.map_or(Cell::Empty, |theirs| Cell::Number(of(theirs), 0))
        };
        rows.push(vec![
            group.into(),
            taken[0].len().into(),
            Cell::Time(Summary::of(&taken[0])),
            Cell::Time(Summary::of(&taken[1])),
            Cell::Time(Summary::of(&taken[2])),
            Cell::Number(1e6 / mean(&taken[0]), 0),
            Cell::Number(tx, 0),
            Cell::Number(rx, 0),
            number(|theirs| theirs.connect[0] * 1e3),
            number(|theirs| theirs.tx),
            number(|theirs| theirs.rx),
            theirs.map(|theirs| theirs.group).into(),
        ]);
    }
    Ok(Sheet {
        name: "connect",
        title: "TLS 1.3 by group: CPU time of a connection, both sides, and rate of the data after it (RSA-2048, TLS_AES_256_GCM_SHA384)",
        columns: vec![("group", "Group"), ("connections", "Connections"), ("connect_us", "Connect, us"), ("server_us", "of the server"), ("client_us", "of the client"), ("per_second", "Per second"), ("tx_mb", "Tx, MB/s"), ("rx_mb", "Rx, MB/s"), ("theirs_connect", "Appendix: connect, us"), ("theirs_tx", "Tx, MB/s"), ("theirs_rx", "Rx, MB/s"), ("theirs_group", "Appendix: group")],
        rows,
        notes: vec!["Both sides in one thread over memory, their times added; the appendix measured a server and a client on two cores over a socket, and its server's figures stand here. A group of today stands beside that of round 3 whose place it has, though its parts may be larger: SecP256r1MLKEM768 beside P256_KYBER_LEVEL1. A build with the feature legacy has those of round 3 as well.".into()],
    })
}
