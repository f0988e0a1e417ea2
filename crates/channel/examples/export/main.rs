//! Publishes one message, opens it, and writes it as other libraries verify it:
//! `export HSS(A,B) FOLDER`. FOLDER holds `msg`, the payload, which becomes header and payload; it
//! gets `pub` and `sig0`. The identity dies with the program. `cargo xtask interop` runs this.

#[allow(dead_code)] // the tests use the rest
#[path = "../../tests/all/memory.rs"]
mod memory;

use hasten_channel::export;
use hasten_hbs::Set;
use memory::{Ends, Memory, message};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [alg, folder] = &arguments[..] else { return Err("export ALG FOLDER".into()) };
    let folder = Path::new(folder);
    let levels = Set::named(alg)?.levels();
    let (session, above) = levels.split_last().ok_or("no level")?;
    let above = if let [one] = above { one } else { Set::hss(above)? };
    let mut ends = Ends::over(Memory::of(above.name, 5), session.name);
    let sealed = ends.seal(&std::fs::read(folder.join("msg"))?);
    ends.announce();
    message(&mut ends.subscriber, &sealed)?;
    let announced = ends.announcements().remove(0);
    let made = export(&ends.key, &announced, &sealed).ok_or("they do not belong together")?;
    std::fs::write(folder.join("msg"), made.message)?;
    std::fs::write(folder.join("sig0"), made.signature)?;
    Ok(std::fs::write(folder.join("pub"), ends.key.as_bytes())?)
}
