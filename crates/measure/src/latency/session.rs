//! One row: a fresh key, a signer's thread, a verifier's thread, and a TCP connection between them.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use hasten_hbs::Signer;
use hasten_report::micros;

use super::plan::Plan;
use super::warm::Cost;
use super::{receiver, sender};
use crate::{Error, Step};

/// Measurements of both sides of one row, message by message, in microseconds.
#[derive(Debug, Default)]
pub struct Samples {
    /// Time from message to signature.
    pub sign: Vec<f64>,
    /// Time from the last byte to the verdict.
    pub verify: Vec<f64>,
    /// Time from the signature to the arrival of its last byte at the verifier.
    pub loopback: Vec<f64>,
    /// Time of the signer's work before the message.
    pub sign_prepare: Vec<f64>,
    /// Time of the verifier's work before the message.
    pub verify_prepare: Vec<f64>,
    /// Length of an announcement in bytes.
    pub announce_bytes: usize,
    /// Cost of keeping both sides warm.
    pub warm: Cost,
}

/// Signs, sends and verifies the messages of `plan` with `signer`.
pub fn run(plan: &Plan<'_>, signer: Signer<'static>, step: &Step<'_>) -> Result<Samples, Error> {
    let (near, far) = loopback()?;
    let (sent, received) = thread::scope(|scope| {
        let verifier = scope.spawn(|| receiver::run(plan, far));
        let signer = scope.spawn(|| sender::run(plan, signer, near, step));
        (signer.join(), verifier.join())
    });
    let sent = sent.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let received = received.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    match (sent, received) {
        (Ok(sent), Ok(received)) => Ok(join(plan, &sent, &received)),
        // A failing side closes its socket, which makes the other fail too: report the original
        // error.
        (Err(Error::System { .. }), Err(cause)) | (Err(cause), _) | (Ok(_), Err(cause)) => {
            Err(cause)
        }
    }
}

/// Creates a TCP connection over loopback and returns its two ends.
pub fn loopback() -> Result<(TcpStream, TcpStream), Error> {
    let connect = || {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let one = TcpStream::connect(listener.local_addr()?)?;
        Ok((one, listener.accept()?.0))
    };
    connect().map_err(Error::system("connecting over loopback"))
}

/// Joins the measurements of the two sides, message by message, without the warm-up.
fn join(plan: &Plan<'_>, sent: &sender::Log, received: &receiver::Log) -> Samples {
    let counted =
        |times: &[Duration]| times.iter().skip(plan.warm_up).copied().map(micros).collect();
    let passed = |(sent, arrived): (&Instant, &Instant)| arrived.saturating_duration_since(*sent);
    let loopback: Vec<_> = sent.sent.iter().zip(&received.arrived).map(passed).collect();
    Samples {
        sign: counted(&sent.sign),
        verify: counted(&received.verify),
        loopback: counted(&loopback),
        sign_prepare: counted(&sent.prepare),
        verify_prepare: counted(&received.prepare),
        announce_bytes: sent.announce_bytes,
        warm: sent.warm.and(received.warm),
    }
}
