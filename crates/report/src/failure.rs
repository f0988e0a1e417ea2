//! The JSON form of an error.

use serde::Serialize;

use crate::Origin;

/// An error as one line of JSON, which `--json` prints if there is no result.
#[derive(Serialize)]
pub struct Failure<'e> {
    schema: &'static str,
    command: String,
    version: Option<String>,
    commit: Option<String>,
    /// Error message: one sentence.
    error: &'e str,
    /// Suggestion for solving the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'e str>,
    /// Identifier of the kind of error, for programs.
    kind: &'e str,
    /// Exit status of the process.
    status: u8,
}

impl<'e> Failure<'e> {
    /// Returns the failure of `command` with its message, hint, kind and exit status.
    pub fn new(
        (command, origin): (String, Origin),
        (error, hint): (&'e str, Option<&'e str>),
        kind: &'e str,
        status: u8,
    ) -> Self {
        let Origin { version, commit, .. } = origin;
        Self { schema: "hasten.error/1", command, version, commit, error, hint, kind, status }
    }

    /// Returns the error as one line of JSON.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("strings and a number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line() {
        let from = ("hasten list".to_owned(), Origin::built("1.2", "abc", "rustc"));
        let failure = Failure::new(from, ("no such\nset", None), "arguments", 2);
        assert_eq!(
            failure.line(),
            r#"{"schema":"hasten.error/1","command":"hasten list","version":"1.2","commit":"abc","error":"no such\nset","kind":"arguments","status":2}"#
        );
    }
}
