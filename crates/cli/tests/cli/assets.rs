//! `hasten assets`: a page for each command, completions for each, and no file replaced unasked.

use std::path::Path;
use std::process::{Command, Output};

fn hasten(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hasten")).args(args).output().expect("the tool runs")
}

/// Returns the commands listed in the help of `hasten` or of one of its commands.
fn commands(of: &[&str]) -> Vec<String> {
    let help = String::from_utf8(hasten(&[of, &["--help"]].concat()).stdout).expect("UTF-8");
    let first = |line: &&str| !["Commands:", "Keys:"].contains(line);
    let rows = help.lines().skip_while(first).take_while(|line| *line != "Options:");
    // The continuation lines of a description are indented further.
    let named = rows.filter(|row| row.starts_with("  ") && !row.starts_with("   "));
    let names = named.filter_map(|row| row.split_whitespace().next()).map(str::to_owned);
    let is_command = |name: &String| name.starts_with(|first: char| first.is_ascii_lowercase());
    names.filter(|name| is_command(name) && name != "help").collect()
}

fn text(place: &Path, name: &str) -> String {
    std::fs::read_to_string(place.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_command_has_its_page_and_its_completions() {
    let place = tempfile::tempdir().expect("a folder");
    let done = hasten(&["assets", place.path().to_str().expect("UTF-8")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let shells = [
        "bash-completion/completions/hasten",
        "zsh/site-functions/_hasten",
        "fish/vendor_completions.d/hasten.fish",
    ];
    let scripts = shells.map(|name| text(place.path(), name));
    let (mut pages, top) = (1, commands(&[]));
    assert!(top.len() > 20 && !top.contains(&"assets".to_owned()), "{top:?}");
    for command in &top {
        let below = commands(&[command]);
        for name in below.iter().map(|below| format!("{command}-{below}")).chain([command.clone()])
        {
            let page = text(place.path(), &format!("man/man1/hasten-{name}.1"));
            assert!(
                page.contains(&format!("hasten\\-{} \\- ", name.replace('-', "\\-"))),
                "{page}"
            );
            pages += 1;
        }
        assert!(scripts.iter().all(|script| script.contains(command.as_str())), "{command}");
    }
    assert_eq!(std::fs::read_dir(place.path().join("man/man1")).expect("pages").count(), pages);
}

#[test]
fn a_page_has_options_examples_and_notes() {
    let place = tempfile::tempdir().expect("a folder");
    assert!(hasten(&["assets", place.path().to_str().expect("UTF-8")]).status.success());
    let page = text(place.path(), "man/man1/hasten-sign.1");
    assert!(
        page.contains(".TH hasten\\-sign 1 \" \" ") || page.contains(".TH hasten-sign 1 \" \" ")
    );
    for part in ["\\-\\-verify\\-after", ".SH EXAMPLES\n.nf\nhasten sign keys/fw", ".SH NOTES\nThe"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("EXTRA"));
}

#[test]
fn what_is_there_is_replaced_only_by_force() {
    let place = tempfile::tempdir().expect("a folder");
    let dir = place.path().to_str().expect("UTF-8");
    let page = place.path().join("man/man1/hasten-sign.1");
    std::fs::create_dir_all(page.parent().expect("a folder")).expect("made");
    std::fs::write(&page, "mine").expect("written");
    let done = hasten(&["assets", dir]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("--force replaces it"));
    assert_eq!(std::fs::read_to_string(&page).expect("read"), "mine");
    assert!(hasten(&["assets", dir, "--force"]).status.success());
    assert_ne!(std::fs::read_to_string(&page).expect("read"), "mine");
    let done = hasten(&["assets", page.to_str().expect("UTF-8")]);
    assert_eq!(done.status.code(), Some(2), "a file is no folder");
}
