//! Collects the used indices and compares them with the stores' accounts.

use hasten_store::Options;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Counts of the indices used, compared with the stores' accounts.
#[derive(Debug, Default)]
pub struct Collected {
    pub signatures: u64,
    pub twice: Vec<u64>,
    pub available: u64,
    pub lost: u64,
    pub used: u64,
    pub silent: u64,
}

impl Collected {
    pub fn good(&self) -> bool {
        self.twice.is_empty() && self.available == 0 && self.silent == 0 && self.signatures > 0
    }
}

/// Reads every list of used indices and opens every store.
pub fn collect(place: &Path, keys: &[PathBuf]) -> Collected {
    let mut collected = Collected::default();
    let mut used = HashSet::new();
    for index in indices(place) {
        collected.signatures += 1;
        if !used.insert(index) {
            collected.twice.push(index);
        }
    }
    keys.iter().for_each(|key| audit(key, &used, &mut collected));
    collected
}

fn audit(key: &Path, used: &HashSet<u64>, collected: &mut Collected) {
    let store = Options::new()
        .wait(Duration::from_secs(60))
        .open(key)
        .expect("the key opens after every kill");
    let status = store.close().expect("closed");
    let own = used.iter().filter(|i| (status.start..status.end).contains(i));
    let (before, behind): (Vec<u64>, Vec<u64>) = own.partition(|i| **i < status.next);
    let gone = status.used + status.lost + status.burned + status.given;
    let adds_up = gone + status.reserved + status.remaining == status.top - status.start;
    let accounted =
        status.used <= before.len() as u64 && before.len() as u64 <= status.used + status.lost;
    collected.available += behind.len() as u64;
    collected.lost += status.lost;
    collected.used += status.used;
    collected.silent += u64::from(!(adds_up && accounted));
}

fn indices(place: &Path) -> Vec<u64> {
    let files = std::fs::read_dir(place).expect("the place").flatten().map(|e| e.path());
    let lists = files.filter(|p| p.extension().is_some_and(|e| e == "used"));
    lists.flat_map(|p| lines(&std::fs::read_to_string(p).expect("read"))).collect()
}

/// Parses a list of numbers. A last line without a newline was not finished and is skipped.
fn lines(text: &str) -> Vec<u64> {
    text.split_inclusive('\n').filter_map(|l| l.strip_suffix('\n')?.parse().ok()).collect()
}
