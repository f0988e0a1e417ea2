//! The reasons for a choice, one for each of its parts.

use hasten_report::{grouped, micros};

use super::{Asked, Choice, life};

/// Returns the reasons for the set, the level, the height and the pool, in this order.
pub fn why(asked: &Asked, choice: &Choice) -> Vec<String> {
    let Choice { set, level, pool, within, of, .. } = choice;
    let (sign, verify) = (choice.sign_us.p50, choice.verify_us.p50);
    let wire = choice.total_us().p50 - sign - verify;
    let budget = micros(asked.budget);
    let name = |forced: bool, what: &str| match forced {
        true => format!("{what}: as asked"),
        false => what.to_owned(),
    };
    let messages = asked.trees.saturating_mul(set.capacity());
    vec![
        format!(
            "{}; {within} of {of} choices keep {budget:.0} us on {}, this is the fastest",
            name(asked.set.is_some(), &format!("set {}", set.name)),
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
            *pool as f64 / 4.0 / asked.rate as f64 * 1e3,
            grouped(asked.rate as u64)
        ),
    ]
}
