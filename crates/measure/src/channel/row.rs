//! One row of the result.

use std::time::Duration;

use hasten_model::{ethernet, explore::Time};
use hasten_report::round;
use serde::Serialize;

use super::plan::{Case, Pace, Plan};
use super::receiver::Received;
use super::sender::{Message, Sent, WARM_UP};
use super::subject::Subject;
use super::wait::Wait;
use crate::distribution;

/// Result of one algorithm at one rate.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Set of the session trees, or name of the peer.
    pub alg: &'static str,
    /// The library that computes the algorithm.
    pub library: &'static str,
    /// Requested messages per second.
    pub rate: u32,
    /// The way in which both sides waited.
    pub wait: Wait,
    /// Length of a message in bytes.
    pub message_bytes: usize,
    /// Time that both sides rested before each message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_us: Option<f64>,
    /// Length of the windows whose messages were signed together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_us: Option<f64>,
    /// Number of messages that were signed together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_messages: Option<usize>,
    /// Time of the call that signed the message; in a batch, the call signs the whole batch.
    pub sign_us: Time,
    /// Time from the datagram to the verdict.
    pub verify_us: Time,
    /// Computed time of the datagram on the link.
    pub wire_us: f64,
    /// Sum of signing, link and verification for each message, then ranked. In a batch, the link
    /// first carries the datagrams before it.
    pub total_us: Time,
    /// Wall-clock time from the message to the verdict on it. It includes loopback, waking up, and
    /// the wait for the end of a window.
    pub delivery_us: Time,
    /// Length of a datagram in bytes; in a batch, of the longest.
    pub bytes: usize,
    /// CPU time of preparation, as a percentage of one core.
    pub prepare_cpu_percent: f64,
    /// Number of messages for which nothing was prepared.
    pub late: u64,
    /// Number of messages sent after the warm-up.
    pub sent: usize,
    /// Number of these messages that were received and verified.
    pub verified: usize,
    /// Number of bogus datagrams that were sent along with the messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bogus: Option<u64>,
    /// Number of datagrams that were refused.
    pub refused: u64,
    /// Messages sent per second.
    pub per_second: f64,
    /// Link rate in bits per second.
    pub link_bits: f64,
    /// Medians of a row after rest, relative to the row without rest at the highest rate of the
    /// run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_warm: Option<OfWarm>,
}

/// Ratios of medians to those of another row.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OfWarm {
    /// Ratio for the call that signs.
    pub sign: f64,
    /// Ratio for the call that verifies.
    pub verify: f64,
    /// Ratio for the total.
    pub total: f64,
}

impl Row {
    /// Returns the row for the results of both sides. `beside` is the CPU time of all other
    /// threads.
    pub fn new(
        plan: &Plan<'_>,
        case: &Case,
        subject: &Subject,
        (sent, received): (&Sent, &Received),
        beside: Duration,
    ) -> Self {
        let wire = ethernet::busy_us(sent.bytes as u64, plan.link_bits);
        let counted = || received.verdicts.iter().filter(|verdict| verdict.number >= WARM_UP);
        let verify: Vec<f64> = counted().map(|verdict| verdict.verify_us).collect();
        let total = counted().filter_map(|verdict| {
            let Message { sign_us, ahead, .. } = sent.messages.get(verdict.number)?;
            Some(sign_us + wire * (ahead + 1) as f64 + verdict.verify_us)
        });
        let delivery = counted().filter_map(|verdict| {
            sent.messages.get(verdict.number).map(|message| verdict.at_us - message.begun_us)
        });
        let sign: Vec<_> = sent.messages.iter().skip(WARM_UP).map(|sent| sent.sign_us).collect();
        let windows = subject.windows(plan.batch);
        let rest = match case.pace {
            Pace::Rest(rest) => Some(hasten_report::micros(rest)),
            Pace::Rate(_) => None,
        };
        let seconds = sent.time.as_secs_f64().max(f64::MIN_POSITIVE);
        let percent = if subject.prepares() { 100.0 * beside.as_secs_f64() / seconds } else { 0.0 };
        Self {
            alg: subject.alg.name(),
            library: subject.library(),
            rate: case.pace.rate(),
            wait: case.wait,
            message_bytes: case.size,
            rest_us: rest,
            batch_us: windows.0.map(hasten_report::micros),
            batch_messages: windows.0.map(|_| windows.messages(case.pace)),
            sign_us: distribution::of(&sign),
            verify_us: distribution::of(&verify),
            wire_us: round(wire),
            total_us: distribution::of(&total.collect::<Vec<_>>()),
            delivery_us: distribution::of(&delivery.collect::<Vec<_>>()),
            bytes: sent.bytes,
            prepare_cpu_percent: round(percent),
            late: sent.late,
            sent: sign.len(),
            verified: verify.len(),
            bogus: None,
            refused: received.refused,
            per_second: round(sign.len() as f64 / seconds),
            link_bits: plan.link_bits,
            of_warm: None,
        }
    }

    /// Compares a row after rest with the row without rest of the highest rate among `before`.
    pub fn beside(self, before: &[Self]) -> Self {
        let alike = |row: &&Self| {
            row.rest_us.is_none()
                && (row.alg, row.wait, row.message_bytes)
                    == (self.alg, self.wait, self.message_bytes)
        };
        let warm = before.iter().filter(alike).max_by_key(|row| row.rate);
        let of = |time: &Time, warm: &Time| round(time.p50 / warm.p50.max(f64::MIN_POSITIVE));
        let of_warm = warm.filter(|_| self.rest_us.is_some()).map(|warm| OfWarm {
            sign: of(&self.sign_us, &warm.sign_us),
            verify: of(&self.verify_us, &warm.verify_us),
            total: of(&self.total_us, &warm.total_us),
        });
        Self { of_warm, ..self }
    }
}
