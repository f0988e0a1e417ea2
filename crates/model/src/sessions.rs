//! The choice of set, level, height and pool by the model, and why.

use std::time::Duration;

use hasten_channel::HEADER_BYTES;
use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::explore::{Machine, Point, Schedules, Search, Time, Workload};
use hasten_model::profile::Profiles;
use hasten_model::{Delivery, Link};
use serde::Serialize;

use super::life;
use crate::commands::explore::processor;
use crate::error::{Channel, Error};
use crate::table::grouped;
use crate::units::Rate;

/// The sets that are tried when none is asked for: those whose times on the processor are known.
const SETS: [&str; 6] = [
    "LMS_SHA256_M24_H10_W2",
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M24_H10_W8",
    "LMS_SHA256_M32_H10_W2",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H10_W8",
];

/// Heights of session trees, the shortest first. The first tree is made before the first message,
/// so none is taller.
const HEIGHTS: [u32; 2] = [10, 15];

/// Time in which a quarter of the pool has to last: the thread that prepares is woken then, and may
/// have to wait for a commit of the store before it goes on.
const QUARTER: Duration = Duration::from_millis(5);

/// Least messages that are prepared ahead.
const LEAST_POOL: usize = 16;

/// Days that an identity is to last, where none are asked for.
const DAYS: u64 = 365;

/// Holds what is asked for.
pub struct Asked {
    /// Time allowed from message to verdict.
    pub budget: Duration,
    /// Rate of the link.
    pub link: Rate,
    /// Messages a second.
    pub rate: usize,
    /// Bytes of a message.
    pub message: usize,
    /// Days that the identity is to last.
    pub days: Option<usize>,
    /// Session trees that the identity can still sign.
    pub trees: u64,
    /// A set that is forced.
    pub set: Option<&'static Set>,
    /// A level that is forced.
    pub level: Option<SignerLevel>,
    /// A pool that is forced.
    pub pool: Option<usize>,
    /// True if trees are announced with their leaves, which only short ones can be.
    pub leaves: bool,
    /// True if both sides sleep between messages.
    pub rests: bool,
}

/// Holds what was chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// Set of the session trees.
    #[serde(skip)]
    pub set: &'static Set,
    /// Its name.
    pub alg: &'static str,
    /// Level to which messages are prepared.
    pub level: &'static str,
    /// Height of a session tree.
    pub height: u32,
    /// Messages that are prepared ahead.
    pub pool: usize,
    /// Time from message to verdict, by the model.
    pub total_us: Time,
    /// The reasons, one for each choice.
    pub why: Vec<String>,
}

/// Chooses the fastest within the budget. A forced part stays as it is.
///
/// # Errors
/// `NoBudget` when nothing keeps it, with the nearest; `NotMeasured` for a set whose times are not
/// known; `NoReport` without the reports that ship with the tool.
pub fn choose(asked: &Asked) -> Result<Choice, Error> {
    let points = points(asked, &processor()?)?;
    let Some(best) = points.iter().find(|point| point.best) else {
        return Err(Error::Channel(unreachable(asked, &points)));
    };
    let measured = Set::named(&best.alg).map_err(|_| Error::Channel(Channel::NotMeasured))?;
    let set = asked.set.unwrap_or_else(|| tall_enough(asked, measured));
    let total_us = total(asked, best, set);
    if total_us.tail() > micros(asked.budget) {
        let (alg, needs_us) = (set.name, total_us.tail());
        return Err(Error::Channel(Channel::NoBudget { alg: alg.to_owned(), needs_us }));
    }
    let level = level(best);
    let pool = asked.pool.unwrap_or_else(|| pool(asked.rate)).min(set.capacity() as usize / 4);
    let why = why(asked, best, (set, level, pool), &points);
    let (alg, height) = (set.name, set.tree_height());
    Ok(Choice { set, alg, level: level.name(), height, pool, total_us, why })
}

fn micros(time: Duration) -> f64 {
    hasten_report::micros(time)
}

/// Returns all that may be chosen from, by the code of `hasten explore`.
fn points(asked: &Asked, machine: &Machine) -> Result<Vec<Point>, Error> {
    let sets = match asked.set {
        Some(set) => vec![measured_like(set).ok_or(Error::Channel(Channel::NotMeasured))?],
        None => SETS.into_iter().filter_map(|name| Set::named(name).ok()).collect(),
    };
    let workload = Workload {
        sets,
        message: asked.message + HEADER_BYTES,
        rate: asked.rate as f64,
        burst: 1,
        budget_us: micros(asked.budget),
        commit_us: 0.0,
    };
    let link = Link { bits: asked.link.bits(), propagation_us: 0.0, io_us: 0.0, framed: true };
    let schedules = Schedules {
        signer: match asked.level {
            Some(level) => vec![level],
            None => vec![SignerLevel::Secrets, SignerLevel::ChainTable],
        },
        verifier: vec![VerifierLevel::None],
        delivery: vec![Delivery::Sequential],
        commit_on_path: false,
        rested: asked.rests,
    };
    // The processor's other algorithms sign no session trees.
    let own =
        machine.measured.iter().flat_map(|rows| rows.iter()).filter(|row| row.signature_bytes == 0);
    let machine =
        Machine { measured: Some(own.cloned().collect::<Vec<_>>().into()), ..machine.clone() };
    let (machines, links) = ([machine], [link]);
    let search =
        Search { workload: &workload, machines: &machines, links: &links, schedules: &schedules };
    let points = search.run(&Profiles::default(), &mut |_| true)?;
    if points.is_empty() { Err(Error::Channel(Channel::NotMeasured)) } else { Ok(points) }
}

/// Returns the set of height 10 whose one-time keys are those of `set`: its times are known.
fn measured_like(set: &'static Set) -> Option<&'static Set> {
    if !matches!(set.scheme, Scheme::Lms { .. }) {
        return None;
    }
    named(set, HEIGHTS[0])
}

/// Returns the set of LMS with SHA-256 of another height, else like `set`.
fn named(set: &Set, height: u32) -> Option<&'static Set> {
    let (m, w) = (set.n, set.w().trailing_zeros());
    let other = Set::named(&format!("LMS_SHA256_M{m}_H{height}_W{w}")).ok()?;
    (other.hash == set.hash && other.n == set.n && other.w() == set.w()).then_some(other)
}

/// Returns the set with the shortest trees under which the identity lasts.
fn tall_enough(asked: &Asked, set: &'static Set) -> &'static Set {
    let wanted = life::messages(asked.days.map_or(DAYS, |days| days as u64), asked.rate);
    let lasts =
        |set: &&'static Set| asked.leaves || asked.trees.saturating_mul(set.capacity()) >= wanted;
    let sets = HEIGHTS.into_iter().filter_map(|height| named(set, height));
    let tallest = sets.clone().next_back();
    sets.clone().find(lasts).or(tallest).unwrap_or(set)
}

/// Returns the time of a point for a set of another height: its longer path goes over the link.
fn total(asked: &Asked, point: &Point, set: &Set) -> Time {
    let link = Link { bits: asked.link.bits(), propagation_us: 0.0, io_us: 0.0, framed: true };
    let wire = link.time(asked.message + HEADER_BYTES + set.signature_bytes());
    point.sign_us.plus(Time::constant(wire)).plus(point.verify_us)
}

/// Returns the level of a point, which its schedule begins with.
fn level(point: &Point) -> SignerLevel {
    let name = point.schedule.split(' ').next().unwrap_or_default();
    SignerLevel::named(name).unwrap_or(SignerLevel::ChainTable)
}

/// Returns the messages to prepare ahead.
fn pool(rate: usize) -> usize {
    let quarter = (rate as f64 * QUARTER.as_secs_f64()).ceil() as usize;
    (4 * quarter).max(LEAST_POOL)
}

/// Says what comes nearest.
fn unreachable(asked: &Asked, points: &[Point]) -> Channel {
    let rate = asked.rate as f64;
    let slow = |point: &Point| point.sustained_hz.is_some_and(|hz| hz < rate);
    let prepared = nearest(points.iter().filter(|point| !slow(point)));
    match prepared.or_else(|| nearest(points.iter())) {
        Some(point) if slow(point) => {
            Channel::NoRate { alg: point.alg.clone(), hz: point.sustained_hz.unwrap_or(0.0) }
        }
        Some(point) => {
            Channel::NoBudget { alg: point.alg.clone(), needs_us: point.total_us.tail() }
        }
        None => Channel::NotMeasured,
    }
}

/// Returns the fastest of some points.
fn nearest<'p>(points: impl Iterator<Item = &'p Point>) -> Option<&'p Point> {
    points.min_by(|a, b| a.total_us.tail().total_cmp(&b.total_us.tail()))
}

/// Returns the reasons, one for each choice.
fn why(
    asked: &Asked,
    best: &Point,
    (set, level, pool): (&Set, SignerLevel, usize),
    points: &[Point],
) -> Vec<String> {
    let (sign, verify) = (best.sign_us.p50, best.verify_us.p50);
    let (wire, within) = (total(asked, best, set).p50 - sign - verify, within(points));
    let budget = micros(asked.budget);
    let name = |forced: bool, what: &str| match forced {
        true => format!("{what}: as asked"),
        false => what.to_owned(),
    };
    let messages = asked.trees.saturating_mul(set.capacity());
    vec![
        format!(
            "{}; {within} of {} choices keep {budget:.0} us on {}, this is the fastest",
            name(asked.set.is_some(), &format!("set {}", set.name)),
            points.len(),
            asked.link
        ),
        format!(
            "{}; signing {sign:.1} us, the link {wire:.1} us, verifying {verify:.1} us, at best",
            name(asked.level.is_some(), &format!("level {}", level.name())),
        ),
        format!(
            "height {}; {} messages a tree, with which the identity lasts {}",
            set.tree_height(),
            grouped(set.capacity()),
            life::time(messages, asked.rate)
        ),
        format!(
            "{}; a quarter of it is {:.1} ms at {} a second",
            name(asked.pool.is_some(), &format!("pool {pool}")),
            pool as f64 / 4.0 / asked.rate as f64 * 1e3,
            grouped(asked.rate as u64)
        ),
    ]
}

fn within(points: &[Point]) -> usize {
    points.iter().filter(|point| point.within_budget).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked {
            budget: Duration::from_micros(100),
            link: Rate::per_second(1e9),
            rate: 1000,
            message: 64,
            days: None,
            trees: 1 << 20,
            set: None,
            level: None,
            pool: None,
            leaves: false,
            rests: false,
        }
    }

    #[test]
    fn the_fastest_within_the_budget_is_chosen_and_told_of() {
        let choice = choose(&asked()).expect("the budget is kept");
        assert!(choice.total_us.tail() <= 100.0, "{choice:?}");
        assert_eq!((choice.level, choice.height, choice.pool), ("chain-table", 15, 20));
        assert_eq!(choice.why.len(), 4);
        assert!(choice.why[0].contains(choice.alg), "{choice:?}");
    }

    #[test]
    fn a_slow_link_has_shorter_signatures_and_a_fast_one_faster_hashing() {
        let bytes = |bits| {
            let link = Rate::per_second(bits);
            let budget = Duration::from_millis(3);
            choose(&Asked { link, budget, ..asked() }).expect("kept").set.signature_bytes()
        };
        assert!(bytes(1e7) < bytes(1e10), "{} {}", bytes(1e7), bytes(1e10));
    }

    #[test]
    fn what_is_forced_is_taken() {
        let set = Set::named("LMS_SHA256_M32_H5_W4").expect("a set");
        let level = Some(SignerLevel::Secrets);
        let forced = Asked { set: Some(set), level, pool: Some(3), ..asked() };
        let choice = choose(&forced).expect("the budget is kept");
        assert_eq!((choice.set, choice.level, choice.pool), (set, "secrets", 3));
        assert!(choice.why.iter().filter(|why| why.contains("as asked")).count() == 3);
    }

    #[test]
    fn a_budget_that_nothing_keeps_names_the_nearest() {
        let set = Set::named("LMS_SHA256_M24_H10_W4").ok();
        let (budget, one) = (Duration::from_micros(5), || Asked { set, ..asked() });
        match choose(&Asked { budget, ..one() }).unwrap_err() {
            Error::Channel(Channel::NoBudget { needs_us, .. }) => assert!(needs_us > 5.0),
            other => panic!("{other}"),
        }
        match choose(&Asked { rate: 10_000_000, ..one() }).unwrap_err() {
            Error::Channel(Channel::NoRate { hz, .. }) => assert!(hz < 1e7),
            other => panic!("{other}"),
        }
        let shake = Set::named("LMS_SHAKE_M24_H10_W4").expect("a set");
        let unknown = choose(&Asked { set: Some(shake), ..asked() });
        assert!(matches!(unknown, Err(Error::Channel(Channel::NotMeasured))));
    }

    #[test]
    fn an_identity_that_lasts_gets_short_trees() {
        let set = Set::named("LMS_SHA256_M24_H10_W4").expect("a set");
        let height = |days| tall_enough(&Asked { days: Some(days), ..asked() }, set).tree_height();
        assert_eq!((height(1), height(365)), (10, 15));
    }
}
