//! Hashing of batches of messages. The padding is written once, for every kernel.

use super::Kernel;
use super::function::HashFunction;
use super::midstate::{MAX_BLOCK, Midstate};

/// Number of messages that are hashed at a time.
pub(crate) const TILE: usize = 32;

/// Hashes many messages of one length that share a prefix.
///
/// `messages` is flat; their number is `out.len() / n` and digest i, cut to n bytes, goes to
/// `out[i * n..]`. Takes [`Midstate::cost`] compressions for each message.
///
/// # Panics
/// If a digest has fewer than n bytes, or a length is not a multiple of the number of messages.
pub fn many<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    from: &Midstate<H>,
    messages: &[u8],
    out: &mut [u8],
    n: usize,
) {
    Messages { from, keys: &[], resume: false, messages }.hash(kernel, out, n);
}

/// Hashes prefix ‖ key ‖ message, for many keys of n bytes and messages of one length.
///
/// `keys` must have been passed to [`prepare_keys`]. Otherwise as [`many`].
///
/// # Panics
/// As [`many`], and if `keys` is not as long as `out`.
pub fn keyed_many<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    from: &Midstate<H>,
    keys: &[u8],
    messages: &[u8],
    out: &mut [u8],
    n: usize,
) {
    assert_eq!(keys.len(), out.len());
    Messages { from, keys, resume: from.keeps_state(n), messages }.hash(kernel, out, n);
}

/// Replaces each key of n bytes by the state after prefix ‖ key, if that state has n bytes too
/// ([`Midstate::keeps_state`]). Otherwise the keys stay unchanged.
///
/// # Panics
/// If `keys` is not a multiple of n bytes.
pub fn prepare_keys<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    from: &Midstate<H>,
    keys: &mut [u8],
    n: usize,
) {
    assert!(keys.len().is_multiple_of(n));
    if !from.keeps_state(n) {
        return;
    }
    let batch = Messages { from, keys: &[], resume: false, messages: &[] };
    for keys in keys.chunks_mut(TILE * n) {
        batch.absorb_keys(kernel, keys, n);
    }
}

/// Writes the padded blocks that follow the whole blocks of `from`, with zeros in place of the
/// `len` bytes of message. With `resume`, a key of the digest's length has completed the pending
/// block. Returns the size of the blocks and the offset of the message, or `None` if the blocks do
/// not fit.
pub(crate) fn frame<H: HashFunction>(
    from: &Midstate<H>,
    resume: bool,
    len: usize,
    out: &mut [u8],
) -> Option<(usize, usize)> {
    let batch = Messages { from, keys: &[], resume, messages: &[] };
    let shape = batch.shape(1);
    let shape = Shape { end: shape.message + len, ..shape };
    let taken = (shape.end + H::PADDING).next_multiple_of(from.block_len);
    for (i, block) in out.get_mut(..taken)?.chunks_mut(from.block_len).enumerate() {
        block.fill(0);
        batch.frame(&shape, i * from.block_len, block);
    }
    Some((taken, shape.message))
}

/// Overwrites `secret` in a way that the optimiser cannot remove.
pub(crate) fn wipe<T: Copy>(secret: &mut [T], with: T) {
    secret.fill(with);
    core::hint::black_box(secret);
}

/// Messages of one length to be hashed: each is prefix ‖ key ‖ message, or a message after a
/// resumed state. They are made by [`many`] and [`keyed_many`]; a backend gets them uncopied.
pub struct Messages<'a, H: HashFunction> {
    pub(crate) from: &'a Midstate<H>,
    /// The keys: as many as there are messages, or none.
    pub(crate) keys: &'a [u8],
    /// True if the keys are states to resume from.
    pub(crate) resume: bool,
    pub(crate) messages: &'a [u8],
}

/// The offsets of the parts of every message of a batch in its padded blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Size of the blocks in bytes.
    pub len: usize,
    /// Offset of the key.
    pub key: usize,
    /// Offset of the message.
    pub message: usize,
    /// Offset of the padding.
    pub end: usize,
}

impl<H: HashFunction> Messages<'_, H> {
    /// Returns the state that every message starts from, or `None` if each has its own.
    #[must_use]
    pub fn start(&self) -> Option<&H::State> {
        (!self.resume).then_some(&self.from.state)
    }

    /// Returns the states that the messages start from, as consecutive bytes, if each has its own.
    /// Otherwise returns the keys, if there are any.
    #[must_use]
    pub const fn keys(&self) -> &[u8] {
        self.keys
    }

    /// Returns the messages, one after another.
    #[must_use]
    pub const fn messages(&self) -> &[u8] {
        self.messages
    }

    /// Writes the parts of the padded blocks that all of `count` messages share, with zeros in
    /// place of key and message. Returns the offsets of the parts, or `None` if the blocks do not
    /// fit.
    pub fn lay_out(&self, count: usize, blocks: &mut [u8]) -> Option<Places> {
        let shape = self.shape(count);
        let block_len = self.from.block_len;
        let len = (shape.end + H::PADDING).next_multiple_of(block_len);
        for (i, block) in blocks.get_mut(..len)?.chunks_mut(block_len).enumerate() {
            block.fill(0);
            self.frame(&shape, i * block_len, block);
        }
        let Shape { key, message, end, .. } = shape;
        Some(Places { len, key, message, end })
    }

    fn hash<K: Kernel<H> + ?Sized>(&self, kernel: &K, out: &mut [u8], n: usize) {
        if out.is_empty() {
            return;
        }
        let count = if out.len() == n { 1 } else { out.len() / n };
        assert!(n <= self.from.digest_len() && count * n == out.len());
        assert!(count == 1 || self.messages.len().is_multiple_of(count));
        if count == 1 { self.one(kernel, out) } else { kernel.digests(self, out, n) }
    }

    /// Writes the digest of the only message.
    fn one<K: Kernel<H> + ?Sized>(&self, kernel: &K, out: &mut [u8]) {
        let block_len = self.from.block_len;
        let mut state = [if self.resume { H::read(self.keys) } else { self.from.state }];
        let mut block = [0; MAX_BLOCK];
        let block = &mut block[..block_len];
        let shape = self.shape(1);
        let mut at = 0;
        // `step_by` would divide, which costs small processors more than a block does here.
        while at < shape.end + H::PADDING {
            self.frame(&shape, at, block);
            overlay(block, at, shape.key, shape.keys);
            overlay(block, at, shape.message, self.messages);
            H::absorb(kernel, &mut state, block, block_len);
            block.fill(0);
            at += block_len;
        }
        H::write(&state[0], out);
        wipe(&mut state, H::ZERO);
        core::hint::black_box(block);
    }

    /// Returns the messages from number `done` on, out of `count`.
    #[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(crate) fn after(&self, done: usize, count: usize) -> Self {
        let [keys, messages] = [self.keys, self.messages].map(|f| &f[f.len() / count * done..]);
        Self { keys, messages, ..*self }
    }

    /// Hashes by [`Kernel::compress`] alone. This is the default body of [`Kernel::digests`].
    pub fn hash_in_tiles<K: Kernel<H> + ?Sized>(&self, kernel: &K, out: &mut [u8], n: usize) {
        let count = out.len() / n;
        match count {
            0 => (),
            1 => self.one(kernel, out),
            2..=4 => self.tiles::<K, 4>(kernel, out, n, count),
            _ => self.tiles::<K, TILE>(kernel, out, n, count),
        }
    }

    fn tiles<K: Kernel<H> + ?Sized, const T: usize>(
        &self,
        kernel: &K,
        out: &mut [u8],
        n: usize,
        count: usize,
    ) {
        let mut states = [H::ZERO; T];
        let mut blocks = [[0; MAX_BLOCK]; T];
        for (tile, out) in out.chunks_mut(T * n).enumerate() {
            let items = tile * T..tile * T + out.len() / n;
            let states = &mut states[..items.len()];
            self.digest(kernel, items, count, states, blocks.as_flattened_mut());
            for (out, state) in out.chunks_mut(n).zip(states) {
                H::write(state, out);
            }
        }
        wipe(&mut states, H::ZERO);
        wipe(blocks.as_flattened_mut(), 0);
    }

    /// Computes the final state of each of `items` into `states`.
    fn digest<K: Kernel<H> + ?Sized>(
        &self,
        kernel: &K,
        items: core::ops::Range<usize>,
        count: usize,
        states: &mut [H::State],
        blocks: &mut [u8],
    ) {
        let block_len = self.from.block_len;
        let blocks = &mut blocks[..items.len() * block_len];
        for (state, i) in states.iter_mut().zip(items.clone()) {
            *state = if self.resume {
                H::read(nth(self.keys, i, self.keys.len() / count))
            } else {
                self.from.state
            };
        }
        let shape = self.shape(count);
        let mut frame = [0; MAX_BLOCK];
        for at in (0..shape.end + H::PADDING).step_by(block_len) {
            let frame = &mut frame[..block_len];
            frame.fill(0);
            self.frame(&shape, at, frame);
            for (block, i) in blocks.chunks_exact_mut(block_len).zip(items.clone()) {
                block.copy_from_slice(frame);
                overlay(block, at, shape.key, nth(shape.keys, i, shape.key_len));
                overlay(block, at, shape.message, nth(self.messages, i, shape.message_len));
            }
            H::absorb(kernel, states, blocks, block_len);
        }
    }

    /// Returns the compressions (permutations) of one of `count` messages.
    #[must_use]
    pub fn cost(&self, count: usize) -> u64 {
        (self.shape(count).end + H::PADDING).div_ceil(self.from.block_len) as u64
    }

    /// Returns the offsets of the parts in each of `count` messages.
    pub(crate) fn shape(&self, count: usize) -> Shape<'_> {
        let share = |flat: &[u8]| if count == 1 { flat.len() } else { flat.len() / count };
        let message_len = share(self.messages);
        let (pending, keys): (&[u8], &[u8]) =
            if self.resume { (&[], &[]) } else { (self.from.pending(), self.keys) };
        let key_len = share(keys);
        let (key, message) = (pending.len(), pending.len() + key_len);
        Shape { pending, keys, key, key_len, message, message_len, end: message + message_len }
    }

    /// Writes the block at offset `at` of a padded message, without key and message. The block must
    /// be zero before.
    pub(crate) fn frame(&self, shape: &Shape<'_>, at: usize, block: &mut [u8]) {
        overlay(block, at, 0, shape.pending);
        if let Some(mark) = shape.end.checked_sub(at).and_then(|end| block.get_mut(end)) {
            *mark = self.from.mark;
        }
        if shape.end + H::PADDING <= at + block.len() {
            H::close(block, self.before() + shape.end as u64);
        }
    }

    /// Returns the number of bytes that the start states have absorbed.
    fn before(&self) -> u64 {
        let key =
            if self.resume { H::DIGEST.map_or(0, |n| n + self.from.pending().len()) } else { 0 };
        self.from.absorbed + key as u64
    }

    /// Absorbs prefix ‖ key, one block for each key, and replaces the key by the state.
    fn absorb_keys<K: Kernel<H> + ?Sized>(&self, kernel: &K, keys: &mut [u8], n: usize) {
        let mut states = [H::ZERO; TILE];
        let mut blocks = [[0; MAX_BLOCK]; TILE];
        let (count, block_len) = (keys.len() / n, self.from.block_len);
        let pending = self.from.pending();
        let blocks = &mut blocks.as_flattened_mut()[..count * block_len];
        for (block, key) in blocks.chunks_mut(block_len).zip(keys.chunks(n)) {
            block[..pending.len()].copy_from_slice(pending);
            block[pending.len()..].copy_from_slice(key);
        }
        states[..count].fill(self.from.state);
        H::absorb(kernel, &mut states[..count], blocks, block_len);
        for (key, state) in keys.chunks_mut(n).zip(&states) {
            H::write(state, key);
        }
    }
}

/// The places of the parts of a message: pending bytes, key, message, padding.
pub(crate) struct Shape<'a> {
    pending: &'a [u8],
    pub keys: &'a [u8],
    pub key: usize,
    pub key_len: usize,
    pub message: usize,
    pub message_len: usize,
    pub end: usize,
}

/// Returns item i of a flat list of items of `len` bytes.
fn nth(flat: &[u8], i: usize, len: usize) -> &[u8] {
    &flat[i * len..(i + 1) * len]
}

/// Copies into the block at offset `at` the bytes of `part` that fall into it. `part` begins at
/// offset `start`.
fn overlay(block: &mut [u8], at: usize, start: usize, part: &[u8]) {
    let from = at.max(start);
    let to = (at + block.len()).min(start + part.len());
    if from < to {
        block[from - at..to - at].copy_from_slice(&part[from - start..to - start]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Portable, Sha256};

    /// A backend, as in another crate, that hashes the blocks that [`Messages::lay_out`] gives it.
    struct Shown;

    impl Kernel<Sha256> for Shown {
        fn name(&self) -> &'static str {
            "shown"
        }

        fn lanes(&self) -> usize {
            1
        }

        fn compress(&self, states: &mut [[u32; 8]], blocks: &[[u8; 64]]) {
            Kernel::<Sha256>::compress(Portable::detect(), states, blocks);
        }

        fn digests(&self, messages: &Messages<'_, Sha256>, out: &mut [u8], n: usize) {
            let (count, mut blocks) = (out.len() / n, [0; 192]);
            let places = messages.lay_out(count, &mut blocks).unwrap();
            let (keys, texts) = (messages.keys(), messages.messages());
            for (i, out) in out.chunks_mut(n).enumerate() {
                let key = nth(keys, i, keys.len() / count);
                let start = messages.start().copied();
                if start.is_some() {
                    blocks[places.key..][..key.len()].copy_from_slice(key);
                }
                let text = nth(texts, i, texts.len() / count);
                blocks[places.message..][..text.len()].copy_from_slice(text);
                let mut state = [start.unwrap_or_else(|| Sha256::read(key))];
                for block in blocks[..places.len].as_chunks().0 {
                    self.compress(&mut state, &[*block]);
                }
                Sha256::write(&state[0], out);
            }
        }
    }

    #[test]
    fn blocks_that_a_backend_is_shown_give_the_digests() {
        let portable: &dyn Kernel<Sha256> = Portable::detect();
        let bytes: [u8; 192] = core::array::from_fn(|i| i as u8);
        for prefix in [0, 4, 32, 64, 96] {
            let from = Midstate::sha256().with(portable, &bytes[..prefix]);
            for len in [0, 23, 32, 64] {
                let (keys, texts) = (&bytes[..96], &bytes[..3 * len]);
                let (mut one, mut other) = ([0; 96], [0; 96]);
                many(portable, &from, texts, &mut one, 32);
                many(&Shown, &from, texts, &mut other, 32);
                assert_eq!(one, other, "{prefix} {len}");
                keyed_many(portable, &from, keys, texts, &mut one, 32);
                keyed_many(&Shown, &from, keys, texts, &mut other, 32);
                assert_eq!(one, other, "{prefix} {len}, keyed");
            }
        }
    }
}
