//! Nodes of trees on the unit. One job computes KEY and masks, and pairs are masked on the way to
//! the compressions.

use crate::finish::Chains;
use crate::known::N;
use crate::reduce::{Maker, ROW, Table, climb, reduce};
use crate::refined::{self, Refined};
use crate::unit::{COPIED, NONE, XMSS_N24, XMSS_N32, are_words, chain, node, node_row, set, wait};
use core::ptr::null;
use hasten_kernels::HashFunction;
use hasten_kernels::chain::{Masked, Rows, Rule};
use hasten_kernels::grid::Grid;
use hasten_kernels::node::{Given, Node, Nodes};

/// A hash function that the lanes compute. Each `begin_` method sets the mode and the seed for a
/// rule. If the unit has no job for the rule, it returns false and does nothing.
pub trait InLanes: HashFunction {
    /// Sets up chains of n = 32 that compute their KEYs and masks.
    fn begin_masked(rule: &Masked<'_, Self>) -> bool;

    /// Sets up chains by rows.
    fn begin_rows(rule: &Rows<'_, Self>) -> bool;

    /// Sets up nodes.
    fn begin_nodes(rule: &Node<'_, Self>) -> bool;

    /// Hashes pairs to nodes of a set for which the unit has no job. Returns false and does nothing
    /// for any other rule.
    fn join_short(_rule: &Node<'_, Self>, _rows: &[u8], _pairs: &[u8], _nodes: &mut [u8]) -> bool {
        false
    }
}

impl<H: InLanes, const LANES: usize> Nodes<H> for Refined<LANES> {
    fn node_rows(&self, rule: &Node<'_, H>, heads: &[[u8; N]], rows: &mut [u8]) -> bool {
        assert_eq!(rows.len(), 3 * rule.n * heads.len());
        if !(are_words(&[heads.as_ptr().cast(), rows.as_ptr()]) && H::begin_nodes(rule)) {
            return false;
        }
        for (head, row) in heads.iter().zip(rows.chunks_exact_mut(3 * N)) {
            // SAFETY: head and row stay until the jobs are waited for.
            unsafe { node_row(head.as_ptr(), row.as_mut_ptr()) };
        }
        wait(0);
        true
    }

    fn join(&self, rule: &Node<'_, H>, rows: &[u8], pairs: &[u8], nodes: &mut [u8]) -> bool {
        assert!(rows.len() == 3 * nodes.len() && pairs.len() == 2 * nodes.len());
        if H::join_short(rule, rows, pairs, nodes) {
            return true;
        }
        let places = [rows.as_ptr(), pairs.as_ptr(), nodes.as_ptr()];
        if !(are_words(&places) && H::begin_nodes(rule)) {
            return false;
        }
        let given = rows.chunks_exact(3 * N).zip(pairs.chunks_exact(2 * N));
        for ((row, pair), out) in given.zip(nodes.chunks_exact_mut(N)) {
            // SAFETY: row, pair and node stay until the jobs are waited for.
            unsafe { node(pair.as_ptr(), row.as_ptr(), out.as_mut_ptr()) };
        }
        wait(0);
        true
    }

    fn finish(
        &self,
        rule: &Rule<'_, H>,
        grid: &Grid,
        (from, last): (&[u8], u32),
        given: &[u8],
        ends: &mut [u8],
    ) -> bool {
        assert!([given.len(), ends.len()] == [from.len() * rule.n(); 2]);
        let chains = Chains { from, last, given };
        if !are_words(&[given.as_ptr(), ends.as_ptr()]) {
            return false;
        }
        match rule {
            Rule::Masked(rule) if H::begin_masked(rule) => chains.by_heads::<LANES>(grid, ends),
            Rule::Rows(rule) if H::begin_rows(rule) => {
                assert!(rule.rows.len() >= from.len() * last as usize * refined::ROW);
                chains.by_rows::<LANES>(ends);
            }
            _ => return false,
        }
        true
    }

    fn look_up(&self, table: &[u8], steps: &[u8], out: &mut [u8]) -> bool {
        if !are_words(&[table.as_ptr(), out.as_ptr()]) {
            return false;
        }
        if out.len() == 32 * steps.len() {
            set(XMSS_N32, &NONE);
            copy_each::<32>(table, steps, out)
        } else if out.len() == 24 * steps.len() {
            set(XMSS_N24, &NONE);
            copy_each::<24>(table, steps, out)
        } else {
            false
        }
    }

    fn reduce(&self, rule: &Node<'_, H>, given: Given<'_>, values: &mut [u8]) -> bool {
        let nodes = values.len() / N - 1;
        if !begin::<H, LANES>(rule, &given, nodes, &[values.as_ptr()]) {
            return false;
        }
        match given {
            Given::Rows(rows) => reduce::<LANES>(Table(rows), values),
            Given::Heads(heads) => reduce::<LANES>(Maker::new(heads, nodes), values),
        }
        true
    }

    fn climb(
        &self,
        rule: &Node<'_, H>,
        given: Given<'_>,
        sides: u32,
        pairs: &mut [u8],
        root: &mut [u8],
    ) -> bool {
        let nodes = pairs.len() / (2 * N);
        assert_eq!(root.len(), rule.n);
        if !begin::<H, LANES>(rule, &given, nodes, &[pairs.as_ptr(), root.as_ptr()]) {
            return false;
        }
        match given {
            Given::Rows(rows) => climb::<LANES>(Table(rows), sides, pairs, root),
            Given::Heads(heads) => climb::<LANES>(Maker::new(heads, nodes), sides, pairs, root),
        }
        true
    }
}

/// Copies a value of N bytes of each chain, in the mode set before. Returns false and copies
/// nothing if the number of values per chain is not a power of two.
fn copy_each<const N: usize>(table: &[u8], steps: &[u8], out: &mut [u8]) -> bool {
    let (count, values) = (out.len() / N, table.len() / out.len());
    assert!(steps.len() == count && values * out.len() == table.len());
    if !values.is_power_of_two() {
        return false;
    }
    let mut seen = 0;
    let (mut chain_at, mut target) = (table.as_ptr(), out.as_mut_ptr());
    for step in steps {
        seen |= step;
        let step = usize::from(*step) & (values - 1);
        // SAFETY: table and values stay until the jobs are waited for. After the last round the
        // pointers are one past the end.
        unsafe {
            chain::<COPIED>(0, chain_at.add(step * N), null(), target);
            chain_at = chain_at.add(values * N);
            target = target.add(N);
        }
    }
    wait(0);
    assert!(usize::from(seen) < values, "a step behind the last one");
    true
}

/// Sets up nodes that depend on each other. Returns false if the unit has no job for them. With
/// several lanes, the rows must be given.
fn begin<H: InLanes, const LANES: usize>(
    rule: &Node<'_, H>,
    given: &Given<'_>,
    nodes: usize,
    places: &[*const u8],
) -> bool {
    let has_rows = match given {
        Given::Rows(rows) => {
            assert!(rows.len() >= nodes * ROW);
            are_words(&[rows.as_ptr()])
        }
        Given::Heads(_) => LANES == 1,
    };
    has_rows && are_words(places) && H::begin_nodes(rule)
}
