//! A choice of set, machine, link and schedule, with its times and lower bounds.

use hasten_hbs::params::{Hash, Scheme};
use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use hasten_kernels::Which;

use super::{Machine, Measured, Time, Workload, round};
use crate::latency::{Case, Delivery, Link, Spans};
use crate::profile::{Digits, Profiles, is_streamable};

/// A choice before its times are computed.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub set: &'static Set,
    pub machine: &'a Machine,
    pub link: Link,
    pub signer: SignerLevel,
    pub verifier: VerifierLevel,
    pub delivery: Delivery,
    /// True if the reservation is made durable after the message has arrived.
    pub commits: bool,
    /// True if the machines have rested before the message arrives.
    pub rested: bool,
}

/// Times of signing, link, verification and in total; and the lower bounds without and with
/// overlap.
type Times = ([Time; 4], (f64, f64));

impl Choice<'_> {
    /// Returns true if set, machine, levels and delivery can be combined.
    pub fn makes_sense(&self) -> bool {
        let stateless = matches!(self.set.scheme, Scheme::SlhDsa { .. });
        let bare = self.signer == SignerLevel::None
            && self.verifier == VerifierLevel::None
            && self.delivery == Delivery::Sequential;
        let key = self.delivery == Delivery::OtsKey;
        let streams = self.machine.measured.is_none() && is_streamable(self.set);
        (!stateless || bare)
            && key == (self.verifier == VerifierLevel::OtsKey)
            && (streams || self.delivery != Delivery::Streaming)
    }

    pub fn schedule(&self) -> String {
        let (signer, verifier) = (self.signer.name(), self.verifier.name());
        let commit = if self.commits_now() { ", commit on the way" } else { "" };
        let rested = if self.rests() { ", rested" } else { "" };
        let estimated = if self.is_estimated() { ", estimated" } else { "" };
        format!("{signer} + {verifier}, {}{commit}{rested}{estimated}", self.delivery.name())
    }

    fn commits_now(&self) -> bool {
        self.commits && self.set.is_stateful()
    }

    /// Returns true if the machine is described by measurements, but this set is estimated from its
    /// units.
    fn is_estimated(&self) -> bool {
        self.machine.estimates && self.set.limit.is_some()
    }

    fn rests(&self) -> bool {
        self.rested && !self.machine.rested.is_empty()
    }

    /// Returns the time that rest adds to the work of a side.
    fn rest(&self, work: Time) -> Time {
        Time::constant(if self.rests() { self.machine.after_rest(work.p50) } else { 0.0 })
    }

    fn case(&self, workload: &Workload, digits: Digits) -> Case {
        let units = self.machine.units;
        let link = Link { io_us: self.link.io_us + self.machine.overhead_us, ..self.link };
        Case {
            set: self.set,
            message: workload.message,
            signer: self.signer,
            verifier: self.verifier,
            delivery: self.delivery,
            signing: units,
            verifying: units,
            link,
            digits,
            commit_us: if self.commits_now() { workload.commit_us } else { 0.0 },
        }
    }

    /// Returns the times of signing, link, verification and in total, and the lower bounds without
    /// and with overlap. Returns `None` if the choice was not measured on a measured machine.
    pub fn times(&self, workload: &Workload, profiles: &Profiles) -> Result<Option<Times>, Error> {
        if let Some(rows) = self.machine.measured.as_ref().filter(|_| !self.is_estimated()) {
            return self.measured(rows, workload, profiles);
        }
        let (mut latencies, mut bounds) = (Vec::new(), (f64::INFINITY, f64::INFINITY));
        for digits in Digits::ALL {
            let case = self.case(workload, digits);
            latencies.push(case.latency(profiles)?);
            let bound = case.bounds(profiles)?;
            bounds = (bounds.0.min(bound.sequential_us), bounds.1.min(bound.overlapped_us));
        }
        let time = |of: fn(&crate::Latency) -> f64| {
            let all = || latencies.iter().map(of);
            let most = round(all().fold(0.0, f64::max));
            let min = round(all().fold(f64::INFINITY, f64::min));
            Time { min, p50: round(of(&latencies[0])), p99: most, p999: None, max: most }
        };
        let times =
            [time(|l| l.sign_us), time(|l| l.wire_us), time(|l| l.verify_us), time(|l| l.total_us)];
        Ok(Some((times, bounds)))
    }

    /// Returns the times at which each part is active, for the digits with the longest total time.
    /// Returns `None` if the times were measured.
    pub fn spans(&self, workload: &Workload, profiles: &Profiles) -> Result<Option<Spans>, Error> {
        if self.machine.measured.is_some() && !self.is_estimated() {
            return Ok(None);
        }
        let of = |digits| self.case(workload, digits).spans(profiles);
        let all = Digits::ALL.map(of).into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().max_by(|a, b| a.end.total_cmp(&b.end)))
    }

    /// Returns the times from measurements, with one part after the other.
    fn measured(
        &self,
        rows: &[Measured],
        workload: &Workload,
        profiles: &Profiles,
    ) -> Result<Option<Times>, Error> {
        let find = |op: &str, level: &str| {
            let same = |row: &&Measured| {
                row.alg == self.set.name && row.op == op && row.level.as_deref() == Some(level)
            };
            rows.iter().find(same).map(|row| row.time_us)
        };
        let sign = find("sign", self.signer.name());
        let Some((sign, verify)) = sign.zip(find("verify", self.verifier.name())) else {
            return Ok(None);
        };
        let (sign, verify) = (sign.plus(self.rest(sign)), verify.plus(self.rest(verify)));
        let bytes = workload.message + self.delivery.bytes(self.set);
        let wire = Time::constant(self.link.time(bytes) + self.link.propagation_us);
        let case = self.case(workload, Digits::Typical);
        let sign = sign.plus(Time::constant(case.commit_us));
        let bounds = case.bounds(profiles)?;
        let total = sign.plus(wire).plus(verify);
        Ok(Some(([sign, wire, verify, total], (bounds.sequential_us, bounds.overlapped_us))))
    }
}

/// Returns true if the machine has the kernels that the set needs.
pub(super) fn fits(machine: &Machine, set: &Set) -> bool {
    let kernel = match set.hash {
        Hash::Sha256 => Which::Sha256,
        Hash::Sha512 => Which::Sha512,
        Hash::Shake128 | Hash::Shake256 => Which::Keccak,
        _ => return false,
    };
    // The higher categories of SLH-DSA with SHA2 also need SHA-512.
    let both =
        set.hash == Hash::Sha256 && set.n > 16 && matches!(set.scheme, Scheme::SlhDsa { .. });
    machine.kernel.is_none_or(|own| own == kernel && !both)
}
