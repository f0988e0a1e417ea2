//! Reference models of the kernels, over the crates `sha2` and `sha3`.

use hasten_kernels::chain::{HEAD, Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};
use sha2::Digest;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// A deterministic stream of test bytes (splitmix64).
pub struct Stream(pub u64);

impl Stream {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.word() % limit as u64) as usize
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.word() as u8)
    }

    pub fn vec(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.word() as u8).collect()
    }
}

/// Returns the backends to test: those of this CPU, or the one that `HASTEN_TEST_BACKEND` names.
pub fn backends() -> Vec<(&'static str, Kernels<'static>)> {
    let only = std::env::var("HASTEN_TEST_BACKEND").ok();
    let wanted = |(name, _): &(&str, _)| only.as_deref().is_none_or(|only| only == *name);
    let backends: Vec<_> = Kernels::available().filter(wanted).collect();
    assert!(!backends.is_empty(), "no backend {only:?} on this CPU");
    backends
}

/// A hash function under test: its start, its kernel, and another implementation.
pub trait Function: Copy {
    type Hash: HashFunction;
    fn kernel<'k>(&self, kernels: &Kernels<'k>) -> &'k dyn Kernel<Self::Hash> {
        Self::Hash::kernel(kernels)
    }
    fn start(&self) -> Midstate<Self::Hash>;
    fn model(&self, message: &[u8], n: usize) -> Vec<u8>;
}

#[derive(Clone, Copy)]
pub struct Sha256;
#[derive(Clone, Copy)]
pub struct Sha512;
#[derive(Clone, Copy)]
pub enum Sponge {
    Sha3_256,
    Sha3_512,
    Shake128,
    Shake256,
}

impl Function for Sha256 {
    type Hash = hasten_kernels::Sha256;
    fn start(&self) -> Midstate<hasten_kernels::Sha256> {
        Midstate::sha256()
    }
    fn model(&self, message: &[u8], n: usize) -> Vec<u8> {
        sha2::Sha256::digest(message)[..n].to_vec()
    }
}

impl Function for Sha512 {
    type Hash = hasten_kernels::Sha512;
    fn start(&self) -> Midstate<hasten_kernels::Sha512> {
        Midstate::sha512()
    }
    fn model(&self, message: &[u8], n: usize) -> Vec<u8> {
        sha2::Sha512::digest(message)[..n].to_vec()
    }
}

impl Function for Sponge {
    type Hash = hasten_kernels::Keccak;
    fn start(&self) -> Midstate<hasten_kernels::Keccak> {
        match self {
            Self::Sha3_256 => Midstate::sha3_256(),
            Self::Sha3_512 => Midstate::sha3_512(),
            Self::Shake128 => Midstate::shake128(),
            Self::Shake256 => Midstate::shake256(),
        }
    }
    fn model(&self, message: &[u8], n: usize) -> Vec<u8> {
        let mut out = vec![0; n];
        match self {
            Self::Sha3_256 => return sha3::Sha3_256::digest(message)[..n].to_vec(),
            Self::Sha3_512 => return sha3::Sha3_512::digest(message)[..n].to_vec(),
            Self::Shake128 => {
                shake::Shake128::default().chain(message).finalize_xof().read(&mut out);
            }
            Self::Shake256 => {
                shake::Shake256::default().chain(message).finalize_xof().read(&mut out);
            }
        }
        out
    }
}

/// The parameters of a chain test, with the bytes that the prefixes were made from.
pub struct Case<F: Function> {
    pub function: F,
    pub n: usize,
    pub prefix: Vec<u8>,
    pub core: Vec<u8>,
    pub head_len: usize,
}

impl<F: Function> Case<F> {
    fn hash(&self, parts: &[&[u8]]) -> Vec<u8> {
        self.function.model(&parts.concat(), self.n)
    }

    pub fn midstate(&self, kernels: &Kernels<'_>, prefix: &[u8]) -> Midstate<F::Hash> {
        self.function.start().with(self.function.kernel(kernels), prefix)
    }

    /// Computes the model: value ← prefix ‖ head ‖ value.
    pub fn model_tweak(&self, rule: &Tweak<'_, F::Hash>, span: &Span, value: &mut Vec<u8>) {
        for j in span.from..span.from + span.steps {
            let mut head = span.head[..rule.head_len].to_vec();
            let at = rule.counter.at;
            head[at..at + rule.counter.width]
                .copy_from_slice(&j.to_be_bytes()[4 - rule.counter.width..]);
            *value = self.hash(&[&self.prefix, &head, value]);
        }
    }

    /// Returns KEY and MASK of step j.
    fn model_key_and_mask(&self, span: &Span, j: u32) -> [Vec<u8>; 2] {
        let at = self.head_len - 8;
        [0_u32, 1].map(|selector| {
            let mut head: [u8; HEAD] = span.head;
            head[at..at + 4].copy_from_slice(&j.to_be_bytes());
            head[at + 4..at + 8].copy_from_slice(&selector.to_be_bytes());
            self.hash(&[&self.prefix, &head[..self.head_len]])
        })
    }

    /// Returns the row of step j in the documented format, for either byte order of the machine.
    fn model_row(&self, kernels: &Kernels<'_>, span: &Span, j: u32) -> Vec<u8> {
        let [mut key, mask] = self.model_key_and_mask(span, j);
        if self.midstate(kernels, &self.core).keeps_state(self.n) {
            let after = self.midstate(kernels, &[&self.core[..], &key].concat());
            F::Hash::write(after.state(), &mut key);
        }
        [key, mask].concat()
    }

    /// Computes the model: value ← core ‖ KEY ‖ (value ⊕ MASK).
    pub fn model_masked(&self, span: &Span, value: &mut Vec<u8>) {
        for j in span.from..span.from + span.steps {
            let [key, mask] = self.model_key_and_mask(span, j);
            let masked: Vec<u8> = value.iter().zip(mask).map(|(x, m)| x ^ m).collect();
            *value = self.hash(&[&self.core, &key, &masked]);
        }
    }
}

/// Checks chains and rows of a backend against the models for one set of spans.
pub fn check_masked<F: Function>(kernels: &Kernels<'_>, case: &Case<F>, spans: &[Span], seed: u64) {
    let (n, kernel) = (case.n, case.function.kernel(kernels));
    let start = Stream(seed).vec(spans.len() * n);
    let want = model(spans, &start, n, |span, value| case.model_masked(span, value));
    let (prf, core) = (case.midstate(kernels, &case.prefix), case.midstate(kernels, &case.core));

    let mut values = start.clone();
    let (head_len, at) = (case.head_len, case.head_len - 8);
    let masked = || Masked { prf: &prf, core: &core, head_len, at, n };
    kernel.chains(&Rule::Masked(masked()), spans, &mut values);
    assert!(values == want, "masked, n={n}, {} spans", spans.len());

    let count = spans.iter().map(|span| span.row + (span.from + span.steps) as usize).max();
    let mut rows = vec![0; 2 * n * count.unwrap_or(0)];
    kernel.rows(&masked(), spans, &mut rows);
    for (span, j) in spans.iter().flat_map(|s| (s.from..s.from + s.steps).map(move |j| (s, j))) {
        let row = &rows[(span.row + j as usize) * 2 * n..][..2 * n];
        assert!(row == case.model_row(kernels, span, j), "row, n={n}, step {j}");
    }
    let mut values = start;
    kernel.chains(&Rule::Rows(Rows { core: &core, rows: &rows, n }), spans, &mut values);
    assert!(values == want, "rows, n={n}, {} spans", spans.len());
}

/// Checks chains of a backend under [`Tweak`] against the model for one set of spans.
pub fn check_tweak<F: Function>(
    kernels: &Kernels<'_>,
    case: &Case<F>,
    shape: (usize, StepField),
    spans: &[Span],
    seed: u64,
) {
    let (n, kernel) = (case.n, case.function.kernel(kernels));
    let mut values = Stream(seed).vec(spans.len() * n);
    let prefix = case.midstate(kernels, &case.prefix);
    let rule = Tweak { prefix: &prefix, head_len: shape.0, counter: shape.1, n };
    let want = model(spans, &values, n, |span, value| case.model_tweak(&rule, span, value));
    kernel.chains(&Rule::Tweak(rule), spans, &mut values);
    assert!(values == want, "tweak, n={n}, {} spans", spans.len());
}

fn model(spans: &[Span], values: &[u8], n: usize, step: impl Fn(&Span, &mut Vec<u8>)) -> Vec<u8> {
    let one = |(i, span): (usize, &Span)| {
        let mut value = values[i * n..(i + 1) * n].to_vec();
        step(span, &mut value);
        value
    };
    spans.iter().enumerate().flat_map(one).collect()
}

/// Returns spans of random length and start, some without steps. Their rows do not overlap.
pub fn spans(count: usize, longest: usize, seed: u64) -> Vec<Span> {
    let mut stream = Stream(seed);
    (0..count)
        .map(|i| Span {
            head: stream.bytes(),
            from: stream.below(4) as u32,
            steps: stream.below(longest + 1) as u32,
            row: i * (longest + 4),
        })
        .collect()
}

/// A backend that has only the bare kernels, so that the default bodies run over them.
pub struct Plain<'k>(pub Kernels<'k>);

impl<H: HashFunction> Kernel<H> for Plain<'_> {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn lanes(&self) -> usize {
        7
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        H::kernel(&self.0).compress(states, blocks);
    }
}
