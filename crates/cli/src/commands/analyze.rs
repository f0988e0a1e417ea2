//! `hasten analyze`: the computations of an operation, their order, and the time that they take.

#[cfg(feature = "measure")]
mod calibrate;
mod calls;
#[cfg(feature = "measure")]
mod compare;
mod deps;
mod drawing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::{Digest, Operation, Request};

use crate::error::{BadValue, Error};
use crate::{parse, units};

/// Arguments of `hasten analyze`.
#[derive(clap::Args)]
#[command(after_help = include_str!("analyze.txt"))]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

/// The analyses.
#[derive(Subcommand)]
enum What {
    /// The call graph of one operation: functions, calls, compressions, batches, bytes.
    #[command(after_help = "Example:\n  hasten analyze calls --alg XMSS-SHA2_10_256 --op sign")]
    Calls(Target),
    /// The dependencies of one operation: work, critical path, what the message decides.
    #[command(
        after_help = "Example:\n  hasten analyze deps --alg XMSS-SHA2_10_256 --op verify --level masks --svg verify.svg"
    )]
    Deps(Target),
    /// Measures the kernels of this machine, and predicts from that what signing and verifying
    /// take.
    #[cfg(feature = "measure")]
    #[command(after_help = "Example:\n  hasten analyze calibrate --out here.json")]
    Calibrate(calibrate::Args),
    /// Measures signatures without state: medians and tails of Ed25519, ECDSA, ML-DSA, Falcon,
    /// SLH-DSA.
    #[cfg(feature = "measure")]
    #[command(after_help = "Example:\n  hasten analyze compare --json > compared.json")]
    Compare(compare::Args),
}

/// An operation.
#[derive(Clone, Copy, ValueEnum)]
enum Op {
    /// Making a key, of SLH-DSA alone.
    Keygen,
    /// From the message to the signature.
    Sign,
    /// From message and signature to the verdict.
    Verify,
}

/// The operation that is recorded, and where drawings go.
#[derive(clap::Args)]
struct Target {
    /// Parameter set.
    #[arg(long, value_name = "NAME", value_parser = parse::set, default_value = "XMSS-SHA2_10_256")]
    alg: &'static Set,
    /// Operation.
    #[arg(long, value_name = "OP", default_value = "sign")]
    op: Op,
    /// Work that is ready before the message: a level of the signer or of the verifier.
    #[arg(long, value_name = "LEVEL", default_value = "none")]
    level: String,
    /// Bytes of the message.
    #[arg(long, value_name = "BYTES", default_value = "64", value_parser = units::message_bytes)]
    message: usize,
    /// Takes the digest that makes the operation longest.
    #[arg(long)]
    worst: bool,
    /// Writes a drawing for Graphviz.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Writes a drawing as SVG: of calls, callers over what they call, as wide as their
    /// compressions; of dependencies, a band for each function, steps from left to right, the
    /// longest way in red.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replaces files that are there already.
    #[arg(long)]
    force: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the selected analysis and prints its results.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    match &args.what {
        What::Calls(target) => calls::run(target)?,
        What::Deps(args) => deps::run(args)?,
        #[cfg(feature = "measure")]
        What::Calibrate(args) => calibrate::run(args)?,
        #[cfg(feature = "measure")]
        What::Compare(args) => compare::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Target {
    fn operation(&self) -> Result<Operation, Error> {
        let operation = match self.op {
            Op::Keygen => return self.keygen(),
            Op::Sign => parse::signer_level(&self.level).map(Operation::Sign),
            Op::Verify => parse::verifier_level(&self.level).map(Operation::Verify),
        };
        let level = |value| Error::Value { option: "--level", value };
        let operation = operation.map_err(level)?;
        let bare = matches!(
            operation,
            Operation::Sign(SignerLevel::None) | Operation::Verify(VerifierLevel::None)
        );
        if !bare && !parse::is_stateful(self.alg) {
            return Err(level(BadValue::NoLevels(self.alg.name)));
        }
        Ok(operation)
    }

    /// Returns key generation as the operation. It has no levels, and is only analysed for SLH-DSA.
    fn keygen(&self) -> Result<Operation, Error> {
        let name = SignerLevel::None.name();
        let wrong = |option, value| Err(Error::Value { option, value });
        match (parse::is_stateful(self.alg), self.level == name) {
            (true, _) => wrong("--op", BadValue::NoKeygen(self.alg.name)),
            (_, false) => wrong("--level", BadValue::NoLevels(self.alg.name)),
            _ => Ok(Operation::Keygen),
        }
    }

    /// Returns the operation to record, with its set, message and digest.
    fn request(&self) -> Result<Request, Error> {
        if let Scheme::Hss { levels } = self.alg.scheme {
            let near = levels.iter().map(|level| level.name).collect();
            let what = "set of one tree (HSS is recorded level by level)";
            let value = BadValue::Name { what, given: self.alg.name.to_owned(), near };
            return Err(Error::Value { option: "--alg", value });
        }
        let mut request = Request::new(self.alg, self.operation()?).message(self.message);
        if self.worst {
            request = request.digest(Digest::Worst);
        }
        Ok(request)
    }
}
