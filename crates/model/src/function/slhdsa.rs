//! FIPS 205, Section 11 (Parameter Sets): hashes begin with PK.seed, padded to a block for SHA2,
//! followed by the address.

use super::{Function, Hints, Place, long, word};
use hasten_hbs::params::Hash;

pub(super) fn place(hints: &Hints<'_>, head: &[u8]) -> Option<Place> {
    let n = hints.set.n;
    if *head.get(..n)? != *hints.public_seed {
        return Some(Place::only(Function::Message));
    }
    match hints.set.hash {
        Hash::Shake128 | Hash::Shake256 => full(head.get(n..n + 32)?),
        _ => compressed(n, head),
    }
}

fn full(adrs: &[u8]) -> Option<Place> {
    Some(words(word(adrs, 0), long(adrs, 8), adrs[19], &adrs[20..]))
}

/// Returns the place of a hash with SHA2. Its first block is PK.seed padded with zeros, a block of
/// SHA-256 or of SHA-512.
fn compressed(n: usize, head: &[u8]) -> Option<Place> {
    let zeros = |block: usize| head.get(n..block).is_some_and(|z| z.iter().all(|b| *b == 0));
    let block = if zeros(128) { 128 } else { 64 };
    if !zeros(block) {
        return Some(Place::only(Function::Message));
    }
    let adrs = head.get(block..block + 22)?;
    Some(words(u32::from(adrs[0]), long(adrs, 1), adrs[9], &adrs[10..]))
}

fn words(layer: u32, tree: u64, kind: u8, last: &[u8]) -> Place {
    let function = match kind {
        0 => Function::Chain,
        1 => Function::Ends,
        2 => Function::Node,
        3 => Function::ForsNode,
        4 => Function::ForsRoots,
        5 => Function::Element,
        _ => Function::ForsElement,
    };
    let [leaf, chain, step] = [0, 4, 8].map(|at| word(last, at));
    Place { function, layer, tree, leaf, chain, step, part: 0 }
}

pub(super) fn names(function: Function, own: bool, signs: bool) -> Vec<&'static str> {
    let (ht, fors) = match signs {
        true => ("ht_sign", "fors_sign"),
        false => ("ht_verify", "fors_pkFromSig"),
    };
    let wots = match (signs, own) {
        (true, _) => "xmss_node",
        (false, _) => "wots_pkFromSig",
    };
    match function {
        Function::Prefix => vec!["prefixes"],
        Function::Randomizer => vec!["PRF_msg"],
        Function::Message => vec!["H_msg"],
        Function::Element => vec![ht, wots, "PRF"],
        Function::Chain => vec![ht, wots, "chain", "F"],
        Function::Ends => vec![ht, wots, "T_len"],
        Function::Node => vec![ht, "H"],
        Function::ForsElement => vec![fors, "PRF"],
        Function::ForsNode => vec![fors, "fors_node"],
        Function::ForsRoots => vec![fors, "T_k"],
        _ => vec!["other"],
    }
}
