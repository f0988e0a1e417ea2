//! Choice of set, level, height and pool by the latency model, with its reasons.

use hasten_hbs::Set;
use hasten_model::explore::Time;
use hasten_model::sessions::{self, Asked, Unreachable};
use serde::Serialize;

use crate::commands::explore::processor;
use crate::error::{Channel, Error};

/// The chosen parameters, as they are printed.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// Set of the session trees.
    #[serde(skip)]
    pub set: &'static Set,
    /// Name of the set.
    pub alg: &'static str,
    /// Level to which messages are prepared.
    pub level: &'static str,
    /// Height of a session tree.
    pub height: u32,
    /// Messages that are prepared ahead.
    pub pool: usize,
    /// Predicted time from message to verdict.
    pub total_us: Time,
    /// The reasons, one for each choice.
    pub why: Vec<String>,
}

/// Chooses the fastest parameters within the budget. Parameters that the user has fixed are kept.
pub fn choose(asked: &Asked) -> Result<Choice, Error> {
    let choice = sessions::choose(asked, &processor()?).map_err(|why| match why {
        Unreachable::Scheme(error) => error.into(),
        why => Error::Channel(Channel::NoChoice(why)),
    })?;
    let (set, level, pool) = (choice.set, choice.level.name(), choice.pool);
    let (height, total_us, why) = (set.tree_height(), choice.total_us(), choice.why(asked));
    Ok(Choice { set, alg: set.name, level, height, pool, total_us, why })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hasten_hbs::SignerLevel;
    use hasten_model::Rate;

    use super::*;

    fn asked() -> Asked {
        Asked {
            budget: Duration::from_micros(100),
            link: Rate::per_second(1e9),
            rate: 1000,
            message: 64 + hasten_channel::HEADER_BYTES,
            messages: sessions::life::messages(365, 1000),
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
            Error::Channel(Channel::NoChoice(Unreachable::Budget { needs_us, .. })) => {
                assert!(needs_us > 5.0);
            }
            other => panic!("{other}"),
        }
        match choose(&Asked { rate: 10_000_000, ..one() }).unwrap_err() {
            Error::Channel(Channel::NoChoice(Unreachable::Rate { hz, .. })) => assert!(hz < 1e7),
            other => panic!("{other}"),
        }
        let shake = Set::named("LMS_SHAKE_M24_H10_W4").expect("a set");
        let unknown = choose(&Asked { set: Some(shake), ..asked() });
        assert!(matches!(
            unknown,
            Err(Error::Channel(Channel::NoChoice(Unreachable::NotMeasured)))
        ));
    }
}
