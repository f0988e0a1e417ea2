//! Private keys of other programs: after an import, signatures equal those of the other program,
//! and no index that it may have used is used again.

#[allow(dead_code)] // the other tests of keys use the rest
#[path = "../common/mod.rs"]
mod common;

mod hash_sigs;
mod others;

use std::ops::ControlFlow;

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::{Foreign, Generation, Stateful};
use hasten_store::Status;

use common::Place;

const MESSAGE: &[u8] = b"firmware";

fn begin<'h>(place: &Place, key: &Foreign, next: u64, to: &str) -> Result<Generation<'h>, Error> {
    let (dir, options) = (place.path(to), place.options_of(to));
    Generation::import(&dir, options, key, (next, 1), &place.path("register"), None)
}

fn import(place: &Place, key: &Foreign, next: u64, to: &str) -> Result<PublicKey, Error> {
    begin(place, key, next, to)?.run(Kernels::best(), 2, &mut |_| ControlFlow::Continue(()))
}

fn sign(place: &Place, name: &str) -> (u64, Vec<u8>, Status) {
    let kept = place.kept(name, None).unwrap();
    let dir = place.path(name);
    let mut key = Stateful::open(&dir, place.options_of(name), &kept, Kernels::best()).unwrap();
    let _ = key.acknowledge();
    let (index, signature) = common::sign(&mut key, SignerLevel::ChainTable, MESSAGE);
    (index, signature, key.close().unwrap())
}

/// Returns an empty folder.
fn folder() -> Place {
    Place::of("LMS_SHA256_M32_H5_W8", 1)
}
