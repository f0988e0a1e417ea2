//! The events, and the outcome of each.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::token::{Kind, Said, Token, ended, killed};

/// Processes that are killed.
const KILLS: u32 = 40;
/// How much later each is killed than the one before.
const STEP: Duration = Duration::from_millis(7);

/// The outcome of an event.
#[derive(Serialize)]
pub struct Row {
    token: &'static str,
    event: &'static str,
    /// Processes that signed.
    processes: usize,
    /// Signatures that `C_Sign` gave with CKR_OK.
    signatures: usize,
    /// Indices that are in more than one of them.
    used_twice: usize,
    /// Answers that ended a process before its time; none is empty.
    answers: String,
}

type Event = (&'static str, fn(&Token) -> Vec<Said>);

const EVENTS: [Event; 4] = [
    ("kill -9 at any time", kills),
    ("two processes at once", two_processes),
    ("a restored backup", restored),
    ("a full disk", full_disk),
];

/// Tries every event, each with a fresh token.
pub fn all(kind: Kind, module: &Path) -> impl Iterator<Item = Row> {
    EVENTS.iter().map(move |(event, try_it)| {
        let token = Token::new(kind, module);
        let row = Row::of(&token, event, &try_it(&token));
        eprintln!("{} {event}: {} of {} twice", row.token, row.used_twice, row.signatures);
        row
    })
}

impl Row {
    fn of(token: &Token, event: &'static str, said: &[Said]) -> Self {
        let mut uses: BTreeMap<u32, usize> = BTreeMap::new();
        for index in said.iter().flat_map(|one| &one.indices) {
            *uses.entry(*index).or_default() += 1;
        }
        let mut answers: Vec<String> = said.iter().filter_map(|one| one.answer.clone()).collect();
        answers.sort();
        answers.dedup();
        Self {
            token: token.name(),
            event,
            processes: said.len(),
            signatures: uses.values().sum(),
            used_twice: uses.values().filter(|count| **count > 1).count(),
            answers: answers.join(", "),
        }
    }
}

/// Kills processes that sign, each somewhat later than the one before, and signs once more.
fn kills(token: &Token) -> Vec<Said> {
    let kill = |number| killed(token.begin(1_000), STEP * number);
    (0..KILLS).map(kill).chain([token.sign(3)]).collect()
}

fn two_processes(token: &Token) -> Vec<Said> {
    [(); 2].map(|()| token.begin(40)).map(ended).into()
}

fn restored(token: &Token) -> Vec<Said> {
    let first = token.sign(3);
    token.copy(false);
    let second = token.sign(3);
    token.copy(true);
    vec![first, second, token.sign(3)]
}

fn full_disk(token: &Token) -> Vec<Said> {
    vec![token.sign(3), token.sign_on_a_full_disk(3), token.sign(3)]
}
