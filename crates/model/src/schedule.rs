//! Schedules of a graph on P units, or on W lanes: list scheduling, the longest remaining path
//! first.

mod account;
mod queues;
mod text;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use crate::function::Function;
use crate::graph::Graph;
use queues::{Ready, Running};

pub use account::{Account, Steps, UNITS};

/// The times at which the nodes of a graph are done.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// End time of each node.
    pub done: Vec<f64>,
}

impl Schedule {
    /// Returns the end time of the last node, or 0 if there is no node.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.done.iter().copied().fold(0.0, f64::max)
    }
}

/// A time that can be ordered in a heap.
#[derive(Clone, Copy, PartialEq)]
struct At(f64);

impl Eq for At {}

impl PartialOrd for At {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for At {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A graph with the data that scheduling needs, computed once.
#[derive(Clone)]
pub struct Plan {
    graph: Rc<Graph>,
    users: Rc<Users>,
    /// The nodes in scheduling order, by default the longest remaining path first.
    order: Rc<[u32]>,
    /// The position of each node in that order.
    rank: Rc<[u32]>,
    /// The number of nodes that each node needs.
    needs: Rc<[u32]>,
    /// The number of compressions of each node.
    weights: Vec<u32>,
    /// True for each node that reads an input.
    reads: Rc<[bool]>,
}

impl Plan {
    /// Creates the plan for `graph`.
    #[must_use]
    pub fn new(graph: impl Into<Rc<Graph>>) -> Self {
        let graph = graph.into();
        let remaining = graph.remaining();
        Self::by(graph, &remaining)
    }

    /// Creates the plan for a signature whose elements are completed in order: chains run in the
    /// order of their numbers, after the nodes before them.
    #[must_use]
    pub fn in_order(graph: impl Into<Rc<Graph>>) -> Self {
        let graph = graph.into();
        let chains = graph.nodes.iter().map(|node| match node.place.function {
            Function::Chain | Function::ChainMask | Function::Element => node.place.chain + 1,
            _ => 0,
        });
        let last = u64::from(u32::MAX);
        let later = graph.remaining().into_iter().zip(chains);
        let first = later.map(|(rest, chain)| (last - u64::from(chain)) << 20 | rest);
        let first: Vec<u64> = first.collect();
        Self::by(graph, &first)
    }

    fn by(graph: Rc<Graph>, first: &[u64]) -> Self {
        let mut order: Vec<u32> = (0..graph.nodes.len() as u32).collect();
        order.sort_by_key(|node| Reverse(first[*node as usize]));
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, node)| rank[*node as usize] = at as u32);
        let nodes = || graph.nodes.iter();
        Self {
            users: Rc::new(Users::of(&graph)),
            order: order.into(),
            rank: rank.into(),
            needs: nodes().map(|node| node.needs.len() as u32).collect(),
            weights: nodes().map(|node| node.weight).collect(),
            reads: nodes().map(|node| !node.reads.is_empty()).collect(),
            graph,
        }
    }

    /// Returns the graph.
    #[must_use]
    pub const fn graph(&self) -> &Rc<Graph> {
        &self.graph
    }

    /// Returns the number of sequential compressions of each node.
    #[must_use]
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Returns the plan in which `node` has `more` additional compressions, which run after it.
    ///
    /// Returns `None` if other nodes could run before these compressions: that is, unless each node
    /// up to `node`, in scheduling order, needs the one before.
    #[must_use]
    pub fn longer(&self, node: usize, more: u32) -> Option<Self> {
        self.is_row(&self.order[..=self.rank[node] as usize]).then(|| {
            let mut longer = self.clone();
            longer.weights[node] += more;
            longer
        })
    }

    /// Returns the number of steps s(P) of an operation on `units` units.
    ///
    /// No schedule is computed if nodes represent others: the result is then the lower bound
    /// [`least`].
    #[must_use]
    pub fn units(&self, units: usize) -> u64 {
        if self.graph.is_counted() {
            return least(&self.graph, units);
        }
        self.released_end(units, 1.0, |_| 0.0).round() as u64
    }

    /// Returns true if each node up to `node`, in scheduling order, needs the one before, and all
    /// other nodes depend on `node`.
    #[must_use]
    pub fn leads(&self, node: usize) -> bool {
        let first = &self.order[..=self.rank[node] as usize];
        let mut after = vec![false; self.graph.nodes.len()];
        after[node] = true;
        for (at, other) in self.graph.nodes.iter().enumerate() {
            after[at] |= other.needs.iter().any(|need| after[*need as usize]);
        }
        first.iter().for_each(|before| after[*before as usize] = true);
        after.into_iter().all(|after| after) && self.is_row(first)
    }

    /// Returns true if each of these nodes needs the one before.
    fn is_row(&self, nodes: &[u32]) -> bool {
        let needs = |pair: &[u32]| self.graph.nodes[pair[1] as usize].needs.contains(&pair[0]);
        nodes.windows(2).all(needs)
    }

    /// Returns the schedule on `units` units that take the time `each` for a compression. Nodes
    /// that read inputs start no earlier than their `release`.
    #[must_use]
    pub fn released(&self, units: usize, each: f64, release: impl Fn(usize) -> f64) -> Schedule {
        let mut done = vec![0.0; self.graph.nodes.len()];
        self.run(units, each, release, &mut |node, end| done[node] = end);
        Schedule { done }
    }

    /// Returns the end of the schedule of [`released`](Self::released), without storing the times
    /// of nodes.
    #[must_use]
    pub fn released_end(&self, units: usize, each: f64, release: impl Fn(usize) -> f64) -> f64 {
        let mut last = 0.0;
        self.run(units, each, release, &mut |_, end| last = f64::max(last, end));
        last
    }

    /// Computes the schedule of [`released`](Self::released), and calls `done` with each node and
    /// its end.
    fn run(
        &self,
        units: usize,
        each: f64,
        release: impl Fn(usize) -> f64,
        done: &mut impl FnMut(usize, f64),
    ) {
        let mut run = Run::new(self, release);
        let mut now = 0.0;
        let (mut free, mut running) = (units.max(1), Running::default());
        loop {
            run.admit(now);
            while free > 0
                && let Some(node) = run.ready.take()
            {
                let node = self.order[node] as usize;
                // Adds the time of each compression separately, as for single nodes: times are
                // compared exactly.
                let end = (0..self.weights[node]).fold(now, |at, _| at + each);
                running.add(end, node);
                free -= 1;
            }
            let waits = run.later.peek().filter(|_| free > 0).map(|Reverse((At(at), _))| *at);
            now = match (running.next(), waits) {
                (Some(end), Some(at)) => end.min(at),
                (Some(at), None) | (None, Some(at)) => at,
                (None, None) => return,
            };
            while let Some((node, end)) = running.ended(now) {
                free += 1;
                done(node, end);
                run.finish(node, now);
            }
        }
    }

    /// Returns the schedule on lanes that advance together: up to `width` nodes in a step, which
    /// takes the time `cost` of the number of lanes in use.
    #[must_use]
    pub fn lanes(&self, width: usize, cost: impl Fn(usize) -> f64) -> Schedule {
        let mut run = Run::new(self, |_| 0.0);
        let (mut now, mut done) = (0.0, vec![0.0; self.graph.nodes.len()]);
        loop {
            run.admit(now);
            let batch: Vec<usize> = std::iter::from_fn(|| run.ready.take())
                .take(width.max(1))
                .map(|rank| self.order[rank] as usize)
                .collect();
            if batch.is_empty() {
                return Schedule { done };
            }
            let longest = batch.iter().map(|node| self.weights[*node]).max();
            now += cost(batch.len()) * f64::from(longest.unwrap_or(1));
            for node in batch {
                done[node] = now;
                run.finish(node, now);
            }
        }
    }
}

/// Returns the number of steps on `units` units, for a graph that is scheduled only once.
#[must_use]
pub fn units(graph: &Graph, units: usize) -> u64 {
    Plan::new(graph.clone()).units(units)
}

/// Returns a lower bound for the number of steps of any schedule on `units` units.
///
/// Nodes that begin at step e or later, and are followed by r or more steps, take e + r steps plus
/// their work divided by the units; the bound is the maximum over all e and r. Scheduling the
/// longest remaining path first reaches the bound if nodes with one user each follow a chain (T. C.
/// Hu, 1961).
#[must_use]
pub fn least(graph: &Graph, units: usize) -> u64 {
    let path = graph.critical_path() as usize;
    // The work by its first step and by the number of steps that follow, with an unused last row
    // and column.
    let mut work = vec![vec![0_u64; path + 1]; path + 1];
    let ends = graph.earliest().into_iter().zip(graph.remaining());
    for (node, (end, rest)) in graph.nodes.iter().zip(ends) {
        let weight = u64::from(node.weight);
        work[(end - weight) as usize][(rest - weight) as usize] += weight * node.times;
    }
    let mut most = 0;
    for start in (0..path).rev() {
        for rest in (0..path).rev() {
            // Make each entry the sum of all entries with the same or larger indices.
            let beside = work[start + 1][rest] + work[start][rest + 1];
            work[start][rest] = work[start][rest] + beside - work[start + 1][rest + 1];
            if work[start][rest] > 0 {
                let steps = work[start][rest].div_ceil(units.max(1) as u64);
                most = most.max(start as u64 + steps + rest as u64);
            }
        }
    }
    most
}

/// A schedule in progress.
struct Run<'g, R> {
    plan: &'g Plan,
    missing: Vec<u32>,
    release: R,
    ready: Ready,
    /// Nodes that wait for their release.
    later: BinaryHeap<Reverse<(At, usize)>>,
}

impl<'g, R: Fn(usize) -> f64> Run<'g, R> {
    fn new(plan: &'g Plan, release: R) -> Self {
        let count = plan.needs.len();
        let (ready, later) = (Ready::new(count), BinaryHeap::new());
        let mut run = Self { plan, missing: plan.needs.to_vec(), release, ready, later };
        (0..count).filter(|node| plan.needs[*node] == 0).for_each(|node| run.free(node, 0.0));
        run
    }

    /// Makes the nodes ready that are released by `now`.
    fn admit(&mut self, now: f64) {
        while let Some(Reverse((At(at), node))) = self.later.peek().copied()
            && at <= now
        {
            self.later.pop();
            self.ready.put(self.plan.rank[node] as usize);
        }
    }

    /// Makes a node ready whose needs are done, or lets it wait for its release.
    fn free(&mut self, node: usize, now: f64) {
        let at = if self.plan.reads[node] { (self.release)(node) } else { 0.0 };
        if at <= now {
            self.ready.put(self.plan.rank[node] as usize);
        } else {
            self.later.push(Reverse((At(at), node)));
        }
    }

    fn finish(&mut self, node: usize, now: f64) {
        let plan = self.plan;
        for user in plan.users.of_node(node) {
            let user = *user as usize;
            self.missing[user] -= 1;
            if self.missing[user] == 0 {
                self.free(user, now);
            }
        }
    }
}

/// For each node, the nodes that need it, in one list.
struct Users {
    first: Vec<u32>,
    list: Vec<u32>,
}

impl Users {
    fn of(graph: &Graph) -> Self {
        let mut first = vec![0_u32; graph.nodes.len() + 1];
        for need in graph.nodes.iter().flat_map(|node| &node.needs) {
            first[*need as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let (mut next, mut list) = (first.clone(), vec![0; first[graph.nodes.len()] as usize]);
        for (user, node) in graph.nodes.iter().enumerate() {
            for need in &node.needs {
                list[next[*need as usize] as usize] = user as u32;
                next[*need as usize] += 1;
            }
        }
        Self { first, list }
    }

    fn of_node(&self, node: usize) -> &[u32] {
        &self.list[self.first[node] as usize..self.first[node + 1] as usize]
    }
}
