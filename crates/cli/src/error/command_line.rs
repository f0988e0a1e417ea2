//! The command that a command line names, and its usage.

use std::ffi::OsString;

use clap::Command;

/// Returns the command that the words name, and how it is called; the whole tool where they name
/// none.
pub fn named(words: impl IntoIterator<Item = OsString>) -> (String, Command) {
    let mut command = crate::commands();
    command.build();
    let mut name = "hasten".to_owned();
    for word in words {
        let word = word.to_string_lossy().into_owned();
        let Some(found) = command.find_subcommand(&word).cloned() else {
            // Options stand between a command and one below it.
            if word.starts_with('-') { continue } else { break }
        };
        name = format!("{name} {}", found.get_name());
        command = found;
    }
    (name, command)
}

/// Returns the usage of a command, and where the rest is told.
pub fn usage(name: &str, command: &mut Command) -> String {
    if command.has_subcommands() && name == "hasten" {
        return "'hasten --help' lists the commands, 'hasten COMMAND --help' their options"
            .to_owned();
    }
    if command.has_subcommands() {
        return format!("'{name} --help' lists the commands");
    }
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").split_whitespace();
    let usage = usage.collect::<Vec<_>>().join(" ");
    format!("usage: {usage}; '{name} --help' explains it")
}
