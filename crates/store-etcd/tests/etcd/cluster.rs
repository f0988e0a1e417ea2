//! A cluster of real etcd members on loopback, with fresh data.

#[path = "ports.rs"]
mod ports;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Member {
    name: String,
    client: String,
    peer: String,
    data: PathBuf,
    child: Option<Child>,
}

#[allow(dead_code, reason = "two test programs share it")]
pub struct Cluster {
    pub place: tempfile::TempDir,
    members: Vec<Member>,
    token: String,
}

fn free_url() -> String {
    format!("http://127.0.0.1:{}", ports::free_port())
}

#[allow(dead_code, reason = "two test programs share it")]
impl Cluster {
    /// Starts `size` members and waits until they serve.
    pub fn start(size: usize) -> Cluster {
        let place = tempfile::tempdir().expect("a directory");
        let member = |i: usize| Member {
            name: format!("m{i}"),
            client: free_url(),
            peer: free_url(),
            data: place.path().join(format!("m{i}")),
            child: None,
        };
        let members = (0..size).map(member).collect();
        let mut cluster = Cluster { place, members, token: "fresh".into() };
        cluster.run_all("new");
        cluster
    }

    pub fn urls(&self) -> Vec<String> {
        self.members.iter().map(|m| m.client.clone()).collect()
    }

    fn peers(&self) -> String {
        self.members.iter().map(|m| format!("{}={}", m.name, m.peer)).collect::<Vec<_>>().join(",")
    }

    fn run_all(&mut self, state: &str) {
        let (peers, token) = (self.peers(), self.token.clone());
        self.members.iter_mut().for_each(|m| m.run(&peers, &token, state));
        self.wait_until_serving();
    }

    fn wait_until_serving(&self) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.etcdctl(&["endpoint", "health"]).is_none() {
            assert!(Instant::now() < end, "the cluster does not serve: {}", self.said());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Returns the errors that the members have printed.
    fn said(&self) -> String {
        self.members.iter().filter_map(|m| std::fs::read_to_string(m.log()).ok()).collect()
    }

    /// Returns the output of etcdctl, if it succeeded.
    fn etcdctl(&self, arguments: &[&str]) -> Option<String> {
        let endpoints = self.members.iter().filter(|m| m.child.is_some()).map(|m| m.client.clone());
        let mut run = etcdctl();
        run.arg("--endpoints").arg(endpoints.collect::<Vec<_>>().join(",")).args(arguments);
        let output = run.output().expect("etcdctl");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> String {
        let said = self.etcdctl(&["get", "--print-value-only", key]).expect("a value");
        said.trim_end().to_owned()
    }

    /// Writes a value, as anybody with access to the cluster can.
    pub fn put(&self, key: &str, value: &str) {
        self.etcdctl(&["put", "--", key, value]).expect("written");
    }

    /// Kills the current leader.
    pub fn kill_leader(&mut self) {
        let status = self.etcdctl(&["endpoint", "status"]).expect("a status");
        let line = status.lines().find(|l| l.split(", ").nth(4) == Some("true")).expect("a leader");
        let url = line.split(',').next().unwrap_or_default().to_owned();
        let leader = self.members.iter_mut().find(|m| m.client == url).expect("one of ours");
        leader.kill();
    }

    pub fn snapshot(&self) -> PathBuf {
        let file = self.place.path().join("snapshot");
        let url = self.members[0].client.clone();
        let saved =
            etcdctl().arg("--endpoints").arg(url).args(["snapshot", "save"]).arg(&file).output();
        assert!(saved.expect("etcdctl").status.success(), "the snapshot is saved");
        file
    }

    /// Stops every member and starts all from the snapshot, at the same addresses.
    pub fn restore(&mut self, snapshot: &Path, token: &str) {
        self.members.iter_mut().for_each(Member::kill);
        token.clone_into(&mut self.token);
        let peers = self.peers();
        for member in &mut self.members {
            member.data = member.data.with_extension(token);
            member.restore(snapshot, &peers, token);
        }
        self.run_all("existing");
    }
}

fn etcdctl() -> Command {
    let mut run = Command::new("etcdctl");
    run.env("ETCDCTL_API", "3").stderr(Stdio::null());
    run
}

impl Member {
    fn log(&self) -> PathBuf {
        self.data.with_extension("log")
    }

    fn run(&mut self, peers: &str, token: &str, state: &str) {
        let mut run = Command::new("etcd");
        run.arg("--name").arg(&self.name).arg("--data-dir").arg(&self.data);
        run.args(["--listen-client-urls", &self.client, "--advertise-client-urls", &self.client]);
        run.args(["--listen-peer-urls", &self.peer, "--initial-advertise-peer-urls", &self.peer]);
        run.args([
            "--initial-cluster",
            peers,
            "--initial-cluster-token",
            token,
            "--initial-cluster-state",
            state,
        ]);
        run.args([
            "--heartbeat-interval",
            "50",
            "--election-timeout",
            "500",
            "--log-level",
            "error",
        ]);
        let log = std::fs::File::create(self.log()).expect("a file");
        let child = run.stdout(Stdio::null()).stderr(log).spawn();
        self.child = Some(child.expect("etcd is installed (Debian: etcd-server)"));
    }

    fn restore(&self, snapshot: &Path, peers: &str, token: &str) {
        let mut run = etcdctl();
        run.args(["snapshot", "restore"]).arg(snapshot).arg("--data-dir").arg(&self.data);
        run.args([
            "--name",
            &self.name,
            "--initial-cluster",
            peers,
            "--initial-cluster-token",
            token,
        ]);
        run.args(["--initial-advertise-peer-urls", &self.peer]);
        assert!(run.output().expect("etcdctl").status.success(), "the snapshot is restored");
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("dead");
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.members.iter_mut().for_each(Member::kill);
    }
}
