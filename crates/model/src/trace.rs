//! A recorded operation: its compressions, with the function, the needs and the dependence of each.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use hasten_hbs::Set;
use hasten_hbs::params::{Hash as HashFunction, Scheme};

use crate::function::{self, Function, Hints, Place};
use crate::graph::{Graph, Node};
use crate::link::{Link, Linker};
use crate::record::Step;
use crate::source::{Depends, Source};

/// The recording of one operation.
pub(crate) struct Recording {
    pub set: &'static Set,
    pub signs: bool,
    pub makes_key: bool,
    pub leaf: u32,
    pub public_seed: Vec<u8>,
    /// Inputs of the operation, with their kinds.
    pub given: Vec<(Source, Vec<u8>)>,
    /// Steps before the message: prefixes and preparation.
    pub before: Vec<Step>,
    /// Steps of the operation.
    pub steps: Vec<Step>,
    /// Elements of the resulting one-time signature, to find the compression that computed each.
    pub made: Vec<Vec<u8>>,
}

/// Inputs of the compressions in other runs of the same operation.
pub(crate) struct Runs {
    /// Runs with other messages and other digests. A compression that is in all of them does not
    /// depend on the message.
    others: Vec<HashSet<u64>>,
    /// A run at another index.
    elsewhere: HashSet<u64>,
}

impl Runs {
    pub(crate) fn of(others: &[Vec<Step>], elsewhere: &[Step]) -> Self {
        let others = others.iter().map(|run| inputs(run)).collect();
        Self { others, elsewhere: inputs(elsewhere) }
    }

    fn depends(&self, step: &Step) -> Depends {
        let key = input(step);
        match (self.others.iter().all(|run| run.contains(&key)), self.elsewhere.contains(&key)) {
            (false, _) => Depends::Message,
            (true, false) => Depends::Index,
            (true, true) => Depends::Key,
        }
    }
}

/// A recorded operation.
pub struct Trace {
    /// The parameter set.
    pub set: &'static Set,
    /// True if the operation signs or generates a key.
    pub signs: bool,
    pub(crate) makes_key: bool,
    pub(crate) nodes: Vec<TraceNode>,
    pub(crate) outputs: Vec<Option<u32>>,
}

/// A compression of the operation.
#[derive(Clone, Debug)]
pub(crate) struct TraceNode {
    pub call: u32,
    pub place: Place,
    pub own: bool,
    pub needs: Vec<u32>,
    pub reads: Vec<Source>,
    pub depends: Depends,
    pub bytes: u32,
    /// Number of equivalent compressions that this one represents, including itself.
    pub times: u64,
}

impl From<&TraceNode> for Node {
    fn from(node: &TraceNode) -> Self {
        let TraceNode { needs, reads, place, depends, times, .. } = node.clone();
        Self { needs, reads, place, depends, weight: 1, times }
    }
}

impl Trace {
    pub(crate) fn of(recording: &Recording, runs: &Runs) -> Self {
        let masks = matches!(recording.set.scheme, Scheme::Xmss | Scheme::XmssMt);
        let linker = link(recording, masks);
        let places = places(recording, &linker.links);
        let first = recording.before.len() as u32;
        let node = |(i, step): (usize, &Step)| {
            let at = first as usize + i;
            let online = |node: &u32| node.checked_sub(first);
            let place = places[at];
            TraceNode {
                call: step.call,
                own: own(recording, &place),
                place,
                needs: linker.links[at].needs.iter().filter_map(online).collect(),
                reads: linker.links[at].reads.clone(),
                depends: runs.depends(step),
                bytes: (step.start.len() + step.block.len() + step.end.len()) as u32,
                times: 1,
            }
        };
        let nodes = recording.steps.iter().enumerate().map(node).collect();
        let made = |value: &Vec<u8>| linker.made(value).and_then(|node| node.checked_sub(first));
        let outputs = recording.made.iter().map(made).collect();
        let Recording { set, signs, makes_key, .. } = *recording;
        Self { set, signs, makes_key, nodes, outputs }
    }

    /// Returns the compressions with their dependencies. A compression also depends on the value
    /// that selects it: the digest of the message or, in higher layers, the root below, from which
    /// the digits are taken.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let mut nodes: Vec<Node> = self.nodes.iter().map(Node::from).collect();
        let digest = self.digest();
        let mut roots = BTreeMap::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let gate = if self.signs {
                digest.filter(|_| node.depends == Depends::Message)
            } else {
                gate(&node.place, digest, &roots)
            };
            if let Some(gate) = gate.filter(|gate| (*gate as usize) < i)
                && !nodes[i].needs.contains(&gate)
            {
                nodes[i].needs.push(gate);
            }
            if let Some(above) = signed_above(&node.place) {
                roots.insert(above, i as u32);
            }
        }
        Graph { nodes, outputs: self.outputs.clone() }
    }

    /// Returns the last compression of the message hash in a recording, counted from the first step
    /// of the operation.
    pub(crate) fn digest_of(recording: &Recording) -> Option<u32> {
        let places = places(recording, &link(recording, false).links);
        let steps = &places[recording.before.len()..];
        let last = steps.iter().rposition(|place| place.function == Function::Message);
        last.map(|at| at as u32)
    }

    /// Returns the last compression of the message hash.
    pub(crate) fn digest(&self) -> Option<u32> {
        let last = self.nodes.iter().rposition(|n| n.place.function == Function::Message);
        last.map(|at| at as u32)
    }

    /// Returns the names of the functions that contain a compression, outermost first.
    pub(crate) fn names(&self, node: &TraceNode) -> Vec<&'static str> {
        let mut names = function::names(self.set, node.place.function, node.own, self.signs);
        names.retain(|name| !(self.makes_key && *name == "ht_sign"));
        names
    }
}

/// Returns, for a verification, the compression that determines which steps of a chain are left, or
/// where in a FORS tree a leaf is.
fn gate(place: &Place, digest: Option<u32>, roots: &BTreeMap<u32, u32>) -> Option<u32> {
    use Function::{Chain, ChainMask, ForsNode};
    match place.function {
        Chain | ChainMask => roots.get(&place.layer).copied().or(digest),
        ForsNode => digest,
        _ => None,
    }
}

/// Returns the layer whose one-time key signs this value, if it is the last of its tree.
fn signed_above(place: &Place) -> Option<u32> {
    match place.function {
        Function::Node => Some(place.layer + 1),
        Function::ForsRoots => Some(0),
        _ => None,
    }
}

fn link(recording: &Recording, masks: bool) -> Linker {
    let set = recording.set;
    let rate = if set.hash == HashFunction::Shake128 { 168 } else { 136 };
    let mut linker = Linker::new(set.n, masks, rate);
    for (source, bytes) in &recording.given {
        linker.give(*source, bytes);
    }
    recording.before.iter().chain(&recording.steps).for_each(|step| linker.add(step));
    linker
}

/// Returns the place of every compression, determined from its message, or for a hash under a key
/// from the place of the key.
fn places(recording: &Recording, links: &[Link]) -> Vec<Place> {
    let hints = Hints { set: recording.set, public_seed: &recording.public_seed };
    let mut places: Vec<Option<Place>> = Vec::with_capacity(links.len());
    for link in links {
        let read = function::place(&hints, &link.head);
        let keyed = |need: &u32| places[*need as usize].and_then(|mask| under(&mask));
        let inherited = link.needs.iter().rev().find_map(keyed);
        let before = link.goes_on.and_then(|before| places[before as usize]);
        let bare = |place: &Place| matches!(place.function, Function::Chain | Function::Node);
        let xmss = matches!(recording.set.scheme, Scheme::Xmss | Scheme::XmssMt);
        places.push(match read {
            Some(place) if xmss && bare(&place) => before.or(inherited).or(read),
            read => read,
        });
    }
    fill(links, &mut places);
    places.into_iter().map(|place| place.unwrap_or(Place::only(Function::Prefix))).collect()
}

/// Returns the place of the hash that uses this key or mask.
fn under(mask: &Place) -> Option<Place> {
    let function = match mask.function {
        Function::ChainMask => Function::Chain,
        Function::EndsMask => Function::Ends,
        Function::NodeMask => Function::Node,
        _ => return None,
    };
    Some(Place { function, part: 0, ..*mask })
}

/// Assigns each beginning from which only one hash continues to that hash.
fn fill(links: &[Link], places: &mut [Option<Place>]) {
    let mut followers = vec![(0, None); links.len()];
    for i in (0..links.len()).rev() {
        if places[i].is_none() && followers[i].0 == 1 {
            places[i] = followers[i].1;
        }
        if let Some(before) = links[i].goes_on {
            let follower = &mut followers[before as usize];
            *follower = (follower.0 + 1, places[i]);
        }
    }
}

fn own(recording: &Recording, place: &Place) -> bool {
    let tree = matches!(place.function, Function::Node | Function::NodeMask);
    tree || place.layer > 0 || place.leaf == recording.leaf
}

fn inputs(run: &[Step]) -> HashSet<u64> {
    run.iter().map(input).collect()
}

fn input(step: &Step) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&step.start, &step.block).hash(&mut hasher);
    hasher.finish()
}
