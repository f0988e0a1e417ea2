//! `hasten encaps` and `hasten decaps`: a shared secret for the holder of a KEM's private key.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_keys::encoding::read_public;
use hasten_keys::{Error as KeyError, kem};
use hasten_process::NoOutput;

use crate::error::Error;
use crate::files::{self, Identity, Old, Output, Wanted};
use crate::interrupt::Hold;
use crate::named::{Key, One};
use crate::output::{print, visible};
use crate::passphrase::Source;
use crate::private_key;

/// Arguments of `hasten encaps`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help("Public key")))]
#[command(after_help = include_str!("encaps.txt"))]
pub struct Encaps {
    #[command(flatten)]
    public: Key,
    /// Algorithm, where the bytes of the public key leave it open.
    #[arg(long, value_name = "NAME")]
    alg: Option<String>,
    /// Where the ciphertext goes; - is the standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the secret goes.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Replaces files that are there already.
    #[arg(long)]
    force: bool,
}

/// Arguments of `hasten decaps`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help("Private key")))]
#[command(mut_arg("files", |file| file.help("The ciphertext; - is the standard input")))]
#[command(after_help = include_str!("decaps.txt"))]
pub struct Decaps {
    #[command(flatten)]
    key: Key,
    #[command(flatten)]
    file: One,
    /// Where the secret goes.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    #[command(flatten)]
    passphrase: Source,
    /// Replaces a file that is there already.
    #[arg(long)]
    force: bool,
}

/// Begins the file of a secret. A standard stream is an error.
fn hidden(path: &Path, force: bool, keep: &[Identity]) -> Result<Output, Error> {
    if files::is_stream(path) {
        return Err(Error::Output { path: path.to_owned(), why: NoOutput::Printed });
    }
    let wanted = Wanted { secret: true, old: Old::forced(force), keep, ..Wanted::default() };
    Ok(Output::begin(path, wanted)?)
}

/// Begins both output files, before a secret is made.
fn both(args: &Encaps) -> Result<[Output; 2], Error> {
    if args.secret == args.out {
        return Err(Error::Output { path: args.out.clone(), why: NoOutput::Twice });
    }
    let keep: Vec<_> = Identity::at(&args.public).into_iter().collect();
    let secret = hidden(&args.secret, args.force, &keep)?;
    let open = Wanted { old: Old::forced(args.force), keep: &keep, ..Wanted::default() };
    Ok([secret, Output::begin(&args.out, open)?])
}

/// Makes a shared secret, and writes the secret and its ciphertext.
pub fn encaps(args: &Encaps) -> Result<ExitCode, Error> {
    let of = Error::key(&args.public);
    let file = files::read(&args.public)?;
    let not_public = |error| Error::public_key(&args.public, &file, error);
    let key = read_public(&file, args.alg.as_deref()).map_err(not_public)?;
    let [secret, out] = both(args)?;
    let made = kem::encapsulate(&key).map_err(&of)?;
    let _pair = Hold::begin();
    secret.finish(&made.shared)?;
    out.finish(&made.ciphertext)?;
    if !files::is_stream(&args.out) {
        let (name, bytes) = (&key.row.name, made.ciphertext.len());
        print(&format!("ciphertext  {}: {bytes} B, {name}", visible(&args.out)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the shared secret of a ciphertext.
pub fn decaps(args: &Decaps) -> Result<ExitCode, Error> {
    let of = Error::key(&args.key);
    let key = private_key::read(&args.key, &args.passphrase)?;
    let keep = [&*args.key, &*args.file].map(|path| Identity::at(path));
    let keep: Vec<_> = keep.into_iter().flatten().collect();
    let secret = hidden(&args.secret, args.force, &keep)?;
    let shared =
        kem::decapsulate(&key, &files::read(&args.file)?).map_err(|error| match error {
            KeyError::CiphertextSize => Error::key(&args.file)(error),
            error => of(error),
        })?;
    secret.finish(&shared)?;
    print(&format!("secret  {}: {} B, {}", visible(&args.secret), shared.len(), key.row.name))?;
    Ok(ExitCode::SUCCESS)
}
