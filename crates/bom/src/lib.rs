//! `cargo xtask bom`: a CycloneDX bill of materials of the tool or another package. With
//! `--notices` it prints instead the licence texts of all third-party crates, which accompany a
//! binary.
//!
//! cargo resolves features for the package alone, as its build does, so a crate that only another
//! member of the workspace enables is not listed. Two runs on one commit print the same: the output
//! has neither a path of this machine nor the time of the run.

mod crates;
mod cyclonedx;
mod notices;
mod tree;

use hasten_chore::failure::Failure;
use hasten_chore::{checkout, program};

/// The folder of the package that contains the tool.
const TOOL: &str = "crates/cli";

/// The build to be listed.
#[derive(Debug, Default, PartialEq)]
struct Wanted {
    /// The folder of the package, if it is not the tool's.
    package: Option<String>,
    features: String,
    target: Option<String>,
    notices: bool,
}

/// Prints the bill of materials, or the licence texts.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let wanted = parse(args)?;
    let root = checkout::root()?;
    let package = wanted.package.as_deref().unwrap_or(TOOL);
    let manifest = root.join(package).join("Cargo.toml").display().to_string();
    let tree = tree::Tree::parse(&said("tree", &manifest, &wanted.tree_arguments())?)
        .ok_or_else(|| Failure::Tool("cargo tree: a line of another form".into()))?;
    let metadata =
        said("metadata", &manifest, &["--format-version=1", "--features", &wanted.features])?;
    let crates = crates::of(&tree, &metadata, &root)?;
    let text = match wanted.notices {
        true => notices::text(&tree.root, &crates, &root)?,
        false => cyclonedx::text(&tree, &crates, &wanted, written()),
    };
    print!("{text}");
    Ok(())
}

impl Wanted {
    /// Returns the arguments of `cargo tree` that list the linked crates and their build
    /// dependencies.
    fn tree_arguments(&self) -> Vec<&str> {
        let mut args = vec!["--edges=normal,build", "--prefix=depth", "--charset=ascii"];
        args.extend(["--format={p}", "--features", &self.features]);
        args.extend(self.target.iter().flat_map(|target| ["--target", target]));
        args
    }
}

fn parse(args: &[String]) -> Result<Wanted, Failure> {
    let mut wanted = Wanted::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut value = || rest.next().cloned().ok_or_else(usage);
        match arg.as_str() {
            "--package" => wanted.package = Some(value()?),
            "--features" => wanted.features = value()?,
            "--target" => wanted.target = Some(value()?),
            "--notices" => wanted.notices = true,
            _ => return Err(usage()),
        }
    }
    Ok(wanted)
}

fn usage() -> Failure {
    let options = "[--package FOLDER] [--features LIST] [--target TRIPLE] [--notices]";
    Failure::Usage(format!("Usage: cargo xtask bom {options}"))
}

/// Returns the output of a cargo command for a package.
fn said(command: &str, manifest: &str, args: &[&str]) -> Result<String, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let first = [command, "--locked", "--manifest-path", manifest];
    let said = program::run(cargo, &[&first[..], args].concat())?;
    String::from_utf8(said).map_err(|error| Failure::Tool(format!("cargo {command}: {error}")))
}

/// Returns the time of the commit in UTC, if there is a repository.
fn written() -> Option<String> {
    let format = "--date=format-local:%Y-%m-%dT%H:%M:%SZ";
    let args = ["TZ=UTC", "git", "log", "-1", format, "--format=%cd"];
    let (good, said, _) = program::attempt("env", &args).ok()?;
    good.then(|| String::from_utf8_lossy(&said).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_say_which_build() {
        let of = |text: &str| parse(&text.split(' ').map(String::from).collect::<Vec<_>>());
        let wanted = of("--package p --features a,b --target t --notices").unwrap();
        assert_eq!(wanted.package.as_deref(), Some("p"));
        assert_eq!(wanted.tree_arguments()[4..], ["--features", "a,b", "--target", "t"]);
        assert!(wanted.notices);
        for wrong in ["--features", "--feature a", "x"] {
            assert_eq!(of(wrong).unwrap_err().status(), 2, "{wrong}");
        }
    }
}
