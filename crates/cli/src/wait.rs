//! How a side of a channel waits, the core it runs on, and how long a command waits for a key.

use std::time::Duration;

use clap::ValueEnum;
use hasten_channel_udp::wait;

use crate::error::BadValue;
use crate::help;
use crate::units;

/// Default time to wait for a key.
const USUAL: Duration = Duration::from_secs(5);

/// How a side waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wait {
    /// Asks again and again; one core is busy.
    Spin,
    /// Sleeps until something comes.
    Block,
}

impl From<Wait> for wait::Wait {
    fn from(way: Wait) -> Self {
        match way {
            Wait::Spin => Self::Spin,
            Wait::Block => Self::Block,
        }
    }
}

/// The core of the thread that waits.
#[derive(clap::Args)]
pub struct Core {
    /// Core to wait on, by its number; other threads of the process keep off it.
    #[arg(long = "cpu", value_name = "N", help_heading = help::NETWORK)]
    pub number: Option<usize>,
}

/// How long to wait for a key that another process holds. `publish` also accepts a way to wait for
/// messages; the time is then the default.
#[derive(Clone, Copy, Debug)]
pub enum ForKey {
    Time(Duration),
    Messages(Wait),
}

impl ForKey {
    /// Returns the time to wait for the key.
    pub fn time(self) -> Duration {
        match self {
            Self::Time(time) => time,
            Self::Messages(_) => USUAL,
        }
    }

    /// Returns the way to wait for messages, if one was given.
    pub fn messages(self) -> Option<Wait> {
        match self {
            Self::Time(_) => None,
            Self::Messages(wait) => Some(wait),
        }
    }
}

impl Default for ForKey {
    fn default() -> Self {
        Self::Time(Duration::ZERO)
    }
}

/// Parses a time.
pub fn for_key(text: &str) -> Result<ForKey, BadValue> {
    units::time(text).map(ForKey::Time)
}

/// Parses a time, or a way to wait for messages.
pub fn for_key_or_messages(text: &str) -> Result<ForKey, BadValue> {
    let way = Wait::from_str(text, false);
    way.map(ForKey::Messages)
        .or_else(|_| for_key(text))
        .map_err(|_| BadValue::Wait(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_for_the_key_and_a_way_for_messages() {
        let read = |text| for_key_or_messages(text).map(|wait| (wait.time(), wait.messages()));
        assert_eq!(read("9s").unwrap(), (Duration::from_secs(9), None));
        assert_eq!(read("spin").unwrap(), (USUAL, Some(Wait::Spin)));
        assert_eq!(read("block").unwrap(), (USUAL, Some(Wait::Block)));
        assert!(read("soon").is_err() && for_key("spin").is_err());
    }
}
