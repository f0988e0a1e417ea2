//! Publishes one message, opens it, and exports it for other libraries: `export WHAT ALG FOLDER`.
//! FOLDER contains `msg`, the payload, which is replaced by the signed bytes. The example adds
//! `pub` and `sig0`. The identity exists only as long as the program runs. `cargo xtask interop`
//! runs this.
//!
//! WHAT is `message`, `batch` or `leaves`, with an ALG of HSS whose last level is that of the
//! session trees; or `under-xmss`, a message under an identity of XMSS, with an ALG of HSS with one
//! level; or `tree`, the session tree under an identity of the set ALG.

#[allow(dead_code)] // the tests use the rest
#[path = "../../tests/all/memory.rs"]
mod memory;

use hasten_channel::{Exported, Preparer, export};
use hasten_hbs::Set;
use memory::{Ends, Memory, message};
use std::error::Error;
use std::path::Path;

/// Identity for `under-xmss`, where ALG only names the session trees.
const IDENTITY: &str = "XMSS-SHA2_10_256";
/// Session trees for `tree`, where ALG only names the identity.
const SESSION: &str = "LMS_SHA256_M32_H5_W8";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, alg, folder] = &arguments[..] else { return Err("export WHAT ALG FOLDER".into()) };
    let folder = Path::new(folder);
    let payload = std::fs::read(folder.join("msg"))?;
    let set = Set::named(alg)?;
    let (above, session) = match what.as_str() {
        "tree" => (set, Set::named(SESSION)?),
        "under-xmss" => (Set::named(IDENTITY)?, *set.levels().first().ok_or("no level")?),
        _ => parted(set)?,
    };
    let mut ends = Ends::with(Memory::of(above.name, 5), session.name, how(what));
    let sealed = sealed(&mut ends, what, &payload)?;
    ends.announce();
    let delivered = message(&mut ends.subscriber, &sealed)?;
    assert_eq!(delivered.payload, payload, "what is exported was delivered");
    let announced = ends.announcements().remove(0);
    let made = export(&ends.key, &announced, &sealed).ok_or("they do not belong together")?;
    let [public, message, signature] = files(what, &ends, &made)?;
    std::fs::write(folder.join("pub"), public)?;
    std::fs::write(folder.join("msg"), message)?;
    Ok(std::fs::write(folder.join("sig0"), signature)?)
}

/// Returns the set of the identity, and that of the session trees.
fn parted(set: &'static Set) -> Result<(&'static Set, &'static Set), Box<dyn Error>> {
    let levels = set.levels();
    let (session, above) = levels.split_last().ok_or("no level")?;
    Ok((if let [one] = above { *one } else { Set::hss(above)? }, *session))
}

fn how(what: &str) -> fn(Preparer<'static>) -> Preparer<'static> {
    match what {
        "batch" => Preparer::for_batches,
        "leaves" => |preparer| preparer.with_leaves().expect("they fit into a datagram"),
        _ => |preparer| preparer,
    }
}

/// Returns the datagram of the message. In a batch it is the second of three.
fn sealed(ends: &mut Ends, what: &str, payload: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    if what != "batch" {
        return Ok(ends.seal(payload));
    }
    let mut all = Vec::new();
    ends.publisher.seal_batch(&[b"one", payload, b"three"], &mut all)?;
    Ok(all.swap_remove(1))
}

/// Returns public key, message and signature of the exported message.
fn files<'m>(
    what: &str,
    ends: &'m Ends,
    made: &'m Exported,
) -> Result<[&'m [u8]; 3], Box<dyn Error>> {
    assert_eq!(made.batched.is_some(), what == "batch");
    Ok(match (what, &made.tree) {
        ("tree", Some(tree)) => [ends.key.as_bytes(), &tree.statement, &tree.signature],
        ("under-xmss", Some(tree)) => [tree.key.as_bytes(), &made.message, &made.signature],
        ("message" | "batch" | "leaves", None) => {
            [ends.key.as_bytes(), &made.message, &made.signature]
        }
        _ => return Err("no such WHAT with this ALG".into()),
    })
}
