//! The signer's thread: for each message it prepares, announces, rests, signs, sends, and waits for
//! the verdict.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use hasten_hbs::{
    Prepared, Signature, Signer, SignerLevel, VerifierLevel,
    hazmat::{Throwaway, ThrowawayPermit},
};

use super::engine::Engine;
use super::frame::{Kind, Wire};
use super::plan::Plan;
use super::warm::{Cost, Waiter};
use crate::{Error, Step, keygen, pin};

/// Measurements of the signer, message by message.
#[derive(Default)]
pub struct Log {
    /// Time of the work before the message.
    pub prepare: Vec<Duration>,
    /// Time from message to signature.
    pub sign: Vec<Duration>,
    /// Time at which the signature was complete and sending began.
    pub sent: Vec<Instant>,
    /// Length of an announcement in bytes.
    pub announce_bytes: usize,
    /// Cost of keeping warm.
    pub warm: Cost,
}

/// Signs and sends all messages of `plan`.
pub fn run(
    plan: &Plan<'_>,
    signer: Signer<'static>,
    stream: TcpStream,
    step: &Step<'_>,
) -> Result<Log, Error> {
    pin::pin(plan.cores, 0);
    let mut side = Side {
        plan,
        signer,
        permits: Throwaway::new(),
        wire: Wire::new(stream)?,
        waiter: plan.waiter(),
        engine: None,
    };
    if let Some(device) = &plan.device {
        let engine = (device.make)()?;
        engine.load_key(device.seed, side.signer.public_key().as_bytes(), 0)?;
        side.engine = Some((engine, device.cycle));
    }
    side.wire.send(Kind::Key, &[side.signer.public_key().as_bytes()])?;
    let mut log = Log::default();
    for message in 0..plan.messages() {
        step.at(message as u64)?;
        side.one(&mut log)?;
    }
    side.wire.send(Kind::End, &[])?;
    log.warm = side.waiter.cost();
    Ok(log)
}

struct Side<'p> {
    plan: &'p Plan<'p>,
    signer: Signer<'static>,
    permits: Throwaway,
    wire: Wire,
    waiter: Waiter,
    engine: Option<(Box<dyn Engine>, Duration)>,
}

impl Side<'_> {
    /// Handles one message, from preparation to verdict.
    fn one(&mut self, log: &mut Log) -> Result<(), Error> {
        let began = Instant::now();
        let level = match self.engine {
            Some(_) => self.plan.signer.min(SignerLevel::EarlyAuth),
            None => self.plan.signer,
        };
        let prepared = self.signer.prepare(self.permits.permit(), level)?;
        let announcement =
            (self.plan.verifier == VerifierLevel::OtsKey).then(|| prepared.announcement());
        log.prepare.push(self.ready(prepared.index())?.unwrap_or_else(|| began.elapsed()));
        if let Some(announcement) = announcement {
            self.wire.send(Kind::Announce, &[&announcement])?;
            log.announce_bytes = announcement.len();
        }
        self.wire.send(Kind::Prepare, &[])?;
        self.wire.expect(Kind::Prepare, &mut self.waiter)?;
        self.waiter.rest(self.plan.idle);

        let (index, message) = (prepared.index(), self.message()?);
        let began = Instant::now();
        let (signature, taken) = self.finish(prepared, &message)?;
        let done = Instant::now();
        let length = (message.len() as u32).to_be_bytes();
        self.wire.send(Kind::Signed, &[&length, &message, signature.as_bytes()])?;
        log.sign.push(taken.unwrap_or(done - began));
        log.sent.push(done);
        match self.wire.expect(Kind::Verdict, &mut self.waiter)? {
            [1] => Ok(()),
            _ => Err(Error::Rejected { alg: self.plan.set.name, index }),
        }
    }

    /// Prepares on the engine, if it signs, and returns the time of its cycles.
    fn ready(&self, index: u64) -> Result<Option<Duration>, Error> {
        match &self.engine {
            Some((engine, cycle)) if self.plan.signer == SignerLevel::ChainTable => {
                Ok(Some(*cycle * engine.prepare_table(index)?))
            }
            Some((engine, cycle)) if self.plan.signer >= SignerLevel::Secrets => {
                Ok(Some(*cycle * engine.prepare(index, false)?))
            }
            Some(_) => Ok(Some(Duration::ZERO)),
            None => Ok(None),
        }
    }

    /// Returns the signature, and the time of the cycles if the engine made it.
    fn finish(
        &self,
        prepared: Prepared<'static, ThrowawayPermit>,
        message: &[u8],
    ) -> Result<(Signature, Option<Duration>), Error> {
        let Some((engine, cycle)) = &self.engine else {
            return Ok((prepared.finish(message)?, None));
        };
        let mut taken = Duration::ZERO;
        let signature = prepared.finish_elsewhere(|index| {
            let (values, cycles) = engine.sign(index, message)?;
            taken = *cycle * cycles;
            Ok::<_, Error>(values)
        })?;
        Ok((signature, Some(taken)))
    }

    /// Returns a random message, which nobody could know before.
    fn message(&self) -> Result<Vec<u8>, Error> {
        let mut message = vec![0; self.plan.message];
        keygen::random(&mut message)?;
        Ok(message)
    }
}
