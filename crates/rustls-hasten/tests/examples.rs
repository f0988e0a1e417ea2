//! Runs the example programs as a reader would: a server, and a client that talks to it. If
//! `HASTEN_EXAMPLES` names the folder of the built programs, as in `./test`, nothing is built.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Returns the command that runs an example on files of `vectors/keys`.
fn example(name: &str, arguments: &[&str]) -> Command {
    let mut command = match std::env::var_os("HASTEN_EXAMPLES") {
        Some(folder) => Command::new(Path::new(&folder).join(name)),
        None => built_by_cargo(name),
    };
    command.args(arguments).stdin(Stdio::null());
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/keys"));
    command
}

fn built_by_cargo(name: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "-p", "rustls-hasten", "--example", name, "--"]);
    cargo
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("the server was running");
    }
}

/// Starts the server and waits until it prints its address.
fn serve() -> (Server, String) {
    let arguments = ["p384-leaf.pem", "p384.key", "127.0.0.1:0"];
    let mut child =
        example("tls_server", &arguments).stdout(Stdio::piped()).spawn().expect("cargo runs");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("a pipe");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
    (Server(child), address)
}

fn connect(address: &str, name: &str) -> Output {
    let arguments = ["ml-dsa-44-root.pem", address, name, "hello"];
    example("tls_client", &arguments).output().expect("cargo runs")
}

#[test]
fn client_and_server_agree_on_a_hybrid() {
    let (_server, address) = serve();
    let said = connect(&address, "leaf.example");
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert_eq!(text, "hello\nX25519MLKEM768\n");
    assert!(!connect(&address, "other.example").status.success(), "a wrong name");
    assert!(connect(&address, "leaf.example").status.success(), "the server goes on");
}
