//! The verifier's thread. It knows only its set, its level, and the data received over the socket.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use hasten_hbs::params::Scheme;
use hasten_hbs::{PreparedVerifier, PublicKey, Set, Verifier, VerifierLevel};

use super::engine::Engine;
use super::frame::{Kind, Wire, message_and_signature};
use super::plan::Plan;
use super::warm::{Cost, Waiter};
use crate::{Error, pin};

/// Measurements of the verifier, message by message.
#[derive(Default)]
pub struct Log {
    /// Work before the message: checking an announcement and preparing.
    pub prepare: Vec<Duration>,
    /// Time that the last announcement took.
    announced: Duration,
    /// Time at which the last byte had arrived.
    pub arrived: Vec<Instant>,
    /// Time from then to the verdict.
    pub verify: Vec<Duration>,
    /// Cost of keeping warm.
    pub warm: Cost,
}

/// Receives and verifies until the signer sends the end.
pub fn run(plan: &Plan<'_>, stream: TcpStream) -> Result<Log, Error> {
    pin::pin(plan.cores, 1);
    let (mut wire, mut waiter) = (Wire::new(stream)?, plan.waiter());
    let key = public_key(plan.set, wire.expect(Kind::Key, &mut waiter)?)?;
    let verifier = Verifier::new(&key, plan.kernels);
    let mut verifier = Side {
        software: PreparedVerifier::new(verifier, plan.verifier, 0),
        engine: None,
        ready: plan.verifier >= VerifierLevel::Masks,
        next: 0,
    };
    if let Some(device) = &plan.device {
        let engine = (device.make)()?;
        engine.load_public(key.as_bytes())?;
        verifier.engine = Some((engine, device.cycle));
    }
    let mut log = Log::default();
    while step(&mut verifier, &mut wire, &mut waiter, &mut log)? {}
    log.warm = waiter.cost();
    Ok(log)
}

/// Reads the public key in the encoding of the set's scheme.
fn public_key(set: &Set, bytes: &[u8]) -> Result<PublicKey, Error> {
    Ok(match set.scheme {
        Scheme::Lms { .. } => PublicKey::from_lms_bytes(bytes)?,
        Scheme::Hss { .. } => PublicKey::from_hss_bytes(bytes)?,
        Scheme::XmssMt => PublicKey::from_xmssmt_bytes(bytes)?,
        _ => PublicKey::from_xmss_bytes(bytes)?,
    })
}

/// The verifying side: software, or the simulated engine. The engine prepares for the index after
/// the last.
struct Side<'k> {
    software: PreparedVerifier<'k>,
    engine: Option<(Box<dyn Engine>, Duration)>,
    ready: bool,
    next: u64,
}

impl Side<'_> {
    /// Prepares for the next message. If the engine does so, returns the time of its cycles.
    fn prepare(&mut self) -> Result<Option<Duration>, Error> {
        match &self.engine {
            None => {
                self.software.prepare();
                Ok(None)
            }
            Some((engine, cycle)) if self.ready => {
                Ok(Some(*cycle * engine.prepare(self.next, true)?))
            }
            Some(_) => Ok(Some(Duration::ZERO)),
        }
    }

    /// Returns the verdict, and the time of the cycles if the engine verified.
    fn verify(
        &mut self,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(bool, Option<Duration>), Error> {
        self.next += 1;
        let Some((engine, cycle)) = &self.engine else {
            return Ok((self.software.verify(message, signature).is_ok(), None));
        };
        let cycles = engine.verify(message, signature)?;
        Ok((cycles.is_some(), Some(*cycle * cycles.unwrap_or(0))))
    }
}

/// Handles one frame; returns true if more frames follow.
fn step(
    verifier: &mut Side<'_>,
    wire: &mut Wire,
    waiter: &mut Waiter,
    log: &mut Log,
) -> Result<bool, Error> {
    let (kind, body) = wire.receive(waiter)?;
    let began = Instant::now();
    match kind {
        Kind::Signed => {
            let (message, signature) = message_and_signature(body)?;
            let (good, taken) = verifier.verify(message, signature)?;
            log.verify.push(taken.unwrap_or_else(|| began.elapsed()));
            log.arrived.push(began);
            wire.send(Kind::Verdict, &[&[u8::from(good)]])?;
        }
        Kind::Announce => {
            verifier.software.announce(body)?;
            log.announced = began.elapsed();
        }
        Kind::Prepare => {
            let taken = verifier.prepare()?.unwrap_or_else(|| began.elapsed());
            log.prepare.push(std::mem::take(&mut log.announced) + taken);
            wire.send(Kind::Prepare, &[])?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Watch, keygen};
    use hasten_hbs::{SignerLevel, hazmat::Throwaway};
    use hasten_kernels::Kernels;

    fn plan() -> Plan<'static> {
        Plan {
            set: Set::named("XMSS-SHA2_10_192").expect("a set"),
            signer: SignerLevel::Masks,
            verifier: VerifierLevel::OtsKey,
            kernels: Kernels::best(),
            device: None,
            samples: 1,
            warm_up: 0,
            message: 3,
            idle: Duration::ZERO,
            keep_warm: false,
            cores: &[],
        }
    }

    /// Sends a signature of `abc`, modified by `change`, and returns the verdict.
    fn verdict(change: fn(&mut Vec<u8>)) -> u8 {
        let plan = plan();
        let mut signer = keygen::generate(plan.set, plan.kernels, 2, Watch::none()).expect("a key");
        let permit = Throwaway::new().permit();
        let prepared = signer.prepare(permit, plan.signer).expect("prepared");
        let mut signature = prepared.finish(b"abc").expect("signed").into_bytes();
        change(&mut signature);
        let (near, far) = super::super::session::loopback().expect("loopback");
        std::thread::scope(|scope| {
            let verifier = scope.spawn(|| run(&plan, far));
            let (mut wire, mut waiter) = (Wire::new(near).expect("an end"), Waiter::blocked());
            wire.send(Kind::Key, &[signer.public_key().as_bytes()]).expect("sent");
            wire.send(Kind::Signed, &[&3u32.to_be_bytes(), b"abc", &signature]).expect("sent");
            let verdict = wire.expect(Kind::Verdict, &mut waiter).expect("a verdict")[0];
            wire.send(Kind::End, &[]).expect("sent");
            assert_eq!(verifier.join().expect("no panic").expect("a log").verify.len(), 1);
            verdict
        })
    }

    #[test]
    fn good_signatures_are_told_from_bad_ones() {
        assert_eq!(verdict(|_| ()), 1);
        assert_eq!(verdict(|signature| signature[700] ^= 1), 0);
        assert_eq!(verdict(|signature| signature.truncate(1491)), 0);
    }
}
