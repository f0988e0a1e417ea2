//! RFC 8391, section 5.1 (Implementing the Functions) and the forms of SP 800-208 for n = 24, in
//! batches.
//!
//! The row of a node is KEY ‖ BM_0 ‖ BM_1, 3n bytes. If KEY ends a block and the state has n bytes
//! (SHA-256 n = 32, SHA-512 n = 64), the state after toByte(1, n) ‖ KEY takes the place of KEY.

use crate::params::Set;
use crate::tree::Place;
use alloc::vec;
use alloc::vec::Vec;
#[cfg(feature = "sign")]
use hasten_kernels::grid::{Grid, Numbered, Tail};
use hasten_kernels::node::{Given, Node};
#[cfg(feature = "sign")]
use hasten_kernels::numbered;
use hasten_kernels::{HashFunction, Kernel, Midstate, keyed_many, many, prepare_keys};

/// Size of an address in bytes.
pub const ADDRESS: usize = 32;

/// The public functions for one PUB_SEED, with every constant prefix absorbed.
pub struct Hashes<'k, H: HashFunction> {
    pub kernel: &'k dyn Kernel<H>,
    /// The state after toByte(0, pad).
    pub f: Midstate<H>,
    /// The state after toByte(1, pad).
    h: Midstate<H>,
    /// The state after toByte(2, pad).
    pub msg: Midstate<H>,
    /// The state after toByte(3, pad) ‖ PUB_SEED, and the first `lead` bytes, which are the same in
    /// every address of the tree.
    pub prf: Midstate<H>,
    pub lead: usize,
    n: usize,
}

impl<'k, H: HashFunction> Hashes<'k, H> {
    /// Returns the functions for the tree of `set` at `place`, made from the hash function `start`.
    pub fn new(
        kernel: &'k dyn Kernel<H>,
        start: Midstate<H>,
        (set, place): (&Set, Place),
        pub_seed: &[u8],
    ) -> Self {
        let [f, h, msg, prf] =
            [0, 1, 2, 3].map(|function| separated(kernel, &start, set, function));
        let (prf, lead) = led(kernel, prf.with(kernel, pub_seed), &place.to_bytes());
        Self { kernel, f, h, msg, prf, lead, n: set.n }
    }

    /// Returns the rows of nodes, given their addresses with 0 for keyAndMask.
    pub fn rows(&self, addresses: &[[u8; ADDRESS]]) -> Vec<u8> {
        let n = self.n;
        let mut rows = vec![0; 3 * addresses.len() * n];
        let nodes = self.kernel.nodes();
        if nodes.is_some_and(|nodes| nodes.node_rows(&self.node(), addresses, &mut rows)) {
            return rows;
        }
        let mut ends = Vec::with_capacity(3 * addresses.len() * (ADDRESS - self.lead));
        for address in addresses {
            for key_and_mask in 0..3 {
                ends.extend(&address[self.lead..]);
                *ends.last_mut().expect("an address has an end") = key_and_mask;
            }
        }
        many(self.kernel, &self.prf, &ends, &mut rows, n);
        if self.h.keeps_state(n) {
            let mut keys = gather(&rows, 3 * n, n);
            prepare_keys(self.kernel, &self.h, &mut keys, n);
            for (row, key) in rows.chunks_exact_mut(3 * n).zip(keys.chunks_exact(n)) {
                row[..n].copy_from_slice(key);
            }
        }
        rows
    }

    /// Returns the definition of a node; keyAndMask is the last byte of its address.
    fn node(&self) -> Node<'_, H> {
        Node { prf: &self.prf, core: &self.h, lead: self.lead, at: ADDRESS - 1, n: self.n }
    }

    /// Joins neighbouring `values` until one is left, the first, if the kernel has its own
    /// implementation for this. Returns false otherwise.
    pub fn reduce(&self, given: Given<'_>, values: &mut [u8]) -> bool {
        self.kernel.nodes().is_some_and(|nodes| nodes.reduce(&self.node(), given, values))
    }

    /// Hashes `pairs`, each with the node of the pair below as one side, if the kernel has its own
    /// implementation for this. Returns false otherwise.
    pub fn climb(&self, given: Given<'_>, sides: u32, pairs: &mut [u8], root: &mut [u8]) -> bool {
        let nodes = self.kernel.nodes();
        nodes.is_some_and(|nodes| nodes.climb(&self.node(), given, sides, pairs, root))
    }

    /// Computes RFC 8391, Algorithm 7 (RAND_HASH) for a batch of pairs, 2n bytes each, with their
    /// rows.
    pub fn rand_hash(&self, rows: &[u8], pairs: &[u8], out: &mut [u8]) {
        let n = self.n;
        let nodes = self.kernel.nodes();
        if nodes.is_some_and(|nodes| nodes.join(&self.node(), rows, pairs, out)) {
            return;
        }
        if let ([row, pair], true) = ([rows, pairs], out.len() == n) {
            let mut masked = [0; 128];
            let masked = &mut masked[..2 * n];
            xor(masked, pair, &row[n..]);
            return keyed_many(self.kernel, &self.h, &row[..n], masked, out, n);
        }
        let keys = gather(rows, 3 * n, n);
        let mut masked = vec![0; pairs.len()];
        for ((to, pair), row) in masked
            .chunks_exact_mut(2 * n)
            .zip(pairs.chunks_exact(2 * n))
            .zip(rows.chunks_exact(3 * n))
        {
            xor(to, pair, &row[n..]);
        }
        keyed_many(self.kernel, &self.h, &keys, &masked, out, n);
    }

    /// Returns the parts of the rows for the nodes of a grid: first every KEY, then every BM_0,
    /// then every BM_1. The grid describes the addresses; their keyAndMask is byte `at` of the
    /// head.
    #[cfg(feature = "sign")]
    pub fn parts(&self, mut grid: Grid, at: usize, count: usize) -> [Vec<u8>; 3] {
        let mut parts = [0, 1, 2].map(|key_and_mask| {
            grid.head[at] = key_and_mask;
            let (head_len, tail) = (ADDRESS - self.lead, Tail::Same(&[]));
            let messages = Numbered { prefix: &self.prf, head_len, grid: &grid, tail };
            let mut part = vec![0; count * self.n];
            numbered(self.kernel, &messages, &mut part, self.n);
            part
        });
        prepare_keys(self.kernel, &self.h, &mut parts[0], self.n);
        parts
    }

    /// Computes RAND_HASH as [`rand_hash`](Self::rand_hash) does, with the rows given in parts.
    #[cfg(feature = "sign")]
    pub fn rand_hash_apart(&self, parts: &[Vec<u8>; 3], pairs: &[u8], out: &mut [u8]) {
        let n = self.n;
        let [keys, left, right] = parts;
        let mut masked = vec![0; pairs.len()];
        for (i, (to, pair)) in
            masked.chunks_exact_mut(2 * n).zip(pairs.chunks_exact(2 * n)).enumerate()
        {
            let own = i * n..(i + 1) * n;
            xor(&mut to[..n], &pair[..n], &left[own.clone()]);
            xor(&mut to[n..], &pair[n..], &right[own]);
        }
        keyed_many(self.kernel, &self.h, keys, &masked, out, n);
    }

    /// Absorbs r ‖ root ‖ toByte(index, n), which is between toByte(2, pad) and the message in
    /// H_msg.
    pub fn open(&self, state: &mut Midstate<H>, root: &[u8], index: u64, r: &[u8]) {
        let mut place = [0; 64];
        place[self.n - 8..self.n].copy_from_slice(&index.to_be_bytes());
        for part in [r, root, &place[..self.n]] {
            state.update(self.kernel, part);
        }
    }

    /// Writes H_msg of a short message, without a state of its own. Returns false for a longer
    /// message.
    pub fn digest(
        &self,
        root: &[u8],
        (index, r): (u64, &[u8]),
        message: &[u8],
        out: &mut [u8],
    ) -> bool {
        if message.len() > SHORT {
            return false;
        }
        let n = self.n;
        let mut hashed = [0; MOST_HASHED];
        hashed[..n].copy_from_slice(r);
        hashed[n..2 * n].copy_from_slice(root);
        hashed[3 * n - 8..3 * n].copy_from_slice(&index.to_be_bytes());
        hashed[3 * n..][..message.len()].copy_from_slice(message);
        self.msg.finish(self.kernel, &hashed[..3 * n + message.len()], out);
        true
    }
}

/// Maximum size of a message that is hashed in one call. `MOST_HASHED` is the size of r, root,
/// index and message together.
const SHORT: usize = 64;
const MOST_HASHED: usize = 3 * 64 + SHORT;

/// Returns the state after toByte(function, pad).
pub fn separated<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    start: &Midstate<H>,
    set: &Set,
    function: u8,
) -> Midstate<H> {
    let mut pad = [0; 64];
    pad[set.pad() - 1] = function;
    start.clone().with(kernel, &pad[..set.pad()])
}

/// Absorbs the first bytes of `constant` that complete the pending block. Returns the state and the
/// number of these bytes, which is 0 if `constant` is too short. Every input that is hashed from
/// this state must begin with `constant`.
pub fn led<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    state: Midstate<H>,
    constant: &[u8],
) -> (Midstate<H>, usize) {
    let room = state.block_len() - state.pending().len();
    match constant.get(..room) {
        Some(lead) => (state.with(kernel, lead), room),
        None => (state, 0),
    }
}

fn gather(flat: &[u8], every: usize, n: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(flat.len() / every * n);
    flat.chunks_exact(every).for_each(|item| out.extend_from_slice(&item[..n]));
    out
}

/// Writes the exclusive or of two values, four bytes at a time. Their size is a multiple of four.
fn xor(to: &mut [u8], a: &[u8], b: &[u8]) {
    let (to, a, b) = (to.as_chunks_mut().0, a.as_chunks().0, b.as_chunks().0);
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = (u32::from_ne_bytes(*a) ^ u32::from_ne_bytes(*b)).to_ne_bytes();
    }
}
