//! Streaming: elements leave when they are ready and the link is free, chains start when their
//! element and the digest are there. And when each part of a case is at work.

use hasten_hbs::Error;
use serde::Serialize;

use super::{Case, Delivery, Link, Units};
use crate::profile::{Profiles, Side, Streamed};
use crate::source::Source;

/// Times closer than this are one, in microseconds.
const CLOSE: f64 = 1e-6;

/// When signer, link and verifier are at work: from and to, in microseconds after the message.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spans {
    /// The signer.
    pub sign: Vec<(f64, f64)>,
    /// The link, with bytes of this signature.
    pub wire: Vec<(f64, f64)>,
    /// The verifier, on one unit or more.
    pub verify: Vec<(f64, f64)>,
    /// The verdict.
    pub end: f64,
}

/// Ends that a side keeps, at most.
const MOST_ENDS: usize = 64;

/// A signature that is streamed.
struct Stream {
    signed: f64,
    sent: Vec<(f64, f64)>,
    verified: Vec<(f64, f64)>,
    end: f64,
}

impl Case {
    /// Returns when each part is at work.
    ///
    /// # Errors
    /// As [`Request::record`](crate::Request::record).
    pub fn spans(&self, profiles: &Profiles) -> Result<Spans, Error> {
        let latency = self.latency(profiles)?;
        if self.streams() {
            let (sign, verify) = self.sides(profiles)?;
            let stream = self.stream(&sign, &verify);
            if stream.end <= latency.total_us {
                return Ok(Spans {
                    sign: vec![(0.0, stream.signed)],
                    wire: joined(stream.sent),
                    verify: joined(stream.verified),
                    end: stream.end,
                });
            }
        }
        let (signed, end) = (latency.sign_us, latency.total_us);
        let arrived = signed + latency.wire_us;
        Ok(Spans {
            sign: vec![(0.0, signed)],
            wire: vec![(signed, arrived)],
            verify: vec![(arrived, end)],
            end,
        })
    }

    /// Returns the end of the streamed signature. It is kept, for levels and searches share sides.
    pub(super) fn streamed(&self, sign: &Side, verify: &Side) -> f64 {
        let key = self.streamed_as();
        let mut ends = verify.ends.borrow_mut();
        if let Some((_, end)) = ends.iter().find(|(other, _)| *other == key) {
            return *end;
        }
        let arrivals = self.arrivals(sign);
        let Units { count, each_us } = self.verifying;
        let last = verify.plan.released_end(count, each_us, |node| arrivals.release(verify, node));
        let end = last.max(arrivals.last());
        if ends.len() >= MOST_ENDS {
            ends.clear();
        }
        ends.push((key, end));
        end
    }

    /// Returns all that decides the end, but for the side that verifies.
    fn streamed_as(&self) -> Streamed {
        let Link { bits, propagation_us, io_us, framed } = self.link;
        let times = [self.signing.each_us, self.verifying.each_us, propagation_us, io_us];
        let [signing, verifying, propagation, io] = times.map(f64::to_bits);
        let counts = [self.signing.count, self.verifying.count, self.message].map(|n| n as u64);
        let [signers, verifiers, message] = counts;
        let (bits, commit) = (bits.to_bits(), self.commit_us.to_bits());
        let numbers = [
            signing,
            verifying,
            propagation,
            io,
            signers,
            verifiers,
            message,
            bits,
            commit,
            u64::from(framed),
        ];
        (self.signer.name(), self.delivery.name(), numbers)
    }

    /// Returns when each part of a signature arrives.
    fn arrivals(&self, sign: &Side) -> Arrivals {
        let ready = sign.elements(self.signing.count);
        let start = self.commit_us + self.link.io_us;
        let late = self.link.propagation_us + self.link.io_us;
        let early = matches!(self.delivery, Delivery::PreSend | Delivery::OtsKey);
        let index = if early { 0 } else { self.index_bytes() };
        let path = if early {
            0
        } else {
            self.set.signature_bytes() - self.index_bytes() - self.set.n - self.set.ots_bytes()
        };
        let randomizer = self.link.time(index + self.set.n) + late;
        let message = self.link.time(index + self.set.n + self.message) + late;
        let mut sent = self.link.time(index + self.set.n + self.message + path);
        let path = if early { 0.0 } else { sent + late };
        let each = (self.link.time(self.message + self.delivery.bytes(self.set)) - sent)
            / self.set.len() as f64;
        let mut arrives = Vec::with_capacity(ready.len());
        let mut spans = vec![(0.0, sent)];
        for steps in ready.iter() {
            let from = sent.max(start + steps * self.signing.each_us);
            sent = from + each;
            spans.push((from, sent));
            arrives.push(sent + late);
        }
        let last = ready.iter().copied().fold(0.0, f64::max);
        let signed = start + last * self.signing.each_us;
        Arrivals { signed, sent: spans, message, randomizer, path, elements: arrives }
    }

    /// Returns the streamed signature.
    fn stream(&self, sign: &Side, verify: &Side) -> Stream {
        let arrivals = self.arrivals(sign);
        let Units { count, each_us } = self.verifying;
        let schedule = verify.plan.released(count, each_us, |node| arrivals.release(verify, node));
        let took = verify.plan.weights().iter().map(|weight| f64::from(*weight) * each_us);
        Stream {
            signed: arrivals.signed,
            end: schedule.end().max(arrivals.last()),
            verified: schedule.done.into_iter().zip(took).map(|(end, t)| (end - t, end)).collect(),
            sent: arrivals.sent,
        }
    }
}

/// When the parts of a signature arrive.
struct Arrivals {
    /// The last element is signed.
    signed: f64,
    /// The link is at work.
    sent: Vec<(f64, f64)>,
    message: f64,
    randomizer: f64,
    path: f64,
    elements: Vec<f64>,
}

impl Arrivals {
    /// Returns when all that a node of the verifier reads is there.
    fn release(&self, verify: &Side, node: usize) -> f64 {
        let of = |source: &Source| match source {
            Source::Message => self.message,
            Source::Randomizer => self.randomizer,
            Source::Element(i) => self.elements.get(usize::from(*i)).copied().unwrap_or(0.0),
            Source::Path => self.path,
        };
        verify.plan.graph().nodes[node].reads.iter().map(of).fold(0.0, f64::max)
    }

    /// Returns when all is there.
    fn last(&self) -> f64 {
        self.elements.last().copied().unwrap_or(0.0).max(self.message)
    }
}

/// Returns the spans in order, those that touch as one.
fn joined(mut spans: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut all: Vec<(f64, f64)> = Vec::new();
    for (from, to) in spans {
        match all.last_mut() {
            Some(last) if from <= last.1 + CLOSE => last.1 = last.1.max(to),
            _ => all.push((from, to)),
        }
    }
    all
}
