//! Bouncy Castle, run by the small program in `checks/interop/bouncycastle`.

use super::peer::{Peer, good_ones};
use hasten_chore::failure::Failure;
use hasten_chore::program::run;
use std::path::{Path, PathBuf};

/// Bouncy Castle, fetched and compiled.
pub struct BouncyCastle {
    class_path: String,
}

/// The pinned artifact. `pom.xml` names the same version, and the build fails if it does not.
const JAR: &str = "bcprov-jdk18on-1.84.jar";

impl BouncyCastle {
    /// Fetches the pinned artifacts through Maven unless they are there, and compiles the program.
    pub fn prepare(root: &Path) -> Result<Self, Failure> {
        let source = root.join("checks/interop/bouncycastle");
        let (lib, classes) =
            (root.join(".tools/bouncycastle/lib"), root.join(".tools/bouncycastle/classes"));
        if !lib.join(JAR).is_file() {
            eprintln!("Fetching Bouncy Castle through Maven into .tools/bouncycastle");
            let (pom, out) =
                (source.join("pom.xml"), format!("-DoutputDirectory={}", lib.display()));
            run(
                "mvn",
                &["-q", "-B", "-C", "-f", text(&pom)?, "dependency:copy-dependencies", &out],
            )?;
        }
        if !lib.join(JAR).is_file() {
            return Err(Failure::Tool(format!(
                "Maven did not bring {JAR}; pom.xml names another version"
            )));
        }
        let jars = format!("{}/*", lib.display());
        let files = ["Peer", "Signing", "Xmss", "XmssMt", "Lms", "SlhDsa", "Falcon", "Tls"]
            .map(|name| source.join(format!("src/{name}.java")));
        let mut args = vec!["-d", text(&classes)?, "-cp", &jars];
        for file in &files {
            args.push(text(file)?);
        }
        run("javac", &args)?;
        Ok(Self { class_path: format!("{jars}:{}", classes.display()) })
    }
}

impl BouncyCastle {
    /// Returns the class path of the library and the programs.
    pub fn class_path(&self) -> &str {
        &self.class_path
    }
}

impl Peer for BouncyCastle {
    fn name(&self) -> &'static str {
        "Bouncy Castle"
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(JAR.trim_start_matches("bcprov-jdk18on-").trim_end_matches(".jar").into())
    }

    /// Returns true for all sets except the XMSS sets that SP 800-208 added, and the SLH-DSA sets
    /// whose signatures take Bouncy Castle seconds.
    fn has(&self, alg: &str) -> bool {
        let older = ["XMSS-SHA2_", "XMSS-SHAKE_", "XMSSMT-SHA2_", "XMSSMT-SHAKE_"];
        let is_older = older.iter().any(|family| alg.starts_with(family)) && !alg.ends_with("_192");
        let is_fast = alg.starts_with("SLH-DSA-") && alg.ends_with('f');
        is_older || is_fast || alg.starts_with("LMS_") || alg.starts_with("HSS(")
    }

    fn count(&self) -> usize {
        3
    }

    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let count = self.count().to_string();
        run("java", &["-cp", &self.class_path, "Peer", "sign", alg, text(folder)?, &count])
            .map(drop)
    }

    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let mut args = vec!["-cp", &self.class_path, "Peer", "verify", alg];
        for folder in folders {
            args.push(text(folder)?);
        }
        Ok(good_ones(&run("java", &args)?))
    }
}

fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| Failure::Tool(format!("{}: not text", path.display())))
}
