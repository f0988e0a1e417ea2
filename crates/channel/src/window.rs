//! The window of sequence numbers, which records the delivered messages of a session.
//!
//! It has a fixed size, accepts messages in any order within that size, and counts those that left
//! it without having arrived.

/// Size of the window: the number of newest sequence numbers that may arrive in any order.
pub const WINDOW: u64 = 1024;

const WORDS: usize = WINDOW as usize / 64;

/// Position of a sequence number relative to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    New,
    Seen,
    TooOld,
}

/// The messages of one session that were delivered.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    newest: u64,
    /// The lowest number that was ever expected. Numbers before it do not count as lost.
    first: u64,
    /// Bit n mod 1024 is set if number n, in the window, was delivered.
    seen: [u64; WORDS],
    lost: u64,
}

impl Window {
    /// Returns the window of a session whose first message here is `number`.
    pub fn starting_at(number: u64) -> Self {
        let mut window = Self { newest: number, first: number, seen: [0; WORDS], lost: 0 };
        window.mark(number);
        window
    }

    /// Returns whether `number` is new, delivered or too old.
    pub fn place(&self, number: u64) -> Place {
        match self.newest.checked_sub(number) {
            None => Place::New,
            Some(back) if back >= WINDOW => Place::TooOld,
            Some(_) if self.has(number) => Place::Seen,
            Some(_) => Place::New,
        }
    }

    /// Notes that `number` was delivered. Returns how many numbers between it and the newest one
    /// before have not arrived yet.
    pub fn deliver(&mut self, number: u64) -> u64 {
        let ahead = number.saturating_sub(self.newest);
        if ahead > 0 {
            self.slide(number);
        }
        self.mark(number);
        ahead.saturating_sub(1)
    }

    /// Returns the number of messages that left the window without having arrived.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Makes `number` the newest number.
    fn slide(&mut self, number: u64) {
        let ahead = number - self.newest;
        let leaving = ahead.min(WINDOW);
        for back in (0..leaving).map(|step| WINDOW - 1 - step) {
            if let Some(old) = self.newest.checked_sub(back) {
                self.lost += u64::from(old >= self.first && !self.has(old));
                self.unmark(old);
            }
        }
        // Numbers that the window has skipped completely.
        self.lost += ahead - leaving;
        self.newest = number;
    }

    fn has(&self, number: u64) -> bool {
        let (word, bit) = at(number);
        self.seen[word] & bit != 0
    }

    fn mark(&mut self, number: u64) {
        let (word, bit) = at(number);
        self.seen[word] |= bit;
    }

    fn unmark(&mut self, number: u64) {
        let (word, bit) = at(number);
        self.seen[word] &= !bit;
    }
}

const fn at(number: u64) -> (usize, u64) {
    ((number % WINDOW) as usize / 64, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    /// Compares the window with a set of all numbers, over jumps of all sizes around the window's
    /// size.
    #[test]
    fn the_window_is_the_set_of_delivered_numbers() {
        let mut state = 1u64;
        let mut roll = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        for start in [0, 5, 1 << 40] {
            let mut window = Window::starting_at(start);
            let (mut all, mut newest) = (BTreeSet::from([start]), start);
            for round in 0..20_000 {
                let far = if round % 500 == 0 { 3 * WINDOW } else { 40 };
                let number = (newest + roll(far)).saturating_sub(roll(1100));
                let expected = match newest.checked_sub(number) {
                    Some(back) if back >= WINDOW => Place::TooOld,
                    _ if all.contains(&number) => Place::Seen,
                    _ => Place::New,
                };
                assert_eq!(window.place(number), expected, "{number} at {newest}");
                if expected == Place::New {
                    let missed = number.saturating_sub(newest).saturating_sub(1);
                    assert_eq!(window.deliver(number), missed);
                    all.insert(number);
                    newest = newest.max(number);
                }
            }
            let left = (newest + 1).saturating_sub(WINDOW).max(start);
            let came = all.range(start..left).count() as u64;
            assert_eq!(window.lost(), left - start - came);
        }
    }
}
