//! `hasten cms verify`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::cms::{By, Good, SignedData};
use hasten_keys::x509;
use hasten_report::{Summary, micros};
use serde::Serialize;

use super::super::verify::key;
use crate::certificates;
use crate::error::Error;
use crate::files::{self, Wanted};
use crate::output::note;
use crate::report;
use crate::units;

/// Arguments of `hasten cms verify`.
#[derive(clap::Args)]
#[command(after_help = include_str!("verify.txt"))]
pub struct Args {
    /// The signature; - is the standard input.
    #[arg(value_name = "SIG")]
    signature: PathBuf,
    /// Public key or certificate of the signer.
    #[arg(short = 'p', long = "pub", value_name = "PUB", required_unless_present = "ca")]
    public: Option<PathBuf>,
    /// Roots that are trusted, any number of times.
    #[arg(long, value_name = "FILE", conflicts_with = "public")]
    ca: Vec<PathBuf>,
    /// The moment at which the certificate must hold [default: now].
    #[arg(long, value_name = "TIME", value_parser = units::moment, requires = "ca")]
    at: Option<u64>,
    /// The content, where it is not in the signature; where it is, it must be the same.
    #[arg(long, value_name = "FILE")]
    content: Option<PathBuf>,
    /// Writes the content of a good signature.
    #[arg(long, value_name = "FILE", conflicts_with = "content")]
    out: Option<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    good: bool,
    #[serde(serialize_with = "report::path")]
    signature_file: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alg: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'static str>,
    /// When the signer says that it signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    signing_time: Option<String>,
    /// Certificates of the path, the signer's first; 0 where none was asked for.
    path_length: usize,
    verify_us: Summary,
}

/// A good signature, and the length of its path.
type Verified = (Good, usize);

/// Verifies; the status says how it went.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let of = Error::key(&args.signature);
    let signed = SignedData::read(&files::read(&args.signature)?).map_err(&of)?;
    let begun = Instant::now();
    let said = match &args.public {
        Some(path) => by_key(args, &signed, path),
        None => by_path(args, &signed),
    };
    let took = Summary::constant(micros(begun.elapsed()));
    let row = match said {
        Ok(verified) => row(args.signature.clone(), took, verified),
        Err(Error::Key { cause, .. }) if is_verdict(&cause) => {
            Row { reason: Some(cause.to_string()), ..Row::new(args.signature.clone(), took) }
        }
        Err(error) => return Err(error),
    };
    if let (Some(out), true) = (&args.out, row.good) {
        let content = signed.content().ok_or(of(KeyError::Detached))?;
        files::write(out, Wanted::default(), content)?;
    }
    report::show(args.json, "hasten.cms-verify/1", None, std::slice::from_ref(&row), || {
        text(&row)
    })?;
    Ok(if row.good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns whether an error is an answer to the question.
fn is_verdict(error: &KeyError) -> bool {
    matches!(error, KeyError::BadSignature | KeyError::NotThisSigner | KeyError::Path(_))
}

/// Verifies by a public key, or by a certificate that the signer must be named as.
fn by_key(args: &Args, signed: &SignedData, path: &Path) -> Result<Verified, Error> {
    let certificate = match path.is_dir() {
        true => None,
        false => x509::certificates(&files::read(path)?).ok().map(|mut all| all.swap_remove(0)),
    };
    let public;
    let by = match &certificate {
        Some(der) => {
            note("the path of the certificate was not checked: --ca FILE does that");
            By::Certificate(der)
        }
        None => {
            public = key::read(path, None)?;
            By::Key(&public)
        }
    };
    Ok((verify(args, signed, by)?, 0))
}

/// Verifies by a certificate in the signature from which a path leads to a root.
fn by_path(args: &Args, signed: &SignedData) -> Result<Verified, Error> {
    let of = Error::key(&args.signature);
    let roots = certificates::of_all(&args.ca)?;
    let certificate = signed.signer_certificate().map_err(&of)?;
    let good = verify(args, signed, By::Certificate(&certificate))?;
    let path = signed.path_of(&certificate, &roots, args.at.unwrap_or_else(units::now));
    Ok((good, path.map_err(of)?.len()))
}

fn verify(args: &Args, signed: &SignedData, by: By<'_>) -> Result<Good, Error> {
    let of = Error::key(args.content.as_deref().unwrap_or(&args.signature));
    let mut content = args.content.as_deref().map(files::open).transpose()?;
    let given = content.as_mut().map(|content| &mut **content as _);
    signed.verify(by, given, Kernels::best()).map_err(of)
}

fn row(signature_file: PathBuf, verify_us: Summary, (good, path_length): Verified) -> Row {
    Row {
        good: true,
        alg: Some(good.key.name_in(&good.signature)),
        index: good.key.index_in(&good.signature),
        digest: good.digest.map(|digest| digest.name()),
        signing_time: good.signing_time.map(x509::written),
        path_length,
        ..Row::new(signature_file, verify_us)
    }
}

impl Row {
    /// Returns a row that says nothing good yet.
    fn new(signature_file: PathBuf, verify_us: Summary) -> Self {
        Self {
            good: false,
            signature_file,
            reason: None,
            alg: None,
            index: None,
            digest: None,
            signing_time: None,
            path_length: 0,
            verify_us,
        }
    }
}

fn text(row: &Row) -> String {
    if let Some(reason) = &row.reason {
        return format!("BAD SIGNATURE  {reason}");
    }
    let index = row.index.map_or(String::new(), |index| format!("  index {index}"));
    let digest = row.digest.map_or(String::new(), |digest| format!("  digest {digest}"));
    let time = row.signing_time.as_ref().map_or(String::new(), |time| format!("  signed {time}"));
    let path = match row.path_length {
        0 => String::new(),
        length => format!("  path of {length}"),
    };
    let alg = row.alg.as_deref().unwrap_or_default();
    format!("good  {alg}{index}{digest}{time}{path}  {:.1} us", row.verify_us.min)
}
