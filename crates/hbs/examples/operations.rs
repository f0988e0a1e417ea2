//! Runs one operation a given number of times. `cargo xtask arm --operations` uses this program to
//! count instructions:
//!
//! ```text
//! operations make CODE ALG FOLDER COUNT      makes a key and COUNT signatures
//! operations sign CODE ALG FOLDER COUNT      loads the key, signs with its first indices
//! operations verify CODE ALG FOLDER COUNT    verifies these signatures, one after the other
//! operations hash-mib CODE ALG FOLDER COUNT  hashes 2^20 bytes with SHA-256
//! ```
//!
//! CODE is `best` or a backend, ALG a set of XMSS or XMSS^MT. The key must not be used otherwise,
//! because its seed is public.

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::params::Scheme;
use hasten_hbs::{PublicKey, Set, Signer, SignerLevel, Verifier, generate, load};
use hasten_kernels::{Kernels, Midstate};
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

type Outcome = Result<(), Box<dyn Error>>;

/// The message of every signature.
const MESSAGE: [u8; 32] = [0x5A; 32];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Outcome {
    let [op, code, alg, folder, count] = args else {
        return Err("usage: operations make|sign|verify|hash-mib CODE ALG FOLDER COUNT".into());
    };
    let kernels = if code == "best" { Kernels::best() } else { Kernels::named(code)? };
    let (folder, count) = (Path::new(folder), count.parse()?);
    match op.as_str() {
        "make" => make(alg, folder, count, kernels),
        "sign" => sign_again(alg, folder, count, kernels),
        "verify" => verify(alg, folder, count, kernels),
        "hash-mib" => {
            hash(count, kernels);
            Ok(())
        }
        _ => Err("no such operation".into()),
    }
}

/// Returns a seed that is publicly known.
fn seed(set: &Set) -> Vec<u8> {
    vec![7; set.seed_bytes()]
}

fn make(alg: &str, folder: &Path, count: u64, kernels: Kernels<'static>) -> Outcome {
    let set = Set::named(alg)?;
    let mut signer = generate(set, &seed(set), kernels)?;
    fs::write(folder.join("pub"), signer.public_key().as_bytes())?;
    fs::write(folder.join("cache"), [signer.to_cache(), signer.to_leaves()].concat())?;
    for (number, signature) in sign(&mut signer, count)?.iter().enumerate() {
        fs::write(folder.join(format!("sig{number}")), signature)?;
    }
    Ok(())
}

/// Signs with consecutive indices, each prepared just before it signs.
fn sign(signer: &mut Signer<'static>, count: u64) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut permits = Throwaway::new();
    let one = |_| {
        let prepared = signer.prepare(permits.permit(), SignerLevel::EarlyAuth)?;
        Ok(prepared.finish(black_box(&MESSAGE))?.into_bytes())
    };
    (0..count).map(one).collect()
}

/// Signs with the key in the folder, and compares the first signature with the one there.
fn sign_again(alg: &str, folder: &Path, count: u64, kernels: Kernels<'static>) -> Outcome {
    let (set, public) = (Set::named(alg)?, public(alg, folder)?);
    let cache = fs::read(folder.join("cache"))?;
    let mut signer = load(&public, &seed(set), &cache, &Throwaway::new(), kernels)?;
    let made = sign(&mut signer, count)?;
    let same = fs::read(folder.join("sig0"))? == made[0];
    if same { Ok(()) } else { Err("another signature than that of the folder".into()) }
}

fn verify(alg: &str, folder: &Path, count: u64, kernels: Kernels<'_>) -> Outcome {
    let public = public(alg, folder)?;
    let verifier = Verifier::new(&public, kernels);
    for number in 0..count {
        let signature = fs::read(folder.join(format!("sig{number}")))?;
        verifier.verify(black_box(&MESSAGE), &signature)?;
    }
    Ok(())
}

fn public(alg: &str, folder: &Path) -> Result<PublicKey, Box<dyn Error>> {
    let (set, bytes) = (Set::named(alg)?, fs::read(folder.join("pub"))?);
    let key = match set.scheme {
        Scheme::XmssMt => PublicKey::from_xmssmt_bytes(&bytes),
        _ => PublicKey::from_xmss_bytes(&bytes),
    };
    Ok(key?)
}

fn hash(count: u64, kernels: Kernels<'_>) {
    let (message, mut digest) = (vec![0x5A; 1 << 20], [0; 32]);
    for _ in 0..count {
        Midstate::sha256().finish(kernels.sha256, black_box(&message), &mut digest);
        black_box(&digest);
    }
}
