//! Windows of `--batch TIME`, which determine the messages that share a signature.
//!
//! A message that arrives while no window is open is sent at once and opens a window. Messages that
//! arrive before the end of the window are sent together at its end, and the next window begins. So
//! a message waits no longer than TIME, and a single message does not wait at all.

use std::time::{Duration, Instant};

use hasten_channel::MOST_BATCH;

/// The messages that wait for the end of their window.
pub(crate) struct Window {
    length: Option<Duration>,
    end: Option<Instant>,
    waiting: Vec<Vec<u8>>,
}

impl Window {
    /// Returns windows of this length. Without a length each message is sent at once.
    pub const fn new(length: Option<Duration>) -> Self {
        Self { length, end: None, waiting: Vec::new() }
    }

    /// Adds a message. Returns the messages that are to be sent now. A full batch is sent without
    /// waiting for the end of the window.
    pub fn take(&mut self, message: Vec<u8>, now: Instant) -> Vec<Vec<u8>> {
        let Some(length) = self.length else { return vec![message] };
        if self.end.is_none() {
            self.end = Some(now + length);
            return vec![message];
        }
        self.waiting.push(message);
        if self.waiting.len() == MOST_BATCH { self.rest() } else { Vec::new() }
    }

    /// Returns the messages whose window has ended.
    pub fn due(&mut self, now: Instant) -> Vec<Vec<u8>> {
        if self.end.is_none_or(|end| now < end) {
            return Vec::new();
        }
        self.end = self.length.filter(|_| !self.waiting.is_empty()).map(|length| now + length);
        self.rest()
    }

    /// Returns all waiting messages.
    pub fn rest(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.waiting)
    }

    /// Returns the time until the window ends, but at most `most`.
    pub fn left(&self, now: Instant, most: Duration) -> Duration {
        self.end.map_or(most, |end| end.saturating_duration_since(now).min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn message(number: u8) -> Vec<u8> {
        vec![number]
    }

    #[test]
    fn one_message_alone_does_not_wait() {
        let (mut window, mut now) = (Window::new(Some(MS)), Instant::now());
        for number in 0..5 {
            assert_eq!(window.take(message(number), now), [message(number)]);
            now += 2 * MS;
            assert!(window.due(now).is_empty());
        }
    }

    #[test]
    fn those_that_come_in_a_window_are_sent_at_its_end() {
        let (mut window, begun) = (Window::new(Some(MS)), Instant::now());
        assert_eq!(window.take(message(0), begun).len(), 1);
        assert!(window.take(message(1), begun + MS / 2).is_empty());
        assert!(window.take(message(2), begun + MS / 2).is_empty());
        assert_eq!(window.left(begun + MS / 2, 9 * MS), MS / 2);
        assert!(window.due(begun + MS / 2).is_empty());
        assert_eq!(window.due(begun + MS), [message(1), message(2)]);
        assert!(window.take(message(3), begun + MS).is_empty(), "the next window is open");
        assert_eq!(window.due(begun + 2 * MS), [message(3)]);
        assert!(window.due(begun + 3 * MS).is_empty());
        assert_eq!(window.left(begun, 9 * MS), 9 * MS);
        assert_eq!(window.take(message(4), begun + 3 * MS), [message(4)]);
    }

    #[test]
    fn a_full_batch_does_not_wait() {
        let (mut window, now) = (Window::new(Some(MS)), Instant::now());
        window.take(message(0), now);
        let sent: Vec<_> = (0..MOST_BATCH).map(|_| window.take(message(1), now).len()).collect();
        assert!(sent[..MOST_BATCH - 1].iter().all(|sent| *sent == 0));
        assert_eq!(sent[MOST_BATCH - 1], MOST_BATCH);
    }

    #[test]
    fn without_windows_none_waits() {
        let (mut window, now) = (Window::new(None), Instant::now());
        for number in 0..3 {
            assert_eq!(window.take(message(number), now), [message(number)]);
        }
        assert!(window.due(now + MS).is_empty() && window.rest().is_empty());
    }
}
