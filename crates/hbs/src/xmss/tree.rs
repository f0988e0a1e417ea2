//! One XMSS tree, over batches: the chains of RFC 8391, section 3.1 (WOTS+: One-Time Signatures),
//! the L-trees of RFC 8391, section 4.1.5 (L-Trees) and the nodes of RFC 8391, section 4.1.6
//! (TreeHash).

use super::address::{HashTreeAddress, LtreeAddress, OtsAddress};
use super::hashes::{ADDRESS, Hashes};
use crate::counted::Arc;
use crate::hash::over;
use crate::one_time::{Message, OneTime, Stream};
use crate::params::Set;
use crate::tree::Place;
use crate::tree::{Position, Shape};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::chain::{Masked, Rows, Rule, Span};
use hasten_kernels::grid::{Grid, Number};
use hasten_kernels::node::Given;
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};
#[cfg(feature = "sign")]
use hasten_kernels::{trace, walk};

/// Offsets of the numbers of leaf, chain and step in an OTS hash address. In an L-tree address, the
/// leaf is at the same offset.
const LEAF_AT: usize = 16;
const CHAIN_AT: usize = 20;
const STEP_AT: usize = 24;
/// Offsets of height and index of a node in an L-tree address.
const HEIGHT_AT: usize = 20;
const INDEX_AT: usize = 24;

/// The public side of one XMSS tree.
pub(super) struct Public<'k, H: HashFunction> {
    pub set: &'static Set,
    pub place: Place,
    pub hashes: Hashes<'k, H>,
}

/// Returns the tree of `set` at `place` under PUB_SEED.
pub(crate) fn public<'k>(
    set: &'static Set,
    place: Place,
    kernels: Kernels<'k>,
    pub_seed: &[u8],
) -> Arc<dyn OneTime<'k> + 'k> {
    over!(set.hash, kernels, |kernel, start| {
        Arc::new(Public::new(set, place, kernel, start, pub_seed))
    })
}

impl<'k, H: HashFunction> Public<'k, H> {
    pub fn new(
        set: &'static Set,
        place: Place,
        kernel: &'k dyn Kernel<H>,
        start: Midstate<H>,
        pub_seed: &[u8],
    ) -> Self {
        Self { set, place, hashes: Hashes::new(kernel, start, (set, place), pub_seed) }
    }

    /// Returns the address of chain `chain` of `leaf`, at step 0.
    pub fn ots_address(&self, leaf: u32, chain: u32) -> OtsAddress {
        OtsAddress { place: self.place, ots: leaf, chain, hash: 0, key_and_mask: 0 }
    }

    /// Returns the heads of the chains of consecutive leaves, from `leaf` on, and their length: the
    /// addresses without the first `lead` bytes.
    pub fn chains_from(&self, leaf: u32, lead: usize) -> (Grid, usize) {
        let mut head = self.ots_address(leaf, 0).to_bytes();
        head.rotate_left(lead);
        let number = |at, first| Number { at: at - lead, width: 4, first };
        let (row, column) = (number(LEAF_AT, leaf), number(CHAIN_AT, 0));
        (Grid { head, row, column, columns: self.set.len() }, ADDRESS - lead)
    }

    fn masked(&self) -> Masked<'_, H> {
        let Hashes { f, prf, lead, .. } = &self.hashes;
        let (head_len, at) = (ADDRESS - lead, STEP_AT - lead);
        Masked { prf, core: f, head_len, at, n: self.set.n }
    }

    /// Returns the rule that advances chains, with or without rows.
    fn rule<'a>(&'a self, rows: Option<&'a [u8]>) -> Rule<'a, H> {
        match rows {
            Some(rows) => Rule::Rows(Rows { core: &self.hashes.f, rows, n: self.set.n }),
            None => Rule::Masked(self.masked()),
        }
    }

    /// Computes the L-tree of `leaf` in place of the chain ends, if the kernel has its own
    /// implementation for this. Returns false otherwise, with nothing done.
    fn reduce(&self, rows: &[u8], leaf: u32, ends: &mut [u8]) -> bool {
        let leaves = [leaf];
        let mut heads = self.ltree_addresses(&leaves);
        let given = if rows.is_empty() { Given::Heads(&mut heads) } else { Given::Rows(rows) };
        self.hashes.reduce(given, ends)
    }

    /// Returns the address of a node of an L-tree.
    fn ltree_address(&self, ltree: u32, height: u32, index: u32) -> [u8; ADDRESS] {
        LtreeAddress { place: self.place, ltree, height, index, key_and_mask: 0 }.to_bytes()
    }

    /// Returns the addresses of the nodes of L-trees, row by row.
    fn ltree_addresses(&self, leaves: &[u32]) -> impl Iterator<Item = [u8; ADDRESS]> {
        let mut head = self.ltree_address(0, 0, 0);
        let mut rows = (0_u32..).zip(ltree_widths(self.set.len()));
        let (mut tree, mut height, mut node, mut nodes) = (leaves.len(), 0, 0_u32, 0);
        core::iter::from_fn(move || {
            if node == nodes {
                if tree == leaves.len() {
                    let width;
                    (height, width) = rows.next()?;
                    (tree, nodes) = (0, width as u32 / 2);
                }
                head[LEAF_AT..HEIGHT_AT].copy_from_slice(&leaves.get(tree)?.to_be_bytes());
                head[HEIGHT_AT..INDEX_AT].copy_from_slice(&height.to_be_bytes());
                (tree, node) = (tree + 1, 0);
            }
            head[INDEX_AT..INDEX_AT + 4].copy_from_slice(&node.to_be_bytes());
            node += 1;
            Some(head)
        })
    }

    /// Returns the address of a node of the tree.
    fn node_address(&self, at: &Position) -> [u8; ADDRESS] {
        let (place, height, index) = (self.place, at.height - 1, at.index);
        HashTreeAddress { place, height, index, key_and_mask: 0 }.to_bytes()
    }

    /// Hashes one row of L-trees to the next by `hash`. The tree of each leaf has `width` nodes in
    /// this row. The contents of `up` are overwritten.
    fn ltree_level(
        &self,
        (leaves, width): (usize, usize),
        nodes: &mut Vec<u8>,
        up: &mut Vec<u8>,
        hash: impl Fn(&[u8], &mut [u8]),
    ) {
        let n = self.set.n;
        let (even, ups, wide) = (width / 2 * 2 * n, width / 2 * n, width.div_ceil(2) * n);
        if leaves == 1 {
            up.resize(wide, 0);
            hash(&nodes[..even], &mut up[..ups]);
            up[ups..].copy_from_slice(&nodes[even..]);
            return core::mem::swap(nodes, up);
        }
        up.resize(leaves * ups, 0);
        if width.is_multiple_of(2) {
            hash(&nodes[..leaves * even], up);
        } else {
            let trees: Vec<&[u8]> = nodes.chunks_exact(width * n).map(|t| &t[..even]).collect();
            hash(&trees.concat(), up);
        }
        // The odd node of each tree moves up unchanged, to the end of its new row.
        for tree in 0..leaves {
            nodes.copy_within(tree * width * n + even..(tree + 1) * width * n, tree * wide + ups);
            nodes[tree * wide..][..ups].copy_from_slice(&up[tree * ups..][..ups]);
        }
        nodes.truncate(leaves * wide);
    }

    /// Returns the addresses of the nodes of one row of L-trees, of consecutive leaves.
    #[cfg(feature = "sign")]
    fn ltree_grid(&self, first: u32, height: u32, nodes: usize) -> Grid {
        let mut head = self.ltree_address(first, height, 0);
        head.rotate_left(self.hashes.lead);
        let number = |at, first| Number { at: at - self.hashes.lead, width: 4, first };
        Grid { head, row: number(LEAF_AT, first), column: number(INDEX_AT, 0), columns: nodes }
    }
}

/// Returns the widths of the rows of an L-tree, from the chain ends up, without the root.
fn ltree_widths(len: usize) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(len), |w| Some(w.div_ceil(2))).take_while(|w| *w > 1)
}

impl<H: HashFunction> Shape for Public<'_, H> {
    fn n(&self) -> usize {
        self.set.n
    }

    fn height(&self) -> u32 {
        self.set.tree_height()
    }
}

impl<'k, H: HashFunction> OneTime<'k> for Public<'k, H> {
    fn set(&self) -> &'static Set {
        self.set
    }

    #[cfg(feature = "sign")]
    fn depth(&self) -> Option<usize> {
        self.hashes.kernel.depth()
    }

    #[cfg(feature = "sign")]
    fn look_up(&self, table: &[u8], steps: &[u8], out: &mut [u8]) -> bool {
        self.hashes.kernel.nodes().is_some_and(|nodes| nodes.look_up(table, steps, out))
    }

    fn spans(&self, leaf: u32) -> Vec<Span> {
        let (rows, chain_at) = (self.set.w() - 1, CHAIN_AT - self.hashes.lead);
        let mut head = self.ots_address(leaf, 0).to_bytes();
        head.rotate_left(self.hashes.lead);
        let chain = |i: usize| {
            head[chain_at..chain_at + 4].copy_from_slice(&(i as u32).to_be_bytes());
            Span { head, from: 0, steps: 0, row: i * rows }
        };
        (0..self.set.len()).map(chain).collect()
    }

    fn chains(&self, rows: Option<&[u8]>, spans: &[Span], values: &mut [u8]) {
        self.hashes.kernel.chains(&self.rule(rows), spans, values);
    }

    fn finish_chains(
        &self,
        rows: Option<&[u8]>,
        leaf: u32,
        (from, given): (&[u8], &[u8]),
        ends: &mut Vec<u8>,
    ) -> bool {
        let Some(nodes) = self.hashes.kernel.nodes() else {
            return false;
        };
        ends.resize(given.len(), 0);
        let (grid, _) = self.chains_from(leaf, self.hashes.lead);
        let last = self.set.w() as u32 - 1;
        nodes.finish(&self.rule(rows), &grid, (from, last), given, ends)
    }

    #[cfg(feature = "sign")]
    fn walk(&self, first: u32, values: &mut [u8]) {
        let (grid, _) = self.chains_from(first, self.hashes.lead);
        let steps = self.set.w() as u32 - 1;
        walk(self.hashes.kernel, &Rule::Masked(self.masked()), &grid, steps, values);
    }

    #[cfg(feature = "sign")]
    fn trace(&self, first: u32, tables: &mut [u8]) {
        let (grid, _) = self.chains_from(first, self.hashes.lead);
        let steps = self.set.w() as u32 - 1;
        trace(self.hashes.kernel, &Rule::Masked(self.masked()), &grid, steps, tables);
    }

    fn chain_rows(&self, leaf: u32) -> Vec<u8> {
        let steps = self.set.w() - 1;
        let mut spans = self.spans(leaf);
        spans.iter_mut().for_each(|span| span.steps = steps as u32);
        let mut rows = vec![0; spans.len() * steps * 2 * self.set.n];
        self.hashes.kernel.rows(&self.masked(), &spans, &mut rows);
        rows
    }

    fn leaf_rows(&self, leaves: &[u32]) -> Vec<u8> {
        let mut addresses = Vec::with_capacity(leaves.len() * self.set.len());
        addresses.extend(self.ltree_addresses(leaves));
        self.hashes.rows(&addresses)
    }

    /// Computes RFC 8391, Algorithm 8 (ltree).
    fn compress(&self, mut rows: &[u8], leaves: &[u32], ends: &mut Vec<u8>) {
        if let [leaf] = *leaves
            && self.reduce(rows, leaf, ends)
        {
            return ends.truncate(self.set.n);
        }
        if rows.is_empty() {
            return self.compress(&self.leaf_rows(leaves), leaves, ends);
        }
        let mut up = Vec::new();
        for width in ltree_widths(self.set.len()) {
            let (now, later) = rows.split_at(leaves.len() * (width / 2) * 3 * self.set.n);
            let hash = |pairs: &[u8], up: &mut [u8]| self.hashes.rand_hash(now, pairs, up);
            self.ltree_level((leaves.len(), width), ends, &mut up, hash);
            rows = later;
        }
    }

    fn leaf(&self, rows: &[u8], leaf: u32, ends: &mut Vec<u8>) -> Vec<u8> {
        if !self.reduce(rows, leaf, ends) {
            self.compress(rows, &[leaf], ends);
        }
        ends[..self.set.n].to_vec()
    }

    #[cfg(feature = "sign")]
    fn compress_from(&self, first: u32, leaves: usize, ends: &mut Vec<u8>) {
        let last = ADDRESS - 1 - self.hashes.lead;
        let mut up = Vec::new();
        for (height, width) in (0..).zip(ltree_widths(self.set.len())) {
            let grid = self.ltree_grid(first, height, width / 2);
            let parts = self.hashes.parts(grid, last, leaves * (width / 2));
            let hash = |pairs: &[u8], up: &mut [u8]| self.hashes.rand_hash_apart(&parts, pairs, up);
            self.ltree_level((leaves, width), ends, &mut up, hash);
        }
    }

    fn node_rows(&self, at: &[Position]) -> Vec<u8> {
        let addresses: Vec<_> = at.iter().map(|at| self.node_address(at)).collect();
        self.hashes.rows(&addresses)
    }

    fn join(&self, rows: &[u8], _at: &[Position], pairs: &[u8], out: &mut [u8]) {
        self.hashes.rand_hash(rows, pairs, out);
    }

    fn climb(
        &self,
        rows: &[u8],
        leaf: u32,
        (path, pairs): (&[u8], &mut [u8]),
        node: &mut [u8],
    ) -> bool {
        if self.hashes.kernel.nodes().is_none() {
            return false;
        }
        let n = self.set.n;
        let levels = path.chunks_exact(n).zip(pairs.chunks_exact_mut(2 * n));
        for (level, (sibling, pair)) in levels.enumerate() {
            let own = (leaf >> level & 1) as usize * n;
            pair[n - own..][..n].copy_from_slice(sibling);
            if level == 0 {
                pair[own..][..n].copy_from_slice(node);
            }
        }
        let position = |height| Position { height, index: leaf >> height };
        let mut heads = (1..=self.height()).map(|height| self.node_address(&position(height)));
        let given = if rows.is_empty() { Given::Heads(&mut heads) } else { Given::Rows(rows) };
        self.hashes.climb(given, leaf, pairs, node)
    }

    /// Returns the root itself, which is signed as in RFC 8391, section 4.2 (XMSS^MT: Multi-Tree
    /// XMSS).
    #[cfg(feature = "sign")]
    fn statement(&self, root: &[u8]) -> Vec<u8> {
        root.to_vec()
    }

    fn opening(&self, root: &[u8], index: u64, r: &[u8]) -> Box<dyn Stream + 'k> {
        let Hashes { kernel, msg, .. } = &self.hashes;
        let mut opening = Box::new(Message { kernel: *kernel, state: msg.clone() });
        self.hashes.open(&mut opening.state, root, index, r);
        opening
    }

    fn digest(
        &self,
        root: &[u8],
        (index, r): (u64, &[u8]),
        message: &[u8],
        out: &mut [u8],
    ) -> bool {
        self.hashes.digest(root, (index, r), message, out)
    }
}
