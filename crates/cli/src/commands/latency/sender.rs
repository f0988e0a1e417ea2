//! The signer's thread: prepare, announce, rest, then sign and send one message, and wait.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use hasten_hbs::{Signer, Throwaway, VerifierLevel};

use super::frame::{Kind, Wire};
use super::plan::Plan;
use super::warm::{Cost, Waiter};
use crate::cpu;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// What the signer has measured, message by message.
#[derive(Default)]
pub struct Log {
    /// Work before the message.
    pub prepare: Vec<Duration>,
    /// From message to signature.
    pub sign: Vec<Duration>,
    /// When the signature was there and sending began.
    pub sent: Vec<Instant>,
    /// Bytes of an announcement.
    pub announce_bytes: usize,
    /// What keeping warm has cost.
    pub warm: Cost,
}

/// Signs and sends all messages of `plan`.
pub fn run(
    plan: &Plan<'_>,
    signer: Signer<'static>,
    stream: TcpStream,
    progress: &Progress,
    interrupt: &Interrupt,
) -> Result<Log, Error> {
    cpu::pin(plan.cores, 0);
    let mut side = Side {
        plan,
        signer,
        permits: Throwaway::new(),
        wire: Wire::new(stream)?,
        waiter: plan.waiter(),
    };
    side.wire.send(Kind::Key, &[side.signer.public_key().as_bytes()])?;
    let mut log = Log::default();
    for message in 0..plan.messages() {
        interrupt.check()?;
        progress.at(message as u64);
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
}

impl Side<'_> {
    /// One message, from preparation to verdict.
    fn one(&mut self, log: &mut Log) -> Result<(), Error> {
        let began = Instant::now();
        let prepared = self.signer.prepare(self.permits.permit(), self.plan.signer)?;
        let announcement =
            (self.plan.verifier == VerifierLevel::OtsKey).then(|| prepared.announcement());
        log.prepare.push(began.elapsed());
        if let Some(announcement) = announcement {
            self.wire.send(Kind::Announce, &[&announcement])?;
            log.announce_bytes = announcement.len();
        }
        self.wire.send(Kind::Prepare, &[])?;
        self.wire.expect(Kind::Prepare, &mut self.waiter)?;
        self.waiter.rest(self.plan.idle);

        let (index, message) = (prepared.index(), self.message()?);
        let began = Instant::now();
        let signature = prepared.finish(&message)?;
        let done = Instant::now();
        let length = (message.len() as u32).to_be_bytes();
        self.wire.send(Kind::Signed, &[&length, &message, signature.as_bytes()])?;
        log.sign.push(done - began);
        log.sent.push(done);
        match self.wire.expect(Kind::Verdict, &mut self.waiter)? {
            [1] => Ok(()),
            _ => Err(Error::Rejected { alg: self.plan.set.name, index }),
        }
    }

    /// A message that nobody could know before.
    fn message(&self) -> Result<Vec<u8>, Error> {
        let mut message = vec![0; self.plan.message];
        crate::random::fill(&mut message)?;
        Ok(message)
    }
}
