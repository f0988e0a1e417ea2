//! Messages hashed in RFC 8554, section 4.3 (Public Key) and the sections around it: I ‖ u32str(q)
//! ‖ u16str(i or a constant) ‖ ...

use super::{Function, Hints, Place, word};

/// Length of I, q and i in bytes.
const FRONT: usize = 22;

pub(super) fn place(hints: &Hints<'_>, head: &[u8]) -> Option<Place> {
    let kind = u16::from_be_bytes(head.get(20..FRONT)?.try_into().expect("two bytes"));
    let (leaf, step) = (word(head, 16), u32::from(*head.get(FRONT)?));
    let only = |function| Some(Place { leaf, ..Place::only(function) });
    match kind {
        0x8080 => only(Function::Ends),
        0x8181 => only(Function::Message),
        0x8282 => only(Function::Leaf),
        0x8383 => Some(Place { step: leaf, ..Place::only(Function::Node) }),
        i if usize::from(i) >= hints.set.len() => only(Function::Randomizer),
        i if step == 0xff => {
            Some(Place { chain: u32::from(i), leaf, ..Place::only(Function::Element) })
        }
        i => Some(Place { chain: u32::from(i), step, leaf, ..Place::only(Function::Chain) }),
    }
}

pub(super) fn names(function: Function, own: bool, signs: bool) -> Vec<&'static str> {
    let ots = match (own, signs) {
        (true, true) => &["LMOTS_sign"][..],
        (true, false) => &["LMOTS_Kc"],
        (false, _) => &["tree", "LMOTS_publicKey"],
    };
    match function {
        Function::Prefix => vec!["prefixes"],
        Function::Randomizer => vec!["C"],
        Function::Message => vec!["Q"],
        Function::Element => [ots, &["x_q"]].concat(),
        Function::Chain => [ots, &["chain", "step"]].concat(),
        Function::Ends => [ots, &["K"]].concat(),
        Function::Leaf => vec!["tree", "leaf"],
        Function::Node => vec!["tree", "node"],
        _ => vec!["other"],
    }
}
