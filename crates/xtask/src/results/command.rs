//! Checks the command of a row: it must begin with an existing program of this repository.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Entry, Output};

/// Returns a message if the command of a row cannot be run or writes to the wrong file.
pub fn fault(root: &Path, targets: &BTreeSet<String>, entry: &Entry) -> Option<String> {
    let all: Vec<&str> = entry.command.split_whitespace().collect();
    let begin = all.iter().position(|word| !is_variable(word)).unwrap_or(all.len());
    let words = &all[begin..];
    let why = match words {
        ["./hasten", command, ..] => (!is_command(root, command)).then(|| no("command", command)),
        ["cargo", "xtask", chore, ..] => (!crate::is_chore(chore)).then(|| no("chore", chore)),
        ["cargo", "run" | "test", ..] => no_target(targets, words),
        [program, ..] if program.starts_with("checks/") => {
            (!root.join(program).is_file()).then(|| no("program", program))
        }
        _ => Some(
            "does not begin with ./hasten, cargo run, cargo test, cargo xtask or a file of checks"
                .to_owned(),
        ),
    };
    let named = format!("results/{}.json", entry.name);
    let kept = || all[..begin].iter().find_map(|word| word.strip_prefix("HASTEN_RESULT="));
    let lost = (entry.output == Output::Written && kept().is_some_and(|file| file != named))
        .then(|| format!("writes another file than {named}"));
    why.or(lost).map(|why| format!("results/index.toml: {}: {why}", entry.name))
}

fn is_variable(word: &str) -> bool {
    let upper = |name: &str| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    word.split_once('=').is_some_and(|(name, _)| upper(name))
}

/// Returns true if the tool has a module for this command.
fn is_command(root: &Path, command: &str) -> bool {
    root.join(format!("crates/cli/src/commands/{command}.rs")).is_file()
}

/// Returns a message if cargo has no such package, example, program or test.
fn no_target(targets: &BTreeSet<String>, words: &[&str]) -> Option<String> {
    let behind = |flag: &str| words.iter().skip_while(|word| **word != flag).nth(1).copied();
    let package = behind("-p")?;
    let kinds = [("--example", "example"), ("--bin", "bin"), ("--test", "test")];
    let named = kinds.into_iter().find_map(|(flag, kind)| Some((kind, behind(flag)?)));
    let wanted = match named {
        Some((kind, name)) => format!("{package} {kind} {name}"),
        None => package.to_owned(),
    };
    (!targets.contains(&wanted)).then(|| no("target", &wanted))
}

fn no(what: &str, name: &str) -> String {
    format!("there is no {what} '{name}'")
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn faults(command: &str) -> Option<String> {
        let root = crate::metadata::root().expect("a checkout");
        let targets = ["a", "a example x", "a test y"].map(str::to_owned).into();
        let entry = Entry {
            name: "n".into(),
            command: command.into(),
            tools: Vec::new(),
            kind: Kind::Exact,
            output: Output::Written,
        };
        fault(&root, &targets, &entry)
    }

    #[test]
    fn commands_that_exist_pass() {
        for command in [
            "./hasten latency --json",
            "cargo xtask layers",
            "cargo run --release -p a --example x -- 7",
            "HASTEN_RTL_FULL=1 HASTEN_RESULT=results/n.json cargo test -p a --test y",
            "cargo run -p a",
            "checks/fresh/run",
        ] {
            assert_eq!(faults(command), None);
        }
    }

    #[test]
    fn commands_that_do_not_exist_fail() {
        for command in [
            "",
            "make",
            "./hasten latencies",
            "cargo xtask layer",
            "checks/fresh/walk",
            "cargo run -p a --example y",
            "cargo test -p b --test y",
            "HASTEN_RESULT=results/other.json cargo test -p a --test y",
        ] {
            assert!(faults(command).is_some(), "{command}");
        }
    }
}
