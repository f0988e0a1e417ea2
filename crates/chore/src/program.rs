//! Programs that a chore runs. The variable `CARGO_MANIFEST_DIR`, by which the chore finds the
//! checkout, is removed from their environment: the build script of `ring` looks at it, so cargo
//! would rebuild `ring` and everything that depends on it.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::process::Command;

/// Runs a program and returns its standard output; a failure of the program is an error.
pub fn run<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: &[S]) -> Result<Vec<u8>, Failure> {
    let (good, printed, complaint) = attempt(&program, args)?;
    if good {
        return Ok(printed);
    }
    Err(Failure::Tool(format!("{}: {complaint}", program.as_ref().display())))
}

/// Runs a program and returns whether it succeeded, its standard output and its error output.
pub fn attempt<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: &[S],
) -> Result<(bool, Vec<u8>, String), Failure> {
    let shown = program.as_ref().display().to_string();
    let output = Command::new(program)
        .args(args)
        .env_remove("CARGO_MANIFEST_DIR")
        .output()
        .map_err(|error| Failure::Tool(format!("{shown}: {error}")))?;
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Ok((output.status.success(), output.stdout, complaint))
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn a_program_is_not_told_of_the_manifest() {
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let said = run("sh", &["-c", "printf %s \"${CARGO_MANIFEST_DIR-none}\""]).unwrap();
        assert_eq!(String::from_utf8_lossy(&said), "none");
    }
}
