//! Replays `tests/transcripts/*.txt`: the output of the commands is part of their contract.
//!
//! A line `$ COMMAND` is run by the shell, in one fresh directory per file and with this build of
//! `hasten` first in PATH. The lines after it are its output, both streams together. `[..]` stands
//! for anything within a line, and a line `? N` for a status other than 0.

use std::path::Path;
use std::process::Command;

struct Step<'t> {
    command: &'t str,
    output: Vec<&'t str>,
    status: i32,
}

fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command, output: Vec::new(), status: 0 });
        } else if let Some(step) = steps.last_mut() {
            match line.strip_prefix("? ") {
                Some(status) => step.status = status.parse().expect("a number"),
                None if line.is_empty() => {}
                None => step.output.push(line),
            }
        }
    }
    steps
}

fn run(dir: &Path, step: &Step<'_>) -> Result<(), String> {
    let tool = Path::new(env!("CARGO_BIN_EXE_hasten")).parent().unwrap();
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {}\n}} 2>&1", step.command)]).current_dir(dir);
    shell.env("PATH", path).env("XDG_STATE_HOME", dir.join("state")).env_remove("HASTEN_BACKEND");
    shell.env("VECTORS", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors"));
    let done = shell.output().unwrap();
    let printed = String::from_utf8_lossy(&done.stdout);
    let lines: Vec<_> = printed.lines().filter(|line| !line.is_empty()).collect();
    let same = lines.len() == step.output.len()
        && lines.iter().zip(&step.output).all(|(line, pattern)| matches(line, pattern));
    let status = done.status.code();
    if same && status == Some(step.status) {
        return Ok(());
    }
    Err(format!("$ {}\n{printed}? {status:?}", step.command))
}

/// Returns true if `line` matches `pattern`, in which `[..]` stands for anything.
fn matches(line: &str, pattern: &str) -> bool {
    let Some((first, rest)) = pattern.split_once("[..]") else { return line == pattern };
    let Some(mut left) = line.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once("[..]").unwrap_or(("", rest));
    for part in middle.split("[..]") {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

fn replay(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    let text = std::fs::read_to_string(&file).unwrap();
    let dir = tempfile::tempdir().unwrap();
    for step in steps(&text) {
        if let Err(got) = run(dir.path(), &step) {
            panic!("{name}: expected\n{}\nbut got\n{got}", step.output.join("\n"));
        }
    }
}

#[test]
fn keys_for_a_limited_number_of_signatures() {
    replay("limited.txt");
}

#[test]
fn stateful_keys() {
    replay("stateful.txt");
}

#[test]
fn an_old_copy_and_a_second_process() {
    replay("refusals.txt");
}

#[test]
fn several_files_and_the_audit_log() {
    replay("several.txt");
}

#[test]
fn what_releases_say_of_a_key() {
    replay("scan.txt");
}

#[test]
fn the_last_indices_of_a_key() {
    replay("exhaustion.txt");
}

#[test]
fn sectors_with_seeds_of_their_own() {
    replay("sectors.txt");
}

#[test]
fn a_shard_for_another_machine() {
    replay("carried.txt");
}

#[test]
fn a_key_that_another_program_has_used() {
    replay("import.txt");
}

#[test]
fn dual_signatures_and_the_record_of_their_key() {
    replay("dual-record.txt");
}

#[test]
fn keys_of_several_layers() {
    replay("multi.txt");
}

#[test]
fn stateless_keys_and_foreign_files() {
    replay("stateless.txt");
}

#[test]
fn first_contact() {
    replay("choice.txt");
}

#[test]
fn two_forms_of_one_key_and_certificates_for_keys() {
    replay("forms.txt");
}

#[test]
fn signatures_that_stand_in_a_structure() {
    replay("cms.txt");
}

#[test]
fn a_channel() {
    replay("channel.txt");
}

#[test]
fn certificates() {
    replay("cert.txt");
}

#[cfg(feature = "aws-lc")]
#[test]
fn two_signatures_in_one_file() {
    replay("dual.txt");
}

#[cfg(feature = "aws-lc")]
#[test]
fn lattice_keys() {
    replay("lattice.txt");
}

#[cfg(feature = "aws-lc")]
#[test]
fn lattice_certificates() {
    replay("cert-lattice.txt");
}

#[cfg(all(feature = "aws-lc", feature = "legacy"))]
#[test]
fn falcon() {
    replay("falcon.txt");
}

#[cfg(not(feature = "legacy"))]
#[test]
fn a_build_without_legacy() {
    replay("without_legacy.txt");
}

#[cfg(feature = "legacy")]
#[test]
fn sphincs() {
    replay("sphincs.txt");
}

#[test]
fn images_for_boot_roms() {
    replay("boot.txt");
}

#[test]
fn wildcards() {
    assert!(matches("took 3 us, fine", "took [..] us, [..]"));
    assert!(matches("abc", "abc") && !matches("abcd", "abc") && !matches("xabc", "abc"));
    assert!(!matches("took 3 ms", "took [..] us"));
    assert!(matches("guard /tmp/.tmpegP/g", "guard [..]g"), "what stands last is at the end");
}
