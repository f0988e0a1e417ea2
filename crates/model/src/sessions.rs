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

/// Sets that are tried by default: those whose times on the processor are known.
const SETS: [&str; 6] = [
    "LMS_SHA256_M24_H10_W2",
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M24_H10_W8",
    "LMS_SHA256_M32_H10_W2",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H10_W8",
];

/// Heights of session trees, the shortest first. The first tree is generated before the first
/// message, so there are no taller ones.
const HEIGHTS: [u32; 2] = [10, 15];

/// Time for which a quarter of the pool must last. The preparing thread is woken when only that
/// much is left, and may first have to wait for a commit of the store.
const QUARTER: Duration = Duration::from_millis(5);

/// Minimum number of messages that are prepared ahead.
const LEAST_POOL: usize = 16;

/// Requirements for the choice.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Maximum time from message to verdict.
    pub budget: Duration,
    /// Rate of the link.
    pub link: Rate,
    /// Messages per second.
    pub rate: usize,
    /// Length of a message in bytes, including the bytes that the channel prepends.
    pub message: usize,
    /// Number of messages that the identity must be able to sign.
    pub messages: u64,
    /// Number of session trees that the identity can still sign.
    pub trees: u64,
    /// The set, if it is prescribed.
    pub set: Option<&'static Set>,
    /// The level, if it is prescribed.
    pub level: Option<SignerLevel>,
    /// The pool, if it is prescribed.
    pub pool: Option<usize>,
    /// True if trees are announced with their leaves, which only short trees can be.
    pub leaves: bool,
    /// True if both sides sleep between messages.
    pub rests: bool,
}

/// The result of a choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Set of the session trees.
    pub set: &'static Set,
    /// Level of preparation of messages.
    pub level: SignerLevel,
    /// Number of messages that are prepared ahead.
    pub pool: usize,
    /// Time of signing.
    pub sign_us: Time,
    /// Time on the link.
    pub link_us: f64,
    /// Time of verifying.
    pub verify_us: Time,
    /// Number of choices within the budget.
    pub within: usize,
    /// Number of all choices.
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

/// The reason why there is no choice.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unreachable {
    /// The times of the set on the processor are not known.
    NotMeasured,
    /// No choice meets the budget; the fields describe the nearest one.
    Budget {
        /// Its set.
        alg: String,
        /// Its time from message to verdict.
        needs_us: f64,
    },
    /// No choice can be prepared at the rate; the fields describe the nearest one.
    Rate {
        /// Its set.
        alg: String,
        /// Its messages per second.
        hz: f64,
    },
    /// The search returned an error.
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

/// Chooses the fastest choice within the budget on `processor`. Prescribed parts are kept.
///
/// # Errors
/// [`Unreachable`], with the nearest choice.
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
        // A set of another height has a path of another length, which is sent over the link.
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

/// Returns all points to choose from, computed by the code of `hasten explore`.
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
    // The other algorithms of the processor do not sign session trees.
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

/// Returns the set of height 10 with the same one-time keys as `set`, whose times are known.
fn measured_like(set: &'static Set) -> Option<&'static Set> {
    if !matches!(set.scheme, Scheme::Lms { .. }) {
        return None;
    }
    named(set, HEIGHTS[0])
}

/// Returns the LMS set with SHA-256 that differs from `set` only in its height.
fn named(set: &Set, height: u32) -> Option<&'static Set> {
    let (m, w) = (set.n, set.w().trailing_zeros());
    let other = Set::named(&format!("LMS_SHA256_M{m}_H{height}_W{w}")).ok()?;
    (other.hash == set.hash && other.n == set.n && other.w() == set.w()).then_some(other)
}

/// Returns the set with the shortest trees that let the identity sign enough messages, or else the
/// tallest. If trees are announced with their leaves, they are always the shortest.
fn tall_enough(asked: &Asked, set: &'static Set) -> &'static Set {
    let messages = |set: &Set| asked.trees.saturating_mul(set.capacity());
    let lasts = |set: &&'static Set| asked.leaves || messages(set) >= asked.messages;
    let sets = HEIGHTS.into_iter().filter_map(|height| named(set, height));
    let tallest = sets.clone().next_back();
    sets.clone().find(lasts).or(tallest).unwrap_or(set)
}

/// Returns the signer's level of a point, with which its schedule begins.
fn level(point: &Point) -> SignerLevel {
    let name = point.schedule.split(' ').next().unwrap_or_default();
    SignerLevel::named(name).unwrap_or(SignerLevel::ChainTable)
}

/// Returns the number of messages to prepare ahead.
fn pool(rate: usize) -> usize {
    let quarter = (rate as f64 * QUARTER.as_secs_f64()).ceil() as usize;
    (4 * quarter).max(LEAST_POOL)
}

/// Returns the reason why there is no choice, with the nearest point.
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
