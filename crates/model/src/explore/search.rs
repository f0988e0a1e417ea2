//! The search through all choices.

use hasten_hbs::Error;
use hasten_hbs::params::Scheme;

use super::choice::{Choice, fits};
use super::point::mark_best;
use super::{Front, Machine, Measured, Point, Schedules, Time, Workload, round};
use crate::latency::{Link, Spans};
use crate::profile::{Profiles, prepare_work, tree_bytes};

/// A choice, identified by the names in its [`Point`].
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The set.
    pub alg: &'a str,
    /// The machine.
    pub machine: &'a str,
    /// Levels and delivery.
    pub schedule: &'a str,
}

/// A search.
pub struct Search<'a> {
    /// The requirements.
    pub workload: &'a Workload,
    /// The machines to choose from.
    pub machines: &'a [Machine],
    /// The links.
    pub links: &'a [Link],
    /// The levels and ways of delivery to choose from.
    pub schedules: &'a Schedules,
}

impl Search<'_> {
    /// Computes every choice. Before each, `each` is called with the number of points so far; if it
    /// returns false, the search stops.
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
            if !self.over(*link, profiles, &mut points, each)? {
                break;
            }
        }
        Ok(points)
    }

    /// Returns the times at which each part of a choice is active, over the first link. Returns
    /// `None` if the choice is not in the search or its times were measured.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn spans(&self, profiles: &Profiles, named: Named<'_>) -> Result<Option<Spans>, Error> {
        let Some(link) = self.links.first() else { return Ok(None) };
        let is_it = |choice: &Choice<'_>| {
            choice.set.name == named.alg
                && choice.machine.name == named.machine
                && choice.schedule() == named.schedule
        };
        match self.choices(*link).find(is_it) {
            Some(choice) => choice.spans(self.workload, profiles),
            None => Ok(None),
        }
    }

    /// Computes all choices over one link; returns false if the search must stop. The points
    /// computed until then are still compared.
    fn over(
        &self,
        link: Link,
        profiles: &Profiles,
        points: &mut Vec<Point>,
        each: &mut dyn FnMut(usize) -> bool,
    ) -> Result<bool, Error> {
        let (first, mut front, mut on) = (points.len(), Front::default(), true);
        for choice in self.choices(link) {
            on = each(points.len());
            if !on {
                break;
            }
            if let Some(point) = self.point(&choice, profiles)? {
                front.add(points.len(), &point);
                points.push(point);
            }
        }
        for point in self.known(&link) {
            front.add(points.len(), &point);
            points.push(point);
        }
        front.members().for_each(|member| points[member].pareto = true);
        mark_best(&mut points[first..]);
        Ok(on)
    }

    fn choices(&self, link: Link) -> impl Iterator<Item = Choice<'_>> {
        let pairs = self.workload.sets.iter().flat_map(|set| {
            self.machines.iter().filter(|machine| fits(machine, set)).map(|m| (*set, m))
        });
        pairs.flat_map(move |(set, machine)| {
            let Schedules { signer, verifier, delivery, commit_on_path, rested } = self.schedules;
            let levels = signer.iter().flat_map(|s| verifier.iter().map(|v| (*s, *v)));
            let all = levels.flat_map(|l| delivery.iter().map(move |d| (l, *d)));
            let choice = move |((signer, verifier), delivery)| Choice {
                set,
                machine,
                link,
                signer,
                verifier,
                delivery,
                commits: *commit_on_path,
                rested: *rested,
            };
            all.map(choice).filter(|choice| choice.makes_sense())
        })
    }

    /// Returns the points of algorithms that are known only from measurements.
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
        point.judged(self.workload)
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
        let counts = set.is_stateful();
        let pool = if counts { commit + self.workload.burst } else { 0 };
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
            signatures: counts.then(|| set.capacity()),
            area_kge: machine.area_kge.map(|area| round(2.0 * area)),
            sustained_hz: Some(round(hz)),
            lasts_s: (counts && self.workload.rate > 0.0).then(|| round(lasts)),
            pool,
            within_budget: false,
            why_not: None,
            pareto: false,
            best: false,
        };
        Ok(Some(point.judged(self.workload)))
    }
}

fn scheme_of(name: &str) -> &'static str {
    let known = ["XMSSMT", "XMSS", "LMS", "HSS", "SLH-DSA", "ML-DSA", "Falcon", "Ed25519", "ECDSA"];
    known.into_iter().find(|scheme| name.starts_with(scheme)).unwrap_or("other")
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { round((part / whole).min(1.0)) } else { 0.0 }
}
