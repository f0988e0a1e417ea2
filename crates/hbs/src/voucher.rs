//! What a tree signs of a tree below it.
//!
//! In XMSS^MT it is the root, which takes the place of a digest: a voucher is the one-time
//! signature and its path. In HSS it is the public key, signed like a message; a voucher is
//! signed_pub_key of RFC 8554, section 6.2 (Signature Generation): LMS signature, public key.

use crate::climb::root_of;
use crate::digits::{MOST_CHAINS, digits};
use crate::multi::Grown;
use crate::onetime::OneTime;
use crate::params::{Scheme, Set};
use crate::signature::Layout;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of the voucher for a tree of `layer` of a key of `set`.
pub fn bytes(set: &Set, layer: u32) -> usize {
    match set.scheme {
        Scheme::Hss { .. } => {
            set.layer(layer + 1).signature_bytes() + set.layer(layer).public_key_bytes()
        }
        _ => set.ots_bytes() + set.path_bytes(),
    }
}

/// The voucher of `tree` for `statement`, with one-time key `leaf`.
pub fn sign(tree: &mut Grown<'_>, leaf: u32, statement: &[u8]) -> Vec<u8> {
    match tree.tree.public().set().scheme {
        Scheme::Lms { .. } => sign_message(tree, leaf, statement),
        _ => sign_digest(tree, leaf, statement),
    }
}

fn sign_digest(tree: &mut Grown<'_>, leaf: u32, digest: &[u8]) -> Vec<u8> {
    let mut out = vec![0; tree.tree.public().set().ots_bytes()];
    one_time(tree, leaf, digest, &mut out);
    tree.traversal.path(&*tree.tree, leaf, &mut out);
    out
}

fn sign_message(tree: &mut Grown<'_>, leaf: u32, message: &[u8]) -> Vec<u8> {
    let set = tree.tree.public().set();
    let layout = Layout::of(set);
    let mut out = vec![0; layout.len];
    layout.stamp(leaf.into(), &mut out);
    let r = layout.r..layout.r + set.n;
    tree.tree.randomizer(leaf.into(), &mut out[r.clone()]);
    let digest = digest(tree.tree.public(), leaf, &out[r], message);
    one_time(tree, leaf, &digest[..set.n], &mut out[layout.ots_range()]);
    out.truncate(layout.path);
    tree.traversal.path(&*tree.tree, leaf, &mut out);
    out.extend(message);
    out
}

/// RFC 8554, Algorithm 3 (Generating a One-Time Signature From a Private Key and a Message), from
/// the digest on.
fn one_time(tree: &Grown<'_>, leaf: u32, digest: &[u8], out: &mut [u8]) {
    let public = tree.tree.public();
    let set = public.set();
    tree.tree.elements(&[leaf], out);
    let mut steps = [0; MOST_CHAINS];
    digits(set, digest, &mut steps[..set.len()]);
    let mut spans = public.spans(leaf);
    spans.iter_mut().zip(steps).for_each(|(span, s)| span.steps = u32::from(s));
    public.chains(None, &spans, out);
}

/// The digest of `message`; n bytes of it count.
fn digest(public: &dyn OneTime<'_>, leaf: u32, r: &[u8], message: &[u8]) -> [u8; 64] {
    let mut digest = [0; 64];
    public.opening(&[], leaf.into(), r).finish(message, &mut digest[..public.set().n]);
    digest
}

/// Whether `voucher` leads from `statement` to the root of `tree`.
pub fn verify(tree: &Grown<'_>, leaf: u32, statement: &[u8], voucher: &[u8]) -> bool {
    let public = tree.tree.public();
    let set = public.set();
    let root = match set.scheme {
        Scheme::Lms { .. } => {
            let Some(signature) = voucher.strip_suffix(statement) else { return false };
            let parts = Layout::of(set).split(signature, set.capacity());
            let Some(parts) = parts.ok().filter(|p| p.index == leaf.into()) else { return false };
            let digest = digest(public, leaf, parts.r, statement);
            root_of(public, leaf, &digest[..set.n], (parts.ots, parts.path))
        }
        _ => root_of(public, leaf, statement, voucher.split_at(set.ots_bytes())),
    };
    root == tree.traversal.root()
}
