//! `hasten cert request`: a key, and a request for its certificate.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_kernels::Kernels;
use hasten_keys::encoding::pem_blocks;
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::x509::{self, Asked, Subject};

use super::authority::{Authority, Means};
use super::issued::{self, NewFile, Row};
use crate::error::Error;
use crate::files;
use crate::interrupt::Hold;
use crate::parse::algorithm;

/// Arguments of `hasten cert request`.
#[derive(clap::Args)]
#[command(after_help = include_str!("request.txt"))]
pub struct Args {
    /// Algorithm or parameter set of the key.
    #[arg(long, value_name = "NAME", value_parser = algorithm)]
    alg: &'static Algorithm,
    /// Common name, or several attributes [default: the first DNS name, or the last part of
    /// PREFIX].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// DNS name, any number of times.
    #[arg(long, value_name = "NAME")]
    dns: Vec<String>,
    /// IP address, any number of times.
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// First part of the file names.
    #[arg(long, value_name = "PREFIX")]
    out: PathBuf,
    /// Directory of a stateful key.
    #[arg(short = 'k', long, value_name = "DIR")]
    store: Option<PathBuf>,
    #[command(flatten)]
    means: Means,
}

/// Makes the key and the request.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    args.means.check(&args.alg.name, args.store.as_ref())?;
    let file = files::with_ending(&args.out, ".csr");
    issued::new_name(&file)?;
    let last = || args.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = args.name.as_ref().or(args.dns.first()).cloned().unwrap_or_else(last);
    let subject = Subject { name, dns: args.dns.clone(), ip: args.ip.clone() };
    subject.check().map_err(Error::key(&args.out))?;
    let mut own = Authority::made(args.alg, &args.out, args.store.as_deref(), &args.means)?;
    let (out, _whole) = (NewFile::begin(&file)?, Hold::begin());
    let der = x509::request(&subject, &mut own.key).map_err(Error::key(&args.out))?;
    let (public, path) = (own.public()?, own.path.clone());
    let authority_remaining = own.close()?;
    out.finish("CERTIFICATE REQUEST", &[&der])?;
    let row = Row {
        what: "request",
        subject: subject.name,
        alg: public.row.name.clone(),
        signed_by: public.row.name.clone(),
        not_before: None,
        not_after: None,
        der_bytes: der.len(),
        file,
        in_file: 1,
        private_key_file: Some(path),
        authority_remaining,
    };
    issued::say(&row, args.means.json)
}

/// Reads a request and verifies its signature.
pub fn read(path: &Path, kernels: Kernels<'_>) -> Result<Asked, Error> {
    let file = files::read(path)?;
    let blocks = pem_blocks(&file);
    let der = blocks.first().map_or(file.as_slice(), |block| &block.der);
    x509::read_request(der, kernels).map_err(Error::key(path))
}
