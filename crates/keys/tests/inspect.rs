//! Results of `inspect` for files of other programs, and its robustness.

use hasten_keys::inspect::{Finding, Value, inspect};
use std::{collections::BTreeMap, fmt::Write, fs, path::PathBuf};

fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keys")
}

fn files() -> BTreeMap<String, Vec<u8>> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    let text = |(name, _): &(String, Vec<u8>)| !name.ends_with(".md") && !name.ends_with(".txt");
    fs::read_dir(vectors()).unwrap().map(read).filter(text).collect()
}

fn describe(out: &mut String, finding: &Finding) {
    let name = finding.algorithm.as_deref().unwrap_or("-");
    writeln!(out, "  {}: {} ({})", finding.what.name(), name, finding.encoding).unwrap();
    for (key, value) in &finding.facts {
        match value {
            Value::Number(n) => writeln!(out, "    {key} {n}").unwrap(),
            Value::Text(text) => writeln!(out, "    {key} {text}").unwrap(),
        }
    }
    finding.notes.iter().for_each(|note| writeln!(out, "    note: {note}").unwrap());
}

#[test]
fn readings_are_pinned() {
    let mut out = String::new();
    for (name, bytes) in files() {
        writeln!(out, "{name}").unwrap();
        inspect(&bytes).iter().for_each(|finding| describe(&mut out, finding));
    }
    let pinned = fs::read_to_string(vectors().join("inspect.txt")).unwrap_or_default();
    assert!(out == pinned, "inspect says otherwise now:\n{out}");
}

#[test]
fn no_secret_is_shown() {
    for (name, bytes) in files().iter().filter(|(name, _)| name.ends_with(".key")) {
        let shown = format!("{:?}", inspect(bytes));
        for line in String::from_utf8_lossy(bytes).lines().filter(|line| !line.starts_with('-')) {
            assert!(!shown.contains(line), "{name} shows its key");
        }
    }
}

/// Every truncation and every single-byte change of every file, both of the PEM and of the inner
/// bytes.
#[test]
fn mutations_are_survived() {
    for bytes in files().values() {
        let blocks = hasten_keys::encoding::pem_blocks(bytes);
        for whole in blocks.iter().map(|block| block.der.to_vec()).chain([bytes.clone()]) {
            let step = whole.len().div_ceil(400);
            for at in (0..whole.len()).step_by(step) {
                inspect(&whole[..at]);
                let mut changed = whole.clone();
                changed[at] ^= 0x80 | (at % 7) as u8;
                inspect(&changed);
            }
        }
    }
}

/// Lengths that exceed the input do not cause allocations: each input has only a few bytes.
#[test]
fn claimed_lengths_are_not_believed() {
    for head in
        [&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff][..], &[0x30, 0x80], &[0, 0, 0, 7], &[0xff; 12]]
    {
        assert_eq!(inspect(head).len(), 1);
    }
}
