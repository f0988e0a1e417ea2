//! `hasten assets`: man pages and shell completions for packages. Both are generated from the
//! definition that parses the command line, so they cannot disagree with it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::error::Error;
use crate::files::{self, Old, Wanted};
use crate::help;
use crate::output::{print, visible};

/// Arguments of `hasten assets`.
#[derive(clap::Args)]
#[command(hide = true, after_help = include_str!("assets.txt"))]
pub struct Args {
    /// Folder that they are written below, such as /usr/share or ~/.local/share.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Replaces those that are there already.
    #[arg(long)]
    force: bool,
}

/// Paths below a `share` folder where each shell looks for completions.
const SHELLS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions/hasten"),
    (Shell::Zsh, "zsh/site-functions/_hasten"),
    (Shell::Fish, "fish/vendor_completions.d/hasten.fish"),
];

/// Writes a man page for each command, and completions for each shell.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let mut tool = help::arranged(crate::Cli::command()).disable_help_subcommand(true);
    tool.build();
    let mut pages = Vec::new();
    man_pages(&tool, &mut pages);
    for (name, page) in &pages {
        write(args, &format!("man/man1/{name}"), page)?;
    }
    for (shell, name) in SHELLS {
        let mut script = Vec::new();
        generate(shell, &mut crate::Cli::command(), "hasten", &mut script);
        write(args, name, &script)?;
    }
    let place = visible(&args.dir);
    print(&format!(
        "assets     {} man pages, completions of bash, zsh and fish in {place}",
        pages.len()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Appends the man pages of a command and its subcommands, each with its file name.
fn man_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        man_pages(below, pages);
    }
    let (examples, notes) = help::parted(command);
    // A date would differ from build to build. An empty date would shift the fields after it.
    let man = Man::new(command.clone().after_help(None))
        .date(" ")
        .source(concat!("hasten ", env!("CARGO_PKG_VERSION")))
        .manual("Hasten");
    let mut page = Vec::new();
    man.render(&mut page).expect("memory takes it");
    page.extend(sections(&examples, &notes).render().into_bytes());
    pages.push((man.get_filename(), page));
}

/// Returns the sections after the options: the examples line by line, then the notes.
fn sections(examples: &str, notes: &str) -> Roff {
    let mut roff = Roff::new();
    let examples: Vec<_> = examples.lines().skip(1).map(shifted).collect();
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    for (place, part) in notes.split("\n\n").filter(|part| !part.is_empty()).enumerate() {
        match place {
            0 => roff.control("SH", ["NOTES"]),
            _ => roff.control("PP", []),
        };
        for line in part.lines() {
            roff.text([roman(line)]);
        }
    }
    roff
}

/// Removes the indentation of an example. A continuation line is indented further and keeps the
/// rest of its indentation.
fn shifted(line: &str) -> &str {
    line.strip_prefix("  ").unwrap_or(line)
}

fn write(args: &Args, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = args.dir.join(name);
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|cause| Error::File {
        path: folder.to_owned(),
        doing: "making",
        cause,
    })?;
    Ok(files::write(&path, Wanted { old: Old::forced(args.force), ..Wanted::default() }, bytes)?)
}
