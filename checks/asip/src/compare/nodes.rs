//! Nodes: rows, single nodes, whole trees and paths.

use super::{Hash, MOST, Random};
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::HashFunction;
use hasten_kernels::node::{Given, Node, Nodes};

pub fn nodes<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let (prf, core) = (hash.led(3, &random.bytes(32)), hash.led(1, &[]));
    let rule = Node { prf: &prf, core: &core, lead: 0, at: 31, n: 32 };
    let count = random.below(MOST);
    let heads = random.heads(count);
    let pairs = random.bytes(count * 64);
    let (mut rows, mut out) = (vec![0; count * 96], vec![0; count * 32]);
    let known = hash.kernel.nodes().is_some_and(|nodes| {
        nodes.node_rows(&rule, &heads, &mut rows) && nodes.join(&rule, &rows, &pairs, &mut out)
    });
    if !known {
        hash_nodes(hash, &rule, (&heads, &pairs), (&mut rows, &mut out));
    }
    rows.append(&mut out);
    rows
}

/// Hashes pairs with n = 24 to nodes, with random bytes as rows.
pub fn short_nodes<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let (prf, core) = (hash.padded(3, 4), hash.padded(1, 4));
    let rule = Node { prf: &prf, core: &core, lead: 0, at: 31, n: 24 };
    let count = random.below(MOST);
    let (rows, pairs) = (random.bytes(count * 72), random.bytes(count * 48));
    let mut out = vec![0; count * 24];
    if !hash.kernel.nodes().is_some_and(|nodes| nodes.join(&rule, &rows, &pairs, &mut out)) {
        let given = rows.chunks_exact(72).zip(pairs.chunks_exact(48));
        for ((row, pair), node) in given.zip(out.chunks_exact_mut(24)) {
            let sum: Vec<u8> = pair.iter().zip(&row[24..]).map(|(a, b)| a ^ b).collect();
            core.clone().with(hash.kernel, &row[..24]).finish(hash.kernel, &sum, node);
        }
    }
    out
}

/// Computes rows and nodes by hashing whole messages.
fn hash_nodes<H: HashFunction>(
    hash: &Hash<'_, H>,
    rule: &Node<'_, H>,
    (heads, pairs): (&[[u8; 32]], &[u8]),
    (rows, out): (&mut [u8], &mut [u8]),
) {
    let each = heads.iter().zip(pairs.chunks_exact(64));
    for ((head, pair), (row, node)) in
        each.zip(rows.chunks_exact_mut(96).zip(out.chunks_exact_mut(32)))
    {
        for (selector, part) in (0..).zip(row.chunks_exact_mut(32)) {
            let mut head = *head;
            head[31] = selector;
            rule.prf.finish(hash.kernel, &head, part);
        }
        let keyed = rule.core.clone().with(hash.kernel, &row[..32]);
        let sum: Vec<u8> = pair.iter().zip(&row[32..]).map(|(a, b)| a ^ b).collect();
        keyed.finish(hash.kernel, &sum, node);
        if rule.core.keeps_state(32) {
            H::write(keyed.state(), &mut row[..32]);
        }
    }
}

/// Reduces values to one, by rows made before or from the heads.
pub fn trees<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random, by_rows: bool) -> Vec<u8> {
    let (prf, core) = (hash.led(3, &random.bytes(32)), hash.led(1, &[]));
    let rule = Node { prf: &prf, core: &core, lead: 0, at: 31, n: 32 };
    let count = 1 + random.below(12);
    let mut values = random.bytes(count * 32);
    let heads = random.heads(values.len() / 32 - 1);
    let mut rows = vec![0; heads.len() * 96];
    let mut unused = vec![0; heads.len() * 32];
    let pairs = vec![0; heads.len() * 64];
    if by_rows {
        hash_nodes(hash, &rule, (&heads, &pairs), (&mut rows, &mut unused));
    }
    let mut each = heads.iter().copied();
    let given = if by_rows { Given::Rows(&rows) } else { Given::Heads(&mut each) };
    if !hash.kernel.nodes().is_some_and(|nodes| nodes.reduce(&rule, given, &mut values)) {
        values = reduced(hash, &rule, &heads, values);
    }
    values.truncate(32);
    values
}

/// Reduces values to one by hashing whole messages.
fn reduced<H: HashFunction>(
    hash: &Hash<'_, H>,
    rule: &Node<'_, H>,
    mut heads: &[[u8; 32]],
    mut values: Vec<u8>,
) -> Vec<u8> {
    while values.len() > 32 {
        let (nodes, odd) = (values.len() / 64, values.len() / 32 % 2);
        let (now, later) = heads.split_at(nodes);
        let (mut rows, mut row) = (vec![0; nodes * 96], vec![0; nodes * 32]);
        hash_nodes(hash, rule, (now, &values[..nodes * 64]), (&mut rows, &mut row));
        row.extend(&values[values.len() - odd * 32..]);
        (heads, values) = (later, row);
    }
    values
}

/// Follows a path, by rows made before or from the heads.
pub fn paths<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random, by_rows: bool) -> Vec<u8> {
    let (prf, core) = (hash.led(3, &random.bytes(32)), hash.led(1, &[]));
    let rule = Node { prf: &prf, core: &core, lead: 0, at: 31, n: 32 };
    let (levels, sides) = (1 + random.below(4), random.next());
    let (mut pairs, heads) = (random.bytes(levels * 64), random.heads(levels));
    let (mut rows, mut root) = (vec![0; levels * 96], vec![0; 32]);
    if by_rows {
        let (pairs, mut unused) = (vec![0; levels * 64], vec![0; levels * 32]);
        hash_nodes(hash, &rule, (&heads, &pairs), (&mut rows, &mut unused));
    }
    let mut each = heads.iter().copied();
    let given = if by_rows { Given::Rows(&rows) } else { Given::Heads(&mut each) };
    let climb = |nodes: &dyn Nodes<H>| nodes.climb(&rule, given, sides, &mut pairs, &mut root);
    if !hash.kernel.nodes().is_some_and(climb) {
        for level in 0..levels {
            if level > 0 {
                pairs[64 * level + 32 * (sides >> level & 1) as usize..][..32]
                    .copy_from_slice(&root);
            }
            let (pair, row) = (&pairs[64 * level..][..64], &mut rows[96 * level..][..96]);
            hash_nodes(hash, &rule, (&heads[level..=level], pair), (row, &mut root));
        }
    }
    root.append(&mut pairs);
    root
}
