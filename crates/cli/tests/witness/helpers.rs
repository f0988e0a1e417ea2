//! The provided helpers, each with the real service: a bare git repository, an S3-like server, a
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

/// Starts the test server and returns its port.
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

/// A TPM also uses the port above its own, so two at a time might use each other's.
static ONE_TPM: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Returns a place whose witness is a TPM, and a function that starts the TPM.
fn with_tpm() -> (Place, impl Fn() -> Running) {
    let place = Place::new();
    let (state, port) = (place.path().join("tpm"), free_port().min(65000));
    std::fs::create_dir(&state).expect("a directory");
    let lock = place.path().join("tpm.lock").display().to_string();
    let place = place.witness(&format!("exec:{} fw", tool("tpm").display()));
    let place = place.set("TPM2TOOLS_TCTI", &format!("swtpm:host=127.0.0.1,port={port}"));
    (place.set("HASTEN_TPM_LOCK", &lock), move || tpm(&state, port))
}

#[test]
#[ignore = "needs swtpm and tpm2-tools: ./test witness"]
fn a_tpm() {
    let _one = ONE_TPM.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (place, start) = with_tpm();
    let running = std::cell::RefCell::new(Some(start()));
    one_goes_on(
        &place,
        || drop(running.borrow_mut().take()),
        || *running.borrow_mut() = Some(start()),
    );
}

/// A failed read is no answer: it is not treated as a TPM without a word.
#[test]
#[ignore = "needs swtpm and tpm2-tools: ./test witness"]
fn a_tpm_that_cannot_be_read_is_not_an_empty_one() {
    let _one = ONE_TPM.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (place, start) = with_tpm();
    let _running = start();
    assert_eq!(place.keygen().status.code(), Some(0));
    assert_eq!(place.sign("key", "0.sig"), Ok(0));
    let path = std::env::var("PATH").expect("a path");
    let mut place = place;
    for broken in ["tpm2_nvread", "tpm2_nvreadpublic", "tpm2_getcap"] {
        let folder = place.path().join(format!("without-{broken}"));
        std::fs::create_dir(&folder).expect("a directory");
        let program = folder.join(broken);
        std::fs::write(&program, "#!/bin/sh\nexit 1\n").expect("written");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("set");
        place = place.set("PATH", &format!("{}:{path}", folder.display()));
        let said = place.sign("key", "1.sig").expect_err("refused");
        assert!(said.contains("did not answer"), "{broken}: {said}");
    }
    assert_eq!(place.set("PATH", &path).sign("key", "1.sig"), Ok(1));
}

/// Starts sshd on loopback, which runs only the far end for one key. Also returns the ssh command.
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

/// Runs the far end of the ssh helper as a separate program. Returns its answers.
fn far_end(cells: &Path, name: &str, requests: &str) -> String {
    let mut run = Command::new(tool("cell"));
    run.args([cells.to_str().expect("text"), name]);
    let mut run = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut input = run.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, requests.as_bytes()).expect("written");
    drop(input);
    text(&run.wait_with_output().expect("an end").stdout)
}

/// The name of a cell is never the name of a file that another cell creates for itself.
#[test]
fn cells_share_no_file_with_each_other() {
    let place = Place::new();
    let cells = place.path().join("cells");
    std::fs::create_dir(&cells).expect("a directory");
    let names = ["fw", "fw.new", "fw.lock", "new.fw", "lock.fw", "a/fw"];
    for (at, name) in names.iter().enumerate() {
        assert_eq!(far_end(&cells, name, &format!("swap - w{at}\n")), "done\n", "{name}");
    }
    for (at, name) in names.iter().enumerate() {
        let again = format!("read\nswap w{at} v{at}\nread\n");
        let want = format!("value w{at}\ndone\nvalue v{at}\n");
        assert_eq!(far_end(&cells, name, &again), want, "{name}");
    }
    for name in ["file:fw.new", "file:dir/fw.lock"] {
        let made = ["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", "k", "--guard", "g"];
        let done = place.hasten(&[&made[..], &["--witness", name]].concat());
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).contains("PATH.lock and PATH.new"), "{}", text(&done.stderr));
    }
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
