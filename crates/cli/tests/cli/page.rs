//! `hasten page`: the page is written unchanged, no file is replaced unasked, and a tool without a
//! page explains how to make one.

use std::path::Path;
use std::process::{Command, Output};

fn page(tool: &Path, args: &[&Path]) -> Output {
    let words = args.iter().flat_map(|path| path.to_str());
    Command::new(tool).arg("page").args(words).output().expect("the tool runs")
}

#[test]
fn a_page_is_written_once_and_replaced_when_asked() {
    let place = tempfile::tempdir().expect("a folder");
    let (from, out) = (place.path().join("built.html"), place.path().join("a/site"));
    std::fs::write(&from, "<p>one</p>").expect("written");
    let tool = Path::new(env!("CARGO_BIN_EXE_hasten"));
    let [to, of, force] = ["--out", "--from", "--force"].map(Path::new);
    let done = page(tool, &[to, &out, of, &from]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let written = || std::fs::read_to_string(out.join("index.html")).expect("the page");
    assert_eq!(written(), "<p>one</p>");
    std::fs::write(&from, "<p>two</p>").expect("written");
    assert_eq!(page(tool, &[to, &out, of, &from]).status.code(), Some(2));
    assert_eq!(written(), "<p>one</p>");
    assert!(page(tool, &[to, &out, of, &from, force]).status.success());
    assert_eq!(written(), "<p>two</p>");
}

#[test]
fn without_a_page_the_tool_says_what_makes_one() {
    let place = tempfile::tempdir().expect("a folder");
    let tool = place.path().join("hasten");
    // Copies with another process. If a child forked by another test held the copy open for
    // writing, it could not be executed.
    let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_hasten")).arg(&tool).status();
    assert!(copy.expect("cp runs").success());
    let out = place.path().join("site");
    let done = page(&tool, &[Path::new("--out"), &out]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("crates/web/build.sh"), "{said}");
    assert!(!out.exists());
    // A page next to the tool is found.
    std::fs::create_dir_all(place.path().join("share/hasten")).expect("a folder");
    std::fs::write(place.path().join("share/hasten/hasten.html"), "<p>it</p>").expect("written");
    assert!(page(&tool, &[Path::new("--out"), &out]).status.success());
}
