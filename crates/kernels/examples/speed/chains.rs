//! Times of chains under every rule: 67 chains of 15 steps each, and 67 chains of 0 to 15 steps.

use crate::times::{Times, times};
use hasten_kernels::chain::{HEAD, Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};
use serde_json::{Map, Value, json};
use std::hint::black_box;

const COUNT: usize = 67;

/// Returns a row for each hash function of a backend, with the time of one compression in each kind
/// of chain.
pub fn rows(backend: &str, kernels: &Kernels<'_>) -> Vec<Value> {
    let Kernels { sha256, sha512, keccak } = *kernels;
    [
        ("SHA-256", 32, all(sha256, &Midstate::sha256(), 32)),
        ("SHA-256", 24, all(sha256, &Midstate::sha256(), 24)),
        ("SHA-512", 64, all(sha512, &Midstate::sha512(), 64)),
        ("SHAKE256", 32, all(keccak, &Midstate::shake256(), 32)),
    ]
    .map(|(alg, n, kinds)| row(backend, alg, n, &kinds))
    .into()
}

fn row(backend: &str, alg: &str, n: usize, kinds: &[(String, Times)]) -> Value {
    let mut row = Map::from_iter([
        ("alg".to_owned(), json!(alg)),
        ("backend".to_owned(), json!(backend)),
        ("n".to_owned(), json!(n)),
        ("chains".to_owned(), json!(COUNT)),
    ]);
    row.extend(kinds.iter().map(|(kind, times)| (format!("{kind}_us"), times.spread())));
    Value::Object(row)
}

/// Returns the name of each kind of chain, and the time of one compression in it.
fn all<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    start: &Midstate<H>,
    n: usize,
) -> Vec<(String, Times)> {
    let even: Vec<_> =
        (0..COUNT).map(|i| Span { steps: 15, row: 15 * i, ..Span::default() }).collect();
    let mixed: Vec<_> =
        even.iter().enumerate().map(|(i, s)| Span { steps: i as u32 * 7 % 16, ..*s }).collect();
    let pad = start.clone().with(kernel, &vec![0; if n == 24 { 4 } else { n }]);
    let prf = pad.clone().with(kernel, &vec![1; n]);
    let masked = Masked { prf: &prf, core: &pad, head_len: HEAD, at: 24, n };
    let mut rows = vec![0; 2 * n * COUNT * 15];
    let fill = times(|| kernel.rows(&masked, &even, black_box(&mut rows)));
    let filled = (COUNT * 15) as u64 * masked.row_cost();
    let counter = StepField { at: 18, width: 4 };
    let rules = [
        ("tweak", Rule::Tweak(Tweak { prefix: start, head_len: 22, counter, n: n.min(32) })),
        ("masked", Rule::Masked(masked)),
        ("rows", Rule::Rows(Rows { core: &pad, rows: &rows, n })),
    ];
    let mut kinds = vec![("fill".to_owned(), fill.of(filled))];
    for (name, rule) in &rules {
        for (ending, spans) in [("", &even), ("_mixed", &mixed)] {
            let mut values = vec![3; COUNT * rule.n()];
            let time = times(|| kernel.chains(rule, spans, black_box(&mut values)));
            let steps: u64 = spans.iter().map(|span| u64::from(span.steps)).sum();
            kinds.push((format!("{name}{ending}"), time.of(steps * rule.cost())));
        }
    }
    kinds
}
