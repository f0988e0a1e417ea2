//! Signs and verifies files in the raw encodings of the standards, for tests with other libraries.
//!
//! A folder contains `msg`, `pub` and `sig0`, `sig1`, ... :
//!
//! ```text
//! files sign ALG FOLDER COUNT     reads msg, makes a key, writes pub and sig0 .. sig(COUNT-1)
//! files verify ALG FOLDER...      prints one line per signature: FOLDER/sigN good|bad
//! ```
//!
//! The key is discarded afterwards, so its indices may come from [`Throwaway`].

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::{self, Context};
use hasten_hbs::{PublicKey, Set, SignerLevel, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["sign", alg, folder, count] => sign(alg, Path::new(folder), count),
        ["verify", alg, ref folders @ ..] => {
            folders.iter().try_for_each(|f| verify(alg, f.as_ref()))
        }
        _ => Err("usage: files sign ALG FOLDER COUNT | files verify ALG FOLDER...".into()),
    };
    if let Err(error) = outcome {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

fn sign(alg: &str, folder: &Path, count: &str) -> Outcome {
    let set = set(alg)?;
    let (message, count) = (fs::read(folder.join("msg"))?, count.parse()?);
    let made = match set.scheme {
        Scheme::SlhDsa { .. } => sign_slh_dsa(set, &message, count)?,
        _ => sign_stateful(set, &message, count)?,
    };
    fs::write(folder.join("pub"), made.key)?;
    for (number, signature) in made.signatures.iter().enumerate() {
        fs::write(folder.join(format!("sig{number}")), signature)?;
    }
    Ok(())
}

/// Returns the set of this name. `HSS(A)` means HSS with one level, not the single tree A.
fn set(alg: &str) -> Result<&'static Set, hasten_hbs::Error> {
    let set = Set::named(alg)?;
    if alg.starts_with("HSS(") { Set::hss(&set.levels()) } else { Ok(set) }
}

/// A public key and signatures of one message by its private key.
struct Made {
    key: Vec<u8>,
    signatures: Vec<Vec<u8>>,
}

fn sign_stateful(set: &'static Set, message: &[u8], count: usize) -> Result<Made, Box<dyn Error>> {
    let mut signer = generate(set, &random(set.seed_bytes())?, Kernels::best())?;
    let (key, mut signatures) = (signer.public_key().as_bytes().to_vec(), Vec::new());
    let mut permits = Throwaway::new();
    for number in 0..count {
        let prepared = signer.prepare(permits.permit(), level(number))?;
        signatures.push(prepared.finish(message)?.into_bytes());
    }
    Ok(Made { key, signatures })
}

/// Returns a level that varies with the number of the signature. The bytes of a signature must not
/// depend on it.
fn level(number: usize) -> SignerLevel {
    let levels = [SignerLevel::ChainTable, SignerLevel::None, SignerLevel::Masks];
    levels[number % levels.len()]
}

/// Signs `count` times: the first signature is deterministic, the others are hedged.
fn sign_slh_dsa(set: &'static Set, message: &[u8], count: usize) -> Result<Made, Box<dyn Error>> {
    let key = slhdsa::SigningKey::from_seed(&Kernels::best(), set, &random(3 * set.n)?)?;
    let mut signatures = Vec::new();
    for number in 0..count {
        let randomness = (number > 0).then(|| random(set.n)).transpose()?;
        signatures.push(key.sign(Context::EMPTY, message, randomness.as_deref())?.into_bytes());
    }
    Ok(Made { key: key.verifying_key().as_bytes().to_vec(), signatures })
}

fn random(length: usize) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

fn verify(alg: &str, folder: &Path) -> Outcome {
    let (set, key) = (set(alg)?, fs::read(folder.join("pub"))?);
    let verify = verifier(set, &key)?;
    let message = fs::read(folder.join("msg"))?;
    for path in signatures(folder)? {
        let good = verify(&message, &fs::read(&path)?);
        println!("{} {}", path.display(), if good { "good" } else { "bad" });
    }
    Ok(())
}

/// A function of message and signature that returns true if the signature is good.
type Verify = Box<dyn Fn(&[u8], &[u8]) -> bool>;

fn verifier(set: &'static Set, key: &[u8]) -> Result<Verify, Box<dyn Error>> {
    if let Scheme::SlhDsa { .. } = set.scheme {
        let key = slhdsa::VerifyingKey::from_bytes(&Kernels::best(), set, key)?;
        return Ok(Box::new(move |m, s| key.verify(Context::EMPTY, m, s).is_ok()));
    }
    let key = match set.scheme {
        Scheme::Lms { .. } => PublicKey::from_lms_bytes(key)?,
        Scheme::Hss { .. } => PublicKey::from_hss_bytes(key)?,
        Scheme::XmssMt => PublicKey::from_xmssmt_bytes(key)?,
        _ => PublicKey::from_xmss_bytes(key)?,
    };
    if key.set() != set.levels()[0] {
        return Err(format!("a key of {}", key.set().name).into());
    }
    let verifier = Verifier::new(&key, Kernels::best());
    Ok(Box::new(move |m, s| verifier.verify(m, s).is_ok()))
}

fn signatures(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sig"))
    });
    paths.sort();
    Ok(paths)
}
