//! Chores of this repository: `cargo xtask COMMAND`. Each command is a file of this crate or a
//! library. The build needs none of them.

mod cite;
mod features;
mod layers;
mod licences;
mod metadata;
mod prose;
mod results;
mod standards;

use hasten_chore::failure::Failure;
use std::process::ExitCode;

/// A chore: its name, a one-line description, and its function.
struct Command {
    name: &'static str,
    what: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

/// All chores. To add one, add a file to this crate or a library, and a row here.
const COMMANDS: &[Command] = &[
    Command { name: "layers", what: "check which crate uses which", run: layers::run },
    Command { name: "cite", what: "check citations against docs/standards.toml", run: cite::run },
    Command {
        name: "hw",
        what: "lint, simulate, synthesize and report the cores of rtl/; run programs on the processor",
        run: hw,
    },
    Command {
        name: "features",
        what: "check every combination of features of the published crates: [--few] [CRATE]...",
        run: features::run,
    },
    Command { name: "licences", what: "check the licence of every dependency", run: licences::run },
    Command {
        name: "tables",
        what: "write tables and picture from results/ (--check: only compare)",
        run: hasten_figures::run,
    },
    Command {
        name: "prose",
        what: "check columns of pages and comments, and subjects of commits",
        run: prose::run,
    },
    Command {
        name: "results",
        what: "check results/index.toml against the files and the commands (list, command NAME)",
        run: results::run,
    },
    Command {
        name: "surface",
        what: "record the public items of the published crates (--check: only compare)",
        run: hasten_surface::run,
    },
    Command {
        name: "bom",
        what: "list the crates of the tool: [--features LIST] [--target TRIPLE] [--notices]",
        run: hasten_bom::run,
    },
    Command {
        name: "interop",
        what: "exchange signatures with other libraries: [PEER]... [--alg NAME]... [--ours] [--json]",
        run: hasten_exchange::interop::run,
    },
    Command {
        name: "load",
        what: "many handshakes, changed ClientHellos, slow clients: [--tool PATH] [--handshakes N] [--hellos N] [--json]",
        run: hasten_exchange::load::run,
    },
    Command {
        name: "handshakes",
        what: "handshakes with SLH-DSA beside Bouncy Castle's: [--tool PATH] [--count N] [--json]",
        run: hasten_exchange::handshakes::run,
    },
    Command {
        name: "rates",
        what: "handshakes a second beside OpenSSL and wolfSSL: [--tool PATH] [--seconds N] [--json]",
        run: hasten_exchange::rates::run,
    },
    Command {
        name: "arm",
        what: "instructions on 64-bit ARM, of the kernels or of XMSS: [--operations] [--json]",
        run: hasten_machines::arm::run,
    },
    Command {
        name: "x86",
        what: "instructions of the AVX-512 kernels, by kind: [--json]",
        run: hasten_machines::x86::run,
    },
    Command {
        name: "riscv",
        what: "verifiers on RISC-V without an operating system: size, stack, known answers [--json]",
        run: hasten_machines::riscv::run,
    },
];

/// Runs a step of the hardware flow. The steps `asip` and `lockstep` run programs on its
/// processors.
fn hw(args: &[String]) -> Result<(), Failure> {
    match args {
        [step, rest @ ..] if step == "asip" => hasten_machines::asip::run(rest),
        [step, rest @ ..] if step == "lockstep" => hasten_machines::lockstep::run(rest),
        _ => hasten_hwflow::run(args),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.status())
        }
    }
}

fn dispatch(args: &[String]) -> Result<(), Failure> {
    let name = args.first().map_or("--help", String::as_str);
    if name == "--help" || name == "-h" {
        print!("{}", usage());
        return Ok(());
    }
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(&args[1..]),
        None => Err(Failure::Usage(format!("no such command: {name}\n{}", usage()))),
    }
}

/// Returns true if there is a chore of this name.
fn is_chore(name: &str) -> bool {
    COMMANDS.iter().any(|command| command.name == name)
}

fn usage() -> String {
    let mut text = String::from("Usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        text += &format!("  {:<10} {}\n", command.name, command.what);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_a_usage_error() {
        let failure = dispatch(&["layer".to_string()]).unwrap_err();
        assert_eq!(failure.status(), 2);
        assert!(failure.to_string().contains("layers"));
    }
}
