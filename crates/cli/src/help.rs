//! The help of every command: examples at the top, then common options, then the others under
//! headings. The short form fits one screen.
//!
//! Each option has its own heading attribute, because `next_help_heading` on a group of options
//! would also move every option after the group.

use clap::{Arg, Command};

/// Heading of options for the location of a key's state, and for opening it.
pub const STATE: &str = "Where the state lies";

/// Heading of options for the form of signatures, and for what is signed.
pub const FORMATS: &str = "Formats";

/// Heading of options for the content of CMS and COSE structures.
pub const ENCLOSED: &str = "Formats: --format cms and cose";

/// Heading of options for the header of an image for a boot ROM.
pub const IMAGES: &str = "Formats: --format boot and boot-hss";

/// Heading of options for the backend and for measurements of time.
pub const MEASURING: &str = "For measurements";

/// Heading of options for sending and receiving datagrams.
pub const NETWORK: &str = "On the network";

/// Heading of options for the machines and schedules of a search.
pub const SEARCH: &str = "For the search";

/// Options that most commands have, in the order in which the help lists them before all others.
const COMMON: [&str; 8] =
    ["key", "store", "public", "out", "force", "format", "passphrase_file", "json"];

/// Options that select the key to make. They precede the common ones.
const CHOICE: [&str; 4] = ["purpose", "signatures", "alg", "list"];

/// The commands, each in exactly one group.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Keys", &["keygen", "list", "inspect", "export", "import", "pkcs11"]),
    ("Sign and verify", &["sign", "verify", "cms", "dual", "scan"]),
    (
        "State of a key",
        &[
            "status",
            "audit",
            "recover",
            "moved",
            "retire",
            "shard",
            "export-shard",
            "import-shard",
            "fleet",
        ],
    ),
    ("Certificates and TLS", &["cert", "serve", "connect"]),
    ("Messages", &["publish", "subscribe", "extract", "encaps", "decaps"]),
    ("Study", &["latency", "explore", "page", "bench", "analyze", "tables"]),
];

/// Template for the help of a command.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// Template for the help of the tool, whose commands are in groups.
const TOP: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}";

/// Returns the tool with its help texts.
pub fn written(tool: Command) -> Command {
    let (examples, notes) = parted(&tool);
    let (names, lines) = (names(&tool), lines(&tool));
    let more = format!("'hasten --help' says what each command does.\n\n{notes}");
    arranged(tool)
        .help_template(TOP)
        .before_help(format!("{examples}\n\n{names}"))
        .before_long_help(format!("{examples}\n\n{lines}"))
        .after_help(more)
        .after_long_help(notes)
        .mut_subcommands(|command| dressed(command, "hasten"))
}

/// Returns the tool with the options of every command in the order of the help.
pub fn arranged(tool: Command) -> Command {
    tool.mut_subcommands(|command| in_order(command, "hasten"))
}

fn in_order(command: Command, above: &str) -> Command {
    let path = format!("{above} {}", command.get_name());
    let mut ids: Vec<_> = command.get_opts().map(|option| option.get_id().clone()).collect();
    let makes_key = ids.iter().any(|id| id == CHOICE[0]);
    let first = if makes_key { &CHOICE[..] } else { &[] };
    let order: Vec<_> = first.iter().chain(&COMMON).collect();
    ids.sort_by_key(|id| order.iter().position(|one| id == **one).unwrap_or(order.len()));
    let place = |option: Arg| match ids.iter().position(|id| id == option.get_id()) {
        Some(place) => option.display_order(place),
        None => option,
    };
    let command = match usage(&command, &path) {
        Some(usage) => command.override_usage(usage),
        None => command,
    };
    command.mut_args(place).mut_subcommands(|below| in_order(below, &path))
}

/// Returns the usage of a command about a key: `KEY`, or `KEY FILE...` if it also takes files.
fn usage(command: &Command, path: &str) -> Option<String> {
    let name = |arg: &Arg| arg.get_value_names().and_then(|names| names.first()).cloned();
    let positional = |id: &str| command.get_positionals().find(|arg| arg.get_id() == id);
    let key = positional("key").and_then(name)?;
    let required = command.get_opts().filter(|option| option.is_required_set());
    let required = required
        .filter_map(|option| Some(format!(" --{} <{}>", option.get_long()?, name(option)?)));
    let takes_one = |arg: &Arg| arg.get_num_args().is_some_and(|count| count.max_values() == 1);
    let behind = positional("files").map(|files| {
        let file = name(files).unwrap_or_default();
        let more = if file.contains('[') || takes_one(files) { "" } else { "..." };
        format!(" {file}{more}")
    });
    let (required, behind) = (required.collect::<String>(), behind.unwrap_or_default());
    Some(format!("{path} [OPTIONS]{required} {key}{behind}"))
}

/// Returns the examples of a command, with their heading, and the notes after them.
pub fn parted(command: &Command) -> (String, String) {
    let whole = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let whole = whole.trim_end();
    let (first, rest) = whole.split_once("\n\n").unwrap_or((whole, ""));
    match first.starts_with("Example") {
        true => (first.to_owned(), rest.to_owned()),
        false => (String::new(), whole.to_owned()),
    }
}

/// Returns a command and its subcommands with the examples at the top. The short help omits the
/// notes and the options under headings.
fn dressed(command: Command, above: &str) -> Command {
    let path = format!("{above} {}", command.get_name());
    let (examples, notes) = parted(&command);
    let mut headings: Vec<String> = Vec::new();
    for heading in command.get_opts().filter_map(|option| option.get_help_heading()) {
        let heading = heading.split(':').next().unwrap_or(heading).to_lowercase();
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    let more = match (headings.is_empty(), notes.is_empty()) {
        (false, _) => format!("'{path} --help' has more options: {}.", headings.join(", ")),
        (true, false) => format!("'{path} --help' says more."),
        (true, true) => String::new(),
    };
    let short = |option: Arg| {
        let is_under_heading = option.get_help_heading().is_some();
        if is_under_heading { option.hide_short_help(true) } else { option }
    };
    let command = command.mut_args(short).help_template(TEMPLATE);
    let command = match examples.is_empty() {
        true => command,
        false => command.before_help(examples),
    };
    let command = match more.is_empty() {
        true => command.after_help(None),
        false => command.after_help(more).after_long_help(notes),
    };
    command.mut_subcommands(|below| dressed(below, &path))
}

/// Returns the groups, each with those of its commands that this build has.
fn groups(tool: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    GROUPS.iter().map(|(heading, names)| {
        (*heading, names.iter().filter_map(|name| tool.find_subcommand(name)).collect())
    })
}

/// Returns the groups as text, each on one line.
fn names(tool: &Command) -> String {
    let line = |(heading, commands): (&str, Vec<&Command>)| {
        let names: Vec<_> = commands.iter().map(|command| command.get_name()).collect();
        format!("{:<22}{}", format!("{heading}:"), names.join(", "))
    };
    groups(tool).map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the groups as text, with one line for each command.
fn lines(tool: &Command) -> String {
    let line = |command: &&Command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        format!("\n  {:<13} {about}", command.get_name())
    };
    let group = |(heading, commands): (&str, Vec<&Command>)| {
        format!("{heading}:{}", commands.iter().map(line).collect::<String>())
    };
    groups(tool).map(group).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// Expected options under each heading. Every other option is under "Options".
    const UNDER: [(&str, &[&str]); 7] = [
        (
            STATE,
            &[
                "guard",
                "wait",
                "shared_filesystem_accepted",
                "machine_id_file",
                "witness",
                "witness_timeout",
                "carry",
                "out_guard",
                "out_witness",
                "register",
                "fleet",
                "join",
                "etcd_ca",
                "etcd_cert",
                "etcd_key",
                "etcd_user",
                "etcd_password_file",
            ],
        ),
        (FORMATS, &["digest"]),
        (
            ENCLOSED,
            &["cert", "attached", "pem", "signer_by", "without_certificates", "without_time"],
        ),
        (IMAGES, &["image_version", "load", "entry", "key_number"]),
        (NETWORK, &["announce", "batch", "leaves", "hops", "interface", "waiting", "number"]),
        (
            SEARCH,
            &[
                "machine",
                "signer",
                "verifier",
                "delivery",
                "commit_on_path",
                "rested",
                "calibration",
                "machines",
            ],
        ),
        (MEASURING, &["backend", "cycle", "level", "threads"]),
    ];

    /// Commands with an option that has a name of the table but another meaning.
    const OTHERS: [(&str, &str); 8] = [
        ("bench channel", "batch"),
        ("analyze deps", "level"),
        ("analyze calls", "level"),
        ("latency", "signer"),
        ("latency", "verifier"),
        ("bench channel", "wait"),
        ("serve", "cert"),
        ("connect", "cert"),
    ];

    /// Returns the expected heading of an option.
    fn wanted(command: &str, option: &Arg) -> Option<&'static str> {
        let id = option.get_id().as_str();
        let named = || UNDER.iter().find(|(_, ids)| ids.contains(&id)).map(|(heading, _)| *heading);
        match (command, id) {
            ("subscribe", "wait") => Some(NETWORK),
            _ if OTHERS.contains(&(command, id)) => None,
            _ => named(),
        }
    }

    fn each(command: &Command, name: &str, look: &mut impl FnMut(&str, &Command)) {
        look(name, command);
        for below in command.get_subcommands() {
            each(below, format!("{name} {}", below.get_name()).trim_start(), look);
        }
    }

    #[test]
    fn every_option_stands_under_its_own_heading() {
        let mut wrong = Vec::new();
        let mut seen = Vec::new();
        each(&crate::Cli::command(), "", &mut |name, command| {
            for option in command.get_opts() {
                let (is, wanted) = (option.get_help_heading(), wanted(name, option));
                seen.extend(is.map(str::to_owned));
                if is != wanted {
                    wrong.push(format!("{name} {}: {is:?}, not {wanted:?}", option.get_id()));
                }
            }
        });
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(UNDER.iter().all(|(heading, _)| seen.iter().any(|one| one == heading)), "{seen:?}");
    }

    #[test]
    fn cms_sign_shows_no_option_that_it_refuses() {
        let tool = crate::Cli::command();
        let cms = tool.find_subcommand("cms").and_then(|cms| cms.find_subcommand("sign"));
        let shown: Vec<_> =
            cms.expect("a command").get_opts().filter(|o| !o.is_hide_set()).collect();
        let refused = ["format", "digest", "image_version", "load", "entry", "key_number"];
        assert!(shown.len() > 15);
        assert!(!shown.iter().any(|option| refused.contains(&option.get_id().as_str())));
    }

    /// Commands that not every build has.
    const OF_FEATURES: [&str; 4] = ["fleet", "latency", "bench", "tables"];

    #[test]
    fn every_command_stands_in_one_group() {
        let tool = crate::Cli::command();
        let grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter()).collect();
        for command in tool.get_subcommands().filter(|command| !command.is_hide_set()) {
            let count = grouped.iter().filter(|name| ***name == command.get_name()).count();
            assert_eq!(count, 1, "{}", command.get_name());
        }
        for name in grouped {
            assert!(tool.find_subcommand(name).is_some() || OF_FEATURES.contains(name), "{name}");
        }
    }

    /// Returns the short or the long help of every command, as a terminal of 100 columns shows it.
    fn helps(long: bool) -> Vec<(String, String)> {
        let mut tool = written(crate::Cli::command());
        tool.build();
        let mut helps = Vec::new();
        each(&tool, "hasten", &mut |name, command| {
            if !name.split(' ').any(|word| word == "help") {
                let mut command = command.clone().term_width(100);
                let help = if long { command.render_long_help() } else { command.render_help() };
                helps.push((name.to_owned(), help.to_string()));
            }
        });
        helps
    }

    #[test]
    fn the_short_help_of_every_command_fits_one_screen() {
        let long: Vec<_> = helps(false)
            .into_iter()
            .filter(|(_, help)| help.lines().count() > 40)
            .map(|(name, help)| format!("{name}: {} lines\n{help}", help.lines().count()))
            .collect();
        assert!(long.is_empty(), "{}", long.join("\n"));
    }

    #[test]
    fn the_long_help_has_what_the_short_one_leaves_out() {
        let (short, long) = (helps(false), helps(true));
        let of = |helps: &[(String, String)], name: &str| {
            helps.iter().find(|(other, _)| other == name).expect("a command").1.clone()
        };
        each(&crate::Cli::command(), "hasten", &mut |name, command| {
            let (short, long) = (of(&short, name), of(&long, name));
            let short = &short[short.find("\nOptions:").expect("options")..];
            for option in command.get_opts().filter(|option| !option.is_hide_set()) {
                let flag = format!("--{}", option.get_long().expect("a long name"));
                let shown = |help: &str| {
                    let of_option = |line: &str| line.trim_start().starts_with('-');
                    let mut lines = help.lines().filter(|line| of_option(line));
                    lines.any(|line| line.split([' ', '[', '=']).any(|word| word == flag))
                };
                assert!(shown(&long), "{name} {flag}\n{long}");
                assert_eq!(shown(short), option.get_help_heading().is_none(), "{name} {flag}");
                assert!(shown(short) || short.contains(" has more options: "), "{name}");
            }
        });
    }

    #[test]
    fn every_command_shows_examples_before_its_options() {
        for (name, help) in helps(true).iter().filter(|(_, help)| !help.contains("\nCommands:")) {
            let example = help.find("\nExample").unwrap_or_else(|| panic!("{name}: no example"));
            let options = help.find("\nOptions:").expect("options");
            assert!(example < options, "{name}");
            assert!(help[example..options].contains(&format!("  {name}")), "{name}");
        }
    }

    #[test]
    fn common_options_come_first() {
        let of_sign = helps(false).into_iter().find(|(name, _)| name == "hasten sign");
        let (_, help) = of_sign.expect("a command");
        let help = &help[help.find("\nOptions:").expect("options")..];
        let order = ["store", "out", "force", "format", "passphrase-file", "json", "request-id"];
        let places = order.map(|option| help.find(&format!("--{option}")));
        assert!(places.is_sorted() && places[0].is_some(), "{places:?}\n{help}");
    }

    #[test]
    fn no_line_of_a_help_is_broken_by_the_terminal() {
        each(&crate::Cli::command(), "hasten", &mut |name, command| {
            let (examples, notes) = parted(command);
            let long = examples.lines().chain(notes.lines()).find(|line| line.len() > 100);
            assert_eq!(long, None, "{name}");
        });
    }

    /// Commands that take one key, including those that also take files that belong to it.
    const OF_KEY: [&str; 21] = [
        "sign",
        "verify",
        "cms sign",
        "dual sign",
        "scan",
        "export",
        "inspect",
        "status",
        "audit show",
        "audit verify",
        "audit mend",
        "recover",
        "moved",
        "retire",
        "shard",
        "export-shard",
        "publish",
        "subscribe",
        "encaps",
        "decaps",
        "fleet token",
    ];

    #[test]
    fn every_command_names_its_key_in_one_way() {
        let mut seen = Vec::new();
        each(&crate::Cli::command(), "", &mut |name, command| {
            let Some(key) = command.get_positionals().find(|arg| arg.get_id() == "key") else {
                return;
            };
            assert_eq!(key.get_index().unwrap_or(1), 1, "{name}");
            let option = command.get_opts().find(|option| option.get_id() == "store");
            let option = option.unwrap_or_else(|| panic!("{name}: no -k"));
            assert_eq!((option.get_short(), option.get_long()), (Some('k'), Some("store")));
            assert_eq!(option.get_visible_short_aliases(), Some(vec!['p']), "{name}");
            assert_eq!(option.get_visible_aliases(), Some(vec!["pub"]), "{name}");
            seen.push(name.to_owned());
        });
        let has = |name: &&&str| cfg!(feature = "etcd") || !name.starts_with("fleet");
        for name in OF_KEY.iter().filter(has) {
            assert!(seen.iter().any(|other| other == name), "{name}: no KEY");
        }
    }

    #[test]
    fn usage_says_what_stands_behind_the_key() {
        let helps = helps(false);
        for (command, usage) in [
            ("sign", "[OPTIONS] KEY FILE..."),
            ("verify", "[OPTIONS] KEY FILE [SIG]"),
            ("audit verify", "[OPTIONS] KEY SIG..."),
            ("scan", "[OPTIONS] KEY SIG..."),
            ("dual sign", "[OPTIONS] --second <KEY> KEY FILE"),
            ("decaps", "[OPTIONS] --secret <FILE> KEY FILE"),
            ("recover", "[OPTIONS] KEY"),
            ("status", "[OPTIONS] KEY"),
        ] {
            let name = format!("hasten {command}");
            let (_, help) = helps.iter().find(|(other, _)| *other == name).expect("a command");
            assert!(help.contains(&format!("Usage: {name} {usage}\n")), "{help}");
        }
    }
}
