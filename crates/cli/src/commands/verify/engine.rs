//! Verification by simulated cores that verify on their own.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use hasten_hbs::Set;
use hasten_keys::encoding::PublicKey;
use hasten_keys::{Error as KeyError, verify};

use super::{Args, Said};
use crate::engine::Engine;
use crate::error::Error;

/// Verifies with the simulated Ed25519 core.
#[cfg(feature = "rtl")]
pub fn by_ed25519(
    key: &PublicKey,
    (file, message): (&Path, &mut dyn Read),
    signature: &[u8],
) -> Result<Said, Error> {
    let core = crate::ed25519::core(key.row)?;
    let message = verify::whole(message).map_err(Error::key(file))?;
    let begun = Instant::now();
    let (verdict, cycles) = crate::ed25519::verify(&core, key, &message, signature);
    Ok(Said { verdict, took: begun.elapsed(), cycles, core: None })
}

/// Verifies with the simulated engine. The clock cycles are those of a good verdict.
pub fn by_engine(
    args: &Args,
    key: &PublicKey,
    (file, message): (&Path, &mut dyn Read),
    signature: &[u8],
) -> Result<Said, Error> {
    let begun = Instant::now();
    let name = &key.tree().name;
    let set = Set::named(name).map_err(|_| Error::Engine("it has keys of one tree only"))?;
    let engine = Engine::new(set)?;
    engine.load_public(&key.raw)?;
    let message = verify::whole(message).map_err(Error::key(file))?;
    let cycles = engine.verify(&message, signature)?;
    let verdict = cycles.map(drop).ok_or(KeyError::BadSignature);
    let core = cycles.map(|cycles| args.clock.time(cycles));
    Ok(Said { verdict, took: begun.elapsed(), cycles: cycles.map(u64::from), core })
}
