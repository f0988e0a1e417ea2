//! Arguments under the names that other tools use, and their names here.

use clap::{Arg, Command};

/// Names that people type, and the arguments that they may mean. These are long options or, in
/// capitals, a word in the value name of a positional argument. The first one that the command has
/// is suggested.
const MEANINGS: [(&[&str], &[&str]); 20] = [
    (&["key", "secret-key", "private-key", "sk", "signer"], &["store", "key", "pub"]),
    (&["pubkey", "public", "public-key", "pk", "pub-key"], &["pub", "public-key", "KEY"]),
    (&["output", "outfile", "output-file", "o", "to-file"], &["out"]),
    (&["input", "infile", "file", "in"], &["FILE"]),
    (&["signature", "sig", "sigfile", "signature-file"], &["SIG", "FILE"]),
    (&["message", "msg", "data", "content"], &["FILE", "content"]),
    (&["algorithm", "algo", "type", "parameter-set", "param", "set"], &["alg"]),
    (
        &["password", "pass", "passwd", "passphrase", "passin", "passout", "pin", "pass-file"],
        &["passphrase-file"],
    ),
    (&["dir", "directory", "keydir", "key-dir", "store-dir"], &["store", "out"]),
    (&["hash", "prehash", "md", "digest-algorithm"], &["digest"]),
    (&["overwrite", "replace", "f"], &["force"]),
    (&["assume-yes", "confirm", "y", "no-confirm"], &["yes"]),
    (&["certificate", "crt", "signer-cert"], &["cert"]),
    (&["cacert", "ca-cert", "root", "trust", "cafile", "ca-file"], &["ca"]),
    (&["cakey", "ca-key"], &["ca-store", "ca"]),
    (&["subject", "subj", "cn", "common-name"], &["name", "dns"]),
    (&["host", "hostname", "san", "servername"], &["dns", "name"]),
    (&["purpose", "usage", "use"], &["for", "usage"]),
    (&["n", "number", "max-signatures", "count"], &["signatures", "count", "samples"]),
    (&["outform", "encoding", "form", "inform"], &["format"]),
];

/// Returns a suggestion if the command has the argument under another name. Also explains how to
/// name a file that begins with `-`.
pub fn by_meaning(command: &Command, name: &str, unknown: &str) -> Option<String> {
    let word = unknown.trim_start_matches('-').split('=').next()?.to_lowercase();
    let is_option = unknown.starts_with('-');
    if is_option && let Some((_, meant)) = MEANINGS.iter().find(|(said, _)| said.contains(&&*word))
    {
        return meant.iter().find_map(|meant| called(command, meant)).map(|call| match call {
            Call::Option(option) => format!("did you mean {option}?"),
            Call::Positional(usage) => format!("it has no option before it: {name} {usage}"),
        });
    }
    let long = is_option && word.starts_with(char::is_alphabetic) && !unknown.starts_with("--");
    let long = long && word.len() > 1;
    long.then(|| {
        format!("a file whose name begins with - stands behind --: {name} ... -- {unknown}")
    })
}

/// Way to write an argument.
enum Call {
    /// An option, in its short form if it has one.
    Option(String),
    /// A positional argument, as part of the usage.
    Positional(String),
}

fn called(command: &Command, meant: &str) -> Option<Call> {
    let is_positional = meant.chars().all(char::is_uppercase);
    let found = command.get_arguments().find(|argument| match is_positional {
        true => is_named(argument, meant),
        false => argument.get_long() == Some(meant) || is_alias(argument, meant),
    })?;
    if found.is_hide_set() {
        return None;
    }
    let short = match is_alias(found, meant) {
        true => found.get_visible_short_aliases().and_then(|letters| letters.first().copied()),
        false => found.get_short(),
    };
    Some(match (is_positional, short) {
        (true, _) => Call::Positional(positional(command)),
        (false, Some(short)) => Call::Option(format!("-{short}")),
        (false, None) => Call::Option(format!("--{meant}")),
    })
}

/// Returns true if `meant` is an alias of an option. An alias also has its own letter.
fn is_alias(argument: &Arg, meant: &str) -> bool {
    argument.get_visible_aliases().is_some_and(|names| names.contains(&meant))
}

fn is_named(argument: &Arg, meant: &str) -> bool {
    let names = argument.get_value_names().unwrap_or_default();
    let mut words = names.iter().flat_map(|name| name.split([' ', '[', ']', '.']));
    argument.is_positional() && words.any(|word| word == meant)
}

/// Returns the positional arguments of a command, as in its usage.
fn positional(command: &Command) -> String {
    let names = command.get_positionals().flat_map(|argument| {
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().map(ToString::to_string).collect::<Vec<_>>()
    });
    names.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::command_line::named;

    /// Returns the hint about a word that a command does not know.
    fn hint(command: &str, unknown: &str) -> Option<String> {
        let (name, command) = named(command.split(' ').map(Into::into));
        by_meaning(&command, &name, unknown)
    }

    #[test]
    fn meaning_comes_before_letters() {
        for (command, unknown, meant) in [
            ("sign", "--key", "-k"),
            ("sign", "--output", "--out"),
            ("sign", "-o", "--out"),
            ("sign", "--password", "--passphrase-file"),
            ("sign", "--hash", "--digest"),
            ("verify", "--pubkey", "-p"),
            ("verify", "--public", "-p"),
            ("verify", "--key", "-k"),
            ("keygen", "--algorithm", "--alg"),
            ("keygen", "--output", "--out"),
            ("cert verify", "--cacert", "--ca"),
            ("cert root", "--subj", "--name"),
            ("cms verify", "--pubkey", "-p"),
            ("retire", "--assume-yes", "--yes"),
        ] {
            let said = hint(command, unknown);
            assert_eq!(said, Some(format!("did you mean {meant}?")), "{command} {unknown}");
        }
        let said = hint("verify", "--signature").expect("a hint");
        assert!(said.contains("no option before it: hasten verify KEY FILE"), "{said}");
        let said = hint("sign", "-dash").expect("a hint");
        assert!(said.contains("-- -dash"), "{said}");
        assert_eq!(hint("sign", "--nonsense"), None);
    }

    /// Every argument in the table exists in some command.
    #[test]
    fn every_meaning_is_of_some_command() {
        let commands = crate::tests::every_command();
        for (_, meant) in MEANINGS {
            for meant in meant {
                let is_there = commands.iter().any(|command| called(command, meant).is_some());
                assert!(is_there, "no command has {meant}");
            }
        }
    }
}
