//! The search: every set on every machine over every link in every schedule, which of them are within
//! a budget, which nothing beats, which is best, and why the others are not.

mod front;

use std::rc::Rc;

use hasten_hbs::params::{Hash, Scheme};
use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use hasten_kernels::Which;
use serde::{Deserialize, Serialize};

use crate::latency::{Case, Delivery, Link, Units};
use crate::profile::{Digits, Profiles, is_streamable, prepare_work, tree_bytes};
pub use front::Front;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The sets to choose from.
    pub sets: Vec<&'static Set>,
    /// Bytes of a message.
    pub message: usize,
    /// Messages per second; 0 if that does not matter.
    pub rate: f64,
    /// Messages that may come at once.
    pub burst: u64,
    /// Time allowed from message to verdict, in microseconds.
    pub budget_us: f64,
    /// Time of making a reservation durable, in microseconds.
    pub commit_us: f64,
}

/// A time as it was measured, or four times the same if it was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// Smallest.
    pub min: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p999: Option<f64>,
    /// Largest.
    pub max: f64,
}

impl Time {
    /// What does not vary.
    #[must_use]
    pub fn constant(us: f64) -> Self {
        let us = round(us);
        Self { min: us, p50: us, p99: us, p999: None, max: us }
    }

    fn plus(self, other: Self) -> Self {
        let p999 = self.p999.or(other.p999).map(|_| self.tail() + other.tail());
        let sum = |a: f64, b: f64| round(a + b);
        Self {
            min: sum(self.min, other.min),
            p50: sum(self.p50, other.p50),
            p99: sum(self.p99, other.p99),
            p999: p999.map(round),
            max: sum(self.max, other.max),
        }
    }

    /// What a budget has to allow: the 99.9th percentile where there is one, else the 99th.
    #[must_use]
    pub fn tail(&self) -> f64 {
        self.p999.unwrap_or(self.p99)
    }
}

/// An operation that was timed on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Set or algorithm.
    pub alg: String,
    /// `sign` or `verify`.
    pub op: String,
    /// Level, where there is one.
    #[serde(default)]
    pub level: Option<String>,
    /// Bytes of a signature, for an algorithm that is no set.
    #[serde(default)]
    pub signature_bytes: usize,
    /// Time of one operation.
    pub time_us: Time,
}

/// What computes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// The only kernel it has, if it has one only.
    pub kernel: Option<Which>,
    /// Units on each side, and the time of a compression on one.
    pub units: Units,
    /// Microseconds of a compression where many are done for later.
    pub bulk_us: f64,
    /// Fixed cost of each side.
    pub overhead_us: f64,
    /// Gate equivalents of one side, in thousands, where they are known.
    pub area_kge: Option<f64>,
    /// What was measured, for a machine that is known by its measurements.
    pub measured: Option<Rc<Vec<Measured>>>,
}

/// What is prepared, and how the parts are put together.
#[derive(Clone, Debug)]
pub struct Schedules {
    /// Levels of the signer.
    pub signer: Vec<SignerLevel>,
    /// Levels of the verifier.
    pub verifier: Vec<VerifierLevel>,
    /// Ways of delivery.
    pub delivery: Vec<Delivery>,
}

/// One choice, and what it comes to.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The scheme.
    pub scheme: &'static str,
    /// The parameter set.
    pub alg: String,
    /// The machine.
    pub machine: String,
    /// Bits per second of the link.
    pub link_bits: f64,
    /// Levels and delivery.
    pub schedule: String,
    /// Bytes of a signature.
    pub signature_bytes: usize,
    /// From message to signature.
    pub sign_us: Time,
    /// On the link.
    pub wire_us: Time,
    /// From all input to the verdict.
    pub verify_us: Time,
    /// From message to verdict.
    pub total_us: Time,
    /// The least possible in this way of delivery; absent where it is not known.
    pub lower_bound_us: Option<f64>,
    /// Bound without overlap over the time.
    pub eta_seq: Option<f64>,
    /// Bound with overlap over the time.
    pub eta_stream: Option<f64>,
    /// The link alone over the time.
    pub eta_wire: f64,
    /// Bytes a signer holds: the tree, and one prepared index for each message of a burst.
    pub signer_memory_bytes: usize,
    /// Signatures of a key; absent where there is no end.
    pub signatures: Option<u64>,
    /// Gate equivalents of both sides, in thousands.
    pub area_kge: Option<f64>,
    /// Signatures a second that can be prepared for.
    pub sustained_hz: Option<f64>,
    /// How long a key lasts at the rate of messages, in seconds.
    pub lasts_s: Option<f64>,
    /// Indices to hold prepared.
    pub pool: u64,
    /// Whether the budget holds.
    pub within_budget: bool,
    /// Why it does not.
    pub why_not: Option<String>,
    /// Whether no other choice on this link is better in one respect and no worse in the others.
    pub pareto: bool,
    /// Whether it is the fastest within the budget on this link.
    pub best: bool,
}

/// A search.
pub struct Search<'a> {
    /// What is asked for.
    pub workload: &'a Workload,
    /// What there is to compute on.
    pub machines: &'a [Machine],
    /// The links.
    pub links: &'a [Link],
    /// What may be prepared, and sent how.
    pub schedules: &'a Schedules,
}

/// A choice before it is worked out.
#[derive(Clone, Copy)]
struct Choice<'a> {
    set: &'static Set,
    machine: &'a Machine,
    link: Link,
    signer: SignerLevel,
    verifier: VerifierLevel,
    delivery: Delivery,
}

impl Search<'_> {
    /// Works out every choice; `each` hears of every one, and says whether to go on.
    ///
    /// # Errors
    /// As [`Request::record`](crate::Request::record).
    pub fn run(
        &self,
        profiles: &Profiles,
        each: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Point>, Error> {
        let mut points = Vec::new();
        for link in self.links {
            let first = points.len();
            let mut front = Front::default();
            for choice in self.choices(*link) {
                if !each(points.len()) {
                    return Ok(points);
                }
                if let Some(point) = self.point(&choice, profiles)? {
                    front.add(points.len(), &point);
                    points.push(point);
                }
            }
            for point in self.known(link) {
                front.add(points.len(), &point);
                points.push(point);
            }
            front.members().for_each(|member| points[member].pareto = true);
            mark_best(&mut points[first..]);
        }
        Ok(points)
    }

    fn choices(&self, link: Link) -> impl Iterator<Item = Choice<'_>> {
        let pairs = self.workload.sets.iter().flat_map(|set| {
            self.machines.iter().filter(|machine| fits(machine, set)).map(|m| (*set, m))
        });
        pairs.flat_map(move |(set, machine)| {
            let Schedules { signer, verifier, delivery } = self.schedules;
            let levels = signer.iter().flat_map(|s| verifier.iter().map(|v| (*s, *v)));
            let all = levels.flat_map(|l| delivery.iter().map(move |d| (l, *d)));
            let choice = move |((signer, verifier), delivery)| Choice {
                set,
                machine,
                link,
                signer,
                verifier,
                delivery,
            };
            all.map(choice).filter(|choice| choice.makes_sense())
        })
    }

    /// Algorithms that are known by measurements alone.
    fn known(&self, link: &Link) -> Vec<Point> {
        let mut points = Vec::new();
        for machine in self.machines {
            let rows = machine.measured.iter().flat_map(|rows| rows.iter());
            for sign in rows.clone().filter(|r| r.op == "sign" && r.signature_bytes > 0) {
                let verify = rows.clone().find(|r| r.op == "verify" && r.alg == sign.alg);
                let Some(verify) = verify else { continue };
                points.push(self.compared(machine, link, sign, verify));
            }
        }
        points
    }

    fn compared(
        &self,
        machine: &Machine,
        link: &Link,
        sign: &Measured,
        verify: &Measured,
    ) -> Point {
        let bytes = self.workload.message + sign.signature_bytes;
        let wire = Time::constant(link.time(bytes) + link.propagation_us);
        let total = sign.time_us.plus(wire).plus(verify.time_us);
        let hz = 1e6 / sign.time_us.p50.max(1e-9);
        let point = Point {
            scheme: scheme_of(&sign.alg),
            alg: sign.alg.clone(),
            machine: machine.name.clone(),
            link_bits: link.bits,
            schedule: "sequential".to_owned(),
            signature_bytes: sign.signature_bytes,
            sign_us: sign.time_us,
            wire_us: wire,
            verify_us: verify.time_us,
            total_us: total,
            lower_bound_us: None,
            eta_seq: None,
            eta_stream: None,
            eta_wire: share(wire.p50, total.p50),
            signer_memory_bytes: 0,
            signatures: None,
            area_kge: machine.area_kge,
            sustained_hz: Some(round(hz)),
            lasts_s: None,
            pool: 0,
            within_budget: false,
            why_not: None,
            pareto: false,
            best: false,
        };
        self.judged(point)
    }

    fn point(&self, choice: &Choice<'_>, profiles: &Profiles) -> Result<Option<Point>, Error> {
        let Some((times, bounds)) = choice.times(self.workload, profiles)? else { return Ok(None) };
        let (set, machine) = (choice.set, choice.machine);
        let [sign_us, wire_us, verify_us, total_us] = times;
        let stateless = matches!(set.scheme, Scheme::SlhDsa { .. });
        let work = prepare_work(profiles, set, choice.signer, self.workload.message)? as f64;
        let prepare = work * machine.bulk_us;
        let hz = if stateless { 1e6 / sign_us.p50.max(1e-9) } else { 1e6 / prepare.max(1e-9) };
        let commit = (self.workload.rate * self.workload.commit_us / 1e6).ceil() as u64;
        let pool = if stateless { 0 } else { commit + self.workload.burst };
        let held = if stateless { 0 } else { choice.signer.holds(set) };
        let lasts = set.capacity() as f64 / self.workload.rate;
        let point = Point {
            scheme: scheme_of(set.name),
            alg: set.name.to_owned(),
            machine: machine.name.clone(),
            link_bits: choice.link.bits,
            schedule: choice.schedule(),
            signature_bytes: set.signature_bytes(),
            sign_us,
            wire_us,
            verify_us,
            total_us,
            lower_bound_us: Some(round(bounds.1)),
            eta_seq: Some(share(bounds.0, total_us.max)),
            eta_stream: Some(share(bounds.1, total_us.max)),
            eta_wire: share(wire_us.p50, total_us.p50),
            signer_memory_bytes: tree_bytes(set) + pool as usize * held,
            signatures: (!stateless).then(|| set.capacity()),
            area_kge: machine.area_kge.map(|area| round(2.0 * area)),
            sustained_hz: Some(round(hz)),
            lasts_s: (!stateless && self.workload.rate > 0.0).then(|| round(lasts)),
            pool,
            within_budget: false,
            why_not: None,
            pareto: false,
            best: false,
        };
        Ok(Some(self.judged(point)))
    }

    /// With whether the budget holds, or the first thing that makes it impossible.
    fn judged(&self, mut point: Point) -> Point {
        let Workload { budget_us, rate, .. } = *self.workload;
        let total = point.total_us.tail();
        let slow = point.sustained_hz.filter(|hz| *hz < rate);
        point.why_not = match (total > budget_us, slow) {
            (false, None) => None,
            (false, Some(hz)) => Some(format!("prepares {hz:.0} a second, asked are {rate:.0}")),
            (true, _) if point.wire_us.p50 > budget_us => {
                Some(format!("the link alone takes {:.1} us", point.wire_us.p50))
            }
            (true, _) => Some(match point.lower_bound_us.filter(|bound| *bound > budget_us) {
                Some(bound) => format!("no number of units takes less than {bound:.1} us"),
                None => largest(&point, total),
            }),
        };
        point.within_budget = point.why_not.is_none();
        point
    }
}

/// What takes most of the time.
fn largest(point: &Point, total: f64) -> String {
    let parts =
        [("signing", point.sign_us), ("the link", point.wire_us), ("verifying", point.verify_us)];
    let longest = parts.into_iter().max_by(|a, b| a.1.tail().total_cmp(&b.1.tail()));
    let (name, time) = longest.unwrap_or(("all", point.total_us));
    format!("takes {total:.1} us, most of it {name} with {:.1} us", time.tail())
}

/// Signing, link, verifying, all; and the bounds without and with overlap.
type Times = ([Time; 4], (f64, f64));

impl Choice<'_> {
    /// Whether the parts fit each other.
    fn makes_sense(&self) -> bool {
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

    fn schedule(&self) -> String {
        let (signer, verifier) = (self.signer.name(), self.verifier.name());
        format!("{signer} + {verifier}, {}", self.delivery.name())
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
            commit_us: 0.0,
        }
    }

    /// Signing, link, verifying, all; and the bounds without and with overlap.
    fn times(&self, workload: &Workload, profiles: &Profiles) -> Result<Option<Times>, Error> {
        if let Some(rows) = &self.machine.measured {
            return self.measured(rows, workload, profiles);
        }
        let all = [Digits::Typical, Digits::LongSign, Digits::LongVerify];
        let (mut latencies, mut bounds) = (Vec::new(), (f64::INFINITY, f64::INFINITY));
        for digits in all {
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

    /// Out of measurements: one part after the other.
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
        let bytes = workload.message + self.delivery.bytes(self.set);
        let wire = Time::constant(self.link.time(bytes) + self.link.propagation_us);
        let case = self.case(workload, Digits::Typical);
        let bounds = case.bounds(profiles)?;
        let total = sign.plus(wire).plus(verify);
        Ok(Some(([sign, wire, verify, total], (bounds.sequential_us, bounds.overlapped_us))))
    }
}

fn fits(machine: &Machine, set: &Set) -> bool {
    let kernel = match set.hash {
        Hash::Sha256 => Which::Sha256,
        Hash::Sha512 => Which::Sha512,
        Hash::Shake128 | Hash::Shake256 => Which::Keccak,
        _ => return false,
    };
    // The higher categories of SLH-DSA with SHA2 need SHA-512 besides.
    let both =
        set.hash == Hash::Sha256 && set.n > 16 && matches!(set.scheme, Scheme::SlhDsa { .. });
    machine.kernel.is_none_or(|own| own == kernel && !both)
}

fn scheme_of(name: &str) -> &'static str {
    let known = ["XMSSMT", "XMSS", "LMS", "HSS", "SLH-DSA", "ML-DSA", "Falcon", "Ed25519", "ECDSA"];
    known.into_iter().find(|scheme| name.starts_with(scheme)).unwrap_or("other")
}

fn mark_best(points: &mut [Point]) {
    let better = |a: &&mut Point, b: &&mut Point| {
        let key = |p: &Point| (p.total_us.tail(), p.signature_bytes, p.signer_memory_bytes);
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    };
    if let Some(best) = points.iter_mut().filter(|p| p.within_budget).min_by(better) {
        best.best = true;
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { round((part / whole).min(1.0)) } else { 0.0 }
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
