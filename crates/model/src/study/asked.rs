//! A study as requested, and as searched, with defaults for missing parameters.

use std::fmt;
use std::time::Duration;

use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use hasten_report::{micros, read_time, show_time};

use super::{File, Rates, complete};
use crate::explore::{self, Machine, Point, Schedules, Search, Workload, usual_sets};
use crate::machines::Named;
use crate::profile::Profiles;
use crate::{Delivery, Link, Spans};

/// Maximum length of a message in bytes.
const MOST_MESSAGE: usize = 1 << 16;

/// Study parameters. Unset fields take their defaults.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The sets to choose from.
    pub sets: Vec<&'static Set>,
    /// Length of a message in bytes.
    pub message: Option<usize>,
    /// Messages per second.
    pub rate: Option<usize>,
    /// Number of messages that may arrive at once.
    pub burst: Option<usize>,
    /// Maximum time from message to verdict.
    pub budget: Option<Duration>,
    /// Time to make a reservation durable.
    pub commit: Option<Duration>,
    /// Propagation time of the link.
    pub propagation: Option<Duration>,
    /// Rates of the link.
    pub links: Vec<Rates>,
    /// True if only the payload is counted, without Ethernet frames.
    pub bare: bool,
    /// Names of machines.
    pub machines: Vec<Named>,
    /// Levels of preparation and ways of delivery.
    pub schedules: Schedules,
}

/// A study that is ready to be searched.
#[derive(Debug)]
pub struct Study {
    /// Requirements.
    pub workload: Workload,
    /// The machines to choose from.
    pub machines: Vec<Machine>,
    /// The links.
    pub links: Vec<Link>,
    /// Levels of preparation and ways of delivery.
    pub schedules: Schedules,
}

/// A value of a study's file that cannot be parsed, with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The key.
    pub key: &'static str,
    /// The value.
    pub given: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: '{}' cannot be read", self.key, self.given)
    }
}

impl std::error::Error for Wrong {}

impl Asked {
    /// Parses the values of a file.
    ///
    /// # Errors
    /// [`Wrong`] for the first value that cannot be parsed.
    pub fn read(file: &File) -> Result<Self, Wrong> {
        let File { workload, machines, links, schedules } = file;
        let number = |key, number: Option<usize>, most| match number {
            Some(number) if number == 0 || number > most => {
                Err(Wrong { key, given: number.to_string() })
            }
            number => Ok(number),
        };
        Ok(Self {
            sets: each("alg", &workload.alg, |name| Set::named(name).ok())?,
            message: number("message", workload.message, MOST_MESSAGE)?,
            rate: number("rate", workload.rate, usize::MAX)?,
            burst: number("burst", workload.burst, usize::MAX)?,
            budget: time("budget", &workload.budget, true)?,
            commit: time("commit", &workload.commit, false)?,
            propagation: time("propagation", &links.propagation, false)?,
            links: each("rates", &links.rates, Rates::read)?,
            bare: links.bare,
            machines: each("machines", machines, Named::read)?,
            schedules: Schedules {
                signer: each("signer", &schedules.signer, SignerLevel::named)?,
                verifier: each("verifier", &schedules.verifier, VerifierLevel::named)?,
                delivery: each("delivery", &schedules.delivery, Delivery::named)?,
                commit_on_path: schedules.commit_on_path,
                rested: schedules.rested,
            },
        })
    }

    /// Returns the study on these machines.
    #[must_use]
    pub fn study(self, machines: Vec<Machine>) -> Study {
        let micros = |time: Option<Duration>, usual: f64| time.map_or(usual, micros);
        let workload = Workload {
            sets: if self.sets.is_empty() { usual_sets() } else { self.sets },
            message: self.message.unwrap_or(64),
            rate: self.rate.unwrap_or(0) as f64,
            burst: self.burst.unwrap_or(1) as u64,
            budget_us: micros(self.budget, 100.0),
            commit_us: micros(self.commit, 4000.0),
        };
        let propagation_us = micros(self.propagation, 0.0);
        let rates = if self.links.is_empty() { &[Rates::USUAL][..] } else { &self.links };
        let link = |bits| Link { bits, propagation_us, io_us: 0.0, framed: !self.bare };
        Study {
            machines,
            links: rates.iter().flat_map(|rates| rates.decades()).map(link).collect(),
            schedules: complete(&workload.sets, self.schedules),
            workload,
        }
    }
}

impl Study {
    /// Computes every choice. Before each, `each` is called with the number of results so far; if
    /// it returns false, the search stops.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn search(
        &self,
        profiles: &Profiles,
        each: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Point>, Error> {
        self.all().run(profiles, each)
    }

    /// Returns the times at which each part of a choice is active, as [`Search::spans`] does.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn spans(
        &self,
        profiles: &Profiles,
        named: explore::Named<'_>,
    ) -> Result<Option<Spans>, Error> {
        self.all().spans(profiles, named)
    }

    fn all(&self) -> Search<'_> {
        let Self { workload, machines, links, schedules } = self;
        Search { workload, machines, links, schedules }
    }
}

impl File {
    /// Returns the arguments of `hasten explore` that describe the same study.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let File { workload, machines, links, schedules } = self;
        let shown = |text: &Option<String>| {
            text.as_deref().map(|text| read_time(text).map_or(text.to_owned(), show_time))
        };
        let numbers = [workload.message, workload.rate, workload.burst];
        let [message, rate, burst] = numbers.map(|number| number.map(|n| n.to_string()));
        let mut words = Vec::new();
        let mut option = |name: &str, values: &[String]| {
            words.extend(values.iter().flat_map(|value| [format!("--{name}"), value.clone()]));
        };
        let mut one = |name: &str, value: Option<String>| option(name, value.as_slice());
        one("budget", shown(&workload.budget));
        one("message", message);
        one("rate", rate);
        one("burst", burst);
        one("commit", shown(&workload.commit));
        one("propagation", shown(&links.propagation));
        option("link", &links.rates);
        option("machine", machines);
        option("alg", &workload.alg);
        option("signer", &schedules.signer);
        option("verifier", &schedules.verifier);
        option("delivery", &schedules.delivery);
        let flags = [
            ("--bare", links.bare),
            ("--commit-on-path", schedules.commit_on_path),
            ("--rested", schedules.rested),
        ];
        words.extend(flags.iter().filter(|flag| flag.1).map(|flag| flag.0.to_owned()));
        words
    }
}

fn each<T>(
    key: &'static str,
    texts: &[String],
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, Wrong> {
    let wrong = |text: &str| Wrong { key, given: text.to_owned() };
    texts.iter().map(|text| read(text).ok_or_else(|| wrong(text))).collect()
}

fn time(key: &'static str, text: &Option<String>, some: bool) -> Result<Option<Duration>, Wrong> {
    let Some(text) = text else { return Ok(None) };
    let time = read_time(text).filter(|time| !some || !time.is_zero());
    time.map(Some).ok_or_else(|| Wrong { key, given: text.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(json: &str) -> File {
        serde_json::from_str(json).expect("a study")
    }

    #[test]
    fn a_file_that_says_nothing_asks_for_the_usual() {
        let study = Asked::read(&File::default()).expect("read").study(Vec::new());
        assert_eq!((study.workload.message, study.workload.budget_us), (64, 100.0));
        assert_eq!((study.links.len(), study.workload.sets.len()), (3, usual_sets().len()));
        assert!(File::default().arguments().is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, key) in [
            (r#"{"workload":{"alg":["XMSS"]}}"#, "alg"),
            (r#"{"workload":{"budget":"0"}}"#, "budget"),
            (r#"{"workload":{"message":70000}}"#, "message"),
            (r#"{"links":{"rates":["1Gbit..1Mbit"]}}"#, "rates"),
            (r#"{"machines":["gpu"]}"#, "machines"),
            (r#"{"schedules":{"signer":["all"]}}"#, "signer"),
        ] {
            assert_eq!(Asked::read(&file(json)).err().map(|wrong| wrong.key), Some(key), "{json}");
        }
    }

    #[test]
    fn arguments_say_what_the_file_says() {
        let asked = file(
            r#"{"workload":{"budget":"0.1ms","message":64},"machines":["cpu"],
                "links":{"rates":["1Gbit"],"bare":true},"schedules":{"signer":["masks"]}}"#,
        );
        let words = asked.arguments().join(" ");
        let want = "--budget 100us --message 64 --link 1Gbit --machine cpu --signer masks --bare";
        assert_eq!(words, want);
    }
}
