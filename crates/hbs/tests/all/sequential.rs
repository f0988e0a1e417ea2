//! Sequential verification gives the same answers as `Verifier`: for every known answer of LMS, HSS
//! and XMSS with SHA-256, and for changed ones.

use crate::answers::answers;
use crate::source::{from_hex, vectors};
use hasten_hbs::sequential::{Block, Chains, Form, Head, Shape, Unit, Verdict, Verification};
use hasten_hbs::{Error, PublicKey, Verifier};
use hasten_kernels::chain::{Masked, Rule, Span, StepField, Tweak};
use hasten_kernels::{Kernels, Midstate, State256};

const SHAPES: &[Shape] = &[
    Shape::named("XMSS-SHA2_10_256"),
    Shape::named("XMSS-SHA2_16_256"),
    Shape::named("XMSS-SHA2_10_192"),
    Shape::named("XMSS-SHA2_20_192"),
    Shape::named("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W1"),
    Shape::named("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W2"),
    Shape::named("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4"),
    Shape::named("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8"),
    Shape::named("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4"),
    Shape::named("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W8"),
    Shape::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W1"),
    Shape::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W2"),
    Shape::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4"),
    Shape::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8"),
    Shape::named("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4"),
    Shape::named("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8"),
];

/// A unit that supports chains, computed by the kernels.
#[derive(Clone, Copy)]
struct OfKernels;

impl Unit for OfKernels {
    fn absorb(self, state: &mut State256, block: &Block) {
        let blocks = core::slice::from_ref(&block.0);
        Kernels::best().sha256.compress(core::slice::from_mut(state), blocks);
    }

    fn chains(self, chains: &Chains<'_>, from: impl Fn(u32) -> u32, values: &mut [u8]) -> bool {
        let (kernel, n) = (Kernels::best().sha256, chains.n);
        let spans: Vec<Span> = (0..values.len() / n)
            .map(|i| {
                let (mut head, i) = (Head([0; 32]), i as u32);
                chains.fill(i, &mut head);
                Span { head: head.0, from: from(i), steps: chains.last - from(i), row: 0 }
            })
            .collect();
        let start = |bytes: &[u8]| Midstate::sha256().with(kernel, bytes);
        let pad = |function| [&[0; 32][..if n == 24 { 3 } else { 31 }], &[function]].concat();
        let (prf, core, none) = (start(&pad(3)), start(&pad(0)), start(&[]));
        let prf = prf.with(kernel, chains.seed.unwrap_or_default());
        let rule = match chains.seed {
            Some(_) => Rule::Masked(Masked { prf: &prf, core: &core, head_len: 32, at: 24, n }),
            None => {
                let counter = StepField { at: 22, width: 1 };
                Rule::Tweak(Tweak { prefix: &none, head_len: 23, counter, n })
            }
        };
        kernel.chains(&rule, &spans, values);
        true
    }
}

/// A key with a signature of a message.
#[derive(Clone)]
struct Case {
    name: String,
    form: Form,
    key: Vec<u8>,
    signature: Vec<u8>,
    message: Vec<u8>,
}

impl Case {
    fn sequential(&self) -> Option<Verdict> {
        let mut signature = self.signature.clone();
        let verification = Verification::begin::<8>(SHAPES, self.form, &self.key, &mut signature);
        let mut verification = verification?;
        self.message.chunks(23).for_each(|part| verification.update(part));
        let verdict = verification.finish();
        assert_eq!(self.by_unit(), Some(verdict), "{}", self.name);
        Some(verdict)
    }

    /// Returns the verdict with a unit that receives most of the message in words.
    fn by_unit(&self) -> Option<Verdict> {
        let mut signature = self.signature.clone();
        let verification =
            Verification::begin_by::<8>(OfKernels, SHAPES, self.form, &self.key, &mut signature);
        let mut verification = verification?;
        let (front, rest) = self.message.split_at(self.message.len().min(3));
        let (words, last) = rest.as_chunks();
        verification.update(front);
        let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
        verification.update_words(words.len(), &mut words);
        verification.update(last);
        Some(verification.finish())
    }

    fn whole(&self) -> Result<(), Error> {
        let key = match self.form {
            Form::Lms => PublicKey::from_lms_bytes(&self.key),
            Form::Hss => PublicKey::from_hss_bytes(&self.key),
            _ => PublicKey::from_xmss_bytes(&self.key),
        };
        Verifier::new(&key?, Kernels::best()).verify(&self.message, &self.signature)
    }

    /// Asserts that both verifiers agree, and returns whether the signature is good.
    fn is_good(&self) -> bool {
        let (verdict, good) = (self.sequential(), self.whole().is_ok());
        let (first, second) = verdict.map_or((0, 0), |verdict| (verdict.first, verdict.second));
        assert_eq!(first == Verdict::GOOD, good, "{}", self.name);
        assert_eq!(first, second, "{}", self.name);
        good
    }
}

/// Returns the answers of LMS and HSS in the bench of the core `hbs_verify`: one for every set that
/// is signed there, those of the standards, and NIST's good and bad ones.
fn of_lms() -> Vec<Case> {
    let path = vectors().join("../rtl/hbs_verify/bench/vectors.txt");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter_map(read).collect()
}

/// Reads a case. Returns `None` for sets without a shape in [`SHAPES`].
fn read(line: &str) -> Option<Case> {
    let fields: Vec<&str> = line.split(' ').collect();
    let ["case", name, form, _, key, signature, message] = fields[..] else { return None };
    let bytes = |hex: &str| if hex == "-" { vec![] } else { from_hex(hex) };
    let form = if form == "hss" { Form::Hss } else { Form::Lms };
    let (key, signature, message) = (bytes(key), bytes(signature), bytes(message));
    let case = Case { name: name.into(), form, key, signature, message };
    let of_shapes = case.sequential().is_some() || case.whole().is_err();
    of_shapes.then_some(case)
}

fn of_xmss() -> Vec<Case> {
    let answers = answers(&vectors().join("xmss"), "XMSS-SHA2_");
    let small = answers.into_iter().filter(|answer| !answer.name.ends_with("512"));
    small
        .map(|a| Case {
            name: a.name,
            form: Form::Xmss,
            key: a.pk,
            signature: a.sm,
            message: a.msg,
        })
        .collect()
}

#[test]
fn known_answers() {
    let lms = of_lms();
    assert!(lms.iter().filter(|case| case.is_good()).count() >= 50);
    assert!(lms.iter().filter(|case| case.form == Form::Hss).count() >= 10);
    let xmss = of_xmss();
    assert!(xmss.len() >= 4 && xmss.iter().all(Case::is_good));
}

#[test]
fn changed_ones() {
    for case in of_lms().iter().chain(&of_xmss()).filter(|case| case.is_good()) {
        for place in (0..case.signature.len()).step_by(case.signature.len() / 40) {
            let mut changed = case.clone();
            changed.signature[place] ^= 1 << (place % 8);
            assert!(!changed.is_good(), "{} at {place}", case.name);
        }
        for place in 0..case.key.len() {
            let mut changed = case.clone();
            changed.key[place] ^= 1 << (place % 8);
            assert_ne!(changed.sequential().map(|v| v.is_good()), Some(true), "{}", case.name);
        }
        let mut longer = case.clone();
        longer.message.push(0);
        assert!(!longer.is_good());
    }
}

#[test]
fn other_lengths() {
    for case in of_lms().iter().chain(&of_xmss()).filter(|case| case.is_good()) {
        for len in (0..case.signature.len()).step_by(101).chain([case.signature.len() - 1]) {
            let shorter = Case { signature: case.signature[..len].into(), ..case.clone() };
            assert_eq!(shorter.sequential(), None, "{} of {len}", case.name);
        }
        let longer = Case { signature: [&case.signature[..], &[0]].concat(), ..case.clone() };
        assert_eq!(longer.sequential(), None);
        for len in 0..case.key.len() {
            let shorter = Case { key: case.key[..len].into(), ..case.clone() };
            assert_eq!(shorter.sequential(), None, "{} with a key of {len}", case.name);
        }
    }
}
