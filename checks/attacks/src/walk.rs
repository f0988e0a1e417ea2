//! The one-time keys inside signatures, read from their bytes without any code of Hasten: RFC 8554,
//! section 6.2 (Signature Generation), RFC 8391, section 4.1.8 (XMSS Signature) and RFC 8391,
//! section 4.2.3 (XMSS^MT Signature).

use sha2::{Digest as _, Sha256};

/// One use of a one-time key.
#[derive(Debug, PartialEq, Eq)]
pub struct Use {
    /// The key: its tree and leaf.
    pub key: Vec<u8>,
    /// Digest of the randomizer and the chain values it signed with.
    pub value: [u8; 32],
}

/// The one-time keys that a signature used.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The index over all levels. A torn signature has one if its last level has begun.
    pub index: Option<u64>,
    /// Every one-time key of which the signature has a value, the top tree's first.
    pub uses: Vec<Use>,
    /// Whether the signature has exactly its length.
    pub whole: bool,
}

/// Layout of the signatures of a parameter set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// HSS, and LMS as HSS of one level: the signature's bytes contain the rest.
    Hss,
    /// XMSS and XMSS^MT: bytes of a hash, number of chains, total height, number of layers.
    Xmss { n: usize, chains: usize, height: usize, layers: usize },
}

impl Form {
    /// Returns the form of the set that `alg` names.
    pub fn of(alg: &str) -> Option<Self> {
        let Some((_, numbers)) = alg.split_once("XMSS") else {
            return (alg.starts_with("LMS") || alg.starts_with("HSS(")).then_some(Self::Hss);
        };
        let mut parts = numbers.split('_').skip(1);
        let mut tree = parts.next()?.split('/').map(str::parse);
        let height = tree.next()?.ok()?;
        let layers = tree.next().map_or(Some(1), Result::ok)?;
        let n = parts.next()?.parse::<usize>().ok()? / 8;
        Some(Self::Xmss { n, chains: 2 * n + 3, height, layers })
    }

    /// Reads a signature, or the beginning of one.
    pub fn trail(&self, signature: &[u8]) -> Trail {
        match self {
            Self::Hss => Hss::default().read(signature),
            Self::Xmss { n, chains, height, layers } => {
                xmss(signature, *n, *chains, *height, *layers)
            }
        }
    }
}

/// State while reading an HSS signature.
#[derive(Default)]
struct Hss {
    trail: Trail,
    /// Identifier of the current tree. It is empty for the top tree.
    tree: Vec<u8>,
    index: u64,
}

impl Hss {
    fn read(mut self, signature: &[u8]) -> Trail {
        let rest = self.levels(signature);
        self.trail.whole = rest.is_some_and(<[u8]>::is_empty);
        self.trail
    }

    fn levels<'s>(&mut self, signature: &'s [u8]) -> Option<&'s [u8]> {
        let (below, mut rest) = number(signature)?;
        for level in 0..=below.min(7) {
            rest = self.level(rest, level == below)?;
        }
        Some(rest)
    }

    /// Reads one level: the LMS signature, and the public key it signs if there is a level below.
    fn level<'s>(&mut self, bytes: &'s [u8], is_last: bool) -> Option<&'s [u8]> {
        let (leaf, rest) = number(bytes)?;
        let (ots, body) = number(rest)?;
        let (n, chains) = one_time(ots)?;
        let length = n * (chains + 1);
        let end = body.get(length..).and_then(number);
        let height = end.and_then(|(lms, _)| tree(lms)).map(|(height, _)| height);
        self.index = (self.index << height.unwrap_or(0)) | u64::from(leaf);
        if is_last && body.len() >= n {
            self.trail.index = Some(self.index);
        }
        let key = [self.tree.as_slice(), &leaf.to_be_bytes()].concat();
        if body.len() >= length || is_last && body.len() >= n {
            self.note(key, &body[..length.min(body.len())]);
        }
        let (lms, rest) = end?;
        let (height, m) = tree(lms)?;
        let rest = rest.get(height * m..)?;
        if is_last {
            return Some(rest);
        }
        self.tree = rest.get(8..24)?.to_vec();
        rest.get(24 + m..)
    }

    fn note(&mut self, key: Vec<u8>, value: &[u8]) {
        self.trail.uses.push(Use { key, value: Sha256::digest(value).into() });
    }
}

fn xmss(bytes: &[u8], n: usize, chains: usize, height: usize, layers: usize) -> Trail {
    let width = if layers == 1 { 4 } else { height.div_ceil(8) };
    let (ots, own) = (n * chains, height / layers);
    let mut trail = Trail::default();
    if bytes.len() < width + n {
        return trail;
    }
    let index = bytes[..width].iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    trail.index = Some(index);
    trail.whole = bytes.len() == width + n + layers * (ots + own * n);
    for layer in 0..layers {
        let from = width + n + layer * (ots + own * n);
        let Some(value) = bytes.get(from..from + ots) else { break };
        let key = [layer as u64, index >> (layer * own)].map(u64::to_be_bytes).concat();
        trail.uses.push(Use { key, value: Sha256::digest(value).into() });
    }
    trail
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (first, rest) = bytes.split_first_chunk()?;
    Some((u32::from_be_bytes(*first), rest))
}

/// Returns the length of a hash and the number of chains of an LM-OTS type. Each hash has four
/// types, for w = 1, 2, 4, 8.
fn one_time(code: u32) -> Option<(usize, usize)> {
    let at = usize::try_from(code.checked_sub(1)?).ok()?;
    let (n, chains) = match at / 4 {
        0 | 2 => (32, [265, 133, 67, 34]),
        1 | 3 => (24, [200, 101, 51, 26]),
        _ => return None,
    };
    Some((n, chains[at % 4]))
}

/// Returns the height of the tree and the length of a node of an LMS type. Each hash has five
/// types.
fn tree(code: u32) -> Option<(usize, usize)> {
    let at = usize::try_from(code.checked_sub(5)?).ok()?;
    let m = match at / 5 {
        0 | 2 => 32,
        1 | 3 => 24,
        _ => return None,
    };
    Some((5 * (at % 5 + 1), m))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a signature of LMS_SHA256_M24_H5 with W8, leaf 7, under an upper level with leaf 3.
    fn two_levels() -> Vec<u8> {
        let lms = |leaf: u32, fill: u8| {
            let ots = [leaf.to_be_bytes(), 8_u32.to_be_bytes()].concat();
            [ots, vec![fill; 24 * 27], 10_u32.to_be_bytes().to_vec(), vec![fill; 5 * 24]].concat()
        };
        let public = [vec![0; 8], b"the tree's name.".to_vec(), vec![9; 24]].concat();
        [1_u32.to_be_bytes().to_vec(), lms(3, 1), public, lms(7, 2)].concat()
    }

    #[test]
    fn every_level_is_a_use_and_the_index_runs_over_all() {
        let trail = Form::Hss.trail(&two_levels());
        assert!(trail.whole);
        assert_eq!(trail.index, Some(3 * 32 + 7));
        assert_eq!(trail.uses.len(), 2);
        assert_eq!(trail.uses[1].key, [b"the tree's name.".as_slice(), &[0, 0, 0, 7]].concat());
    }

    #[test]
    fn a_torn_signature_has_used_what_it_shows() {
        let whole = two_levels();
        for length in 0..whole.len() {
            let trail = Form::Hss.trail(&whole[..length]);
            assert!(!trail.whole);
            assert!(trail.uses.len() <= 2);
        }
        let trail = Form::Hss.trail(&whole[..whole.len() - 200]);
        assert_eq!((trail.index.map(|i| i & 31), trail.uses.len()), (Some(7), 2));
    }

    #[test]
    fn the_layers_of_xmss_mt_are_uses_of_their_own() {
        let form = Form::of("XMSSMT-SHA2_20/4_256").expect("a set");
        assert_eq!(form, Form::Xmss { n: 32, chains: 67, height: 20, layers: 4 });
        let mut signature = vec![0; 9251];
        signature[2] = 33;
        let trail = form.trail(&signature);
        assert_eq!((trail.whole, trail.index, trail.uses.len()), (true, Some(33), 4));
        assert_eq!(trail.uses[1].key[8..], 1_u64.to_be_bytes());
    }
}
