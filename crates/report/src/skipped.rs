//! Tests that cannot run on this machine, and tests left to another part of `./test`.

use std::fs::OpenOptions;
use std::io::Write;

/// Records that a test tested nothing, and the reason `why`: on the standard error, and in the file
/// named by `HASTEN_SKIPS`. `./test` counts it from there as `PART/name`, which is a failure if
/// `CI=true`. `way` is a command or an action that would make the test run.
///
/// # Panics
/// If the file cannot be written, because the skipped test would go unnoticed.
pub fn skipped(name: &str, why: &str, way: &str) {
    eprintln!("SKIPPED: {name}: {why} ({way})");
    let Some(file) = std::env::var_os("HASTEN_SKIPS") else { return };
    let line = line(&part().unwrap_or_default(), name, why, way);
    let kept = OpenOptions::new().create(true).append(true).open(&file);
    kept.and_then(|mut kept| kept.write_all(line.as_bytes()))
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// Returns `built`, for a test that needs `what`, which the parts `makers` of `./test` build. If it
/// is not built, the test is left to those parts.
///
/// # Panics
/// If it is not built and this is one of those parts.
pub fn is_built(built: bool, what: &str, makers: &[&str]) -> bool {
    let part = part().unwrap_or_default();
    assert!(built || !makers.contains(&part.as_str()), "no {what} in {part}, which tests them");
    if !built {
        eprintln!("no {what}: left to ./test {}", makers.join(" or "));
    }
    built
}

/// Returns the current part of `./test`.
fn part() -> Option<String> {
    let part = std::env::var("HASTEN_TEST_PART").ok()?;
    Some(part.rsplit_once('.')?.0.to_owned())
}

/// Returns the line of the file: the name without blanks, and fields without line breaks or tabs.
fn line(part: &str, name: &str, why: &str, way: &str) -> String {
    let piece: Vec<&str> =
        name.split(|c: char| !(c.is_alphanumeric() || "_:-".contains(c))).collect();
    let piece: Vec<&str> = piece.into_iter().filter(|word| !word.is_empty()).collect();
    let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    format!("{part}/{}\t{}\t{}\n", piece.join("-"), plain(why), plain(way))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_three_fields_and_a_name_without_blanks() {
        let line = line("unit", "a shard: no 'x'", "no\tmounts\nhere", "as root");
        assert_eq!(line, "unit/a-shard:-no-x\tno mounts here\tas root\n");
    }
}
