//! HSS: an LMS key signs the messages, and the keys above have signed that key before.

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::LimitedGeneration;
use hasten_hbs::{Error, Set, VerifierLevel};

use super::{Digits, Profiles};
use crate::graph::Graph;
use crate::operation::Operation;

/// Returns the number of bytes that a signer holds for its trees: public nodes and upper
/// signatures.
#[must_use]
pub fn tree_bytes(set: &Set) -> usize {
    if matches!(set.scheme, Scheme::SlhDsa { .. }) {
        // A set with a signature limit keeps a row of its tree and all nodes above it.
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

/// Returns the graph of an HSS operation. Signing runs only the lowest level, because the
/// signatures above are made ahead. Verifying runs every level, none of which waits for another;
/// from level `node-cache` on, the keys above are known and only the lowest level runs.
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
        // A level above signs the public key of the level below.
        let message = levels.get(i + 1).map_or(message, |below| below.public_key_bytes());
        let side = profiles.side(set, operation, digits, message)?;
        append(&mut graph, side.plan.graph(), i == lowest);
    }
    Ok(graph)
}

/// Appends `other` as an independent part. `signs` is true if its elements belong to the signature
/// of the message.
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
