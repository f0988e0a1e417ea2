//! `copies`: old copies, second copies, files changed one by one, another key's files, and wrong
//! options. Each must be harmless, or be refused with a helpful text.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use crate::ledger::Ledger;
use crate::progress::Progress;
use crate::strikes::Tally;
use crate::yard::{Setup, Yard};

mod scripts;

use scripts::{Attack, FILES, Must, PRELUDE, SCRIPTS, Text};

/// In the short form, one of this many attacks on single files is run. Prime to the number of
/// files.
const SHORT_STEP: usize = 3;

/// Runs every script, and every change of every file of a key.
pub fn run(setup: &Setup) -> Tally {
    let files = files(setup);
    let once = SCRIPTS.iter().map(|attack| (attack, String::new()));
    let each = FILES.iter().flat_map(|attack| {
        let fit = files.iter().filter(|file| attack.fits(file));
        fit.map(move |file| (attack, format!("F={file}")))
    });
    // The short form runs one attack in `step`. The seed decides which ones.
    let step = if setup.short { SHORT_STEP } else { 1 };
    let each = each.skip(setup.seed as usize % step).step_by(step);
    let all: Vec<(&Attack, String)> = once.chain(each).collect();
    let progress = Progress::new("copies");
    let mut tally = Tally::default();
    for (row, wrong) in crate::strikes::in_pairs(&all, |number, (attack, variables)| {
        let yard = Yard::new(setup, &format!("copies-{number}"));
        let told = one(&yard, attack, variables);
        progress.step(told.1.len());
        told
    }) {
        tally.rows.push(row);
        tally.wrong.extend(wrong);
    }
    tally
}

/// Returns the names of the files of a key of two levels that has signed.
fn files(setup: &Setup) -> Vec<String> {
    let yard = Yard::new(setup, "copies-files");
    yard.must_shell(&format!("{PRELUDE}\nmake key guard\nuse key 1 2"));
    let names = std::fs::read_dir(yard.path("key")).expect("made").flatten();
    let mut names: Vec<_> =
        names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The result of one attack.
#[derive(Default)]
struct Outcome {
    signatures: u64,
    refused: bool,
    said: String,
    wrong: Vec<String>,
}

/// Runs one attack in a yard of its own. Returns its report row and the errors found.
fn one(yard: &Yard, attack: &Attack, variables: &str) -> (Value, Vec<String>) {
    let label = [attack.name, variables].join(if variables.is_empty() { "" } else { ": " });
    let begun = Instant::now();
    if let Some(command) = attack.needs.filter(|command| !yard.knows(command)) {
        let why = format!("this tool has no '{command}'");
        hasten_report::skipped(&label, &why, "name a newer tool with --tool");
        return (json!({ "attack": label, "not_run": command }), Vec::new());
    }
    let mut outcome = play(yard, attack, variables);
    expect(yard, attack, &mut outcome);
    walk(yard, &mut outcome);
    let wrong: Vec<String> = outcome.wrong.iter().map(|text| format!("{label}: {text}")).collect();
    let row = json!({
        "attack": label, "cases": 1, "refused": outcome.refused, "signatures": outcome.signatures,
        "used_twice": wrong.iter().filter(|text| text.contains("twice")).count(),
        "otherwise_wrong": wrong.iter().filter(|text| !text.contains("twice")).count(),
        "seconds": begun.elapsed().as_millis() as f64 / 1000.0,
    });
    (row, wrong)
}

fn play(yard: &Yard, attack: &Attack, variables: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let answer = yard.shell(&format!("{PRELUDE}\n{variables}\n{}", attack.lines));
    if !answer.good() {
        outcome.wrong.push(format!("the attack itself fails: {}", answer.err.trim()));
    }
    let read = |name: &str| std::fs::read_to_string(yard.path(name)).unwrap_or_default();
    let (status, said) = (read("try.status"), read("try.err"));
    let said = said.lines().filter(|line| !line.contains("outside witness"));
    outcome.said = said.collect::<Vec<_>>().join(" ");
    outcome.refused = status.trim() == "2";
    if !matches!(status.trim(), "0" | "1" | "2") || outcome.said.contains("panicked") {
        outcome.wrong.push(format!("ended with {}: {}", status.trim(), outcome.said));
    }
    outcome
}

fn expect(yard: &Yard, attack: &Attack, outcome: &mut Outcome) {
    let Must::Refuse(texts) = attack.must else { return };
    if !outcome.refused {
        outcome.wrong.push("is not refused".to_owned());
        return;
    }
    for text in texts {
        let wanted = match text {
            Text::Path(name) => yard.path(name).display().to_string(),
            Text::Word(word) => (*word).to_owned(),
        };
        if !outcome.said.contains(&wanted) {
            outcome.wrong.push(format!("the refusal does not say {wanted}: {}", outcome.said));
        }
    }
}

/// Enters every signature in the ledger of the key under which it verifies.
fn walk(yard: &Yard, outcome: &mut Outcome) {
    let mut ledgers: Vec<Ledger> = Vec::new();
    for file in find(yard.dir(), "pub") {
        ledgers.extend(Ledger::new(scripts::ALG, &file));
    }
    for file in find(yard.dir(), "sig") {
        let bytes = std::fs::read(&file).unwrap_or_default();
        match ledgers.iter_mut().find(|ledger| ledger.verifies(&file, &bytes)) {
            Some(ledger) => ledger.enter(&file),
            None => outcome.wrong.push(format!("verifies under no key: {}", file.display())),
        }
    }
    for ledger in &mut ledgers {
        outcome.signatures += ledger.good;
        outcome.wrong.append(&mut ledger.wrong);
    }
}

/// Returns the files with an extension, in a directory and in its subdirectories.
fn find(dir: &std::path::Path, extension: &str) -> Vec<PathBuf> {
    let list = |dir: &std::path::Path| {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let here = list(dir);
    let below = here.iter().filter(|path| path.is_dir()).flat_map(|path| list(path));
    let all = below.collect::<Vec<_>>().into_iter().chain(here.clone());
    let mut found: Vec<_> =
        all.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    found.sort();
    found
}
