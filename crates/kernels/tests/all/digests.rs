//! Digests against other implementations: lengths around all padding boundaries, messages in
//! pieces, batches.

use crate::common::{Function, Sha256, Sha512, Sponge, Stream, backends};
use hasten_kernels::{keyed_many, many, prepare_keys};

const SPONGES: [Sponge; 4] =
    [Sponge::Sha3_256, Sponge::Sha3_512, Sponge::Shake128, Sponge::Shake256];

fn lengths<F: Function>(function: F, n: usize) {
    for (_, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        for len in 0..400 {
            let message = Stream(len as u64).vec(len);
            let mut out = vec![0; n];
            let (head, tail) = message.split_at(len / 3);
            function.start().with(kernel, head).finish(kernel, tail, &mut out);
            assert_eq!(out, function.model(&message, n), "length {len}");
        }
    }
}

#[test]
fn every_length() {
    lengths(Sha256, 32);
    lengths(Sha512, 64);
    SPONGES.into_iter().for_each(|sponge| lengths(sponge, 32));
}

fn batches<F: Function>(function: F, n: usize) {
    for (_, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        for (count, len) in [(0, 5), (1, 64), (3, 55), (4, 0), (33, 96), (70, 300)] {
            let prefix = Stream(3).vec(7 * count);
            let from = function.start().with(kernel, &prefix);
            let messages = Stream(4).vec(len * count);
            let mut out = vec![0; n * count];
            many(kernel, &from, &messages, &mut out, n);
            for (i, digest) in out.chunks(n).enumerate() {
                let whole = [&prefix[..], &messages[i * len..(i + 1) * len]].concat();
                assert_eq!(digest, function.model(&whole, n), "{count} of {len}");
            }
        }
    }
}

#[test]
fn every_batch() {
    batches(Sha256, 32);
    batches(Sha256, 24);
    batches(Sha512, 64);
    SPONGES.into_iter().for_each(|sponge| batches(sponge, 24));
}

/// Checks messages that a backend reads into its lanes without a copy: message counts around every
/// width, lengths that end inside words, prefixes that end at a word and inside one.
fn in_lanes<F: Function>(function: F, n: usize) {
    for (_, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        for count in [2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 48] {
            for (len, before) in (0..150).step_by(7).zip([0, 64, 32, 22, 8, 28].into_iter().cycle())
            {
                let prefix = Stream(5).vec(before);
                let from = function.start().with(kernel, &prefix);
                let messages = Stream(6).vec(len * count);
                let mut out = vec![0; n * count];
                many(kernel, &from, &messages, &mut out, n);
                for (i, digest) in out.chunks(n).enumerate() {
                    let whole = [&prefix[..], &messages[i * len..(i + 1) * len]].concat();
                    let want = function.model(&whole, n);
                    assert_eq!(digest, want, "{count} of {len} after {before}");
                }
            }
        }
    }
}

#[test]
fn every_lane() {
    in_lanes(Sha256, 32);
    in_lanes(Sha256, 16);
    in_lanes(Sha512, 64);
    in_lanes(Sha512, 24);
    in_lanes(Sponge::Shake256, 32);
    in_lanes(Sponge::Shake128, 24);
}

fn keyed<F: Function>(function: F, n: usize, pad: usize) {
    for (_, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        for count in [1, 5, 40] {
            let pad = Stream(1).vec(pad);
            let from = function.start().with(kernel, &pad);
            let keys = Stream(2).vec(n * count);
            let messages = Stream(3).vec(2 * n * count);
            let mut prepared = keys.clone();
            prepare_keys(kernel, &from, &mut prepared, n);
            assert_eq!(prepared == keys, !from.keeps_state(n));
            let mut out = vec![0; n * count];
            keyed_many(kernel, &from, &prepared, &messages, &mut out, n);
            for i in 0..count {
                let (key, message) = (&keys[i * n..][..n], &messages[2 * i * n..][..2 * n]);
                let want = function.model(&[&pad[..], key, message].concat(), n);
                assert_eq!(out[i * n..][..n], want);
            }
        }
    }
}

#[test]
fn keys_as_states() {
    keyed(Sha256, 32, 32);
    keyed(Sha256, 32, 96);
    keyed(Sha256, 24, 4);
    keyed(Sha512, 64, 64);
    keyed(Sponge::Shake256, 32, 32);
}
