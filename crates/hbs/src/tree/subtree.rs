//! Complete subtrees, computed at once or a few leaves at a time.
//!
//! A row consists of neighbouring nodes of one height, n bytes each.

use crate::tree::{Position, Tree};
use alloc::vec;
use alloc::vec::Vec;

/// Returns the parents of a row whose first node is at `first`. The index of `first` and the number
/// of nodes are even.
pub fn parents(tree: &dyn Tree, first: Position, row: &[u8]) -> Vec<u8> {
    let count = row.len() / tree.n() / 2;
    let height = first.height + 1;
    let at: Vec<Position> =
        (0..count as u32).map(|i| Position { height, index: first.index / 2 + i }).collect();
    let mut out = vec![0; count * tree.n()];
    tree.nodes(&at, row, &mut out);
    out
}

/// Returns the leaves of subtree `index` among those with 2^levels leaves.
pub fn leaf_row(tree: &dyn Tree, levels: u32, index: u32) -> Vec<u8> {
    let leaves: Vec<u32> = (index << levels..(index + 1) << levels).collect();
    let mut row = vec![0; tree.n() << levels];
    tree.leaves(&leaves, &mut row);
    row
}

/// A complete subtree with all its nodes, `levels` levels above its own leaves.
///
/// The rows are stored one after another, the widest first.
#[derive(Clone)]
pub struct Subtree {
    base: Position,
    levels: u32,
    n: usize,
    nodes: Vec<u8>,
}

impl Subtree {
    /// Returns the subtree over `row`: 2^levels nodes, the first of them at `base`.
    pub fn over(tree: &dyn Tree, base: Position, levels: u32, row: &[u8]) -> Self {
        assert_eq!(row.len(), tree.n() << levels, "a subtree stands on a full row");
        let mut nodes = row.to_vec();
        let mut from = 0;
        for level in 0..levels {
            let first = Position { height: base.height + level, index: base.index >> level };
            let up = parents(tree, first, &nodes[from..]);
            from = nodes.len();
            nodes.extend(up);
        }
        Self { base, levels, n: tree.n(), nodes }
    }

    /// Returns subtree `index` among those with 2^levels leaves, computed from its leaves.
    pub fn of_leaves(tree: &dyn Tree, levels: u32, index: u32) -> Self {
        let base = Position { height: 0, index: index << levels };
        Self::over(tree, base, levels, &leaf_row(tree, levels, index))
    }

    /// Returns the root.
    pub fn root(&self) -> &[u8] {
        &self.nodes[self.nodes.len() - self.n..]
    }

    /// Returns the lowest row of the subtree.
    pub fn row(&self) -> &[u8] {
        &self.nodes[..self.n << self.levels]
    }

    /// Returns the index of the subtree among those of its size.
    pub const fn index(&self) -> u32 {
        self.base.index >> self.levels
    }

    /// Returns the siblings on the way from node `index` of the row to the root, lowest first.
    pub fn path(&self, index: u32) -> impl Iterator<Item = &[u8]> {
        let mut row = 0;
        (0..self.levels).map(move |level| {
            let sibling = (index >> level ^ 1) - (self.base.index >> level);
            let at = (row + sibling as usize) * self.n;
            row += 1 << (self.levels - level);
            &self.nodes[at..at + self.n]
        })
    }

    /// Returns the height of the lowest row.
    pub const fn height(&self) -> u32 {
        self.base.height
    }

    /// Returns the size of all nodes in bytes.
    pub const fn bytes(&self) -> usize {
        self.nodes.len()
    }
}

/// A subtree that is computed a few leaves at a time; [`finish`](Self::finish) completes it. Its
/// leaves are those of the tree, or nodes that are computed elsewhere.
pub struct Growing {
    height: u32,
    levels: u32,
    index: u32,
    done: u32,
    n: usize,
    nodes: Vec<u8>,
}

impl Growing {
    /// Returns subtree `index` with 2^levels leaves, none of them computed yet.
    pub fn new(n: usize, levels: u32, index: u32) -> Self {
        Self { height: 0, levels, index, done: 0, n, nodes: vec![0; n * ((2 << levels) - 1)] }
    }

    /// Returns the part of a tree of height `height` above height `cut`. The nodes at the cut are
    /// computed elsewhere.
    pub fn top(n: usize, height: u32, cut: u32) -> Self {
        Self { height: cut, ..Self::new(n, height - cut, 0) }
    }

    /// Returns the index of the subtree among those of its size.
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number of missing leaves.
    pub const fn missing(&self) -> u32 {
        (1 << self.levels) - self.done
    }

    /// Returns the leaves computed so far.
    pub fn leaves(&self) -> &[u8] {
        &self.nodes[..self.n * self.done as usize]
    }

    /// Sets the first leaves, which were computed before.
    pub fn take(&mut self, tree: &dyn Tree, leaves: &[u8]) {
        let count = (leaves.len() / self.n).min(1 << self.levels);
        self.nodes[..count * self.n].copy_from_slice(&leaves[..count * self.n]);
        self.done = 0;
        self.settle(tree, count as u32);
    }

    /// Returns the number of the first missing leaf.
    pub const fn next_leaf(&self) -> u32 {
        (self.index << self.levels) + self.done
    }

    /// Adds the next `count` leaves and every node that they complete.
    pub fn grow(&mut self, tree: &dyn Tree, count: u32) {
        let (old, new) = (self.done, self.done + count.min(self.missing()));
        let first = self.index << self.levels;
        let indices: Vec<u32> = (first + old..first + new).collect();
        let n = self.n;
        tree.leaves(&indices, &mut self.nodes[old as usize * n..new as usize * n]);
        self.settle(tree, new);
    }

    /// Adds the next leaf, which was computed elsewhere, and every node that it completes.
    pub fn push(&mut self, tree: &dyn Tree, leaf: &[u8]) {
        let at = self.done as usize * self.n;
        self.nodes[at..at + self.n].copy_from_slice(leaf);
        self.settle(tree, self.done + 1);
    }

    /// Hashes the nodes that are complete with the first `new` leaves.
    fn settle(&mut self, tree: &dyn Tree, new: u32) {
        let (n, old) = (self.n, self.done);
        let mut row = 0;
        for level in 1..=self.levels {
            let up = row + (n << (self.levels - level + 1));
            self.hash_level(tree, level, (row, up), (old >> level, new >> level));
            row = up;
        }
        self.done = new;
    }

    /// Hashes nodes `from..to` of `level` from the row below. `up` is the offset of the row of
    /// `level`, and `row` that of the row below.
    fn hash_level(
        &mut self,
        tree: &dyn Tree,
        level: u32,
        (row, up): (usize, usize),
        (from, to): (u32, u32),
    ) {
        if from == to {
            return;
        }
        let n = self.n;
        let first = self.index << (self.levels - level);
        let at: Vec<Position> = (from..to)
            .map(|i| Position { height: self.height + level, index: first + i })
            .collect();
        let (below, above) = self.nodes.split_at_mut(up);
        let pairs = &below[row + 2 * n * from as usize..row + 2 * n * to as usize];
        tree.nodes(&at, pairs, &mut above[n * from as usize..n * to as usize]);
    }

    /// Returns the complete subtree, computing missing leaves first.
    pub fn finish(mut self, tree: &dyn Tree) -> Subtree {
        if self.missing() > 0 {
            self.grow(tree, self.missing());
        }
        let base = Position { height: self.height, index: self.index << self.levels };
        Subtree { base, levels: self.levels, n: self.n, nodes: self.nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::toy;

    #[test]
    fn paths_of_a_subtree_lead_to_its_root() {
        let tree = toy::Toy::new(4);
        let whole = Subtree::of_leaves(&tree, 4, 0);
        for i in 0..16 {
            let path: Vec<u8> = whole.path(i).flatten().copied().collect();
            let leaf = &whole.row()[8 * i as usize..][..8];
            assert_eq!(root_from_path(&tree, i, leaf, &path), whole.root());
        }
    }

    #[test]
    fn growing_by_any_steps_gives_the_same_subtree() {
        let tree = toy::Toy::new(6);
        for index in 0..8 {
            let whole = Subtree::of_leaves(&tree, 3, index);
            for step in 1..=8 {
                let mut growing = Growing::new(8, 3, index);
                while growing.missing() > 0 {
                    growing.grow(&tree, step);
                }
                assert_eq!(growing.finish(&tree).nodes, whole.nodes);
            }
        }
    }

    /// Returns the root that a leaf and its path lead to.
    fn root_from_path(tree: &dyn Tree, index: u32, leaf: &[u8], path: &[u8]) -> Vec<u8> {
        let mut node = leaf.to_vec();
        let mut pair = vec![0; 2 * tree.n()];
        for (level, sibling) in path.chunks_exact(tree.n()).enumerate() {
            let right = index >> level & 1 == 1;
            let (l, r) = if right { (sibling, &*node) } else { (&*node, sibling) };
            pair[..tree.n()].copy_from_slice(l);
            pair[tree.n()..].copy_from_slice(r);
            let at = Position { height: level as u32 + 1, index: index >> (level + 1) };
            tree.nodes(&[at], &pair, &mut node);
        }
        node
    }
}
