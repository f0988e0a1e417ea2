//! One process that signs; and the parent's side: all of them started together, their accounts read
//! back.

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::stateful::{Note, Sealed, Stateful, StorePermit, read_public_of};
use hasten_keys::verify::verify;
use hasten_report::{argument, number};
use hasten_store::{Options, Policy};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// One signature in so many is kept and verified when the clock no longer runs.
const SAMPLE: usize = 256;

/// How processes share a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Each has a shard, and keeps it open.
    Shards,
    /// Each has a sector, whose seed nobody else has, and keeps it open.
    Sectors,
    /// Each opens the one directory, reserves once, signs, closes, as the command does.
    Turns,
    /// Each has a shard, and a thread that reserves ahead; what it waits for is permits.
    Ahead,
}

impl Way {
    pub fn words(self) -> &'static str {
        match self {
            Self::Shards => "processes with a shard each",
            Self::Sectors => "processes with a sector each",
            Self::Turns => "processes that hand one store to each other",
            Self::Ahead => "processes with a shard each and a thread that reserves ahead",
        }
    }

    fn named(words: &str) -> Option<Self> {
        let all = [Self::Shards, Self::Sectors, Self::Turns, Self::Ahead];
        all.into_iter().find(|way| way.words() == words)
    }
}

/// Holds what the processes are to do.
pub struct Work {
    pub way: Way,
    pub batch: u64,
    pub length: Duration,
}

/// The account of one process.
pub struct Done {
    pub indices: Vec<u64>,
    pub commits_us: Vec<f64>,
    pub verified: u64,
    pub seconds: f64,
}

/// Starts a process for each directory, lets them go when all are ready, and reads what they did.
pub fn all(work: &Work, dirs: &[PathBuf]) -> Vec<Done> {
    let mut children: Vec<_> = dirs.iter().map(|dir| start(work, dir)).collect();
    for (child, reader) in &mut children {
        assert_eq!(line(child, reader), "ready\n");
    }
    for (child, _) in &mut children {
        writeln!(child.stdin.as_mut().expect("a pipe")).expect("told to go");
    }
    children.into_iter().map(|(mut child, mut reader)| account(&mut child, &mut reader)).collect()
}

type Reader = BufReader<std::process::ChildStdout>;

fn start(work: &Work, dir: &Path) -> (Child, Reader) {
    let mut run = Command::new(std::env::current_exe().expect("this program"));
    let length = work.length.as_millis().to_string();
    run.arg("--worker").arg(dir).args(["--batch", &work.batch.to_string(), "--ms", &length]);
    run.args(["--way", work.way.words()]);
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
    let reader = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, reader)
}

fn line(child: &mut Child, reader: &mut Reader) -> String {
    let mut text = String::new();
    reader.read_line(&mut text).expect("a line");
    assert!(!text.is_empty(), "a worker failed: {:?}", child.wait());
    text
}

fn account(child: &mut Child, reader: &mut Reader) -> Done {
    let done: Value = serde_json::from_str(&line(child, reader)).expect("an account");
    assert!(child.wait().expect("ended").success(), "a worker failed");
    let list = |name: &str| done[name].as_array().expect("a list").iter();
    Done {
        indices: list("indices").filter_map(Value::as_u64).collect(),
        commits_us: list("commits_us").filter_map(Value::as_f64).collect(),
        verified: done["verified"].as_u64().expect("a number"),
        seconds: done["seconds"].as_f64().expect("a number"),
    }
}

/// Returns signatures of all processes per second of the slowest.
pub fn rate(done: &[Done]) -> f64 {
    let signatures: usize = done.iter().map(|one| one.indices.len()).sum();
    signatures as f64 / done.iter().map(|one| one.seconds).fold(0.0, f64::max)
}

/// Runs the process: signs until its time is over, then verifies its sample and prints its account.
pub fn run(dir: &Path) {
    let (batch, length) = (number("--batch", 1), Duration::from_millis(number("--ms", 1000)));
    let way = argument("--way").and_then(|words| Way::named(&words)).expect("a way");
    let mut signing = Signing::default();
    let mut key = (way != Way::Turns).then(|| open(dir));
    if let (Way::Ahead, Some(key)) = (way, &mut key) {
        key.reserve_ahead(Policy { interval: batch, ..Policy::default() }).expect("a thread");
    }
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).expect("told to go");
    let begun = Instant::now();
    while begun.elapsed() < length {
        match &mut key {
            Some(key) if way == Way::Ahead => signing.one_ahead(key),
            Some(key) => signing.one_batch(key, batch),
            None => {
                let mut key = open(dir);
                signing.one_batch(&mut key, batch);
                key.close().expect("closed");
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let Signing { indices, commits_us, .. } = &signing;
    let verified = signing.verify(dir);
    println!(
        "{}",
        json!({ "indices": indices, "commits_us": commits_us, "verified": verified, "seconds": seconds })
    );
}

fn open(dir: &Path) -> Stateful<'static> {
    let kept = Sealed::of_store(dir).and_then(|sealed| sealed.open(None)).expect("a seed");
    let options = Options::new().wait(Duration::from_secs(60));
    Stateful::open(dir, options, &kept, Kernels::best()).expect("opened")
}

/// Holds what a process has signed.
#[derive(Default)]
struct Signing {
    indices: Vec<u64>,
    commits_us: Vec<f64>,
    /// Message and signature.
    sample: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Signing {
    /// Makes one reservation, and uses and records all of it.
    fn one_batch(&mut self, key: &mut Stateful<'_>, batch: u64) {
        let begun = Instant::now();
        let reserved = key.reserve(batch).expect("reserved");
        self.commits_us.push(begun.elapsed().as_secs_f64() * 1e6);
        reserved.for_each(|permit| self.one(key, permit));
    }

    /// Makes one signature with a permit that was reserved ahead; waiting for it is what a commit
    /// was.
    fn one_ahead(&mut self, key: &mut Stateful<'_>) {
        let begun = Instant::now();
        let permit = key.permit(Duration::from_secs(60)).expect("a permit");
        self.commits_us.push(begun.elapsed().as_secs_f64() * 1e6);
        self.one(key, permit);
    }

    fn one(&mut self, key: &mut Stateful<'_>, permit: StorePermit) {
        let ready = key.prepare(permit, SignerLevel::None).expect("prepared");
        let index = ready.index();
        let message = message(index);
        let signature = ready.finish(&message, Note::message()).expect("signed");
        if self.indices.len().is_multiple_of(SAMPLE) {
            self.sample.push((message, signature));
        }
        self.indices.push(index);
    }

    /// Returns how many of the sample are good, which is all.
    fn verify(&self, dir: &Path) -> u64 {
        let public = read_public_of(dir).expect("a public key");
        for (message, signature) in &self.sample {
            verify(&public, &mut &message[..], signature, Kernels::best())
                .expect("a good signature");
        }
        self.sample.len() as u64
    }
}

/// Returns a message of 1,024 bytes like no other.
fn message(index: u64) -> Vec<u8> {
    let mut message = format!("release {index} of process {}", std::process::id()).into_bytes();
    message.resize(1024, b'.');
    message
}
