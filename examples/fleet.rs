//! Signs a file as one of several signers that share one stateful key. Its state is in etcd.
//!
//!     hasten keygen --alg LMS_SHA256_M24_H10_W8 -k fw --fleet fw@http://127.0.0.1:2379
//!     hasten fleet token -k fw
//!     cargo run -p hasten-store-etcd --example fleet -- fw signer-2.guard FIRMWARE TOKEN
//!
//! Every signer has a copy of the directory and a guard file of its own. A signer whose guard is
//! there already needs no token. Hosts other than loopback take TLS: see `Fleet::access`.

use std::{env, error::Error, fs, path::Path};

use hasten_pq::keys::stateful::{fleet_of, identity_of, service_key};
use hasten_pq::{StatefulKey, store::MacKey, verify};
use hasten_store_etcd::Fleet;

/// Reaches the fleet that key generation wrote into the directory, as NAME@URL,URL.
fn reach(dir: &Path, guard: &str) -> Result<Fleet, Box<dyn Error>> {
    let text = fleet_of(dir)?.ok_or("the key has a state of its own, not a fleet's")?;
    let (name, urls) = text.split_once('@').ok_or("the fleet is not NAME@URL,URL")?;
    let members: Vec<String> = urls.split(',').map(str::to_owned).collect();
    let fleet = Fleet::new(&members, name, guard).expect(identity_of(dir)?);
    Ok(service_key(dir)?.iter().fold(fleet, |fleet, key| fleet.key(MacKey::new(key))))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (dir, guard, file, token) = match &arguments[..] {
        [dir, guard, file] => (Path::new(dir), guard, file, None),
        [dir, guard, file, token] => (Path::new(dir), guard, file, Some(token)),
        _ => return Err("usage: fleet KEY_DIR GUARD FIRMWARE [TOKEN]".into()),
    };
    let fleet = token.iter().fold(reach(dir, guard)?, |fleet, token| fleet.join(token));
    let mut key = StatefulKey::open_over(dir, Box::new(fleet.open()?), None)?;
    let firmware = fs::read(file)?;
    let signature = key.sign(&firmware)?;
    verify(key.public_key(), &firmware, &signature)?;
    fs::write(format!("{file}.sig"), &signature)?;
    println!("{file}.sig: {} bytes; {} left to the fleet", signature.len(), key.close()?.remaining);
    Ok(())
}
