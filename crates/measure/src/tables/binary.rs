//! Size of the tool with and without each family of algorithms, built by cargo in a checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSegment};

use super::sheet::{Cell, Sheet};
use crate::Error;

/// The builds: contents, features, and bytes of the appendix's tls_bench with and without liboqs,
/// which provided the algorithms of round 3.
const BUILDS: [(&str, &str, Option<usize>); 4] = [
    ("everything", "aws-lc,legacy", Some(2_400_000)),
    ("without Falcon, Kyber and Dilithium of round 3", "aws-lc", Some(559_000)),
    ("without ML-KEM, ML-DSA, ECDSA, RSA and TLS", "legacy", None),
    ("hash-based signatures and Ed25519 alone", "", None),
];

/// Returns the checkout that contains the current folder, or else the one that contains this
/// program.
pub fn checkout() -> Option<PathBuf> {
    let is_root = |folder: &&Path| folder.join("crates/cli/Cargo.toml").is_file();
    let places = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    let mut above = places.iter().flatten().filter_map(|at| at.ancestors().find(is_root));
    above.next().map(Path::to_owned)
}

/// Builds the tool with these features, in a separate folder so that the normal build is kept.
fn build(root: &Path, features: &'static str) -> Result<PathBuf, Error> {
    let target = root.join("target/sizes");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "-p",
            "hasten-cli",
            "--features",
            features,
        ])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(root)
        .status()
        .map_err(Error::system("running cargo"))?;
    match status.success() {
        true => Ok(target.join("release/hasten")),
        false => Err(Error::Build(features)),
    }
}

/// Returns the bytes of the file, and of its loaded segments.
fn sizes(path: &Path) -> Result<[usize; 2], Error> {
    let bytes = std::fs::read(path).map_err(Error::system("reading the build"))?;
    let file = object::File::parse(&*bytes).map_err(Error::Object)?;
    Ok([bytes.len(), file.segments().map(|segment| segment.size() as usize).sum()])
}

/// Returns one row for each build, which is announced through `tell`. The first run takes minutes.
pub fn sheet(tell: &dyn Fn(&str)) -> Result<Sheet, Error> {
    let root = checkout().ok_or_else(|| {
        Error::Table("the sizes are those of builds: run this in a checkout of Hasten")
    })?;
    let mut rows = Vec::new();
    let mut all = 0;
    for (holds, features, theirs) in BUILDS {
        tell(&format!("building {holds} in target/sizes"));
        let [file, loaded] = sizes(&build(&root, features)?)?;
        all = all.max(loaded);
        rows.push(vec![
            holds.into(),
            features.into(),
            file.into(),
            loaded.into(),
            Cell::Number(loaded as f64 - all as f64, 0),
            theirs.into(),
        ]);
    }
    Ok(Sheet {
        name: "binary-size",
        title: "Size of the tool with and without each family",
        columns: vec![
            ("holds", "What it holds"),
            ("features", "Features"),
            ("file_bytes", "File"),
            ("loaded_bytes", "Loaded"),
            ("difference_bytes", "Less than everything"),
            ("theirs_bytes", "Appendix: tls_bench"),
        ],
        rows,
        notes: vec![
            "Release builds with thin LTO; loaded is what the program takes in memory of its file, without names of functions. The appendix: wolfSSL's tls_bench with -Os, about 2.4 MB with liboqs and 559 kB without. Ours is the whole command line, built for speed.".into(),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_has_a_size() {
        let [file, loaded] = sizes(&std::env::current_exe().unwrap()).unwrap();
        assert!(loaded > 100_000 && loaded < 2 * file, "{file} {loaded}");
        assert!(checkout().is_some_and(|root| root.join("Cargo.lock").is_file()));
    }
}
