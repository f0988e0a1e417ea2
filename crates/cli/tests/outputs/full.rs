//! With the error stream on a full disk, no message can be printed, and the command continues. With
//! a limit on file sizes, the command reports the error, and no index is used twice.

use super::*;

/// Runs a command with a file size limit of `blocks` blocks of 512 bytes.
fn limited(place: &Place, blocks: u64, arguments: &[&str]) -> std::process::Output {
    let command = place.command(arguments);
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f $0; exec \"$@\"", &blocks.to_string()]);
    shell.arg(command.get_program()).args(arguments).current_dir(place.0.path());
    shell.env("XDG_STATE_HOME", place.path("state")).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_no_signal() {
    let place = Place::empty();
    place.good(&["keygen", "--alg", "LMS_SHA256_M24_H10_W8", "-k", "fw", "--guard", "g"]);
    let mut indices = std::collections::BTreeSet::new();
    let (mut refused, mut signed) = (0, 0);
    for blocks in (0..24).chain([60, 100, 200]) {
        let store = format!("k{blocks}");
        let guard = format!("g{blocks}");
        let made = ["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", &store, "--guard", &guard];
        let sign = ["sign", "-k", "fw", "m", "--out", "s", "--force", "--ack-exhaustion"];
        let list = ["list", "--json"];
        let to_file = limited(&place, blocks, &list);
        assert!(to_file.status.success(), "a pipe has no limit");
        for arguments in [&made[..], &sign[..]] {
            let done = limited(&place, blocks, arguments);
            let said = String::from_utf8_lossy(&done.stderr);
            match done.status.code() {
                Some(0) => signed += 1,
                Some(2) => {
                    assert!(said.contains("File too large"), "{arguments:?}: {said}");
                    let way_on = ["ulimit -f", "counted as lost"];
                    assert!(way_on.iter().any(|way| said.contains(way)), "{arguments:?}: {said}");
                    refused += 1;
                }
                other => panic!("{arguments:?}, {blocks} blocks: {other:?}, {said}"),
            }
        }
        let report = place.run(&["sign", "-k", "fw", "n", "--out", "s", "--force", "--json"]);
        if report.status.success() {
            let row: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
            assert!(indices.insert(row["rows"][0]["index"].as_u64().unwrap()), "twice");
        }
    }
    assert!(refused > 10 && signed > 3 && indices.len() > 5, "{refused} {signed} {indices:?}");
}

#[test]
fn a_limit_on_the_file_that_the_output_goes_to_is_an_error() {
    let place = Place::empty();
    let script = "ulimit -f 1; exec \"$0\" list --json > list";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_hasten")]).current_dir(place.0.path());
    let done = shell.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("writing the result: File too large"), "{said}");
}

fn status(place: &Place, arguments: &[&str]) -> Option<i32> {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    place.command(arguments).stdout(Stdio::null()).stderr(full).status().unwrap().code()
}

#[test]
fn a_full_error_stream_stops_nothing() {
    let place = Place::with_key();
    assert_eq!(
        status(&place, &["sign", "-k", "fw", "m"]),
        Some(0),
        "its remarks cannot be written"
    );
    assert!(place.path("m.sig").exists());
    assert_eq!(status(&place, &["sign", "-k", "none", "n"]), Some(2), "nor its refusal");
    assert_eq!(status(&place, &["sign", "-k", "none", "n", "--json"]), Some(2));
}
