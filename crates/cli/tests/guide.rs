//! The commands of `docs/guide.md`, `docs/adopt.md`, `docs/pkcs11.md` and `docs/install.md` do what
//! the pages show.
//!
//! A block `sh` is run in a folder of its own, in which `./hasten` is the tool; every line of the
//! block `text` behind it must come, in that order. Words with a digit in them (times, indices,
//! names of guards) stand for any such word. Blocks `sh network` run where `HASTEN_NETWORK` is set,
//! blocks `sh capi` where `HASTEN_CAPI` names the folder that the C library is installed in, blocks
//! `sh pkcs11` where `HASTEN_PKCS11` is the path of the PKCS#11 module, blocks `sh opensc` where
//! `HASTEN_OPENSC` is the `pkcs11-tool` of OpenSC 0.27, blocks `sh deb` where `HASTEN_DEB` is the
//! path of a Debian package, which lies in the folder then. In blocks `sh vectors` `VECTORS` is the
//! folder of the known answers.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A block of commands and the lines that must come.
struct Step {
    commands: String,
    /// The variable without which they do not run.
    needs: Option<&'static str>,
    lines: Vec<String>,
}

/// Returns the steps of a page; commands that build the tool are none.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut blocks = page.split("\n```");
    blocks.next();
    for block in blocks.step_by(2) {
        let (kind, body) = block.split_once('\n').unwrap();
        match kind {
            "text" => steps.last_mut().unwrap().lines = body.lines().map(String::from).collect(),
            "sh build" => {}
            _ => steps.push(Step { commands: body.into(), needs: needs(kind), lines: Vec::new() }),
        }
    }
    steps
}

/// Returns the variable without which blocks of this kind do not run.
fn needs(kind: &str) -> Option<&'static str> {
    match kind {
        "sh" | "sh vectors" => None,
        "sh network" => Some("HASTEN_NETWORK"),
        "sh capi" => Some("HASTEN_CAPI"),
        "sh pkcs11" => Some("HASTEN_PKCS11"),
        "sh opensc" => Some("HASTEN_OPENSC"),
        "sh deb" => Some("HASTEN_DEB"),
        _ => panic!("a block {kind:?}"),
    }
}

/// Runs the commands and returns what they print on both streams, errors behind results.
fn run(commands: &str, place: &Path) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-c", commands]).current_dir(place);
    shell.env("HOME", place).env_remove("XDG_STATE_HOME");
    shell.env("VECTORS", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors"));
    if let Some(prefix) = std::env::var_os("HASTEN_CAPI") {
        let lib = Path::new(&prefix).join("lib");
        shell.env("PKG_CONFIG_PATH", lib.join("pkgconfig")).env("LD_LIBRARY_PATH", lib);
    }
    let output = shell.output().unwrap();
    String::from_utf8([output.stderr, output.stdout].concat()).unwrap()
}

/// Returns true if the words are the same but for those with a digit in them.
fn is_like(said: &str, shown: &str) -> bool {
    let digit = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let (said, shown): (Vec<_>, Vec<_>) =
        (said.split_whitespace().collect(), shown.split_whitespace().collect());
    said.len() == shown.len()
        && said.iter().zip(&shown).all(|(a, b)| a == b || (digit(a) && digit(b)))
}

#[test]
fn the_guide_shows_what_its_commands_print() {
    follow("guide.md");
}

#[test]
fn the_doors_show_what_their_commands_print() {
    follow("adopt.md");
}

#[test]
fn the_token_shows_what_its_commands_print() {
    follow("pkcs11.md");
}

#[test]
fn the_packages_show_what_their_commands_print() {
    follow("install.md");
}

/// Runs every step of a page.
fn follow(name: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let place = tempfile::Builder::new().prefix("page-1-").tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hasten"), place.path().join("hasten")).unwrap();
    if let Some(package) = std::env::var_os("HASTEN_DEB") {
        let name = Path::new(&package).file_name().expect("a file");
        std::os::unix::fs::symlink(&package, place.path().join(name)).unwrap();
    }
    let steps = steps(&fs::read_to_string(page).unwrap());
    assert!(steps.len() > 2);
    let may_run = |step: &&Step| step.needs.is_none_or(|name| std::env::var_os(name).is_some());
    for step in steps.iter().filter(may_run) {
        let said = run(&step.commands, place.path());
        let mut rest = said.lines();
        for line in &step.lines {
            let found = rest.any(|said| is_like(said, line));
            assert!(found, "{}\ndid not print\n{line}\nbut\n{said}", step.commands);
        }
    }
}
