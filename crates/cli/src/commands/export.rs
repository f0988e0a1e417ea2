//! `hasten export`: a public key in the form that another program reads.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use hasten_keys::encoding::{PublicKey, encode_spki, public_to_pem};
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::verify::{Form, public_as, published};
use hasten_report::grouped;
use serde::Serialize;

use super::verify::key;
use crate::error::Error;
use crate::files::{self, Wanted};
use crate::form::Format;
use crate::named::{self, Key};
use crate::output::{self, note, print, visible};
use crate::parse::key_algorithm;
use crate::report;

/// Arguments of `hasten export`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help(named::PUBLIC)))]
#[command(after_help = include_str!("export.txt"))]
pub struct Args {
    #[command(flatten)]
    public: Key,
    /// Algorithm, where the bytes of the key leave that open.
    #[arg(long, value_name = "NAME", value_parser = key_algorithm)]
    alg: Option<&'static Algorithm>,
    /// Form of the key that is written.
    #[arg(long, value_name = "FORM")]
    format: KeyFormat,
    /// Where it goes; - is the standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// The form of a public key.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KeyFormat {
    /// SubjectPublicKeyInfo as PEM.
    Pem,
    /// SubjectPublicKeyInfo as DER.
    Der,
    /// The bytes of the algorithm's standard; of one LMS tree those of HSS.
    Raw,
    /// One LMS tree with nothing in front: Mbed TLS, MCUboot, OpenSSL.
    Lms,
    /// HSS, one LMS tree as one level: wolfBoot, Bouncy Castle, Botan, hash-sigs.
    Hss,
    /// The 48 bytes of LMS_SHA256_M24_H15_W4.
    Caliptra,
}

#[derive(Serialize)]
struct Row {
    alg: String,
    format: &'static str,
    public_key_bytes: usize,
    #[serde(serialize_with = "report::path")]
    public_key_file: PathBuf,
}

/// Writes the key in the requested form.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let key = key::read(&args.public, args.alg)?;
    let bytes = args.format.write(&args.public, &key)?;
    files::write(&args.out, Wanted::default(), &bytes)?;
    show(
        args,
        &Row {
            alg: key.tree().name.clone(),
            format: args.format.name(),
            public_key_bytes: bytes.len(),
            public_key_file: args.out.clone(),
        },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a summary of the written file. It goes to the error stream if the key itself is written
/// to standard output.
fn show(args: &Args, row: &Row) -> Result<(), Error> {
    let report = || report::new("hasten.export/1", None, std::slice::from_ref(row)).json();
    match (args.json, files::is_stream(&args.out)) {
        (true, false) => print(&report())?,
        (true, true) => output::aside_report(&report()),
        (false, false) => print(&text(row))?,
        (false, true) => text(row).lines().for_each(note),
    }
    Ok(())
}

fn text(row: &Row) -> String {
    let bytes = grouped(row.public_key_bytes as u64);
    let (file, format) = (visible(&row.public_key_file), row.format);
    format!("public     {file}: {bytes} B, {}, format {format}", row.alg)
}

impl KeyFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Pem => "pem",
            Self::Der => "der",
            Self::Raw => "raw",
            Self::Lms => Format::Lms.name(),
            Self::Hss => Format::Hss.name(),
            Self::Caliptra => Format::Caliptra.name(),
        }
    }

    /// Returns the key in this form.
    fn write(self, path: &Path, key: &PublicKey) -> Result<Vec<u8>, Error> {
        let written = match self {
            Self::Pem => published(key)
                .and_then(|key| public_to_pem(&key))
                .map(|pem| pem.as_bytes().to_vec()),
            Self::Der => published(key).and_then(|key| encode_spki(&key)),
            Self::Raw => published(key).map(|key| key.raw),
            Self::Lms => public_as(key, Form::Lms).map(Into::into),
            Self::Hss => public_as(key, Form::Hss).map(Into::into),
            Self::Caliptra => {
                Format::Caliptra.check(path, key)?;
                public_as(key, Form::Lms).map(Into::into)
            }
        };
        written.map_err(Error::key(path))
    }
}
