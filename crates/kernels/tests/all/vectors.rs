//! The worked examples of FIPS 180-4 and FIPS 202, and long runs over random inputs.

use crate::common::{Function, Sha256, Sha512, Sponge, Stream, backends};
use hasten_kernels::{Kernels, many};

const FILES: [&str; 3] = [
    include_str!("../../../../vectors/sha256/examples.txt"),
    include_str!("../../../../vectors/sha512/examples.txt"),
    include_str!("../../../../vectors/keccak/examples.txt"),
];

fn hex(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches('-').as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Absorbs the message in pieces, as a caller with constant memory would.
fn digest<F: Function>(
    function: F,
    kernels: &Kernels<'_>,
    message: &[u8],
    times: u32,
    n: usize,
) -> Vec<u8> {
    let kernel = function.kernel(kernels);
    let mut hash = function.start();
    (0..times).for_each(|_| hash.update(kernel, message));
    let mut out = vec![0; n];
    hash.finish(kernel, &[], &mut out);
    out
}

#[test]
fn examples() {
    let lines = || FILES.iter().flat_map(|file| file.lines()).filter(|line| !line.starts_with('#'));
    assert_eq!(lines().count(), 14);
    for (name, kernels) in backends() {
        for line in lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let (message, want) = (hex(fields[2]), hex(fields[3]));
            let (times, n) = (fields[1].parse().unwrap(), want.len());
            let got = match fields[0] {
                "sha256" => digest(Sha256, &kernels, &message, times, n),
                "sha512" => digest(Sha512, &kernels, &message, times, n),
                "sha3-256" => digest(Sponge::Sha3_256, &kernels, &message, times, n),
                "sha3-512" => digest(Sponge::Sha3_512, &kernels, &message, times, n),
                "shake128" => digest(Sponge::Shake128, &kernels, &message, times, n),
                "shake256" => digest(Sponge::Shake256, &kernels, &message, times, n),
                other => panic!("unknown function {other}"),
            };
            assert_eq!(got, want, "{name}: {} x {}", fields[0], fields[2]);
        }
    }
}

/// Hashes `HASTEN_ACCUMULATE` (default 20,000) random messages in batches, and then all digests
/// into one. The other implementation does the same. A million messages take half a minute.
fn accumulate<F: Function>(function: F, n: usize) {
    let runs = std::env::var("HASTEN_ACCUMULATE").ok().and_then(|runs| runs.parse().ok());
    for (name, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        let (mut ours, mut theirs) = (vec![0; n], vec![0; n]);
        let mut stream = Stream(n as u64);
        let mut left = runs.unwrap_or(20_000_usize);
        while left > 0 {
            let (count, len) = (1 + stream.below(40.min(left)), stream.below(200));
            let messages = stream.vec(count * len);
            let mut out = vec![0; count * n];
            many(kernel, &function.start(), &messages, &mut out, n);
            function.start().with(kernel, &ours).finish(kernel, &out, &mut ours);
            let each = |i| function.model(&messages[i * len..(i + 1) * len], n);
            let all: Vec<u8> = (0..count).flat_map(each).collect();
            theirs = function.model(&[theirs, all].concat(), n);
            left -= count;
        }
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn accumulated() {
    accumulate(Sha256, 32);
    accumulate(Sha512, 64);
    accumulate(Sponge::Shake128, 32);
    accumulate(Sponge::Sha3_256, 32);
}
