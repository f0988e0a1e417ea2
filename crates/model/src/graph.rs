//! An operation as a graph of compressions and their dependencies.

use serde::Serialize;

use crate::function::{Function, Place};
use crate::source::{Depends, Source};

/// A node of a [`Graph`]: a compression, or several in sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Indices of the nodes that must be done before; all are smaller than that of the node itself.
    pub needs: Vec<u32>,
    /// Inputs of the operation that the node reads.
    pub reads: Vec<Source>,
    /// The function call that the node belongs to.
    pub place: Place,
    /// The inputs on which the node depends.
    pub depends: Depends,
    /// Number of compressions, one after the other.
    pub weight: u32,
    /// Number of equivalent nodes that this one represents, including itself; 1 if every
    /// compression was recorded.
    pub times: u64,
}

impl Node {
    /// Returns the compressions of all nodes that this one represents.
    fn all(&self) -> u64 {
        u64::from(self.weight) * self.times
    }
}

/// An operation as a dependency graph. The nodes are in an order in which they can run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// For a signature, the node that computes each element of the one-time signature; `None` if it
    /// was ready before the message.
    pub outputs: Vec<Option<u32>>,
}

/// Number of compressions of one function, in total and on the critical path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// The function.
    pub function: Function,
    /// Compressions in total.
    pub work: u64,
    /// Compressions on the critical path.
    pub on_path: u64,
}

/// Numbers of compressions, by the inputs on which they depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Independence {
    /// Compressions that depend only on the key.
    pub key: u64,
    /// Compressions that depend on the index, but not on the message.
    pub index: u64,
    /// Compressions that depend on the message or, for verification, on the signature.
    pub message: u64,
}

impl Graph {
    /// Returns the total number of compressions.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.nodes.iter().map(Node::all).sum()
    }

    /// Returns true if some nodes represent others besides themselves.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.nodes.iter().any(|node| node.times > 1)
    }

    /// Returns the number of compressions that must run one after the other, with any number of
    /// units.
    #[must_use]
    pub fn critical_path(&self) -> u64 {
        self.earliest().into_iter().max().unwrap_or(0)
    }

    /// Returns the earliest time at which each node can be done, with any number of units.
    #[must_use]
    pub fn earliest(&self) -> Vec<u64> {
        self.earliest_of(self.nodes.iter().map(|node| node.weight))
    }

    /// Returns the times of [`earliest`](Self::earliest) for nodes with other weights.
    pub(crate) fn earliest_of(&self, weights: impl Iterator<Item = u32>) -> Vec<u64> {
        let mut done = Vec::with_capacity(self.nodes.len());
        for (node, weight) in self.nodes.iter().zip(weights) {
            let ready = node.needs.iter().map(|need| done[*need as usize]).max().unwrap_or(0);
            done.push(ready + u64::from(weight));
        }
        done
    }

    /// Returns, for each node, the compressions on the longest path from it to the end, including
    /// its own.
    #[must_use]
    pub fn remaining(&self) -> Vec<u64> {
        let mut rest = vec![0; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate().rev() {
            rest[i] += u64::from(node.weight);
            for need in &node.needs {
                rest[*need as usize] = rest[*need as usize].max(rest[i]);
            }
        }
        rest
    }

    /// Returns the number of compressions that run in each step, with any number of units.
    #[must_use]
    pub fn profile(&self) -> Vec<u64> {
        let mut widths = vec![0; self.critical_path() as usize];
        for (node, done) in self.nodes.iter().zip(self.earliest()) {
            for step in done - u64::from(node.weight)..done {
                widths[step as usize] += node.times;
            }
        }
        widths
    }

    /// Returns the nodes of a critical path, in order.
    #[must_use]
    pub fn longest_way(&self) -> Vec<u32> {
        let done = self.earliest();
        let last = |nodes: &mut dyn Iterator<Item = u32>| nodes.max_by_key(|n| done[*n as usize]);
        let mut at = last(&mut (0..self.nodes.len() as u32));
        let mut way = Vec::new();
        while let Some(node) = at {
            way.push(node);
            at = last(&mut self.nodes[node as usize].needs.iter().copied());
        }
        way.reverse();
        way
    }

    /// Returns the functions with their work and their share of the critical path, the largest
    /// share first.
    #[must_use]
    pub fn shares(&self) -> Vec<Share> {
        let mut shares = std::collections::BTreeMap::<Function, (u64, u64)>::new();
        for node in &self.nodes {
            shares.entry(node.place.function).or_default().0 += node.all();
        }
        for node in self.longest_way().into_iter().map(|node| &self.nodes[node as usize]) {
            shares.entry(node.place.function).or_default().1 += u64::from(node.weight);
        }
        let share = |(function, (work, on_path))| Share { function, work, on_path };
        let mut shares: Vec<_> = shares.into_iter().map(share).collect();
        shares.sort_by_key(|share| std::cmp::Reverse((share.on_path, share.work)));
        shares
    }

    /// Returns the numbers of compressions, by the inputs on which they depend.
    #[must_use]
    pub fn independence(&self) -> Independence {
        let mut counts = Independence::default();
        for node in &self.nodes {
            *match node.depends {
                Depends::Key => &mut counts.key,
                Depends::Index => &mut counts.index,
                Depends::Message => &mut counts.message,
            } += node.all();
        }
        counts
    }

    /// Returns the graph without the nodes for which `gone` is true, whose results are already
    /// available.
    #[must_use]
    pub fn without(&self, gone: impl Fn(&Node) -> bool) -> Self {
        let mut place = Vec::with_capacity(self.nodes.len());
        let mut nodes: Vec<Node> = Vec::new();
        for node in &self.nodes {
            if gone(node) {
                place.push(None);
                continue;
            }
            let needs = node.needs.iter().filter_map(|need| place[*need as usize]).collect();
            place.push(Some(nodes.len() as u32));
            nodes.push(Node { needs, ..node.clone() });
        }
        let outputs = self.outputs.iter().map(|out| out.and_then(|o| place[o as usize])).collect();
        Self { nodes, outputs }
    }

    /// Returns the graph with new weights.
    #[must_use]
    pub fn weighed(mut self, weight: impl Fn(&Node) -> u32) -> Self {
        self.nodes.iter_mut().for_each(|node| node.weight = weight(node));
        self
    }
}
