//! Windows of time whose messages are signed together, as in `hasten publish --batch`.

use std::time::Duration;

use hasten_channel::MOST_BATCH;

use super::plan::Pace;

/// The length of the windows. Without windows, each message has a signature of its own.
#[derive(Clone, Copy, Debug)]
pub struct Windows(pub Option<Duration>);

impl Windows {
    /// Returns the number of messages that arrive in a window: at least one, at most a full batch.
    pub fn messages(self, pace: Pace) -> usize {
        let length = self.0.unwrap_or_default();
        let come = f64::from(pace.rate()) * length.as_secs_f64();
        // The product may be slightly less than the whole number it should be.
        ((come + 1e-6) as usize).clamp(1, MOST_BATCH)
    }

    /// Returns the time that the first of `messages` waits until it is signed. A single message
    /// does not wait, those of a full batch wait for the last one, and others for the end of the
    /// window.
    pub fn wait(self, pace: Pace, messages: usize) -> Duration {
        match messages {
            1 => Duration::ZERO,
            MOST_BATCH => pace.due(MOST_BATCH - 1),
            _ => self.0.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_window_holds_what_comes_in_it_up_to_a_batch() {
        let windows = Windows(Some(MS));
        for (rate, messages) in [(10, 1), (1_999, 1), (2_000, 2), (100_000, 100), (1_000_000, 256)]
        {
            assert_eq!(windows.messages(Pace::Rate(rate)), messages, "{rate}");
            assert_eq!(Windows(None).messages(Pace::Rate(rate)), 1);
        }
    }

    #[test]
    fn only_messages_that_come_together_wait() {
        let windows = Windows(Some(MS));
        assert_eq!(windows.wait(Pace::Rate(10), 1), Duration::ZERO);
        assert_eq!(windows.wait(Pace::Rate(100_000), 100), MS);
        assert_eq!(windows.wait(Pace::Rate(1_000_000), 256), Duration::from_micros(255));
    }
}
