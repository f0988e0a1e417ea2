//! `hasten cert root`, `intermediate` and `leaf`.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use hasten_keys::encoding::PublicKey;
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::x509::{self, New, Period, Role, Subject};

use super::authority::{Authority, Means};
use super::issued::{self, NewFile, Row};
use crate::certificates;
use crate::error::{BadValue, Error};
use crate::files;
use crate::interrupt::Hold;
use crate::parse::algorithm;
use crate::units;

/// When a certificate holds.
#[derive(clap::Args)]
pub struct Validity {
    /// Days from now that it holds [default: 3650 for a root, 1825 for an intermediate, 365 for
    /// a leaf].
    #[arg(long, value_name = "N", conflicts_with = "not_after")]
    days: Option<u64>,
    /// The first second, as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ [default: now].
    #[arg(long, value_name = "TIME", value_parser = units::moment)]
    not_before: Option<u64>,
    /// The last second.
    #[arg(long, value_name = "TIME", value_parser = units::moment)]
    not_after: Option<u64>,
}

impl Validity {
    /// Returns the selected period, or `days` days from now. A period that ends before it begins is
    /// an error.
    fn period(&self, days: u64) -> Result<Period, Error> {
        let not_before = self.not_before.unwrap_or_else(units::now);
        let days = self.days.unwrap_or(days).min(3_000_000);
        let not_after = self.not_after.unwrap_or_else(|| not_before + days * 86_400);
        if not_before <= not_after {
            return Ok(Period { not_before, not_after });
        }
        let [begin, end] = [not_before, not_after].map(x509::written);
        Err(Error::Value { option: "--not-after", value: BadValue::NeverValid { begin, end } })
    }
}

/// Arguments of `hasten cert root`.
#[derive(clap::Args)]
#[command(after_help = include_str!("root.txt"))]
pub struct Root {
    /// Algorithm or parameter set of the key.
    #[arg(long, value_name = "NAME", value_parser = algorithm)]
    alg: &'static Algorithm,
    /// Common name, or several attributes: 'CN=Root,O=Example'.
    #[arg(long, value_name = "NAME")]
    name: String,
    /// First part of the file names.
    #[arg(long, value_name = "PREFIX")]
    out: PathBuf,
    /// Directory of a stateful key.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: Option<PathBuf>,
    #[command(flatten)]
    validity: Validity,
    #[command(flatten)]
    means: Means,
}

/// Arguments of `hasten cert intermediate`.
#[derive(clap::Args)]
#[command(after_help = include_str!("intermediate.txt"))]
pub struct Below {
    /// Algorithm or parameter set of the key.
    #[arg(long, value_name = "NAME", value_parser = algorithm)]
    alg: &'static Algorithm,
    /// Common name, or several attributes [default: the first DNS name, or the last part of
    /// PREFIX].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    issued: Issued,
}

/// Arguments of `hasten cert leaf`.
#[derive(clap::Args)]
#[command(after_help = include_str!("leaf.txt"))]
pub struct Leaf {
    /// Algorithm or parameter set of the key.
    #[arg(long, value_name = "NAME", value_parser = algorithm, required_unless_present = "request")]
    alg: Option<&'static Algorithm>,
    /// Takes key and names from a request instead; its signature is verified.
    #[arg(long, value_name = "FILE", conflicts_with = "alg")]
    request: Option<PathBuf>,
    /// Use of the certificate.
    #[arg(long, value_name = "USE", default_value = "tls")]
    usage: Use,
    /// Common name, or several attributes [default: the first DNS name, or the last part of
    /// PREFIX].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    issued: Issued,
}

/// Uses of a leaf.
#[derive(Clone, Copy, ValueEnum)]
enum Use {
    /// Server and client of TLS.
    Tls,
    /// Signing software and firmware.
    #[value(alias = "codeSigning")]
    CodeSigning,
}

/// Arguments of every certificate below another.
#[derive(clap::Args)]
struct Issued {
    /// DNS name, any number of times; *.example stands for every name below.
    #[arg(long, value_name = "NAME")]
    dns: Vec<String>,
    /// IP address, any number of times.
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// First part of the authority's file names.
    #[arg(long, value_name = "PREFIX")]
    ca: PathBuf,
    /// Directory of the authority's key, if it has a state.
    #[arg(long, value_name = "DIR")]
    ca_store: Option<PathBuf>,
    /// First part of the file names.
    #[arg(long, value_name = "PREFIX")]
    out: PathBuf,
    /// Directory of a stateful key: the new one's, or the authority's if the new one has none.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: Option<PathBuf>,
    #[command(flatten)]
    validity: Validity,
    #[command(flatten)]
    means: Means,
}

impl Issued {
    /// Returns the authority's certificate chain, its own certificate first, and its key.
    fn authority(&self, own_store_taken: bool) -> Result<(Vec<Vec<u8>>, Authority), Error> {
        // The path of the certificate is accepted instead of its prefix.
        let prefix = match self.ca.extension().is_some_and(|ending| ending == "pem") {
            true if self.ca.is_file() => self.ca.with_extension(""),
            _ => self.ca.clone(),
        };
        let [file, key] = [".pem", ".key"].map(|ending| files::with_ending(&prefix, ending));
        let chain = certificates::of(&file)?;
        let shared = self.store.as_ref().filter(|_| !own_store_taken);
        let opened = match self.ca_store.as_ref().or(shared) {
            Some(dir) => Authority::in_store(dir, &self.means)?,
            None => Authority::in_file(&key, &self.means)?,
        };
        Ok((chain, opened))
    }

    fn subject(&self, name: Option<&String>) -> Subject {
        let last = || self.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.or(self.dns.first()).cloned().unwrap_or_else(last);
        Subject { name, dns: self.dns.clone(), ip: self.ip.clone() }
    }

    /// Signs and writes a certificate for `key`, with the chain above it.
    fn issue(
        &self,
        new: &New,
        key: &PublicKey,
        own: Option<PathBuf>,
        above: (Vec<Vec<u8>>, Authority),
    ) -> Result<Row, Error> {
        issue(new, key, own, above, (&self.out, &self.ca))
    }
}

/// Signs a certificate for `key` and writes it to PREFIX.pem, with the chain above it. An error of
/// the signature names the `blamed` path.
fn issue(
    new: &New,
    key: &PublicKey,
    own: Option<PathBuf>,
    (above, mut authority): (Vec<Vec<u8>>, Authority),
    (prefix, blamed): (&Path, &Path),
) -> Result<Row, Error> {
    let signed_by = authority.public()?.row.name.clone();
    let file = files::with_ending(prefix, ".pem");
    let (out, _whole) = (NewFile::begin(&file)?, Hold::begin());
    let issued = x509::issue(new, key, above.first().map(Vec::as_slice), &mut authority.key);
    let der = issued.map_err(Error::key(blamed))?;
    let authority_remaining = authority.close()?;
    let between = above.iter().filter(|der| !x509::is_root(der)).map(Vec::as_slice);
    let ders: Vec<_> = [der.as_slice()].into_iter().chain(between).collect();
    out.finish("CERTIFICATE", &ders)?;
    let what = match new.role {
        Role::Root => "root",
        Role::Intermediate => "authority",
        Role::Leaf => "leaf",
        Role::CodeSigner => "signer",
    };
    Ok(Row {
        what,
        subject: new.subject.name.clone(),
        alg: key.row.name.clone(),
        signed_by,
        not_before: Some(x509::written(new.period.not_before)),
        not_after: Some(x509::written(new.period.not_after)),
        der_bytes: der.len(),
        file,
        in_file: ders.len(),
        private_key_file: own,
        authority_remaining,
    })
}

/// Makes a root certificate and its key.
pub fn root(args: &Root) -> Result<ExitCode, Error> {
    args.means.check(&args.alg.name, args.store.as_ref())?;
    issued::new_name(&files::with_ending(&args.out, ".pem"))?;
    let subject = Subject { name: args.name.clone(), ..Subject::default() };
    subject.check().map_err(Error::key(&args.out))?;
    let new = New { role: Role::Root, subject, period: args.validity.period(3650)? };
    let own = Authority::made(args.alg, &args.out, args.store.as_deref(), &args.means)?;
    let (key, path) = (own.public()?, own.path.clone());
    let row = issue(&new, &key, Some(path), (Vec::new(), own), (&args.out, &args.out))?;
    issued::say(&row, args.means.json)
}

/// Makes the key and certificate of an authority below another one.
pub fn intermediate(args: &Below) -> Result<ExitCode, Error> {
    let subject = args.issued.subject(args.name.as_ref());
    let period = args.issued.validity.period(1825)?;
    below(&args.issued, args.alg, New { role: Role::Intermediate, subject, period })
}

/// Makes a leaf certificate, for a new key or for the key of a request.
pub fn leaf(args: &Leaf) -> Result<ExitCode, Error> {
    let (issued, period) = (&args.issued, args.issued.validity.period(365)?);
    let role = match args.usage {
        Use::Tls => Role::Leaf,
        Use::CodeSigning => Role::CodeSigner,
    };
    let mut new = New { role, subject: issued.subject(args.name.as_ref()), period };
    if let Some(alg) = args.alg {
        return below(issued, alg, new);
    }
    let file = args.request.as_deref().unwrap_or(Path::new("-"));
    issued::new_name(&files::with_ending(&issued.out, ".pem"))?;
    let asked = super::request::read(file, issued.means.backend.kernels()?.1)?;
    new.subject.dns.extend(asked.subject.dns);
    new.subject.ip.extend(asked.subject.ip);
    new.subject.name = args.name.clone().unwrap_or(asked.subject.name);
    let row = issued.issue(&new, &asked.key, None, issued.authority(false)?)?;
    issued::say(&row, issued.means.json)
}

/// Makes a key and its certificate. The authority is opened first, so that no key is made if the
/// authority is missing.
fn below(args: &Issued, alg: &'static Algorithm, new: New) -> Result<ExitCode, Error> {
    args.means.check(&alg.name, args.store.as_ref().or(args.ca_store.as_ref()))?;
    issued::new_name(&files::with_ending(&args.out, ".pem"))?;
    new.subject.check().map_err(Error::key(&args.out))?;
    let stateful = alg.kind == hasten_keys::registry::Kind::StatefulSignature;
    let authority = args.authority(stateful)?;
    let own = Authority::made(alg, &args.out, args.store.as_deref(), &args.means)?;
    let (key, path) = (own.public()?, own.path.clone());
    own.close()?;
    issued::say(&args.issue(&new, &key, Some(path), authority)?, args.means.json)
}
