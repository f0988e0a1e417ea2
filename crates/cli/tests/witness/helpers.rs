//! The ready helpers, each against the real thing: a bare git repository, an S3-like server, a
//! software TPM, sshd on loopback. `./test witness` runs them.

use crate::place::{Place, Running, one_goes_on, text, tool};
use crate::ports::free_port;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn run(program: &str, place: &Path, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).current_dir(place).output();
    let done = done.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(done.status.success(), "{program} {arguments:?}: {}", text(&done.stderr));
}

fn wait_for(port: u16) {
    let end = Instant::now() + Duration::from_secs(20);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < end, "nothing serves on port {port}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs git: ./test witness"]
fn a_git_remote() {
    let place = Place::new();
    run("git", place.path(), &["init", "-q", "--bare", "remote.git"]);
    let remote = place.path().join("remote.git");
    let moved = place.path().join("moved.git");
    run("git", &remote, &["config", "receive.denyNonFastForwards", "true"]);
    let helper = tool("git");
    let place = place.witness(&format!("exec:{} {} fw", helper.display(), remote.display()));
    one_goes_on(
        &place,
        || std::fs::rename(&remote, &moved).expect("moved"),
        || std::fs::rename(&moved, &remote).expect("moved back"),
    );
    let mut log = Command::new("git");
    let log = log.args(["log", "--oneline", "refs/hasten/fw"]).current_dir(&remote).output();
    let log = log.expect("git runs");
    assert!(text(&log.stdout).lines().count() > 4, "every word is kept: {}", text(&log.stdout));
}

/// Returns the server of the tests, and its port.
fn s3(mode: &[&str]) -> (Running, u16) {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/witness/s3_server.py");
    let mut run = Command::new("python3");
    run.arg(server).arg(tool("s3")).args(mode).stdout(Stdio::piped());
    let mut running = Running(run.spawn().expect("python3 is installed"));
    let output = running.0.stdout.take().expect("its output");
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).expect("a line");
    (running, line.trim().parse().expect("a port"))
}

fn in_s3(port: u16, secret: &str) -> Place {
    let helper = tool("s3");
    let url = format!("http://127.0.0.1:{port}/bucket");
    let place = Place::new().witness(&format!("exec:{} {url} fw", helper.display()));
    place.set("AWS_ACCESS_KEY_ID", "id").set("AWS_SECRET_ACCESS_KEY", secret)
}

#[test]
#[ignore = "needs python3: ./test witness"]
fn an_s3_like_store() {
    let (server, port) = s3(&[]);
    let signal = |name: &str| run("kill", Path::new("/"), &[name, &server.0.id().to_string()]);
    one_goes_on(&in_s3(port, "secret"), || signal("-STOP"), || signal("-CONT"));
}

#[test]
#[ignore = "needs python3: ./test witness"]
fn a_store_that_ignores_conditions_or_refuses_the_signature_is_no_witness() {
    for (mode, secret, said) in
        [(&["careless"][..], "secret", "does not keep"), (&[][..], "wrong", "status 403")]
    {
        let (_server, port) = s3(mode);
        let place = in_s3(port, secret);
        let made = place.keygen();
        let signed = place.sign("key", "0.sig");
        let stderr = text(&made.stderr) + &signed.expect_err("refused");
        assert!(stderr.contains(said), "{stderr}");
    }
}

fn tpm(state: &Path, port: u16) -> Running {
    let mut run = Command::new("swtpm");
    run.args(["socket", "--tpm2", "--flags", "not-need-init,startup-clear", "--tpmstate"]);
    run.arg(format!("dir={}", state.display()));
    run.args(["--server", &format!("type=tcp,port={port}")]);
    run.args(["--ctrl", &format!("type=tcp,port={}", port + 1)]);
    let running = Running(run.stderr(Stdio::null()).spawn().expect("swtpm is installed"));
    wait_for(port + 1);
    running
}

#[test]
#[ignore = "needs swtpm and tpm2-tools: ./test witness"]
fn a_tpm() {
    let place = Place::new();
    let (state, port) = (place.path().join("tpm"), free_port().min(65000));
    std::fs::create_dir(&state).expect("a directory");
    let lock = place.path().join("tpm.lock").display().to_string();
    let place = place.witness(&format!("exec:{} fw", tool("tpm").display()));
    let place = place.set("TPM2TOOLS_TCTI", &format!("swtpm:host=127.0.0.1,port={port}"));
    let place = place.set("HASTEN_TPM_LOCK", &lock);
    let running = std::cell::RefCell::new(Some(tpm(&state, port)));
    one_goes_on(
        &place,
        || drop(running.borrow_mut().take()),
        || *running.borrow_mut() = Some(tpm(&state, port)),
    );
}

/// Returns sshd on loopback that runs nothing but the far end, for one key, and how ssh reaches it.
fn sshd(place: &Path, port: u16) -> (Running, String) {
    for key in ["host", "signer"] {
        run("ssh-keygen", place, &["-q", "-t", "ed25519", "-N", "", "-f", key]);
    }
    let at = |name: &str| place.join(name).display().to_string();
    let public = std::fs::read_to_string(at("signer.pub")).expect("a key");
    let forced =
        format!("restrict,command=\"{} {}\" {public}", tool("cell").display(), at("cells"));
    std::fs::write(at("authorized"), forced).expect("written");
    std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).expect("set");
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
         StrictModes no\nUsePAM no\nPasswordAuthentication no\n",
        at("host"),
        at("authorized")
    );
    std::fs::write(at("sshd_config"), config).expect("written");
    let mut server = Command::new("/usr/sbin/sshd");
    server.args(["-D", "-e", "-f", &at("sshd_config")]).stderr(Stdio::null());
    let running = Running(server.spawn().expect("sshd is installed"));
    wait_for(port);
    let user = Command::new("id").arg("-un").output().expect("id runs").stdout;
    let reach = format!(
        "ssh -F none -p {port} -i {} -o BatchMode=yes -o StrictHostKeyChecking=no \
         -o UserKnownHostsFile={} -o LogLevel=ERROR {}@127.0.0.1 fw",
        at("signer"),
        at("known"),
        text(&user).trim()
    );
    (running, reach)
}

#[test]
#[ignore = "needs sshd: ./test witness"]
fn a_second_machine_over_ssh() {
    let place = Place::new();
    let (cells, away) = (place.path().join("cells"), place.path().join("away"));
    std::fs::create_dir(&cells).expect("a directory");
    let (_running, reach) = sshd(place.path(), free_port());
    let place = place.witness(&format!("exec:{reach}"));
    one_goes_on(
        &place,
        || std::fs::rename(&cells, &away).expect("moved"),
        || std::fs::rename(&away, &cells).expect("moved back"),
    );
}
