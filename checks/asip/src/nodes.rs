//! Nodes of trees on the unit: KEY and masks in one job, masking on the way to the compressions.

use crate::finish::Chains;
use crate::known::{self, N};
use crate::reduce::{Maker, ROW, Table, climb, reduce};
use crate::refined::{self, Refined, begin_masked, begin_rows};
use crate::short;
use crate::unit::{COPIED, XMSS_N24, XMSS_N32, are_words, chain, node, node_row, set, wait};
use core::ptr::null;
use hasten_kernels::Sha256;
use hasten_kernels::chain::Rule;
use hasten_kernels::grid::Grid;
use hasten_kernels::node::{Given, Node, Nodes};

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
        if short::has_nodes(rule) {
            short::join(rows, pairs, nodes);
            return true;
        }
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

    fn finish(
        &self,
        rule: &Rule<'_, Sha256>,
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
            Rule::Masked(rule) if begin_masked(rule) => chains.by_heads::<LANES>(grid, ends),
            Rule::Rows(rule) if begin_rows(rule) => {
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
            set(XMSS_N32, &Sha256::INITIAL);
            copy_each::<32>(table, steps, out)
        } else if out.len() == 24 * steps.len() {
            set(XMSS_N24, &Sha256::INITIAL);
            copy_each::<24>(table, steps, out)
        } else {
            false
        }
    }

    fn reduce(&self, rule: &Node<'_, Sha256>, given: Given<'_>, values: &mut [u8]) -> bool {
        let nodes = values.len() / N - 1;
        if !begin::<LANES>(rule, &given, nodes, &[values.as_ptr()]) {
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
        rule: &Node<'_, Sha256>,
        given: Given<'_>,
        sides: u32,
        pairs: &mut [u8],
        root: &mut [u8],
    ) -> bool {
        let nodes = pairs.len() / (2 * N);
        assert_eq!(root.len(), rule.n);
        if !begin::<LANES>(rule, &given, nodes, &[pairs.as_ptr(), root.as_ptr()]) {
            return false;
        }
        match given {
            Given::Rows(rows) => climb::<LANES>(Table(rows), sides, pairs, root),
            Given::Heads(heads) => climb::<LANES>(Maker::new(heads, nodes), sides, pairs, root),
        }
        true
    }
}

/// Copies a value of N bytes of each chain, in the mode that was set. Returns false, and copies
/// nothing, if the values of a chain are no power of two.
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
        // SAFETY: table and values stay until the jobs are waited for. The places that the last
        // round leaves are one behind their ends.
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

/// Begins with nodes that depend on each other, if the unit has a way with them: several lanes make
/// no rows on the way.
fn begin<const LANES: usize>(
    rule: &Node<'_, Sha256>,
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
    let good = has_rows && known::is_node(rule) && are_words(places);
    if good {
        set(XMSS_N32, rule.prf.state());
    }
    good
}
