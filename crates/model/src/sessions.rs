//! The choice of set, level, height and pool for the session trees of a channel.

pub mod life;
mod why;

use std::fmt;
use std::time::Duration;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel, VerifierLevel};

use crate::explore::{Machine, Point, Schedules, Search, Time, Workload};
use crate::profile::Profiles;
use crate::{Delivery, Link, Rate};

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

/// Holds what is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Time allowed from message to verdict.
    pub budget: Duration,
    /// Rate of the link.
    pub link: Rate,
    /// Messages a second.
    pub rate: usize,
    /// Bytes of a message, with those that the channel puts before it.
    pub message: usize,
    /// Messages that the identity is to be good for.
    pub messages: u64,
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
#[derive(Clone, Debug)]
pub struct Choice {
    /// Set of the session trees.
    pub set: &'static Set,
    /// Level to which messages are prepared.
    pub level: SignerLevel,
    /// Messages that are prepared ahead.
    pub pool: usize,
    /// Time of signing.
    pub sign_us: Time,
    /// Time on the link.
    pub link_us: f64,
    /// Time of verifying.
    pub verify_us: Time,
    /// Choices that keep the budget.
    pub within: usize,
    /// All choices.
    pub of: usize,
}

impl Choice {
    /// Returns the reasons, one for each part of the choice.
    pub fn why(&self, asked: &Asked) -> Vec<String> {
        why::why(asked, self)
    }

    /// Returns the time from message to verdict.
    pub fn total_us(&self) -> Time {
        self.sign_us.plus(Time::constant(self.link_us)).plus(self.verify_us)
    }
}

/// Says why there is no choice.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unreachable {
    /// A set whose times on the processor are not known.
    NotMeasured,
    /// Nothing keeps the budget: the nearest, and the time that it needs.
    Budget {
        /// The set.
        alg: String,
        /// The time from message to verdict.
        needs_us: f64,
    },
    /// Nothing is prepared fast enough: the fastest.
    Rate {
        /// The set.
        alg: String,
        /// Messages a second.
        hz: f64,
    },
    /// The search met an error.
    Scheme(hasten_hbs::Error),
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMeasured => f.write_str("the times of this set are not in the reports"),
            Self::Budget { alg, needs_us } => {
                write!(f, "nothing keeps the budget: the nearest, {alg}, needs {needs_us:.1} us")
            }
            Self::Rate { alg, hz } => {
                write!(f, "nothing is prepared so fast: the nearest, {alg}, {hz:.0} times a second")
            }
            Self::Scheme(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unreachable {}

impl From<hasten_hbs::Error> for Unreachable {
    fn from(error: hasten_hbs::Error) -> Self {
        Self::Scheme(error)
    }
}

/// Chooses the fastest within the budget, on `processor`. A forced part stays as it is.
///
/// # Errors
/// [`Unreachable`], with the nearest.
pub fn choose(asked: &Asked, processor: &Machine) -> Result<Choice, Unreachable> {
    let points = points(asked, processor)?;
    let Some(best) = points.iter().find(|point| point.best) else {
        return Err(unreachable(asked, &points));
    };
    let measured = Set::named(&best.alg).map_err(|_| Unreachable::NotMeasured)?;
    let set = asked.set.unwrap_or_else(|| tall_enough(asked, measured));
    let pool = asked.pool.unwrap_or_else(|| pool(asked.rate)).min(set.capacity() as usize / 4);
    let choice = Choice {
        set,
        level: level(best),
        pool,
        sign_us: best.sign_us,
        // A set of another height has a longer path, which goes over the link.
        link_us: link(asked).time(asked.message + set.signature_bytes()),
        verify_us: best.verify_us,
        within: points.iter().filter(|point| point.within_budget).count(),
        of: points.len(),
    };
    let needs_us = choice.total_us().tail();
    match needs_us > micros(asked.budget) {
        true => Err(Unreachable::Budget { alg: set.name.to_owned(), needs_us }),
        false => Ok(choice),
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn link(asked: &Asked) -> Link {
    Link { bits: asked.link.bits(), propagation_us: 0.0, io_us: 0.0, framed: true }
}

/// Returns all that may be chosen from, by the code of `hasten explore`.
fn points(asked: &Asked, machine: &Machine) -> Result<Vec<Point>, Unreachable> {
    let sets = match asked.set {
        Some(set) => vec![measured_like(set).ok_or(Unreachable::NotMeasured)?],
        None => SETS.into_iter().filter_map(|name| Set::named(name).ok()).collect(),
    };
    let workload = Workload {
        sets,
        message: asked.message,
        rate: asked.rate as f64,
        burst: 1,
        budget_us: micros(asked.budget),
        commit_us: 0.0,
    };
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
    let (machines, links) = ([machine], [link(asked)]);
    let search =
        Search { workload: &workload, machines: &machines, links: &links, schedules: &schedules };
    let points = search.run(&Profiles::default(), &mut |_| true)?;
    if points.is_empty() { Err(Unreachable::NotMeasured) } else { Ok(points) }
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
    let messages = |set: &Set| asked.trees.saturating_mul(set.capacity());
    let lasts = |set: &&'static Set| asked.leaves || messages(set) >= asked.messages;
    let sets = HEIGHTS.into_iter().filter_map(|height| named(set, height));
    let tallest = sets.clone().next_back();
    sets.clone().find(lasts).or(tallest).unwrap_or(set)
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
fn unreachable(asked: &Asked, points: &[Point]) -> Unreachable {
    let rate = asked.rate as f64;
    let slow = |point: &Point| point.sustained_hz.is_some_and(|hz| hz < rate);
    let prepared = nearest(points.iter().filter(|point| !slow(point)));
    match prepared.or_else(|| nearest(points.iter())) {
        Some(point) if slow(point) => {
            Unreachable::Rate { alg: point.alg.clone(), hz: point.sustained_hz.unwrap_or(0.0) }
        }
        Some(point) => {
            Unreachable::Budget { alg: point.alg.clone(), needs_us: point.total_us.tail() }
        }
        None => Unreachable::NotMeasured,
    }
}

/// Returns the fastest of some points.
fn nearest<'p>(points: impl Iterator<Item = &'p Point>) -> Option<&'p Point> {
    points.min_by(|a, b| a.total_us.tail().total_cmp(&b.total_us.tail()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_that_lasts_gets_short_trees() {
        let set = Set::named("LMS_SHA256_M24_H10_W4").expect("a set");
        let height = |days: u64| {
            let asked = Asked {
                budget: Duration::from_micros(100),
                link: Rate::per_second(1e9),
                rate: 1000,
                message: 100,
                messages: days * 86_400 * 1000,
                trees: 1 << 20,
                set: None,
                level: None,
                pool: None,
                leaves: false,
                rests: false,
            };
            tall_enough(&asked, set).tree_height()
        };
        assert_eq!((height(1), height(365)), (10, 15));
    }
}
