//! Prepared signatures, which wait for their messages.

mod randomized;

use crate::Error;
use crate::key::PublicKey;
use crate::key::Signature;
use crate::key::layered_key::LayeredKey;
use crate::key::signature::Layout;
use crate::one_time::digits::with_digits;
use crate::one_time::{Secrets, Stream};
use crate::params::{Scheme, Set};
use crate::scrub;
use crate::secret::Secret;
use crate::signer::SignerLevel;
use crate::signer::permit::{Index, Permit};
use crate::signer::shared::Shared;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use hasten_kernels::chain::Span;

/// An index that was minted for one signature, and the key it belongs to.
pub(super) struct Blank<'k> {
    pub set: &'static Set,
    pub key: Shared<LayeredKey<'k>>,
    pub public: Arc<PublicKey>,
    pub index: Index,
}

/// One signature, prepared up to its level and bound to one index.
///
/// [`finish`](Self::finish) consumes it. If it is dropped instead, its index is lost. Its secrets
/// are overwritten in both cases. The randomizer leaves it only as part of the signature.
#[must_use = "dropped without `finish`, its index is lost"]
pub struct Prepared<'k, P> {
    blank: Blank<'k>,
    permit: P,
    level: SignerLevel,
    tree: Arc<dyn Secrets<'k> + 'k>,
    leaf: u32,
    layout: Layout,
    signature: Secret,
    opening: Option<Box<dyn Stream + 'k>>,
    /// True if a part of the message was absorbed.
    begun: bool,
    spans: Vec<Span>,
    chains: Chains,
}

/// Size of a cache line in bytes, or less.
const LINE: usize = 64;

/// The remains of a signature: its used one-time key and the state of its message hash. Both are
/// overwritten when this is dropped.
#[must_use = "it may be dropped when there is time"]
pub struct Spent<'k> {
    _chains: Chains,
    _opening: Option<Box<dyn Stream + 'k>>,
}

impl fmt::Debug for Spent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spent(..)")
    }
}

/// The prepared part of the chains.
enum Chains {
    Nothing,
    Elements(Secret),
    Masks(Secret, Vec<u8>),
    Table(Secret),
}

impl<'k, P: Permit> Prepared<'k, P> {
    pub(super) fn new(blank: Blank<'k>, permit: P, level: SignerLevel) -> Self {
        let (tree, leaf) = blank.key.with(|key| key.tree(blank.index.get()));
        let layout = Layout::of(blank.set);
        let mut prepared = Self {
            blank,
            permit,
            level,
            leaf,
            layout,
            signature: Secret::zero(layout.len),
            opening: None,
            begun: false,
            spans: Vec::new(),
            chains: Chains::Nothing,
            tree,
        };
        if level > SignerLevel::None {
            scrub::deep(|| prepared.prepare());
        } else {
            prepared.spans = prepared.tree.public().spans(leaf);
        }
        prepared
    }

    /// Does the preparation for a level above `none`.
    fn prepare(&mut self) {
        self.frame();
        if self.level >= SignerLevel::Secrets {
            self.open();
            self.chains = self.ready();
        }
        if self.level < SignerLevel::ChainTable {
            self.spans = self.tree.public().spans(self.leaf);
        }
    }

    fn ready(&self) -> Chains {
        let mut elements = Secret::zero(self.set().ots_bytes());
        self.tree.elements(&[self.leaf], &mut elements);
        match self.level {
            SignerLevel::ChainTable => Chains::Table(self.table(&elements)),
            SignerLevel::Masks => Chains::Masks(elements, self.tree.public().chain_rows(self.leaf)),
            _ => Chains::Elements(elements),
        }
    }

    /// Returns the table of all chains: w values for each, the secret element first.
    fn table(&self, elements: &[u8]) -> Secret {
        let (n, w) = (self.set().n, self.set().w());
        let mut table = Secret::zero(w * elements.len());
        for (chain, element) in table.chunks_exact_mut(w * n).zip(elements.chunks_exact(n)) {
            chain[..n].copy_from_slice(element);
        }
        self.tree.public().trace(self.leaf, &mut table);
        table
    }

    /// Writes the index and everything above the one-time key.
    fn frame(&mut self) {
        let index = self.blank.index.get();
        self.layout.stamp(self.number(), &mut self.signature);
        self.blank.key.with(|key| key.frame(index, &mut self.signature));
    }

    /// Returns the index that the signature contains: for HSS, the index within the lowest tree.
    const fn number(&self) -> u64 {
        match self.blank.set.scheme {
            Scheme::Hss { .. } => self.leaf as u64,
            _ => self.blank.index.get(),
        }
    }

    /// Returns the message hash up to the message. The first call also writes the randomizer.
    fn open(&mut self) -> &mut Box<dyn Stream + 'k> {
        let (index, n) = (self.number(), self.set().n);
        let Self { opening, tree, signature, layout, blank, .. } = self;
        opening.get_or_insert_with(|| {
            let r = &mut signature[layout.r..layout.r + n];
            tree.randomizer(index, r);
            tree.public().opening(blank.public.root(), index, r)
        })
    }

    /// Returns the index that this signature will use.
    pub const fn index(&self) -> u64 {
        self.blank.index.get()
    }

    /// Returns the level that the signature was prepared at.
    pub const fn level(&self) -> SignerLevel {
        self.level
    }

    /// Returns the memory in bytes of the prepared parts, as in [`SignerLevel::holds`].
    pub fn bytes(&self) -> usize {
        self.level.holds(self.set())
    }

    fn set(&self) -> &'static Set {
        self.blank.set
    }

    /// Absorbs a part of a message that comes in pieces. [`finish`](Self::finish) takes the last
    /// part.
    pub fn update(&mut self, part: &[u8]) {
        if self.opening.is_none() {
            scrub::deep(|| _ = self.open());
        }
        self.begun = true;
        self.open().update(part);
    }

    /// Returns the data that a verifier at level `ots-key` needs before the message: index, path
    /// and one-time public key; for HSS, the signed public keys come first. It is public and not
    /// binding.
    ///
    /// It is read from a chain table. At the levels below, it is computed, at the cost of the
    /// chains of a leaf.
    pub fn announcement(&self) -> Vec<u8> {
        scrub::deep(|| self.announced())
    }

    fn announced(&self) -> Vec<u8> {
        let (set, layout) = (self.set(), &self.layout);
        let mut out = Vec::with_capacity(layout.index + set.above_bytes() + set.ots_bytes());
        let mut frame = Secret::copy(&self.signature);
        if self.level == SignerLevel::None {
            self.blank.key.with(|key| key.frame(self.index(), &mut frame));
            layout.stamp(self.number(), &mut frame);
        }
        out.extend(&frame[..layout.front + layout.index]);
        out.extend(&frame[layout.path..]);
        self.ends(&mut out);
        out
    }

    /// Appends the ends of all chains.
    fn ends(&self, out: &mut Vec<u8>) {
        let (n, w) = (self.set().n, self.set().w());
        if let Chains::Table(table) = &self.chains {
            let ends = table.chunks_exact(w * n).flat_map(|chain| &chain[(w - 1) * n..]);
            return out.extend(ends);
        }
        let mut values = Secret::zero(self.set().ots_bytes());
        self.tree.elements(&[self.leaf], &mut values);
        let mut spans = self.spans.clone();
        spans.iter_mut().for_each(|span| span.steps = w as u32 - 1);
        self.tree.public().chains(None, &spans, &mut values);
        out.extend(&*values);
    }

    /// Signs `message`, or its last part.
    ///
    /// # Errors
    /// [`Error::PermitLost`] if the reservation no longer holds. The index is then lost, and
    /// nothing about its one-time key was revealed.
    pub fn finish(self, message: &[u8]) -> Result<Signature, Error> {
        self.finish_apart(message).map(|(signature, _)| signature)
    }

    /// Signs as [`finish`](Self::finish) does, and also returns the data that must be overwritten.
    /// The signature can be sent before that data is dropped.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_apart(mut self, message: &[u8]) -> Result<(Signature, Spent<'k>), Error> {
        self.permit.check()?;
        let depth = self.tree.public().depth();
        match self.level {
            // A look-up leaves no secrets on the stack.
            SignerLevel::ChainTable => self.complete(message),
            SignerLevel::Masks => scrub::rows(depth, || self.complete(message)),
            SignerLevel::None => scrub::deep(|| self.complete(message)),
            _ => scrub::one_time(depth, || self.complete(message)),
        }
        let chains = core::mem::replace(&mut self.chains, Chains::Nothing);
        let spent = Spent { _chains: chains, _opening: self.opening.take() };
        Ok((self.publish(), spent))
    }

    /// Reads the prepared data, so that it is in the caches of the core that will sign. All of it
    /// is read, because only the message decides which part is used.
    pub fn touch(&self) {
        let (Chains::Elements(held) | Chains::Masks(held, _) | Chains::Table(held)) = &self.chains
        else {
            return;
        };
        let read = |bytes: &[u8]| bytes.iter().step_by(LINE).fold(0, |sum, byte| sum ^ byte);
        core::hint::black_box(read(held) ^ read(&self.signature));
    }

    /// Computes the missing parts of the signature.
    fn complete(&mut self, message: &[u8]) {
        if self.level == SignerLevel::None {
            self.frame();
        }
        let set = self.set();
        let mut digest = [0; 64];
        self.open().finish(message, &mut digest[..set.n]);
        with_digits(set, &digest[..set.n], |steps| self.advance(steps));
    }

    fn publish(mut self) -> Signature {
        Signature::from(core::mem::take(&mut self.signature).publish())
    }

    /// Completes the signature with the output of a device that has the key and signs by itself.
    /// `sign` takes the index and returns the randomizer and the chain values, in the order of the
    /// signature. The permit is checked first.
    ///
    /// # Errors
    /// [`Error::PermitLost`] as for [`finish`](Self::finish), [`Error::BadSignature`] if the length
    /// is wrong, and the errors of `sign`; the index is then lost.
    pub fn finish_elsewhere<E: From<Error>>(
        mut self,
        sign: impl FnOnce(u64) -> Result<Vec<u8>, E>,
    ) -> Result<Signature, E> {
        self.permit.check()?;
        if self.level == SignerLevel::None {
            scrub::deep(|| self.frame());
        }
        let made = sign(self.number())?;
        let place = self.layout.r..self.layout.ots_range().end;
        if made.len() != place.len() {
            return Err(Error::BadSignature.into());
        }
        self.signature[place].copy_from_slice(&made);
        Ok(self.publish())
    }

    /// Writes value `steps[i]` of every chain i into the signature.
    fn advance(&mut self, steps: &[u8]) {
        let out = &mut self.signature[self.layout.ots_range()];
        if let Chains::Table(table) = &self.chains {
            if !self.tree.public().look_up(table, steps, out) {
                look_up(table, steps, out);
            }
            return;
        }
        let rows = match &self.chains {
            Chains::Elements(elements) => (out.copy_from_slice(elements), None).1,
            Chains::Masks(elements, rows) => (out.copy_from_slice(elements), Some(&**rows)).1,
            _ => (self.tree.elements(&[self.leaf], out), None).1,
        };
        self.spans.iter_mut().zip(steps).for_each(|(span, s)| span.steps = u32::from(*s));
        self.tree.public().chains(rows, &self.spans, out);
    }
}

/// Copies value `steps[i]` of every chain i from the table; a value has 24, 32 or 64 bytes.
fn look_up(table: &[u8], steps: &[u8], out: &mut [u8]) {
    match out.len() / steps.len() {
        24 => look_up_values::<6>(table, steps, out),
        32 => look_up_values::<8>(table, steps, out),
        _ => look_up_values::<16>(table, steps, out),
    }
}

/// Copies as [`look_up`] does, for values of W words: copies of a known length take a few moves
/// each. A processor without vectors is fastest if it reads a whole value before it writes.
fn look_up_values<const W: usize>(table: &[u8], steps: &[u8], out: &mut [u8]) {
    let (table, out) = (table.as_chunks().0.as_chunks::<W>().0, out.as_chunks_mut().0);
    let chains = table.chunks_exact(table.len() / steps.len());
    for ((to, chain), step) in out.as_chunks_mut::<W>().0.iter_mut().zip(chains).zip(steps) {
        *to = chain[usize::from(*step)].map(u32::from_ne_bytes).map(u32::to_ne_bytes);
    }
}

impl<P> fmt::Debug for Prepared<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.blank.set.name;
        let (index, level) = (self.blank.index.get(), self.level.name());
        write!(f, "Prepared({name}, index {index}, {level})")
    }
}
