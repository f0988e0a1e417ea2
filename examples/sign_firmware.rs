//! Signs a file with a stateful key and writes the signature beside it.
//!
//!     cargo run -p hasten-pq --example sign_firmware -- KEY_DIR FIRMWARE
//!
//! The key is generated if KEY_DIR does not exist; its guard then lies beside it, as KEY_DIR.guard.
//! For a key that is used in earnest, the guard belongs on another disk.

use std::{env, error::Error, fs, path::Path};

use hasten_pq::{StatefulKey, verify};

fn open(dir: &Path) -> Result<StatefulKey, hasten_pq::Error> {
    if dir.exists() {
        return StatefulKey::open(dir);
    }
    let guard = dir.with_extension("guard");
    StatefulKey::generate("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W8", dir, &guard)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(dir), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: sign_firmware KEY_DIR FIRMWARE".into());
    };
    let firmware = fs::read(&file)?;
    let mut key = open(Path::new(&dir))?;
    let signature = key.sign(&firmware)?;
    // A fault of the machine must not leave a signature that nobody can verify.
    verify(key.public_key(), &firmware, &signature)?;
    fs::write(format!("{file}.sig"), &signature)?;
    println!("{file}.sig: {} bytes; {} signatures left", signature.len(), key.close()?.remaining);
    Ok(())
}
