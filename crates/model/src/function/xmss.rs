//! RFC 8391, section 5.1 (Implementing the Functions): toByte(function, pad) ‖ KEY ‖ ...; for PRF
//! the address follows the seed.

use super::{Function, Hints, Place, long, word};

pub(super) fn place(hints: &Hints<'_>, head: &[u8]) -> Option<Place> {
    let (n, pad) = (hints.set.n, hints.set.pad());
    match head.get(pad - 1)? {
        0 => Some(Place::only(Function::Chain)),
        1 => Some(Place::only(Function::Node)),
        2 => Some(Place::only(Function::Message)),
        3 if *head.get(pad..pad + n)? == *hints.public_seed => address(head.get(pad + n..)?),
        3 => Some(Place::only(Function::Randomizer)),
        _ => element(head.get(pad + 2 * n..)?),
    }
}

/// Parses an address of RFC 8391, section 2.5 (Hash Function Address Scheme).
fn address(adrs: &[u8]) -> Option<Place> {
    let words = [16, 20, 24, 28].map(|at| word(adrs, at));
    let base = Place { layer: word(adrs, 0), tree: long(adrs, 4), ..Place::only(Function::Other) };
    let [a, b, c, part] = words;
    let at = match word(adrs.get(..32)?, 12) {
        0 => Place { function: Function::ChainMask, leaf: a, chain: b, step: c, part, ..base },
        1 => Place { function: Function::EndsMask, leaf: a, chain: b, step: c, part, ..base },
        _ => Place { function: Function::NodeMask, chain: b, step: c, part, ..base },
    };
    Some(at)
}

fn element(adrs: &[u8]) -> Option<Place> {
    Some(Place { function: Function::Element, step: 0, ..address(adrs)? })
}

pub(super) fn names(function: Function, own: bool, signs: bool) -> Vec<&'static str> {
    let ots = match (own, signs) {
        (true, true) => &["WOTS_sign"][..],
        (true, false) => &["WOTS_pkFromSig"],
        (false, _) => &["treeHash", "WOTS_genPK"],
    };
    let ends = if own { &["ltree"][..] } else { &["treeHash", "ltree"] };
    let node = if signs { "treeHash" } else { "XMSS_rootFromSig" };
    match function {
        Function::Prefix => vec!["prefixes"],
        Function::Randomizer => vec!["PRF"],
        Function::Message => vec!["H_msg"],
        Function::Element => [ots, &["PRF_keygen"]].concat(),
        Function::ChainMask => [ots, &["chain", "F", "PRF"]].concat(),
        Function::Chain => [ots, &["chain", "F"]].concat(),
        Function::EndsMask => [ends, &["RAND_HASH", "PRF"]].concat(),
        Function::Ends => [ends, &["RAND_HASH"]].concat(),
        Function::NodeMask => vec![node, "RAND_HASH", "PRF"],
        Function::Node => vec![node, "RAND_HASH"],
        _ => vec!["other"],
    }
}
