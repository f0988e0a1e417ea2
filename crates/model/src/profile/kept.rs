//! Recordings stored as text, for use where there is no time to record: one line for each side of a
//! set.
//!
//! A longer message only adds blocks to its hash. A set is therefore stored with the shortest
//! message, and a stored graph is lengthened for the requested message.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use hasten_hbs::params::{Hash, Scheme};
use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use serde::{Deserialize, Serialize};

use super::{Digits, Key, Profiles};
use crate::function::{Function, Place};
use crate::graph::{Graph, Node};
use crate::operation::Operation;
use crate::source::{Depends, Source};

/// Length in bytes of the message with which sets are stored. Shorter ones are not recognised in a
/// block.
pub const SHORTEST: usize = 8;

/// The levels that are stored: the default levels of a search.
const SIGNER: [SignerLevel; 3] =
    [SignerLevel::EarlyAuth, SignerLevel::Masks, SignerLevel::ChainTable];
const VERIFIER: [VerifierLevel; 3] =
    [VerifierLevel::None, VerifierLevel::Masks, VerifierLevel::OtsKey];

/// A compression: its function, chain, distances back to the compressions that it needs, and inputs
/// that it reads.
type Step = (Function, u32, Vec<u32>, Vec<Source>);

/// Identification of a side: set, operation, level, and digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Name(String, String, String, usize);

/// A side as it is stored.
#[derive(Serialize, Deserialize)]
struct Line {
    name: Name,
    /// Number of compressions of a side whose graph is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    work: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Step>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<Option<u32>>,
}

/// Stored recordings. Copies share them.
#[derive(Clone, Default)]
pub struct Kept(Rc<HashMap<Name, Text>>);

/// A line, and its contents once parsed: the number of compressions without a graph, or the graph.
struct Text(String, OnceCell<(Option<u64>, Graph)>);

impl Text {
    fn read(&self) -> &(Option<u64>, Graph) {
        self.1.get_or_init(|| match serde_json::from_str::<Line>(&self.0) {
            Ok(line) => (line.work, graph(line)),
            Err(_) => (None, Graph::default()),
        })
    }
}

impl Kept {
    /// Reads the output of [`keep`]; other lines are ignored.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let line = |line: &str| {
            let (name, line) = line.split_once('\t')?;
            Some((serde_json::from_str(name).ok()?, Text(line.to_owned(), OnceCell::new())))
        };
        Self(Rc::new(text.lines().filter_map(line).collect()))
    }

    /// Returns the same side with the shortest message that takes as many blocks, if the side is
    /// stored: both have the same graph.
    pub(super) fn alike(&self, set: &Set, key: Key) -> Key {
        let (name, operation, digits, message) = key;
        let same = |shorter: &usize| more(set, *shorter) == more(set, message);
        let kept = self.0.contains_key(&named(&key)) && more(set, message).is_some();
        let shorter = (0..message).rev().take(rate(set)).take_while(same);
        let shortest = shorter.last().filter(|_| kept);
        (name, operation, digits, shortest.unwrap_or(message))
    }

    /// Returns the graph of a side for the length of its message, if it is stored.
    pub(super) fn graph(&self, set: &Set, key: &Key) -> Option<Graph> {
        let (_, graph) = self.0.get(&named(key))?.read();
        (!graph.nodes.is_empty()).then_some(lengthened(graph, more(set, key.3)?))
    }

    /// Returns the number of blocks by which the message is longer than the shortest, if a graph of
    /// the side is stored.
    pub(super) fn more(&self, set: &Set, key: &Key) -> Option<usize> {
        let (_, graph) = self.0.get(&named(key))?.read();
        more(set, key.3).filter(|_| !graph.nodes.is_empty())
    }

    /// Returns the number of compressions of a side, if its graph is not stored.
    pub(super) fn work(&self, set: &Set, key: &Key) -> Option<u64> {
        let (work, _) = self.0.get(&named(key))?.read();
        Some((*work)? + more(set, key.3)? as u64)
    }
}

/// Records `sets` at the default levels, and returns them as text for [`Kept::read`].
///
/// # Errors
/// As [`Request::record`](crate::Request::record).
pub fn keep(sets: &[&'static Set]) -> Result<String, Error> {
    let profiles = Profiles::default();
    let mut text = String::new();
    for set in sets {
        let sign = SIGNER.map(Operation::Sign);
        for operation in sign.into_iter().chain(VERIFIER.map(Operation::Verify)) {
            for digits in Digits::ALL {
                let key = (set.name, operation, digits, SHORTEST);
                let side = profiles.side(set, operation, digits, SHORTEST)?;
                text += &written(&key, None, side.plan.graph());
            }
        }
        let key = (set.name, Operation::Sign(SignerLevel::None), Digits::LongSign, SHORTEST);
        let work = profiles.side(set, key.1, key.2, SHORTEST)?.work();
        text += &written(&key, Some(work), &Graph::default());
    }
    Ok(text)
}

fn written(key: &Key, work: Option<u64>, graph: &Graph) -> String {
    let step = |(at, node): (usize, &Node)| {
        let back = node.needs.iter().map(|need| at as u32 - need).collect();
        (node.place.function, node.place.chain, back, node.reads.clone())
    };
    let line = Line {
        name: named(key),
        work,
        steps: graph.nodes.iter().enumerate().map(step).collect(),
        outputs: graph.outputs.clone(),
    };
    let json = |name: &Name| serde_json::to_string(name).expect("text and a number");
    let name = json(&line.name);
    format!("{name}\t{}\n", serde_json::to_string(&line).expect("plain values"))
}

fn named(key: &Key) -> Name {
    let (set, operation, digits, _) = key;
    let (op, level) = match operation {
        Operation::Keygen => ("keygen", ""),
        Operation::Sign(level) => ("sign", level.name()),
        Operation::Verify(level) => ("verify", level.name()),
    };
    let digits = Digits::ALL.iter().position(|each| each == digits).unwrap_or_default();
    Name((*set).to_owned(), op.to_owned(), level.to_owned(), digits)
}

fn graph(line: Line) -> Graph {
    let node = |(at, (function, chain, back, reads)): (usize, Step)| Node {
        needs: back.into_iter().filter_map(|back| (at as u32).checked_sub(back)).collect(),
        reads,
        place: Place { chain, ..Place::only(function) },
        depends: Depends::Message,
        weight: 1,
        times: 1,
    };
    let nodes = line.steps.into_iter().enumerate().map(node).collect();
    Graph { nodes, outputs: line.outputs }
}

/// Returns the number of blocks by which a message's hash is longer than that of the shortest
/// message.
fn more(set: &Set, message: usize) -> Option<usize> {
    blocks(set, message)?.checked_sub(blocks(set, SHORTEST)?).filter(|_| message >= SHORTEST)
}

/// Returns the length of a block in bytes.
fn rate(set: &Set) -> usize {
    match set.hash {
        Hash::Shake128 => 168,
        Hash::Shake256 => 136,
        _ => 64,
    }
}

/// Returns the number of blocks of a message's hash, or `None` for sets that are not stored.
fn blocks(set: &Set, message: usize) -> Option<usize> {
    // Bytes before the message. RFC 8391: toByte(2, padding), r, root and the index; RFC 8554: I,
    // q, D_MESG and C.
    let before = match set.scheme {
        Scheme::Xmss if set.n == 24 => 4 + 3 * set.n,
        Scheme::Xmss => 4 * set.n,
        Scheme::Lms { .. } => 22 + set.n,
        _ => return None,
    };
    match set.hash {
        Hash::Sha256 => Some((before + message + 9).div_ceil(64)),
        Hash::Shake128 | Hash::Shake256 => Some((before + message) / rate(set) + 1),
        _ => None,
    }
}

/// Returns the graph with `more` blocks inserted after the last one of the message hash.
fn lengthened(graph: &Graph, more: usize) -> Graph {
    let hashes = |node: &Node| node.place.function == Function::Message;
    let Some(last) = graph.nodes.iter().rposition(hashes).filter(|_| more > 0) else {
        return graph.clone();
    };
    let more = more as u32;
    let moved = |node: u32| if node >= last as u32 { node + more } else { node };
    let mut nodes = graph.nodes[..=last].to_vec();
    for at in last as u32..last as u32 + more {
        let block = &graph.nodes[last];
        nodes.push(Node { needs: vec![at], reads: vec![Source::Message], ..block.clone() });
    }
    nodes.extend(graph.nodes[last + 1..].iter().map(|node| {
        let needs = node.needs.iter().map(|need| moved(*need)).collect();
        Node { needs, ..node.clone() }
    }));
    let outputs = graph.outputs.iter().map(|out| out.map(moved)).collect();
    Graph { nodes, outputs }
}
