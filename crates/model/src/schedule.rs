//! A graph on P units, or on W lanes: list scheduling, the longest remaining way first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::function::Function;
use crate::graph::Graph;

/// When each node was done, in the time of one compression.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// The end of each node.
    pub done: Vec<f64>,
}

impl Schedule {
    /// The end of the last node; 0 for nothing to do.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.done.iter().copied().fold(0.0, f64::max)
    }
}

/// Time in the order of a heap.
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

/// A graph with what scheduling it needs to know, found once.
pub struct Plan {
    graph: Graph,
    users: Users,
    remaining: Vec<u64>,
}

impl Plan {
    /// For `graph`.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Self { users: Users::of(&graph), remaining: graph.remaining(), graph }
    }

    /// For a signature whose elements leave in order: chains go in the order of their numbers, what
    /// comes before them first.
    #[must_use]
    pub fn in_order(graph: Graph) -> Self {
        let mut plan = Self::new(graph);
        let chains = plan.graph.nodes.iter().map(|node| match node.place.function {
            Function::Chain | Function::ChainMask | Function::Element => node.place.chain + 1,
            _ => 0,
        });
        let last = u64::from(u32::MAX);
        let later = plan.remaining.iter().zip(chains);
        plan.remaining =
            later.map(|(rest, chain)| (last - u64::from(chain)) << 20 | rest).collect();
        plan
    }

    /// The graph.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Compressions one after the other on `units` units: the steps s(P) of an operation.
    #[must_use]
    pub fn units(&self, units: usize) -> u64 {
        self.released(units, 1.0, |_| 0.0).end().round() as u64
    }

    /// On `units` units that take `each` for a compression, no node before its release.
    #[must_use]
    pub fn released(&self, units: usize, each: f64, release: impl Fn(usize) -> f64) -> Schedule {
        let mut run = Run::new(self, &release);
        let mut now = 0.0;
        let (mut free, mut running) = (units.max(1), BinaryHeap::new());
        loop {
            run.admit(now);
            while free > 0
                && let Some((_, Reverse(node))) = run.ready.pop()
            {
                let end = now + f64::from(self.graph.nodes[node].weight) * each;
                running.push(Reverse((At(end), node)));
                free -= 1;
            }
            let next = running.peek().map(|Reverse((At(end), _))| *end);
            let waits = run.later.peek().filter(|_| free > 0).map(|Reverse((At(at), _))| *at);
            now = match (next, waits) {
                (Some(end), Some(at)) => end.min(at),
                (Some(at), None) | (None, Some(at)) => at,
                (None, None) => return Schedule { done: run.done },
            };
            while let Some(Reverse((At(end), node))) = running.peek().copied()
                && end <= now
            {
                running.pop();
                free += 1;
                run.finish(node, end);
            }
        }
    }

    /// On lanes that go together: up to `width` nodes in a step, which takes `cost` of the number of
    /// lanes in use.
    #[must_use]
    pub fn lanes(&self, width: usize, cost: impl Fn(usize) -> f64) -> Schedule {
        let mut run = Run::new(self, &|_| 0.0);
        let mut now = 0.0;
        loop {
            run.admit(now);
            let batch: Vec<usize> = std::iter::from_fn(|| run.ready.pop())
                .take(width.max(1))
                .map(|(_, Reverse(node))| node)
                .collect();
            if batch.is_empty() {
                return Schedule { done: run.done };
            }
            let longest = batch.iter().map(|node| self.graph.nodes[*node].weight).max();
            now += cost(batch.len()) * f64::from(longest.unwrap_or(1));
            batch.into_iter().for_each(|node| run.finish(node, now));
        }
    }
}

/// Compressions one after the other on `units` units, for a graph that is scheduled once.
#[must_use]
pub fn units(graph: &Graph, units: usize) -> u64 {
    Plan::new(graph.clone()).units(units)
}

/// A schedule that is being made.
struct Run<'g> {
    plan: &'g Plan,
    missing: Vec<u32>,
    release: &'g dyn Fn(usize) -> f64,
    /// Nodes that could run, the longest remaining way first.
    ready: BinaryHeap<(u64, Reverse<usize>)>,
    /// Nodes that wait for their release.
    later: BinaryHeap<Reverse<(At, usize)>>,
    done: Vec<f64>,
}

impl<'g> Run<'g> {
    fn new(plan: &'g Plan, release: &'g dyn Fn(usize) -> f64) -> Self {
        let nodes = &plan.graph.nodes;
        let missing: Vec<u32> = nodes.iter().map(|node| node.needs.len() as u32).collect();
        let later = (0..missing.len()).filter(|node| missing[*node] == 0);
        let later = later.map(|node| Reverse((At(release(node)), node))).collect();
        Self {
            plan,
            missing,
            release,
            ready: BinaryHeap::new(),
            later,
            done: vec![0.0; nodes.len()],
        }
    }

    /// Makes ready what is released by `now`.
    fn admit(&mut self, now: f64) {
        while let Some(Reverse((At(at), node))) = self.later.peek().copied()
            && at <= now
        {
            self.later.pop();
            self.ready.push((self.plan.remaining[node], Reverse(node)));
        }
    }

    fn finish(&mut self, node: usize, end: f64) {
        self.done[node] = end;
        for user in self.plan.users.of_node(node) {
            let user = *user as usize;
            self.missing[user] -= 1;
            if self.missing[user] == 0 {
                self.later.push(Reverse((At((self.release)(user).max(end)), user)));
            }
        }
    }
}

/// Who needs each node, in one list.
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
