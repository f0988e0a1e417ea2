//! Dependencies of a compression, found by content: the compressions that computed its starting
//! state and the pieces of its block.
//!
//! A value is recognised by the eight-byte pieces of its first n bytes, at any place of a block.
//! XMSS hashes values under a mask. There a piece is recognised as the exclusive or of a value and
//! an earlier output, tried at the places where masked values were found before.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::record::Step;
use crate::source::Source;

/// A hasher for pieces, which are already pseudorandom.
#[derive(Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, piece: u64) {
        self.0 = piece;
    }
}

type ByPiece<V> = HashMap<u64, V, BuildHasherDefault<Identity>>;

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An earlier compression.
    Node(u32),
    /// An input of the operation.
    Source(Source),
}

/// The dependencies of a compression.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// The compression whose final state is the starting state of this one.
    pub goes_on: Option<u32>,
    /// Compressions that this one needs, including `goes_on`.
    pub needs: Vec<u32>,
    /// Inputs of the operation that occur in the block.
    pub reads: Vec<Source>,
    /// The first bytes of the message, as far as it was hashed.
    pub head: Vec<u8>,
}

/// Number of bytes of a message that are kept to identify it.
const HEAD: usize = 232;
/// Length of a piece in bytes.
const PIECE: usize = 8;
/// Number of failed searches at all places, after which only known places are tried.
const PATIENCE: u32 = 40;
/// Number of outputs that a search at all places goes back.
const FAR: usize = 2048;

/// Finds the dependencies of each compression, in the order in which the compressions ran.
pub struct Linker {
    n: usize,
    masks: bool,
    rate: usize,
    pieces: ByPiece<(Origin, u8)>,
    states: HashMap<Vec<u8>, u32>,
    ends: Vec<Vec<u64>>,
    places: Vec<usize>,
    failed: u32,
    /// The dependencies found so far.
    pub links: Vec<Link>,
}

impl Linker {
    /// Creates a linker for values of n bytes, with masks or without; `rate` is that of the sponge.
    pub fn new(n: usize, masks: bool, rate: usize) -> Self {
        Self {
            n,
            masks,
            rate,
            pieces: HashMap::default(),
            states: HashMap::new(),
            ends: Vec::new(),
            places: Vec::new(),
            failed: 0,
            links: Vec::new(),
        }
    }

    /// Registers the bytes of an input.
    pub fn give(&mut self, source: Source, bytes: &[u8]) {
        for (i, piece) in pieces(bytes).enumerate() {
            self.pieces.insert(piece, (Origin::Source(source), i as u8));
        }
    }

    /// Returns the compression that computed the value beginning with `bytes`.
    pub fn made(&self, bytes: &[u8]) -> Option<u32> {
        match self.pieces.get(&pieces(bytes).next()?)?.0 {
            Origin::Node(node) => Some(node),
            Origin::Source(_) => None,
        }
    }

    /// Adds the next compression.
    pub fn add(&mut self, step: &Step) {
        let mut link = Link::default();
        let key = self.state_key(&step.start);
        link.goes_on = self.states.get(key).copied();
        let block = self.block(step, link.goes_on);
        if let Some(before) = link.goes_on {
            link.needs.push(before);
            link.head.clone_from(&self.links[before as usize].head);
        }
        let room = HEAD.saturating_sub(link.head.len()).min(block.len());
        link.head.extend(&block[..room]);
        let mut known = self.direct(&block, &mut link);
        if self.masks && self.after_key(&link) {
            self.masked(&block, &mut known, &mut link);
        }
        link.needs.sort_unstable();
        link.needs.dedup();
        self.keep(step, link);
    }

    fn keep(&mut self, step: &Step, link: Link) {
        let node = self.links.len() as u32;
        let key = self.state_key(&step.end).to_vec();
        self.states.insert(key, node);
        let kept = if step.end.len() == 200 { self.rate } else { self.n.min(step.end.len()) };
        let end: Vec<u64> = pieces(&step.end[..kept]).collect();
        for (i, piece) in end.iter().enumerate().take(self.n / PIECE) {
            self.pieces.insert(*piece, (Origin::Node(node), i as u8));
        }
        self.ends.push(end);
        self.links.push(link);
    }

    /// Returns the part of a state that identifies it: the whole state, or the capacity of a
    /// sponge.
    fn state_key<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        if state.len() == 200 { &state[self.rate..] } else { state }
    }

    /// Returns the block that was absorbed.
    fn block(&self, step: &Step, before: Option<u32>) -> Vec<u8> {
        if step.start.len() != 200 {
            return step.block.clone();
        }
        let mut block = step.start[..self.rate].to_vec();
        if let Some(before) = before {
            for (piece, end) in block.chunks_exact_mut(PIECE).zip(&self.ends[before as usize]) {
                piece.iter_mut().zip(end.to_le_bytes()).for_each(|(b, e)| *b ^= e);
            }
        }
        block
    }

    /// Finds values that occur unmasked in the block. Returns which bytes of the block are
    /// explained.
    fn direct(&self, block: &[u8], link: &mut Link) -> Vec<bool> {
        let mut known = vec![false; block.len()];
        let mut at = 0;
        while at + PIECE <= block.len() {
            match self.pieces.get(&piece(&block[at..])) {
                Some((origin, _)) => {
                    note(link, *origin);
                    known[at..at + PIECE].fill(true);
                    at += PIECE;
                }
                None => at += 1,
            }
        }
        known
    }

    /// Returns true if a computed key precedes the block: only then can it contain masked values.
    fn after_key(&self, link: &Link) -> bool {
        let own = |link: &Link| link.needs.iter().any(|node| Some(*node) != link.goes_on);
        own(link) || link.goes_on.is_some_and(|before| own(&self.links[before as usize]))
    }

    /// Finds masked values: first at places where some were found before, then anywhere.
    fn masked(&mut self, block: &[u8], known: &mut [bool], link: &mut Link) {
        for at in self.places.clone() {
            self.try_place(block, known, at, usize::MAX, link);
        }
        if self.failed >= PATIENCE {
            return;
        }
        let mut missed = false;
        for at in (0..=block.len() - PIECE).step_by(4) {
            if open(block, known, at) && !self.try_place(block, known, at, FAR, link) {
                missed = true;
            }
        }
        self.failed += u32::from(missed);
    }

    /// Returns true if there is a masked value at `at`; the whole value is then marked as
    /// explained.
    fn try_place(
        &mut self,
        block: &[u8],
        known: &mut [bool],
        at: usize,
        far: usize,
        link: &mut Link,
    ) -> bool {
        if !open(block, known, at) {
            return false;
        }
        let Some(part) = self.under_mask(piece(&block[at..]), far, link) else { return false };
        let from = at.saturating_sub(part * PIECE);
        let to = (at + self.n - part * PIECE).min(known.len());
        known[from..to].fill(true);
        if !self.places.contains(&from) {
            self.places.push(from);
        }
        true
    }

    /// Searches the last outputs for a mask that turns `piece` into a piece of a known value.
    /// Returns the number of that piece in the value.
    fn under_mask(&self, piece: u64, far: usize, link: &mut Link) -> Option<usize> {
        let recent = self.ends.iter().enumerate().rev().take(far);
        for (mask, end) in recent {
            for (i, part) in end.iter().enumerate().take(self.n / PIECE) {
                if let Some((origin, at)) = self.pieces.get(&(piece ^ part))
                    && usize::from(*at) == i
                    && *origin != Origin::Node(mask as u32)
                {
                    note(link, *origin);
                    link.needs.push(mask as u32);
                    return Some(i);
                }
            }
        }
        None
    }
}

/// Returns true if the eight bytes at `at` are not yet explained, and are not padding.
fn open(block: &[u8], known: &[bool], at: usize) -> bool {
    let Some(bytes) = block.get(at..at + PIECE) else { return false };
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    zeros < PIECE / 2 && known[at..at + PIECE].iter().all(|known| !known)
}

fn note(link: &mut Link, origin: Origin) {
    match origin {
        Origin::Node(node) => link.needs.push(node),
        Origin::Source(source) if !link.reads.contains(&source) => link.reads.push(source),
        Origin::Source(_) => {}
    }
}

fn piece(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..PIECE].try_into().expect("eight bytes"))
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(PIECE).map(piece)
}
