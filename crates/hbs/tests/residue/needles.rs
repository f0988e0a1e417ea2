//! The secrets of a key, computed here from the standards and not by the code under test.

use hasten_hbs::Set;
use hasten_hbs::params::{Hash, Scheme};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};

/// A secret with its name.
pub type Named = (String, Vec<u8>);

/// Leaves whose secret elements are searched for: those signed with, those prepared, and the last
/// one.
const LEAVES: [u32; 4] = [0, 1, 2, 31];

/// Returns the digest of `input`, `n` bytes, and the state after its whole blocks, if it has any.
fn hash(set: &Set, input: &[u8], n: usize) -> (Vec<u8>, Option<Vec<u8>>) {
    fn both<H: HashFunction>(
        kernel: &dyn Kernel<H>,
        start: Midstate<H>,
        input: &[u8],
        n: usize,
    ) -> Both {
        let whole = input.len() >= start.block_len();
        let after = start.with(kernel, input);
        let (mut digest, mut state) = (vec![0; n], vec![0; 32]);
        after.finish(kernel, &[], &mut digest);
        H::write(after.state(), &mut state);
        (digest, whole.then_some(state))
    }
    type Both = (Vec<u8>, Option<Vec<u8>>);
    let kernels = Kernels::portable();
    match set.hash {
        Hash::Sha256 => both(kernels.sha256, Midstate::sha256(), input, n),
        Hash::Sha512 => both(kernels.sha512, Midstate::sha512(), input, n),
        Hash::Shake128 => both(kernels.keccak, Midstate::shake128(), input, n),
        _ => both(kernels.keccak, Midstate::shake256(), input, n),
    }
}

/// Returns the secrets of the key of `set` with `seed`. Randomizers are included from index
/// `unpublished` on.
pub fn of(set: &'static Set, seed: &[u8], unpublished: u64) -> Vec<Named> {
    match set.scheme {
        Scheme::Xmss | Scheme::XmssMt => xmss(set, seed, unpublished),
        Scheme::Lms { .. } | Scheme::Hss { .. } => lms(set, seed, unpublished),
        _ => slh_dsa(set, seed),
    }
}

/// Follows SP 800-208, section 6.2 (XMSS and XMSS^MT Random Number Generation Requirements).
fn xmss(set: &Set, seed: &[u8], unpublished: u64) -> Vec<Named> {
    let n = set.n;
    let (sk_seed, sk_prf, pub_seed) = (&seed[..n], &seed[n..2 * n], &seed[2 * n..]);
    let separated = |function: u8, parts: &[&[u8]]| {
        let mut input = vec![0; set.pad()];
        *input.last_mut().unwrap() = function;
        input.extend(parts.concat());
        hash(set, &input, n)
    };
    let mut all = vec![("SK_SEED".into(), sk_seed.to_vec()), ("SK_PRF".into(), sk_prf.to_vec())];
    let states = [("PRF_keygen", separated(4, &[sk_seed, pub_seed]).1)];
    let states = states.into_iter().chain([("PRF", separated(3, &[sk_prf]).1)]);
    all.extend(states.filter_map(|(name, state)| Some((format!("midstate of {name}"), state?))));
    let places = [0, 1].into_iter().flat_map(|layer| LEAVES.map(|leaf| (layer, leaf)));
    for (layer, leaf) in places.filter(|(layer, _)| *layer < set.d) {
        for chain in 0..set.len() as u32 {
            let mut address = [0; 32];
            address[..4].copy_from_slice(&layer.to_be_bytes());
            address[16..20].copy_from_slice(&leaf.to_be_bytes());
            address[20..24].copy_from_slice(&chain.to_be_bytes());
            let element = separated(4, &[sk_seed, pub_seed, &address]).0;
            all.push((format!("element {layer}/{leaf}/{chain}"), element));
        }
    }
    for index in unpublished..unpublished + 2 {
        let place = [&[0; 24][..], &index.to_be_bytes()].concat();
        all.push((format!("randomizer {index}"), separated(3, &[sk_prf, &place]).0));
    }
    all
}

/// Follows RFC 8554, Appendix A (Pseudorandom Key Generation), and the seeds of the trees below.
fn lms(set: &'static Set, seed: &[u8], unpublished: u64) -> Vec<Named> {
    let levels = set.levels();
    let (mut own, mut all) = (seed.to_vec(), Vec::new());
    for (at, level) in levels.iter().enumerate() {
        let (id, secret) = own.split_at(16);
        let derive = |q: u32, i: u16, n: usize| {
            let input = [id, &q.to_be_bytes(), &i.to_be_bytes(), &[0xff], secret].concat();
            hash(level, &input, n).0
        };
        all.push((format!("SEED of level {at}"), secret.to_vec()));
        for leaf in LEAVES {
            for chain in 0..level.len() as u16 {
                let element = derive(leaf, chain, level.n);
                all.push((format!("element {at}/{leaf}/{chain}"), element));
            }
        }
        if let Some(below) = levels.get(at + 1) {
            own = [derive(0, 0xffff, 16), derive(0, 0xfffe, below.n)].concat();
        } else {
            let indices = unpublished as u32..unpublished as u32 + 2;
            all.extend(indices.map(|q| (format!("randomizer {q}"), derive(q, 0xfffd, level.n))));
        }
    }
    all
}

/// Computes the secret elements of chains in the highest tree: FIPS 205, Algorithm 5 (chain), with
/// PRF of FIPS 205, Section 11 (Parameter Sets).
fn slh_dsa(set: &Set, seed: &[u8]) -> Vec<Named> {
    let n = set.n;
    let (sk_seed, sk_prf, pk_seed) = (&seed[..n], &seed[n..2 * n], &seed[2 * n..]);
    let mut all = vec![("SK.seed".into(), sk_seed.to_vec()), ("SK.prf".into(), sk_prf.to_vec())];
    for pad in [0x36, 0x5c] {
        let padded = sk_prf.iter().map(|byte| byte ^ pad).collect();
        all.push((format!("SK.prf in a pad of {pad:x}"), padded));
    }
    let narrow = Set::named("SLH-DSA-SHA2-128f").unwrap();
    for (leaf, chain) in
        [0_u32, 1, 7].into_iter().flat_map(|q| (0..set.len() as u32).map(move |i| (q, i)))
    {
        let layer = (set.d - 1) as u8;
        let place = [&leaf.to_be_bytes()[..], &chain.to_be_bytes(), &[0; 4]].concat();
        let element = if set.hash == Hash::Shake256 {
            let front = [&[0, 0, 0, layer][..], &[0; 12], &[0, 0, 0, 5]].concat();
            hash(set, &[pk_seed, &front, &place, sk_seed].concat(), n).0
        } else {
            let front = [&[layer][..], &[0; 8], &[5]].concat();
            let block = [pk_seed, &vec![0; 64 - n]].concat();
            hash(narrow, &[&block, &front, &place, sk_seed].concat(), n).0
        };
        all.push((format!("element {leaf}/{chain}"), element));
    }
    all
}
