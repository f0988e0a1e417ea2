//! Nodes of trees on the unit: KEY and masks in one job, masking on the way to the compressions.

use crate::known::{self, N};
use crate::refined::Refined;
use crate::unit::{XMSS_N32, are_words, node, node_row, set, wait};
use hasten_kernels::Sha256;
use hasten_kernels::node::{Node, Nodes};

impl<const LANES: usize> Nodes<Sha256> for Refined<LANES> {
    fn node_rows(&self, rule: &Node<'_, Sha256>, heads: &[[u8; N]], rows: &mut [u8]) -> bool {
        assert_eq!(rows.len(), 3 * rule.n * heads.len());
        if !(known::is_node(rule) && are_words(&[heads.as_ptr().cast(), rows.as_ptr()])) {
            return false;
        }
        set(XMSS_N32, rule.prf.state());
        for (head, row) in heads.iter().zip(rows.chunks_exact_mut(3 * N)) {
            // SAFETY: head and row stay until the jobs are waited for.
            unsafe { node_row(head.as_ptr(), row.as_mut_ptr()) };
        }
        wait(0);
        true
    }

    fn join(&self, rule: &Node<'_, Sha256>, rows: &[u8], pairs: &[u8], nodes: &mut [u8]) -> bool {
        assert!(rows.len() == 3 * nodes.len() && pairs.len() == 2 * nodes.len());
        let places = [rows.as_ptr(), pairs.as_ptr(), nodes.as_ptr()];
        if !(known::is_node(rule) && are_words(&places)) {
            return false;
        }
        set(XMSS_N32, rule.prf.state());
        let given = rows.chunks_exact(3 * N).zip(pairs.chunks_exact(2 * N));
        for ((row, pair), out) in given.zip(nodes.chunks_exact_mut(N)) {
            // SAFETY: row, pair and node stay until the jobs are waited for.
            unsafe { node(pair.as_ptr(), row.as_ptr(), out.as_mut_ptr()) };
        }
        wait(0);
        true
    }
}
