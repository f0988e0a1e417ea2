//! One row of the result.

use std::time::Duration;

use hasten_report::{Summary, micros, round};
use serde::Serialize;

use super::plan::Plan;
use super::session::Samples;

/// The link of a row.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Rate in bits per second.
    pub bits: f64,
    /// Time that message and signature take on the link, in microseconds.
    pub wire_us: f64,
}

/// Result for one pair of levels on one set.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Name of the pair of levels, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<&'static str>,
    /// Parameter set.
    pub alg: &'static str,
    /// Signer's level.
    pub signer: &'static str,
    /// Verifier's level.
    pub verifier: &'static str,
    /// Length of a message in bytes.
    pub message_bytes: usize,
    /// Length of a signature in bytes.
    pub signature_bytes: usize,
    /// Number of bytes sent before the message.
    pub announce_bytes: usize,
    /// Number of messages signed, sent and verified.
    pub samples: usize,
    /// Rest before every message.
    pub idle_us: f64,
    /// True if dummy steps were run while waiting.
    pub keep_warm: bool,
    /// Cost of the dummy steps: CPU time while waiting, as a percentage of one core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_warm_cpu_percent: Option<f64>,
    /// Link rate in bits per second.
    pub link_bits: f64,
    /// Time from message to signature.
    pub sign_us: Summary,
    /// Time of message and signature on the link.
    pub wire_us: Summary,
    /// Time from the last byte to the verdict.
    pub verify_us: Summary,
    /// Sum of signing, link and verification for each message, then ranked.
    pub total_us: Summary,
    /// Time of sending over loopback and waking the verifier, which is not part of the total.
    pub loopback_us: Summary,
    /// Time of the signer's work before the message.
    pub sign_prepare_us: Summary,
    /// Time of the verifier's work before the message, including the check of an announcement.
    pub verify_prepare_us: Summary,
    /// Length of a clock cycle of the simulated engine, if it signed and verified. Its times are
    /// computed from its cycles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_ns: Option<f64>,
    /// Clock cycles of the engine from message to signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_cycles: Option<Summary>,
    /// Clock cycles of the engine from the last byte to the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_cycles: Option<Summary>,
    /// True if the 99th percentile of the total is within the budget.
    pub within_budget: bool,
    /// The budget in microseconds.
    pub budget_us: f64,
    /// Number of levels above `none` at the signer and at the verifier.
    #[serde(skip)]
    pub steps: (usize, usize),
}

impl Row {
    /// Returns the row for the samples measured by `plan`.
    pub fn new(
        plan: &Plan<'_>,
        pair: Option<&'static str>,
        link: &Link,
        budget: Duration,
        samples: &Samples,
    ) -> Self {
        let wire = link.wire_us;
        let total =
            samples.sign.iter().zip(&samples.verify).map(|(sign, verify)| sign + wire + verify);
        let total_us = Summary::of(&total.collect::<Vec<_>>());
        let cycle_ns = plan.device.map(|device| micros(device.cycle) * 1e3);
        let cycles = |times: &[f64]| {
            let count =
                |ns: f64| times.iter().map(|us| (us * 1e3 / ns).round()).collect::<Vec<_>>();
            cycle_ns.map(|ns| Summary::of(&count(ns)))
        };
        Self {
            pair,
            alg: plan.set.name,
            signer: plan.signer.name(),
            verifier: plan.verifier.name(),
            message_bytes: plan.message,
            signature_bytes: plan.set.signature_bytes(),
            announce_bytes: samples.announce_bytes,
            samples: samples.sign.len(),
            idle_us: micros(plan.idle),
            keep_warm: plan.keep_warm,
            keep_warm_cpu_percent: plan.keep_warm.then(|| round(samples.warm.percent())),
            link_bits: link.bits,
            sign_us: Summary::of(&samples.sign),
            wire_us: Summary::constant(wire),
            verify_us: Summary::of(&samples.verify),
            total_us,
            loopback_us: Summary::of(&samples.loopback),
            sign_prepare_us: Summary::of(&samples.sign_prepare),
            verify_prepare_us: Summary::of(&samples.verify_prepare),
            cycle_ns,
            sign_cycles: cycles(&samples.sign),
            verify_cycles: cycles(&samples.verify),
            within_budget: total_us.p99 <= micros(budget),
            budget_us: micros(budget),
            steps: (plan.signer as usize, plan.verifier as usize),
        }
    }
}
