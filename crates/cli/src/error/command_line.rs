//! The command that a command line names, and its usage.

use std::ffi::OsString;

use clap::Command;

/// Returns the full name and the definition of the command that the words name. If they name none,
/// returns those of the whole tool.
pub fn named(words: impl IntoIterator<Item = OsString>) -> (String, Command) {
    let mut command = crate::commands();
    command.build();
    let mut name = "hasten".to_owned();
    for word in words {
        let word = word.to_string_lossy().into_owned();
        let Some(found) = command.find_subcommand(&word).cloned() else {
            // Options may precede a subcommand.
            if word.starts_with('-') { continue } else { break }
        };
        name = format!("{name} {}", found.get_name());
        command = found;
    }
    (name, command)
}

/// Returns the usage of a command, and how to see more.
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
