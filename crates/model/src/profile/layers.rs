//! HSS: a key of LMS signs the messages, and keys above it have signed that key before.

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::LimitedGeneration;
use hasten_hbs::{Error, Set, VerifierLevel};

use super::{Digits, Profiles};
use crate::graph::Graph;
use crate::operation::Operation;

/// Returns the bytes of public nodes that a signer holds for its trees.
#[must_use]
pub fn tree_bytes(set: &Set) -> usize {
    if matches!(set.scheme, Scheme::SlhDsa { .. }) {
        // A set with a limit keeps a row of its tree, and all above it.
        let row = if set.limit.is_some() { LimitedGeneration::row_bytes(set) } else { 0 };
        return (2 * row).saturating_sub(set.n);
    }
    if let Scheme::Hss { levels } = set.scheme {
        let above = levels[..levels.len() - 1].iter().zip(&levels[1..]);
        let signed =
            |(own, child): (&&Set, &&Set)| own.signature_bytes() + child.public_key_bytes();
        return levels.iter().map(|level| tree_bytes(level)).sum::<usize>()
            + above.map(signed).sum::<usize>();
    }
    let h = set.tree_height();
    let cut = match h {
        0..=4 => h / 2,
        5..=9 => 3,
        10..=14 => 4,
        15..=19 => 5,
        20..=24 => 6,
        _ => 8,
    };
    let tree = ((2 << (h - cut)) - 1 + 2 * ((2 << cut) - 1)) * set.n;
    let upper = set.ots_bytes() + set.path_bytes();
    let layers = set.d as usize;
    layers * 2 * tree + (layers - 1) * upper
}

/// Returns what runs of HSS: to sign, the lowest level alone, for the signatures above are made
/// ahead; to verify, every level, none of which waits for another, until node-cache keeps the keys
/// above.
///
/// # Errors
/// As [`Request::record`](crate::Request::record).
pub(super) fn graph(
    profiles: &Profiles,
    levels: &[&'static Set],
    operation: Operation,
    digits: Digits,
    message: usize,
) -> Result<Graph, Error> {
    let all = operation == Operation::Verify(VerifierLevel::None)
        || operation == Operation::Verify(VerifierLevel::Masks);
    let lowest = levels.len() - 1;
    let mut graph = Graph::default();
    for (i, set) in levels.iter().enumerate().filter(|(i, _)| all || *i == lowest) {
        // A level above signs the public key below it.
        let message = levels.get(i + 1).map_or(message, |below| below.public_key_bytes());
        let side = profiles.side(set, operation, digits, message)?;
        append(&mut graph, side.plan.graph(), i == lowest);
    }
    Ok(graph)
}

/// Puts `other` beside what is there; `signs` if its elements are those of the message.
fn append(graph: &mut Graph, other: &Graph, signs: bool) {
    let first = graph.nodes.len() as u32;
    let moved = other.nodes.iter().map(|node| {
        let needs = node.needs.iter().map(|need| need + first).collect();
        crate::Node { needs, ..node.clone() }
    });
    graph.nodes.extend(moved);
    if signs {
        graph.outputs = other.outputs.iter().map(|out| out.map(|node| node + first)).collect();
    }
}
