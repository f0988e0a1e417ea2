//! The verifier's thread. It knows only what came over the socket, and its own level.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use hasten_hbs::{PreparedVerifier, PublicKey, Verifier};

use super::frame::{Kind, Wire, message_and_signature};
use super::plan::Plan;
use super::warm::{Cost, Waiter};
use crate::cpu;
use crate::error::Error;

/// What the verifier has measured, message by message.
#[derive(Default)]
pub struct Log {
    /// Work before the message: checking an announcement and preparing.
    pub prepare: Vec<Duration>,
    /// Time the last announcement took.
    announced: Duration,
    /// When the last byte had come.
    pub arrived: Vec<Instant>,
    /// From then to the verdict.
    pub verify: Vec<Duration>,
    /// What keeping warm has cost.
    pub warm: Cost,
}

/// Receives and verifies until the signer ends.
pub fn run(plan: &Plan<'_>, stream: TcpStream) -> Result<Log, Error> {
    cpu::pin(plan.cores, 1);
    let (mut wire, mut waiter) = (Wire::new(stream)?, plan.waiter());
    let key = PublicKey::from_xmss_bytes(wire.expect(Kind::Key, &mut waiter)?)?;
    let verifier = Verifier::new(&key, plan.kernels);
    let mut verifier = PreparedVerifier::new(verifier, plan.verifier, 0);
    let mut log = Log::default();
    while step(&mut verifier, &mut wire, &mut waiter, &mut log)? {}
    log.warm = waiter.cost();
    Ok(log)
}

/// Deals with one frame; whether more will come.
fn step(
    verifier: &mut PreparedVerifier<'_>,
    wire: &mut Wire,
    waiter: &mut Waiter,
    log: &mut Log,
) -> Result<bool, Error> {
    let (kind, body) = wire.receive(waiter)?;
    let began = Instant::now();
    match kind {
        Kind::Signed => {
            let (message, signature) = message_and_signature(body)?;
            let good = verifier.verify(message, signature).is_ok();
            log.verify.push(began.elapsed());
            log.arrived.push(began);
            wire.send(Kind::Verdict, &[&[u8::from(good)]])?;
        }
        Kind::Announce => {
            verifier.announce(body)?;
            log.announced = began.elapsed();
        }
        Kind::Prepare => {
            verifier.prepare();
            log.prepare.push(std::mem::take(&mut log.announced) + began.elapsed());
            wire.send(Kind::Prepare, &[])?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
