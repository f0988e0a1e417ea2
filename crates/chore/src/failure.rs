//! Errors of a chore.

use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why a chore failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The command line is invalid.
    Usage(String),
    /// A file could not be read or written.
    Io(PathBuf, std::io::Error),
    /// A program could not be run or failed, with its own message.
    Tool(String),
    /// A file is malformed.
    Form(PathBuf, String),
    /// The findings of a check, one line each.
    Found(&'static str, Vec<String>),
}

impl Failure {
    /// Returns the exit status: 1 when a check found something, else 2.
    pub fn status(&self) -> u8 {
        if matches!(self, Failure::Found(..)) { 1 } else { 2 }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(text) | Failure::Tool(text) => f.write_str(text),
            Failure::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Failure::Form(path, text) => write!(f, "{}: {text}", path.display()),
            Failure::Found(check, lines) => {
                write!(f, "{check}: {} found\n  {}", lines.len(), lines.join("\n  "))
            }
        }
    }
}

/// Reads a file as text.
pub fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::Io(path.to_path_buf(), error))
}

/// Prints a line about what was checked, or returns the findings as an error.
pub fn report(check: &'static str, good: String, found: Vec<String>) -> Result<(), Failure> {
    if found.is_empty() {
        println!("{check}: {good}");
        Ok(())
    } else {
        Err(Failure::Found(check, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_status_1_and_anything_else_2() {
        assert_eq!(Failure::Found("x", vec!["a".into()]).status(), 1);
        assert_eq!(Failure::Usage("x".into()).status(), 2);
        assert!(report("x", "fine".into(), vec!["wrong".into()]).is_err());
        assert!(report("x", "fine".into(), vec![]).is_ok());
    }
}
