//! The commands of `docs/guide.md`, `docs/adopt.md`, `docs/pkcs11.md` and `docs/install.md` do what
//! the pages show.
//!
//! A block `sh` is run in a separate folder, in which `./hasten` is the tool. Every line of the
//! block `text` after it must be printed, in the same order and with the same words and numbers. A
//! time, a date or a random name may differ. Some blocks run only if a variable is set:
//!
//! - `sh network`: `HASTEN_NETWORK`.
//! - `sh capi`: `HASTEN_CAPI`, the folder in which the C library is installed.
//! - `sh pkcs11`: `HASTEN_PKCS11`, the path of the PKCS#11 module.
//! - `sh opensc`: `HASTEN_OPENSC`, the `pkcs11-tool` of OpenSC 0.27.
//! - `sh deb`: `HASTEN_DEB`, the path of a Debian package, which is then in the folder.
//!
//! In blocks `sh vectors`, `VECTORS` is the folder of the known answers. With
//! `HASTEN_PAGES=overwrite` the lines of a page are replaced by those of this run, if they differ
//! only in words with a digit.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A block of commands and the lines that they must print.
struct Step {
    commands: String,
    /// The variable without which the commands do not run.
    needs: Option<&'static str>,
    lines: Vec<String>,
}

/// Returns the steps of a page, without commands that build the tool.
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

/// Runs the commands and returns their output, errors first. The folder's path is replaced by
/// /home/you.
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
    let said = String::from_utf8([output.stderr, output.stdout].concat()).unwrap();
    said.replace(place.to_str().unwrap(), "/home/you")
}

/// Returns true if the lines differ only in words that change from run to run.
fn is_like(said: &str, shown: &str) -> bool {
    are_words(said, shown, |said, shown, at| differs(said, at) && differs(shown, at))
}

/// Returns true if the lines differ only in words with a digit and in units of time.
fn is_alike(said: &str, shown: &str) -> bool {
    let digit = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    are_words(said, shown, |said, shown, at| {
        let (said, shown) = (said[at], shown[at]);
        (digit(said) && digit(shown)) || (is_unit(said) && is_unit(shown))
    })
}

/// Returns true if both lines have the same words, except for those that `may` differ.
fn are_words(said: &str, shown: &str, may: impl Fn(&[&str], &[&str], usize) -> bool) -> bool {
    let [said, shown] = [said, shown].map(|line| line.split_whitespace().collect::<Vec<_>>());
    let same = |at: usize| said[at] == shown[at] || may(&said, &shown, at);
    said.len() == shown.len() && (0..said.len()).all(same)
}

/// Returns true for a word that changes from run to run: a time, a date, or random hexadecimal
/// bytes, also in a file name.
fn differs(words: &[&str], at: usize) -> bool {
    let word = words[at].trim_matches(|c: char| c.is_ascii_punctuation());
    let number = word.chars().all(|c| c.is_ascii_digit() || ",.".contains(c));
    let is_time = match is_unit(words[at]) {
        true => at > 0 && words[at - 1].starts_with(|c: char| c.is_ascii_digit()),
        false => number && words.get(at + 1).is_some_and(|next| is_unit(next)),
    };
    let is_day = word.len() >= 10 && word.as_bytes()[4] == b'-' && word.starts_with("20");
    let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric());
    is_time || is_day || parts.any(|part| part.len() >= 8 && is_random(part))
}

fn is_unit(word: &str) -> bool {
    ["ns", "us", "ms", "s", "min"].contains(&word.trim_end_matches([',', ';']))
}

/// Returns true for hexadecimal digits, at least one of them a letter and one not.
fn is_random(part: &str) -> bool {
    let hex = part.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
    hex && part.chars().any(|c| c.is_ascii_digit()) && part.chars().any(|c| c.is_ascii_lowercase())
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
    let overwrite = std::env::var("HASTEN_PAGES").is_ok_and(|how| how == "overwrite");
    let steps = steps(&fs::read_to_string(&page).unwrap());
    assert!(steps.len() > 2);
    let may_run = |step: &&Step| step.needs.is_none_or(|name| std::env::var_os(name).is_some());
    let mut text = fs::read_to_string(&page).unwrap();
    for step in steps.iter().filter(may_run) {
        let said = run(&step.commands, place.path());
        let mut rest = said.lines();
        for line in &step.lines {
            match rest
                .find(|said| if overwrite { is_alike(said, line) } else { is_like(said, line) })
            {
                Some(said) if overwrite => {
                    text = text.replacen(&format!("\n{line}\n"), &format!("\n{said}\n"), 1)
                }
                found => assert!(
                    found.is_some(),
                    "{}\ndid not print\n{line}\nbut\n{said}",
                    step.commands
                ),
            }
        }
    }
    if overwrite {
        fs::write(page, text).unwrap();
    }
}
