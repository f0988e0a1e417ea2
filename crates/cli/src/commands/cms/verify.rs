//! `hasten cms verify`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::cms::{By, Good, SignedData};
use hasten_keys::{scan, x509};
use hasten_report::{Summary, micros};
use serde::Serialize;

use super::super::verify::key;
use crate::certificates;
use crate::error::Error;
use crate::files::{self, Wanted, open_regular};
use crate::output::note;
use crate::report;
use crate::unfit::{Asked, NoSignature, no_container};
use crate::units;
use crate::verdict::Verdict;

/// Arguments of `hasten cms verify`.
#[derive(clap::Args)]
#[command(after_help = include_str!("verify.txt"))]
pub struct Args {
    /// The signature; - is the standard input.
    #[arg(value_name = "SIG")]
    signature: PathBuf,
    /// Public key or certificate of the signer.
    #[arg(short = 'p', long = "pub", value_name = "KEY", required_unless_present = "ca")]
    #[arg(visible_short_alias = 'k', visible_alias = "store")]
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
    /// Signing time, according to the signer.
    #[serde(skip_serializing_if = "Option::is_none")]
    signing_time: Option<String>,
    /// Number of certificates in the path; 0 if no path was verified.
    path_length: usize,
    verify_us: Summary,
}

/// A good signature and the length of its path.
type Verified = (Good, usize);

/// Verifies the signature. The exit status is the verdict.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let of = Error::key(&args.signature);
    let written = files::read(&args.signature)?;
    let not_cms = |error| no_container(&args.signature, &written, error);
    let signed = SignedData::read(&written).map_err(not_cms)?;
    let begun = Instant::now();
    let said = match &args.public {
        Some(path) => by_key(args, &signed, path),
        None => by_path(args, &signed),
    };
    let took = Summary::constant(micros(begun.elapsed()));
    let (verdict, row) = match said {
        Ok(verified) => (Verdict::Good, row(args.signature.clone(), took, verified)),
        Err(Error::Key { cause, .. }) if Verdict::of(Err(&cause)) == Verdict::Bad => {
            let row = Row::new(args.signature.clone(), took);
            (Verdict::Bad, Row { reason: Some(cause.to_string()), ..row })
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
    Ok(verdict.status())
}

/// Verifies with a public key, or with a certificate, which the signature must name as that of its
/// signer.
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

/// Verifies with a certificate from the signature, which must have a path to a trusted root.
fn by_path(args: &Args, signed: &SignedData) -> Result<Verified, Error> {
    let of = Error::key(&args.signature);
    let roots = certificates::of_all(&args.ca)?;
    let certificate = signed.signer_certificate().map_err(|error| match error {
        KeyError::NotThisSigner => NoSignature::NoCertificate.at(&args.signature),
        error => of(error),
    })?;
    let good = verify(args, signed, By::Certificate(&certificate))?;
    let path = signed.path_of(&certificate, &roots, args.at.unwrap_or_else(units::now));
    Ok((good, path.map_err(of)?.len()))
}

fn verify(args: &Args, signed: &SignedData, by: By<'_>) -> Result<Good, Error> {
    let of_content = Error::key(args.content.as_deref().unwrap_or(&args.signature));
    let of = Error::key(&args.signature);
    let mut content = args.content.as_deref().map(files::open).transpose()?;
    let given = content.as_mut().map(|content| &mut **content as _);
    match signed.verify(by, given, Kernels::best()) {
        Err(KeyError::SeveralSigners) => Err(of(several(args, signed, by))),
        Err(error @ (KeyError::Io(_) | KeyError::TooLong)) => Err(of_content(error)),
        Err(error) => {
            if Verdict::of(Err(&error)) == Verdict::Bad {
                must_be_looked_at(args, signed, by)?;
            }
            Err(of(error))
        }
        Ok(good) => Ok(good),
    }
}

/// Returns an error if a bad signature is not one of the signer's key at all, such as one of
/// another algorithm or length.
fn must_be_looked_at(args: &Args, signed: &SignedData, by: By<'_>) -> Result<(), Error> {
    let certified;
    let key = match by {
        By::Key(key) => key,
        By::Certificate(der) => {
            certified = x509::public_key(der).map_err(Error::key(&args.signature))?;
            &certified
        }
    };
    let asked = Asked { key, file: None, signature: &args.signature };
    let signature = asked.of_signer(signed, by)?;
    if signature.is_empty() { Ok(()) } else { asked.must_fit_within(&signature) }
}

/// Returns the error for a file with several signatures of the key. If the key used one index
/// twice, that is the error.
fn several(args: &Args, signed: &SignedData, by: By<'_>) -> KeyError {
    let open = |path: &PathBuf| -> Result<Box<dyn Read>, KeyError> {
        Ok(Box::new(open_regular(path).map_err(|why| KeyError::Io(why.kind()))?))
    };
    let mut open = || args.content.as_ref().map(open).transpose();
    let each = signed.verify_each(by, &mut open, Kernels::best());
    let good: Vec<_> = each.into_iter().flatten().collect();
    let Some(key) = good.first().map(|good| &good.key) else { return KeyError::SeveralSigners };
    let signatures = good.iter().map(|good| &good.signature[..]);
    match scan::reused_among(key, signatures) {
        Ok(reused) => reused.first().map_or(KeyError::SeveralSigners, scan::Index::as_error),
        Err(error) => error,
    }
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
    /// Returns the row of a bad signature, without any details.
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
    let took = units::read_by_people(row.verify_us.min);
    format!("good  {alg}{index}{digest}{time}{path}  {took}")
}
