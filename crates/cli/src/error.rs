//! Everything that can stop a command, and how it is said: one line and one hint, status 2.

use std::fmt;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::suggest::listed;

/// Status of a usage or state error.
pub const USAGE: u8 = 2;

/// Why a command stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The arguments were wrong; clap says how.
    Arguments(clap::Error),
    /// The backend exists, but this CPU or this build lacks it.
    NoBackend { name: String, have: Vec<&'static str> },
    /// A step of key generation, signing or verification refused.
    Scheme(hasten_hbs::Error),
    /// The socket, or the operating system's random numbers, failed.
    System { doing: &'static str, cause: std::io::Error },
    /// A signature made here did not verify here.
    Rejected { alg: &'static str, index: u64 },
    /// Ctrl-C.
    Interrupted,
}

impl Error {
    /// A system error, with what was being done.
    pub fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { doing, cause }
    }

    /// Says the error on the error stream, or prints the help asked for; gives the status.
    pub fn report(&self) -> ExitCode {
        if let Self::Arguments(error) = self
            && !error.use_stderr()
        {
            // Help and version are no errors; a reader that has gone away is none either.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        eprintln!("hasten: {self}");
        if let Some(hint) = self.hint() {
            eprintln!("hint: {hint}");
        }
        ExitCode::from(USAGE)
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Arguments(error) => Some(argument_hint(error)),
            Self::NoBackend { have, .. } => Some(format!("this machine has {}", listed(have))),
            Self::Rejected { .. } => Some("this is a defect: please report it".to_owned()),
            _ => None,
        }
    }
}

impl From<clap::Error> for Error {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::Stopped => Self::Interrupted,
            other => Self::Scheme(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(error) => f.write_str(&argument_problem(error)),
            Self::NoBackend { name, .. } => {
                write!(f, "backend '{name}' needs instructions this machine lacks")
            }
            Self::Scheme(error) => write!(f, "{error}"),
            Self::System { doing, cause } => write!(f, "{doing}: {cause}"),
            Self::Rejected { alg, index } => {
                write!(f, "signature {index} of {alg} did not verify")
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {}

/// A value of an argument that cannot be understood.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BadValue {
    /// Not a time.
    Time(String),
    /// Not a link rate.
    Rate(String),
    /// Not a number of samples, bytes or anything else that is counted.
    Count(String),
    /// Not a number of bytes from 1 to `most`.
    Bytes { given: String, most: usize },
    /// Not one of the names of `what`; `near` are those that were probably meant.
    Name { what: &'static str, given: String, near: Vec<&'static str> },
}

impl BadValue {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Time(_) => Some("a number and a unit, for example 100us, 2.5ms or 1s".to_owned()),
            Self::Rate(_) => {
                Some("a number and a unit, for example 1Gbit, 100Mbit or 2.5Gbit".to_owned())
            }
            Self::Count(_) => Some("for example 1000".to_owned()),
            Self::Bytes { .. } => Some("for example 64".to_owned()),
            Self::Name { near, .. } => {
                (!near.is_empty()).then(|| format!("did you mean {}?", listed(near)))
            }
        }
    }
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(given) => write!(f, "'{given}' is not a time"),
            Self::Rate(given) => write!(f, "'{given}' is not a link rate"),
            Self::Count(given) => write!(f, "'{given}' is not a whole number above 0"),
            Self::Bytes { given, most } => {
                write!(f, "'{given}' is not a number of bytes from 1 to {most}")
            }
            Self::Name { what, given, .. } => write!(f, "unknown {what} '{given}'"),
        }
    }
}

impl std::error::Error for BadValue {}

fn bad_value(error: &clap::Error) -> Option<&BadValue> {
    std::error::Error::source(error)?.downcast_ref()
}

/// The problem as one lower-case line.
fn argument_problem(error: &clap::Error) -> String {
    let argument = context(error, ContextKind::InvalidArg);
    if let (Some(value), Some(argument)) = (bad_value(error), &argument) {
        let flag = argument.split([' ', '=']).next().unwrap_or(argument);
        return format!("{flag}: {value}");
    }
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            "a command is missing".to_owned()
        }
        _ => first_paragraph(&error.render().to_string()),
    }
}

fn first_paragraph(rendered: &str) -> String {
    let lines = rendered.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let joined = lines.collect::<Vec<_>>().join(" ");
    joined.strip_prefix("error: ").unwrap_or(&joined).to_owned()
}

fn argument_hint(error: &clap::Error) -> String {
    let near =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    bad_value(error)
        .and_then(BadValue::hint)
        .or_else(|| {
            near.iter()
                .find_map(|kind| context(error, *kind))
                .map(|name| format!("did you mean {name}?"))
        })
        .unwrap_or_else(|| {
            "'hasten --help' lists the commands, 'hasten COMMAND --help' their options".to_owned()
        })
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(many) => many.first().cloned(),
        _ => None,
    }
}
