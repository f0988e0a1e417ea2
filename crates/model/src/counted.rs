//! Tall trees, counted by their shape: a recorded tree represents a taller one.
//!
//! All subtrees of one height compute the same. A tree of height H therefore has 2^(H - h) times
//! the compressions of one of its subtrees of height h, and 2^(H - z) nodes at each height z above
//! it. Each node of the recorded tree is counted for all equivalent nodes, and one node is added
//! above its root for every further height. Compressions, critical path and functions are then
//! those of the tall tree. They do not depend on which of its nodes a message opens.

use crate::function::Function;
use crate::trace::{Trace, TraceNode};

/// A kind of tree, with the recorded and the true height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taller {
    /// The function of its nodes, including the root.
    pub nodes: Function,
    /// The functions of all compressions in the tree.
    pub inside: &'static [Function],
    /// The recorded height.
    pub from: u32,
    /// The true height.
    pub to: u32,
}

impl Taller {
    /// Returns the description of FORS trees of height `to` that are recorded with height `from`.
    pub const fn fors(from: u32, to: u32) -> Self {
        use Function::{ForsElement, ForsNode};
        Self { nodes: ForsNode, inside: &[ForsElement, ForsNode], from, to }
    }

    /// Returns the description of trees of one-time keys of height `to` that are recorded with
    /// height `from`.
    pub const fn keys(from: u32, to: u32) -> Self {
        use Function::{Chain, Element, Ends, Node};
        Self { nodes: Node, inside: &[Element, Chain, Ends, Node], from, to }
    }

    fn is_root(&self, node: &TraceNode) -> bool {
        node.place.function == self.nodes && node.place.chain == self.from
    }

    /// Returns, for every node, whether it belongs to one of the trees.
    fn members(&self, nodes: &[TraceNode]) -> Vec<bool> {
        let mut members: Vec<bool> = nodes.iter().map(|node| self.is_root(node)).collect();
        for at in (0..nodes.len()).rev().filter(|at| members[*at]).collect::<Vec<_>>() {
            let mut below = vec![at];
            while let Some(at) = below.pop() {
                for need in nodes[at].needs.iter().map(|need| *need as usize) {
                    if !members[need] && self.inside.contains(&nodes[need].place.function) {
                        members[need] = true;
                        below.push(need);
                    }
                }
            }
        }
        members
    }

    /// Returns the nodes to be added above a root, which has the index `at`.
    fn above(self, root: TraceNode, at: u32) -> impl Iterator<Item = TraceNode> {
        (self.from + 1..=self.to).zip(at..).map(move |(height, below)| {
            let mut node = root.clone();
            node.place.chain = height;
            node.needs = vec![below];
            node.times = 1 << (self.to - height);
            node
        })
    }
}

impl Trace {
    /// Returns the trace with the trees of one kind extended to their true height.
    pub(crate) fn with(self, taller: Taller) -> Self {
        if taller.from >= taller.to {
            return self;
        }
        let members = taller.members(&self.nodes);
        let mut nodes: Vec<TraceNode> = Vec::with_capacity(self.nodes.len());
        let mut moved: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for (mut node, member) in self.nodes.into_iter().zip(members) {
            node.needs.iter_mut().for_each(|need| *need = moved[*need as usize]);
            let is_root = taller.is_root(&node);
            if member {
                node.times <<= taller.to - taller.from;
            }
            nodes.push(node);
            if is_root {
                let at = nodes.len() as u32 - 1;
                let above: Vec<_> = taller.above(nodes[at as usize].clone(), at).collect();
                nodes.extend(above);
            }
            moved.push(nodes.len() as u32 - 1);
        }
        let outputs = self.outputs.into_iter().map(|out| out.map(|node| moved[node as usize]));
        Self { outputs: outputs.collect(), nodes, ..self }
    }
}
