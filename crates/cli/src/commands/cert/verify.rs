//! `hasten cert verify`: the path from a certificate to a trusted root.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::ValueEnum;
use hasten_keys::inspect::inspect;
use hasten_keys::scan;
use hasten_keys::x509::{self, Question, Usage};
use hasten_report::{Summary, Table, grouped, micros, numbers, words};
use serde::Serialize;

use crate::certificates;
use crate::error::Error;
use crate::report;
use crate::units;
use crate::verdict::Verdict;

/// The uses that can be verified.
#[derive(Clone, Copy, ValueEnum)]
enum For {
    /// Server of TLS.
    Server,
    /// Client of TLS.
    Client,
    /// Signer of code.
    #[value(alias = "codeSigning")]
    CodeSigning,
}

/// Arguments of `hasten cert verify`.
#[derive(clap::Args)]
#[command(after_help = include_str!("verify.txt"))]
pub struct Args {
    /// The certificate, PEM or DER.
    file: PathBuf,
    /// Roots that are trusted, any number of times.
    #[arg(long, value_name = "FILE", required = true)]
    ca: Vec<PathBuf>,
    /// Authorities between the certificate and the root, any number of times.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// DNS name or IP address that the certificate must bear.
    #[arg(long, value_name = "NAME")]
    dns: Option<String>,
    /// The moment, as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ [default: now].
    #[arg(long, value_name = "TIME", value_parser = units::moment)]
    at: Option<u64>,
    /// Use of the certificate.
    #[arg(long = "for", value_name = "USE", default_value = "server")]
    used_for: For,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    good: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    verify_us: Summary,
    path: Vec<Step>,
}

/// One certificate of the path.
#[derive(Serialize)]
struct Step {
    subject: String,
    alg: String,
    signed_with: String,
    der_bytes: usize,
}

impl Step {
    fn of(der: &[u8]) -> Self {
        let finding = inspect(der).into_iter().next();
        let words = |fact| finding.as_ref().and_then(|finding| finding.words(fact));
        let fact = |name| words(name).unwrap_or("unknown").to_owned();
        let (subject, signed_with) = (fact("subject"), fact("signature_algorithm"));
        let alg = finding.and_then(|finding| finding.algorithm).unwrap_or_default();
        Self { subject, alg, signed_with, der_bytes: der.len() }
    }
}

/// Verifies the path. The exit status is the verdict.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let mut chain = certificates::of(&args.file)?;
    chain.extend(certificates::of_all(&args.with)?);
    let roots = certificates::of_all(&args.ca)?;
    let usage = match args.used_for {
        For::Server => Usage::Server,
        For::Client => Usage::Client,
        For::CodeSigning => Usage::CodeSigning,
    };
    let (at, name) = (args.at.unwrap_or_else(units::now), args.dns.as_deref());
    let question = Question { chain: &chain, roots: &roots, name, at, usage };
    let begun = Instant::now();
    let path = x509::verify_path(&question);
    let checked = path.and_then(|path| scan::check_path(&path).map(|()| path));
    let verify_us = Summary::constant(micros(begun.elapsed()));
    let verdict = Verdict::of(checked.as_ref().map(drop));
    let (path, reason) = match checked {
        Ok(path) => (path.iter().map(|der| Step::of(der)).collect(), None),
        Err(error) if verdict == Verdict::Bad => (Vec::new(), Some(error.to_string())),
        Err(error) => return Err(Error::key(&args.file)(error)),
    };
    let row = Row { good: verdict == Verdict::Good, reason, verify_us, path };
    report::show(args.json, "hasten.cert-verify/1", None, &[&row], || text(&row))?;
    Ok(verdict.status())
}

fn text(row: &Row) -> String {
    if let Some(reason) = &row.reason {
        return format!("BAD PATH  {reason}");
    }
    let rows = row.path.iter().map(|step| {
        let bytes = grouped(step.der_bytes as u64);
        vec![step.subject.clone(), step.alg.clone(), step.signed_with.clone(), bytes]
    });
    let rows = rows.collect::<Vec<_>>();
    let columns = vec![words("subject"), words("key"), words("signed with"), numbers("bytes")];
    let took = units::read_by_people(row.verify_us.min);
    format!("good  {took}\n{}", Table::new(columns).print(&rows))
}
