//! Tests that the arguments are well formed, and that commands and options in hints and help exist.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

/// Commands that some builds do not have.
const OF_SOME_BUILDS: [&str; 5] = ["bench", "fleet", "latency", "tables", "page"];

#[test]
fn the_arguments_are_well_formed() {
    super::commands().debug_assert();
}

/// Returns the files below a folder that have one of these extensions.
fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let each = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => files_below(&path, endings),
        path => vec![path],
    });
    let wanted = |path: &PathBuf| {
        path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))
    };
    each.filter(wanted).collect()
}

/// Splits a command line into words as a shell does, and replaces placeholders with values.
fn words(line: &str) -> Vec<String> {
    let value = |word: String| match word.as_str() {
        "N" | "INDEX" | "COUNT" => "8".to_owned(),
        "TIME" => "5s".to_owned(),
        "NAME" | "{set}" => "LMS_SHA256_M24_H5_W8".to_owned(),
        "{burn}" => "5".to_owned(),
        name if name.starts_with('{') => "lms".to_owned(),
        _ => word,
    };
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().expect("a word").push(letter),
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).map(value).collect()
}

/// Parses a command line. Returns the error if it names something that does not exist.
fn parsed(line: &str, may_lack: bool, at: &Path) -> Option<String> {
    let words = words(line);
    let command = words.get(1).map_or("", String::as_str);
    let here = super::commands();
    if here.find_subcommand(command).is_none() && OF_SOME_BUILDS.contains(&command) {
        return None;
    }
    let error = here.try_get_matches_from(&words).err()?;
    let said = error.to_string();
    let is_short = matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) || said.contains("a value is required");
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let is_right = is_help || (may_lack && is_short);
    (!is_right).then(|| format!("{}: {line}: {said}", at.display()))
}

/// Every quoted command in a sentence of the sources exists in the tool, with its options.
#[test]
fn hints_name_what_is_there() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut count, mut wrong) = (0, Vec::new());
    for folder in ["cli", "keys", "store", "channel-udp", "process"] {
        for file in files_below(&crates.join(folder).join("src"), &["rs", "txt"]) {
            let text = fs::read_to_string(&file).expect("text");
            let text = text.replace("\\\n", " ");
            for part in text.split("'hasten ").skip(1) {
                let Some((line, _)) = part.split_once('\'') else { continue };
                let is_command = line.len() < 120 && !line.contains(['`', '"', '\n', ';', '|']);
                if is_command && !line.starts_with(['-', '{', 'C']) {
                    wrong.extend(parsed(&format!("hasten {line}"), true, &file));
                    count += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 60, "{count} commands were found");
}

/// Returns the tool and every command below it, with what clap adds to them.
pub fn every_command() -> Vec<clap::Command> {
    let mut all = super::commands();
    all.build();
    let mut commands = vec![all];
    let mut at = 0;
    while let Some(command) = commands.get(at).cloned() {
        commands.extend(command.get_subcommands().cloned());
        at += 1;
    }
    commands
}

/// Every option in the sentence of an error exists in some command.
#[test]
fn options_in_hints_are_there() {
    let commands = every_command();
    let has = |option: &str| {
        commands.iter().flat_map(clap::Command::get_arguments).any(|argument| {
            argument.get_long() == Some(option)
                || argument.get_all_aliases().is_some_and(|all| all.contains(&option))
        })
    };
    // Options of builds with etcd, of those that measure, and of cargo.
    let elsewhere = ["join", "fleet", "features", "budget", "link"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = files_below(&source.join("error"), &["rs"]);
    files.extend([source.join("error.rs"), source.join("unfit.rs")]);
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("meant.rs")) {
        let text = fs::read_to_string(file).expect("text");
        for part in text.split(" --").chain(text.split("\"--")).skip(1) {
            let end = part.find(|c: char| !c.is_ascii_lowercase() && c != '-');
            let option = &part[..end.unwrap_or(part.len())];
            let is_one = option.starts_with(|c: char| c.is_ascii_lowercase());
            if is_one && !has(option) && !elsewhere.contains(&option) {
                wrong.push(format!("{}: --{option}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every example in the help is a complete command line.
#[test]
fn examples_are_whole_command_lines() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut count, mut wrong) = (0, Vec::new());
    let here = |file: &PathBuf| cfg!(feature = "etcd") || !file.ends_with("fleet.txt");
    for file in files_below(&source, &["txt"]).into_iter().filter(here) {
        let text = fs::read_to_string(&file).expect("text").replace("\\\n", " ");
        for line in text.lines().filter(|line| line.starts_with("  hasten ")) {
            let line = line.split(['<', '>', '#', '&']).next().unwrap_or(line);
            wrong.extend(parsed(line.trim(), false, &file));
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "{count} examples were found");
}
