//! Signs and verifies files in the raw encodings of the standards, for exchanges with other libraries.
//!
//! A folder holds `msg`, `pub` and `sig0`, `sig1`, ... :
//!
//! ```text
//! files sign ALG FOLDER COUNT     reads msg, makes a key, writes pub and sig0 .. sig(COUNT-1)
//! files verify ALG FOLDER...      prints one line per signature: FOLDER/sigN good|bad
//! ```
//!
//! The key is forgotten afterwards, so its indices may come from [`Throwaway`].

use hasten_hbs::{PublicKey, Set, SignerLevel, Throwaway, Verifier, xmss};
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
    let set = Set::named(alg)?;
    let mut seed = vec![0; 3 * set.n];
    getrandom::fill(&mut seed)?;
    let mut signer = xmss::generate(set, &seed, Kernels::best())?;
    let message = fs::read(folder.join("msg"))?;
    fs::write(folder.join("pub"), signer.public_key().as_bytes())?;
    let mut permits = Throwaway::new();
    for number in 0..count.parse()? {
        let prepared = signer.prepare(permits.permit(), level(number))?;
        fs::write(folder.join(format!("sig{number}")), prepared.finish(&message)?.as_bytes())?;
    }
    Ok(())
}

/// A different level for each signature: the bytes must not depend on it.
fn level(number: usize) -> SignerLevel {
    let levels = [SignerLevel::ChainTable, SignerLevel::None, SignerLevel::Masks];
    levels[number % levels.len()]
}

fn verify(alg: &str, folder: &Path) -> Outcome {
    let message = fs::read(folder.join("msg"))?;
    let key = PublicKey::from_xmss_bytes(&fs::read(folder.join("pub"))?)?;
    if key.set() != Set::named(alg)? {
        return Err(format!("{}: a key of {}", folder.display(), key.set().name).into());
    }
    let verifier = Verifier::new(&key, Kernels::best());
    for path in signatures(folder)? {
        let good = verifier.verify(&message, &fs::read(&path)?).is_ok();
        println!("{} {}", path.display(), if good { "good" } else { "bad" });
    }
    Ok(())
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
