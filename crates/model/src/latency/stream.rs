//! Streaming delivery: an element is sent when it is ready and the link is free, and a chain starts
//! when its element and the digest have arrived. Also the times at which each part of a case is
//! active.

use hasten_hbs::Error;
use serde::Serialize;

use super::{Case, Delivery, Link, Units};
use crate::profile::{Profiles, Side, Streamed};
use crate::source::Source;

/// Spans that are closer than this are joined, in microseconds.
const CLOSE: f64 = 1e-6;

/// The times at which signer, link and verifier are active: start and end of each span, in
/// microseconds after the message.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spans {
    /// The signer.
    pub sign: Vec<(f64, f64)>,
    /// The link, while it carries bytes of this signature.
    pub wire: Vec<(f64, f64)>,
    /// The verifier, while at least one unit is active.
    pub verify: Vec<(f64, f64)>,
    /// Time of the verdict.
    pub end: f64,
}

/// Maximum number of end times that a side stores.
const MOST_ENDS: usize = 64;

/// The times of a streamed signature.
struct Stream {
    signed: f64,
    sent: Vec<(f64, f64)>,
    verified: Vec<(f64, f64)>,
    end: f64,
}

impl Case {
    /// Returns the times at which each part is active.
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

    /// Returns the time of the verdict on the streamed signature. It is stored in the verifying
    /// side, because levels and searches share sides.
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

    /// Returns everything that determines the end, except the verifying side.
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

    /// Returns the times at which the parts of a signature arrive.
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

    /// Returns the times of the streamed signature.
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

/// The times at which the parts of a signature arrive.
struct Arrivals {
    /// Time at which the last element is signed.
    signed: f64,
    /// Times at which the link is active.
    sent: Vec<(f64, f64)>,
    message: f64,
    randomizer: f64,
    path: f64,
    elements: Vec<f64>,
}

impl Arrivals {
    /// Returns the time at which everything that a node of the verifier reads has arrived.
    fn release(&self, verify: &Side, node: usize) -> f64 {
        let of = |source: &Source| match source {
            Source::Message => self.message,
            Source::Randomizer => self.randomizer,
            Source::Element(i) => self.elements.get(usize::from(*i)).copied().unwrap_or(0.0),
            Source::Path => self.path,
        };
        verify.plan.graph().nodes[node].reads.iter().map(of).fold(0.0, f64::max)
    }

    /// Returns the time at which everything has arrived.
    fn last(&self) -> f64 {
        self.elements.last().copied().unwrap_or(0.0).max(self.message)
    }
}

/// Returns the spans in order, with touching spans joined.
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
