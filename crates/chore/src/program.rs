//! Programs that a chore runs. They are not told of the manifest by which the chore finds the
//! checkout: cargo would build `ring`, whose build script looks at it, and all above it once more.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::process::Command;

/// Runs a program that must succeed; what it printed.
pub fn run<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: &[S]) -> Result<Vec<u8>, Failure> {
    let (good, printed, complaint) = attempt(&program, args)?;
    if good {
        return Ok(printed);
    }
    Err(Failure::Tool(format!("{}: {complaint}", program.as_ref().display())))
}

/// Runs a program; whether it succeeded, what it printed and what it complained of.
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
