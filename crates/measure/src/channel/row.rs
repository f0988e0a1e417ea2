//! One row of the result.

use std::time::Duration;

use hasten_model::{ethernet, explore::Time};
use hasten_report::round;
use serde::Serialize;

use super::plan::{Case, Plan};
use super::receiver::Received;
use super::sender::{Sent, WARM_UP};
use super::subject::Subject;
use super::wait::Wait;
use crate::distribution;

/// One algorithm at one rate.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Set of the session trees, or the peer.
    pub alg: &'static str,
    /// The library that computes it.
    pub library: &'static str,
    /// Messages a second that were asked for.
    pub rate: u32,
    /// How both sides waited.
    pub wait: Wait,
    /// Bytes of a message.
    pub message_bytes: usize,
    /// From the message to its datagram.
    pub sign_us: Time,
    /// From the datagram to the verdict.
    pub verify_us: Time,
    /// The datagram on the link, computed.
    pub wire_us: f64,
    /// Sum of the three for each message, then ranked.
    pub total_us: Time,
    /// From the message to the verdict on it, as it was on the wall: with loopback and waking up.
    pub delivery_us: Time,
    /// Bytes of a datagram.
    pub bytes: usize,
    /// CPU time of preparation, in percent of one core.
    pub prepare_cpu_percent: f64,
    /// Messages for which nothing was prepared.
    pub late: u64,
    /// Messages that were sent and count.
    pub sent: usize,
    /// Those of them that were received and verified.
    pub verified: usize,
    /// Bogus datagrams that were sent beside them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bogus: Option<u64>,
    /// Datagrams that were refused.
    pub refused: u64,
    /// Messages a second that were sent.
    pub per_second: f64,
    /// Link rate in bits per second.
    pub link_bits: f64,
}

impl Row {
    /// Returns the row of what both sides have measured. `beside` is the CPU time of all else.
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
            sent.sign_us.get(verdict.number).map(|sign| sign + wire + verdict.verify_us)
        });
        let delivery = counted().filter_map(|verdict| {
            sent.begun_us.get(verdict.number).map(|begun| verdict.at_us - begun)
        });
        let sign = sent.sign_us.get(WARM_UP..).unwrap_or_default();
        let seconds = sent.time.as_secs_f64().max(f64::MIN_POSITIVE);
        let percent = if subject.prepares() { 100.0 * beside.as_secs_f64() / seconds } else { 0.0 };
        Self {
            alg: subject.alg.name(),
            library: subject.library(),
            rate: case.rate,
            wait: case.wait,
            message_bytes: case.size,
            sign_us: distribution::of(sign),
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
        }
    }
}
