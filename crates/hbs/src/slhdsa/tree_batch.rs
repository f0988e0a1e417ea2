//! Complete trees, many at once. SLH-DSA signs with all its FORS trees together, and with all
//! layers of its hypertree together, so that lanes stay full.

use alloc::vec;
#[cfg(feature = "sign")]
use alloc::vec::Vec;

/// The nodes of several trees of one height. Each level is a row with the nodes of all trees; the
/// leaves are first.
#[cfg(feature = "sign")]
pub(super) struct TreeBatch {
    n: usize,
    trees: usize,
    levels: Vec<Vec<u8>>,
}

#[cfg(feature = "sign")]
impl TreeBatch {
    /// Hashes trees of one height over `leaves`. `parents(height, row, out)` hashes the nodes of
    /// all trees at a height from the row below.
    pub fn over(
        n: usize,
        height: u32,
        leaves: Vec<u8>,
        parents: impl Fn(u32, &[u8], &mut [u8]),
    ) -> Self {
        let trees = (leaves.len() / n) >> height;
        let mut levels = vec![leaves];
        for z in 1..=height {
            let below = &levels[z as usize - 1];
            let mut row = vec![0; below.len() / 2];
            parents(z, below, &mut row);
            levels.push(row);
        }
        Self { n, trees, levels }
    }

    /// Returns the roots, one after another.
    pub fn roots(&self) -> &[u8] {
        &self.levels[self.levels.len() - 1]
    }

    /// Writes the authentication path of leaf `index` of tree `tree`.
    pub fn path(&self, tree: usize, index: u32, out: &mut [u8]) {
        for (z, out) in out.chunks_exact_mut(self.n).enumerate() {
            let row = &self.levels[z];
            let width = row.len() / self.n / self.trees;
            let at = (tree * width + (index as usize >> z ^ 1)) * self.n;
            out.copy_from_slice(&row[at..at + self.n]);
        }
    }
}
