//! The address of the page for a study, which `crates/web/page/src/state.ts` parses.

use std::time::Duration;

use hasten_report::micros;

use super::{Asked, Rates};
use crate::machines::Named;

/// The rate with which the page opens if several are requested: this one if it is among them, else
/// the first.
const USUAL: f64 = 1e9;

impl Asked {
    /// Returns the part of the page's address after `#` that describes the same study, at one rate.
    #[must_use]
    pub fn address(&self) -> String {
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        let time = |time: Option<Duration>| time.map(|time| micros(time).to_string());
        let flag = |on: bool| on.then(|| on.to_string());
        let way = &self.schedules;
        let words = [
            ("budget", time(self.budget)),
            ("link", Some(self.rate_shown().to_string())),
            ("message", number(self.message)),
            ("machine", joined(self.named(), Named::to_string)),
            ("commit", time(self.commit)),
            ("rate", number(self.rate)),
            ("burst", number(self.burst)),
            ("propagation", time(self.propagation)),
            ("sets", joined(&self.sets, |set| set.name.to_owned())),
            ("signer", joined(&way.signer, |level| level.name().to_owned())),
            ("verifier", joined(&way.verifier, |level| level.name().to_owned())),
            ("delivery", joined(&way.delivery, |delivery| delivery.name().to_owned())),
            ("bare", flag(self.bare)),
            ("commitOnPath", flag(way.commit_on_path)),
            ("rested", flag(way.rested)),
        ];
        let said = words.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?)));
        said.collect::<Vec<_>>().join("&")
    }

    fn rate_shown(&self) -> f64 {
        let rates = if self.links.is_empty() { &[Rates::USUAL][..] } else { &self.links };
        let rates: Vec<f64> = rates.iter().flat_map(|rates| rates.decades()).collect();
        if rates.contains(&USUAL) { USUAL } else { rates[0] }
    }

    fn named(&self) -> &[Named] {
        if self.machines.is_empty() { &Named::USUAL } else { &self.machines }
    }
}

fn joined<T>(all: &[T], text: impl Fn(&T) -> String) -> Option<String> {
    (!all.is_empty()).then(|| all.iter().map(text).collect::<Vec<_>>().join(","))
}
