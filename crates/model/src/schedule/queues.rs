//! Queues of running nodes and of ready nodes.

use std::collections::VecDeque;

/// Running nodes. Nodes of equal weight end in the order in which they began.
#[derive(Default)]
pub struct Running {
    queue: VecDeque<(f64, usize)>,
}

impl Running {
    pub fn add(&mut self, end: f64, node: usize) {
        if self.queue.back().is_none_or(|(other, _)| *other <= end) {
            self.queue.push_back((end, node));
            return;
        }
        let at = self.queue.iter().rposition(|(other, _)| *other <= end).map_or(0, |at| at + 1);
        self.queue.insert(at, (end, node));
    }

    /// Returns the earliest end.
    pub fn next(&self) -> Option<f64> {
        self.queue.front().map(|(end, _)| *end)
    }

    /// Removes a node that has ended by `now`, and returns it with its end.
    pub fn ended(&mut self, now: f64) -> Option<(usize, f64)> {
        let (end, node) = *self.queue.front().filter(|(end, _)| *end <= now)?;
        self.queue.pop_front();
        Some((node, end))
    }
}

/// Ranks of ready nodes as a bit set, with a second bit set of its words that are not zero.
#[derive(Default)]
pub struct Ready {
    words: Vec<u64>,
    above: Vec<u64>,
}

impl Ready {
    pub fn new(nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        Self { words: vec![0; words], above: vec![0; words.div_ceil(64)] }
    }

    pub fn put(&mut self, rank: usize) {
        self.words[rank / 64] |= 1 << (rank % 64);
        self.above[rank / 4096] |= 1 << (rank / 64 % 64);
    }

    /// Removes and returns the lowest rank.
    pub fn take(&mut self) -> Option<usize> {
        let top = self.above.iter().position(|word| *word != 0)?;
        let at = 64 * top + self.above[top].trailing_zeros() as usize;
        let bit = self.words[at].trailing_zeros() as usize;
        self.words[at] &= self.words[at] - 1;
        if self.words[at] == 0 {
            self.above[top] &= self.above[top] - 1;
        }
        Some(64 * at + bit)
    }
}
