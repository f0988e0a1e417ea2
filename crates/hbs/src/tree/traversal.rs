//! Authentication paths of one leaf after another, with a bound on the cost of each.
//!
//! The tree is cut at height k. All nodes from there up are kept: 2^(h-k+1) - 1 nodes. Below the
//! cut, two subtrees of 2^k leaves are in memory: the one in use, which is complete, and the next
//! one, which gains one leaf (and at most k nodes) with every path. The next subtree is complete
//! when the last leaf of the one in use has been used. So every path costs one leaf, at every
//! index:
//!
//! | | per path | at a jump |
//! |---|---|---|
//! | leaves | 1 | at most 2 * 2^k |
//! | nodes | at most k | at most 2 * 2^k |
//!
//! A jump skips indices that are given up. Fewer paths are then left in which to compute the next
//! subtree; its missing leaves are spread evenly over them.
//!
//! If every subtree was kept when the tree was generated, a path costs no hashing at any index.

use crate::Error;
use crate::tree::subtree::{Growing, Subtree, leaf_row};
use crate::tree::{Position, Tree};
use alloc::vec;
use alloc::vec::Vec;

/// Returns the height k at which a tree of height h is cut. The kept nodes grow with 2^(h-k), the
/// cost of a jump or a start with 2^k.
pub const fn cut(height: u32) -> u32 {
    match height {
        0..=4 => height / 2,
        5..=9 => 3,
        10..=14 => 4,
        15..=19 => 5,
        20..=24 => 6,
        _ => 8,
    }
}

/// The nodes of a tree from which all further paths are computed.
pub struct Traversal {
    top: Subtree,
    now: Subtree,
    next: Option<Growing>,
    cut: u32,
    /// Every subtree below the cut, in order, or none.
    kept: Vec<Subtree>,
}

impl Traversal {
    /// Returns a traversal that starts at leaf `index`, over the row of nodes at the cut. `now` is
    /// the subtree of that leaf; without it, the subtree is computed with all its leaves.
    pub fn new(tree: &dyn Tree, row: &[u8], index: u32, now: Option<Subtree>) -> Self {
        Self::at(tree, cut(tree.height()), row, index, now)
    }

    fn at(tree: &dyn Tree, cut: u32, row: &[u8], index: u32, now: Option<Subtree>) -> Self {
        let base = Position { height: cut, index: 0 };
        Self::under(tree, Subtree::over(tree, base, tree.height() - cut, row), index, now)
    }

    /// Returns a traversal with the nodes above the cut in `top`.
    pub fn under(tree: &dyn Tree, top: Subtree, index: u32, now: Option<Subtree>) -> Self {
        let cut = top.height();
        let now = now.unwrap_or_else(|| Subtree::of_leaves(tree, cut, index >> cut));
        let next = following(tree, cut, now.index());
        Self { top, now, next, cut, kept: Vec::new() }
    }

    /// Keeps every subtree below the cut, given in order. From now on, no path costs a leaf.
    pub fn keep(&mut self, all: Vec<Subtree>) {
        assert_eq!(all.len() * all[0].root().len(), self.top.row().len(), "a subtree is missing");
        (self.kept, self.next) = (all, None);
    }

    /// Returns a traversal that starts at leaf `index`, with leaves that another traversal kept.
    /// They are used if they lead to the row and contain the tree's own leaf `index`. Otherwise the
    /// leaves are computed.
    pub fn with_leaves(tree: &dyn Tree, row: &[u8], index: u32, kept: &Leaves<'_>) -> Self {
        let cut = cut(tree.height());
        let now = kept.of(tree, index >> cut).filter(|now| is_leaf(tree, now, index));
        let mut made = Self::at(tree, cut, row, index, now.filter(|now| is_in(row, now)));
        let follows = |next: &&mut Growing| next.index().checked_sub(1) == Some(kept.sub);
        if let Some(next) = made.next.as_mut().filter(follows) {
            next.take(tree, kept.next);
        }
        made
    }

    /// Returns the leaves of the subtree in use and the computed leaves of the next one, for
    /// [`with_leaves`](Self::with_leaves). They are public.
    pub fn leaves(&self) -> Vec<u8> {
        let next = self.next.as_ref().map_or(&[][..], Growing::leaves);
        let [sub, len] = [self.now.index(), next.len() as u32].map(u32::to_be_bytes);
        [&sub, self.now.row(), &len, next].concat()
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> &[u8] {
        self.top.root()
    }

    /// Returns the row at the cut. It is public, and it is all that a new traversal needs.
    pub fn row(&self) -> &[u8] {
        self.top.row()
    }

    /// Returns all leaves of the tree. Leaves that are not kept are computed.
    pub fn all_leaves(&self, tree: &dyn Tree) -> Vec<u8> {
        let subtrees = 0..(self.top.row().len() / tree.n()) as u32;
        let row = |sub| match self.kept.get(sub as usize) {
            Some(kept) => kept.row().to_vec(),
            None => leaf_row(tree, self.cut, sub),
        };
        subtrees.flat_map(row).collect()
    }

    /// Returns the leaves of the subtree in use.
    pub fn low_row(&self) -> &[u8] {
        self.now.row()
    }

    /// Checks that the root of the subtree in use is its node in the row.
    ///
    /// # Errors
    /// [`Error::BadCache`] if it is not.
    pub fn check(&self) -> Result<(), Error> {
        if is_in(self.row(), &self.now) { Ok(()) } else { Err(Error::BadCache) }
    }

    /// Writes the path of leaf `index`, and does one path's share of the work on the next subtree.
    ///
    /// Any index is allowed. The bounds of the [module](self) hold as long as indices increase by
    /// one.
    pub fn path(&mut self, tree: &dyn Tree, index: u32, out: &mut Vec<u8>) {
        self.path_given(tree, index, None, out);
    }

    /// Writes the path as [`path`](Self::path) does. If the leaf that is [due](Self::due) is known,
    /// it is passed with its number in `given`.
    pub fn path_given(
        &mut self,
        tree: &dyn Tree,
        index: u32,
        given: Option<(u32, Vec<u8>)>,
        out: &mut Vec<u8>,
    ) {
        self.enter(tree, index >> self.cut);
        self.work(tree, index, given);
        out.extend(self.now.path(index).flatten());
        out.extend(self.top.path(index >> self.cut).flatten());
    }

    /// Puts subtree `sub` into use.
    fn enter(&mut self, tree: &dyn Tree, sub: u32) {
        if sub == self.now.index() {
            return;
        }
        if let Some(kept) = self.kept.get(sub as usize) {
            self.now = kept.clone();
            return;
        }
        let next = self.next.take().filter(|next| next.index() == sub);
        let next = next.map(|next| next.finish(tree)).filter(|next| is_in(self.row(), next));
        self.now = next.unwrap_or_else(|| Subtree::of_leaves(tree, self.cut, sub));
        self.next = following(tree, self.cut, sub);
    }

    /// Returns the leaf that the path of `index` will compute, if it computes exactly one.
    pub fn due(&self, index: u32) -> Option<u32> {
        let (sub, left) = (index >> self.cut, self.left(index));
        // There is no next subtree if all are kept, or after the last one.
        let next = self.next.as_ref()?;
        if sub == self.now.index() {
            return (next.missing().div_ceil(left) == 1).then(|| next.next_leaf());
        }
        let last = (self.top.row().len() / self.top.root().len()) as u32 - 1;
        (sub < last && left == 1 << self.cut).then_some((sub + 1) << self.cut)
    }

    /// Returns the number of paths left in the subtree of `index`, including this one.
    const fn left(&self, index: u32) -> u32 {
        (1 << self.cut) - (index & ((1 << self.cut) - 1))
    }

    /// Adds leaves to the next subtree, so that it is complete when this one is used up.
    fn work(&mut self, tree: &dyn Tree, index: u32, given: Option<(u32, Vec<u8>)>) {
        let left = self.left(index);
        let Some(next) = &mut self.next else { return };
        match (next.missing().div_ceil(left), given) {
            (0, _) => {}
            (1, Some((leaf, value))) if leaf == next.next_leaf() => next.push(tree, &value),
            (share, _) => next.grow(tree, share),
        }
    }

    /// Returns the size of the nodes in memory, in bytes. All of them are public.
    pub fn bytes(&self) -> usize {
        let kept = self.kept.iter().map(Subtree::bytes).sum::<usize>();
        self.top.bytes() + 2 * self.now.bytes() + kept
    }
}

/// Leaves that a traversal kept: all of one subtree, and the first ones of the next.
pub struct Leaves<'l> {
    sub: u32,
    now: &'l [u8],
    next: &'l [u8],
}

impl<'l> Leaves<'l> {
    /// Reads the output of [`Traversal::leaves`], for a tree of this height, from the front of
    /// `bytes`.
    pub fn read(bytes: &mut &'l [u8], n: usize, height: u32) -> Option<Self> {
        let sub = number(bytes)?;
        let now = bytes.split_off(..n << cut(height))?;
        let next = number(bytes)? as usize;
        let fits = next.is_multiple_of(n) && next <= now.len();
        fits.then_some(Self { sub, now, next: bytes.split_off(..next)? })
    }

    /// Returns subtree `sub`, if all its leaves are present.
    fn of(&self, tree: &dyn Tree, sub: u32) -> Option<Subtree> {
        let leaves = match sub.checked_sub(self.sub)? {
            0 => self.now,
            1 => self.next,
            _ => return None,
        };
        let base = Position { height: 0, index: sub << cut(tree.height()) };
        let whole = leaves.len() == tree.n() << cut(tree.height());
        whole.then(|| Subtree::over(tree, base, cut(tree.height()), leaves))
    }
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.split_off(..4)?.try_into().ok()?))
}

/// Returns true if the root of a subtree is its node in the row.
fn is_in(row: &[u8], made: &Subtree) -> bool {
    let n = made.root().len();
    row[made.index() as usize * n..][..n] == *made.root()
}

/// Returns true if leaf `index` of a subtree is the one that the secrets of the tree give.
fn is_leaf(tree: &dyn Tree, made: &Subtree, index: u32) -> bool {
    let n = tree.n();
    let mut leaf = vec![0; n];
    tree.leaves(&[index], &mut leaf);
    made.row()[(index as usize * n) % made.row().len()..][..n] == leaf
}

/// Returns the subtree after number `sub`, without leaves, if there is one and its secrets are
/// available.
fn following(tree: &dyn Tree, cut: u32, sub: u32) -> Option<Growing> {
    let last = (1u32 << (tree.height() - cut)) - 1;
    (sub < last && tree.has((sub + 1) << cut)).then(|| Growing::new(tree.n(), cut, sub + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::toy::Toy;

    fn start(tree: &Toy, cut: u32, index: u32) -> (Traversal, Subtree) {
        let whole = Subtree::of_leaves(tree, tree.height, 0);
        let row: Vec<u8> = (0..1 << (tree.height - cut))
            .flat_map(|i| Subtree::of_leaves(tree, cut, i).root().to_vec())
            .collect();
        (Traversal::at(tree, cut, &row, index, None), whole)
    }

    fn assert_path(t: &mut Traversal, tree: &Toy, whole: &Subtree, index: u32) {
        let mut path = Vec::new();
        t.path(tree, index, &mut path);
        assert!(path.iter().eq(whole.path(index).flatten()), "path of {index}");
    }

    #[test]
    fn every_path_in_order_for_every_cut() {
        let tree = Toy::new(7);
        for cut in 0..=7 {
            let (mut t, whole) = start(&tree, cut, 0);
            tree.spent();
            for i in 0..128 {
                assert_path(&mut t, &tree, &whole, i);
                let (leaves, nodes) = tree.spent();
                assert!(leaves <= 1 && nodes <= cut, "{leaves} leaves, {nodes} nodes at {i}");
            }
            t.check().unwrap();
        }
    }

    #[test]
    fn kept_subtrees_spare_every_leaf_and_node() {
        let tree = Toy::new(7);
        for (cut, first) in [(0, 0), (3, 0), (3, 77), (7, 5)] {
            let (mut t, whole) = start(&tree, cut, first);
            t.keep((0..1 << (7 - cut)).map(|i| Subtree::of_leaves(&tree, cut, i)).collect());
            tree.spent();
            for i in (0..128).chain([3, 99, 127, 0]) {
                assert_eq!(t.due(i), None);
                assert_path(&mut t, &tree, &whole, i);
            }
            assert_eq!(t.all_leaves(&tree), whole.row());
            assert_eq!(tree.spent(), (0, 0), "cut at {cut}");
            t.check().unwrap();
            let (computing, _) = start(&tree, cut, first);
            assert_eq!(computing.all_leaves(&tree), whole.row());
        }
    }

    #[test]
    fn jumps_are_followed_and_bounded() {
        let tree = Toy::new(8);
        let whole = Subtree::of_leaves(&tree, 8, 0);
        for step in 1..100 {
            let (mut t, _) = start(&tree, 3, 0);
            tree.spent();
            for i in (0..256).step_by(step) {
                assert_path(&mut t, &tree, &whole, i);
                let (leaves, nodes) = tree.spent();
                assert!(leaves <= 16 && nodes <= 16);
            }
        }
    }

    #[test]
    fn any_order_gives_right_paths() {
        let tree = Toy::new(6);
        let (mut t, whole) = start(&tree, 2, 63);
        for i in [63, 0, 17, 16, 62, 5, 5, 33] {
            assert_path(&mut t, &tree, &whole, i);
        }
    }

    #[test]
    fn kept_leaves_bring_a_traversal_back() {
        let tree = Toy::new(7);
        let cut = cut(7);
        let (mut t, whole) = start(&tree, cut, 0);
        for i in 0..127 {
            assert_path(&mut t, &tree, &whole, i);
            let (kept, row) = (t.leaves(), t.row().to_vec());
            let read = Leaves::read(&mut &kept[..], 8, 7).unwrap();
            tree.spent();
            let mut again = Traversal::with_leaves(&tree, &row, i + 1, &read);
            assert_eq!(tree.spent().0, 1, "one leaf is held to the secrets");
            again.check().unwrap();
            assert_path(&mut again, &tree, &whole, i + 1);
            assert!(tree.spent().0 <= 1, "one leaf for a path, at {i}");
        }
    }

    #[test]
    fn changed_leaves_are_computed_again() {
        let tree = Toy::new(7);
        let (mut t, whole) = start(&tree, cut(7), 0);
        (0..11).for_each(|i| assert_path(&mut t, &tree, &whole, i));
        let (kept, row) = (t.leaves(), t.row().to_vec());
        for place in 0..kept.len() {
            let mut bad = kept.clone();
            bad[place] ^= 1;
            assert!(Leaves::read(&mut &bad[..place], 8, 7).is_none(), "a part is none");
            let Some(read) = Leaves::read(&mut &bad[..], 8, 7) else { continue };
            let mut again = Traversal::with_leaves(&tree, &row, 11, &read);
            again.check().unwrap();
            (11..40).for_each(|i| assert_path(&mut again, &tree, &whole, i));
        }
    }

    #[test]
    fn a_foreign_row_is_noticed() {
        let tree = Toy::new(6);
        let t = Traversal::at(&tree, 2, &[7; 8 * 16], 9, None);
        assert_eq!(t.check(), Err(Error::BadCache));
    }
}
