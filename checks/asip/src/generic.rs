//! SHA-256 by the generic stage of the unit: the processor moves every word.

use crate::absent::Absent;
use crate::known::{self, N, Shape, shape};
use crate::words::{
    AS_BYTES, AS_WORDS, BIT, DIGEST, END_OF_96, END_OF_128, FIRST_HALF, GIVEN, INITIAL,
    SECOND_HALF, STATE, Words, get, go, load, put, put_last, store, xor,
};
use hasten_kernels::chain::{self, Rows, Rule, Span};
use hasten_kernels::grid::{Grids, Numbered};
use hasten_kernels::node::{Node, Nodes};
use hasten_kernels::{Kernel, Kernels, Sha256};

/// The generic stage.
pub struct Generic(());

impl Generic {
    /// Returns a kernel bundle that computes SHA-256 with the unit.
    ///
    /// # Safety
    /// The processor must have a unit of the generic stage.
    pub const unsafe fn kernels() -> Kernels<'static> {
        Kernels { sha256: &Self(()), sha512: &Absent, keccak: &Absent }
    }
}

impl Kernel<Sha256> for Generic {
    fn name(&self) -> &'static str {
        "generic"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn compress(&self, states: &mut [Words], blocks: &[[u8; 64]]) {
        assert_eq!(states.len(), blocks.len());
        for (state, block) in states.iter_mut().zip(blocks) {
            put::<STATE, AS_WORDS>(state);
            put_block(&block[..N], &block[N..]);
            go::<GIVEN>();
            *state = get::<AS_WORDS>();
        }
    }

    fn chains(&self, rule: &Rule<'_, Sha256>, spans: &[Span], values: &mut [u8]) {
        let n = rule.n();
        assert_eq!(values.len(), spans.len() * n);
        let pairs = spans.iter().zip(values.chunks_exact_mut(n));
        match rule {
            Rule::Masked(rule) if known::is_masked(rule) && rule.prf.pending().is_empty() => {
                put::<STATE, AS_WORDS>(rule.prf.state());
                pairs.for_each(|(span, value)| fly(span, value));
            }
            Rule::Rows(rule) if n == N && known::begins_with(rule.core, 0) => {
                put::<SECOND_HALF, AS_WORDS>(&END_OF_96);
                pairs.for_each(|(span, value)| follow(rule, span, value));
            }
            _ => chain::advance(self, rule, spans, values),
        }
    }

    fn grids(&self) -> Option<&dyn Grids<Sha256>> {
        Some(self)
    }

    fn nodes(&self) -> Option<&dyn Nodes<Sha256>> {
        Some(self)
    }
}

/// Puts a block in two halves.
fn put_block(first: &[u8], second: &[u8]) {
    put::<FIRST_HALF, AS_BYTES>(&load(first));
    put::<SECOND_HALF, AS_BYTES>(&load(second));
}

/// Computes the steps of one chain. The state after PUB_SEED must have been put before.
fn fly(span: &Span, value: &mut [u8]) {
    let head = load(&span.head);
    let mut x = load(value);
    for step in span.from..span.from + span.steps {
        let step = step.swap_bytes();
        put::<FIRST_HALF, AS_BYTES>(&head);
        put_last::<AS_BYTES>(step, 0);
        put::<SECOND_HALF, AS_WORDS>(&END_OF_96);
        go::<GIVEN>();
        let key = get::<AS_WORDS>();
        put_last::<AS_BYTES>(step, 1 << 24);
        go::<GIVEN>();
        put::<FIRST_HALF, AS_WORDS>(&[0; 8]);
        put::<SECOND_HALF, AS_WORDS>(&key);
        let mask = get::<AS_BYTES>();
        go::<INITIAL>();
        put::<FIRST_HALF, AS_BYTES>(&xor(&x, &mask));
        put::<SECOND_HALF, AS_WORDS>(&END_OF_96);
        go::<DIGEST>();
        x = get::<AS_BYTES>();
    }
    store(&x, value);
}

/// Computes the steps of one chain by their rows.
fn follow(rule: &Rows<'_, Sha256>, span: &Span, value: &mut [u8]) {
    let first = span.row + span.from as usize;
    let rows = &rule.rows[first * 2 * N..(first + span.steps as usize) * 2 * N];
    let mut x = load(value);
    for row in rows.as_chunks::<{ 2 * N }>().0 {
        put::<STATE, AS_BYTES>(&load(row));
        put::<FIRST_HALF, AS_BYTES>(&xor(&x, &load(&row[N..])));
        go::<GIVEN>();
        x = get::<AS_BYTES>();
    }
    store(&x, value);
}

impl Nodes<Sha256> for Generic {
    fn node_rows(&self, rule: &Node<'_, Sha256>, heads: &[[u8; N]], rows: &mut [u8]) -> bool {
        assert_eq!(rows.len(), 3 * rule.n * heads.len());
        if !(known::is_node(rule) && rule.prf.pending().is_empty()) {
            return false;
        }
        put::<STATE, AS_WORDS>(rule.prf.state());
        for (head, row) in heads.iter().zip(rows.as_chunks_mut::<{ 3 * N }>().0) {
            fill_row(&load(head), row);
        }
        true
    }

    fn join(&self, rule: &Node<'_, Sha256>, rows: &[u8], pairs: &[u8], nodes: &mut [u8]) -> bool {
        assert!(rows.len() == 3 * nodes.len() && pairs.len() == 2 * nodes.len());
        if !known::is_node(rule) {
            return false;
        }
        let given = rows.as_chunks::<{ 3 * N }>().0.iter().zip(pairs.as_chunks::<{ 2 * N }>().0);
        for ((row, pair), node) in given.zip(nodes.as_chunks_mut::<N>().0) {
            put::<STATE, AS_BYTES>(&load(row));
            put::<FIRST_HALF, AS_BYTES>(&xor(&load(pair), &load(&row[N..])));
            put::<SECOND_HALF, AS_BYTES>(&xor(&load(&pair[N..]), &load(&row[2 * N..])));
            go::<GIVEN>();
            end_128();
            store(&get::<AS_BYTES>(), node);
        }
        true
    }
}

/// Compresses the padding block of a 128-byte message.
fn end_128() {
    put::<FIRST_HALF, AS_WORDS>(&BIT);
    put::<SECOND_HALF, AS_WORDS>(&END_OF_128);
    go::<DIGEST>();
}

/// Computes a node's row: the state after KEY, and both masks.
fn fill_row(head: &Words, row: &mut [u8; 3 * N]) {
    put::<FIRST_HALF, AS_BYTES>(head);
    put::<SECOND_HALF, AS_WORDS>(&END_OF_96);
    go::<GIVEN>();
    let key = get::<AS_WORDS>();
    for (selector, mask) in (1..).zip(row[N..].chunks_exact_mut(N)) {
        put_last::<AS_BYTES>(head[6], u32::to_be(selector));
        go::<GIVEN>();
        store(&get::<AS_BYTES>(), mask);
    }
    put::<FIRST_HALF, AS_WORDS>(&[0, 0, 0, 0, 0, 0, 0, 1]);
    put::<SECOND_HALF, AS_WORDS>(&key);
    go::<INITIAL>();
    store(&get::<AS_BYTES>(), row);
}

impl Grids<Sha256> for Generic {
    fn numbered(&self, messages: &Numbered<'_, Sha256>, out: &mut [u8], n: usize) {
        let Numbered { prefix, head_len, grid, .. } = *messages;
        let is_known = n == N && head_len == N;
        let heads = |count: usize| (0..count).map(|i| load(&grid.head(i)));
        match shape(messages) {
            Some(Shape::Half) if is_known => {
                put::<STATE, AS_WORDS>(prefix.state());
                put::<SECOND_HALF, AS_WORDS>(&END_OF_96);
                for (head, digest) in heads(out.len() / N).zip(out.as_chunks_mut::<N>().0) {
                    put::<FIRST_HALF, AS_BYTES>(&head);
                    go::<GIVEN>();
                    store(&get::<AS_BYTES>(), digest);
                }
            }
            Some(Shape::Full) if is_known => {
                put::<STATE, AS_WORDS>(prefix.state());
                let begin = load(prefix.pending());
                for (head, digest) in heads(out.len() / N).zip(out.as_chunks_mut::<N>().0) {
                    put::<FIRST_HALF, AS_BYTES>(&begin);
                    put::<SECOND_HALF, AS_BYTES>(&head);
                    go::<GIVEN>();
                    end_128();
                    store(&get::<AS_BYTES>(), digest);
                }
            }
            _ => messages.hash_laid_out(self, 0, out, n),
        }
    }
}
