//! `cargo xtask rates [--tool PATH] [--seconds N] [--json]`: handshakes per second with
//! X25519MLKEM768 and a server certificate, compared with OpenSSL and wolfSSL in turns.
//!
//! Hasten and OpenSSL run client and server in one thread over memory, measured by that thread's
//! CPU clock: `HASTEN_OPENSSL_TLS` names the program of `checks/peers/programs/openssl_tls.c`.
//! wolfSSL's own program, `HASTEN_TLS_BENCH`, has a thread for each side and reports elapsed time;
//! both threads are tied to one processor. If a peer does not support a combination, its row says
//! so.

use hasten_chore::failure::{Failure, report};
use hasten_chore::{checkout, program};
use hasten_report::{Origin, Report, Summary, published_command};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "Usage: cargo xtask rates [--tool PATH] [--seconds N] [--json]\n\n\
    HASTEN_OPENSSL_TLS and HASTEN_TLS_BENCH name the programs beside ours (docs/peers.md).\n\n\
    Example: cargo xtask rates --seconds 2";
const GROUP: &str = "X25519MLKEM768";
const ALGS: [&str; 3] = ["ML-DSA-65", "ECDSA-P-256", "SLH-DSA-SHA2-128f"];

/// Number of turns of each.
const TURNS: usize = 4;

/// The last line of a program's error output, without source locations.
type Refusal = String;

/// A peer with the time of a handshake in each turn, in microseconds, or its error.
struct Peer {
    name: String,
    clock: &'static str,
    times: Result<Vec<f64>, Refusal>,
}

fn median(mut taken: Vec<f64>) -> Option<f64> {
    taken.sort_by(f64::total_cmp);
    taken.get(taken.len() / 2).copied()
}

fn named(variable: &str) -> Result<PathBuf, Failure> {
    let missing = || Failure::Usage(format!("{variable} names no program\n\n{USAGE}"));
    std::env::var_os(variable).map(PathBuf::from).ok_or_else(missing)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs one turn of Hasten. Returns the report of `hasten tables bounds`.
fn ours(tool: &Path) -> Result<Value, Failure> {
    let printed = program::run(tool, &["tables", "bounds", "--time", "250ms", "--json"])?;
    serde_json::from_slice(&printed).map_err(|error| Failure::Tool(error.to_string()))
}

/// Returns the row of an algorithm in which only the server has a certificate.
fn of<'r>(report: &'r Value, alg: &str) -> Result<&'r Value, Failure> {
    let rows = report["rows"].as_array().into_iter().flatten();
    let mut rows = rows.filter(|row| row["alg"] == alg && row["who"] == "server");
    rows.next().ok_or_else(|| Failure::Tool(format!("no row of {alg}")))
}

/// Issues a root and a leaf certificate unless they exist. Returns the beginnings of their paths.
fn certificates(tool: &Path, place: &Path, alg: &str) -> Result<[String; 2], Failure> {
    let names = ["root", "leaf"].map(|name| place.join(format!("{name}-{alg}")));
    let [root, leaf] = names.map(|path| path.display().to_string());
    if !Path::new(&format!("{leaf}.pem")).is_file() {
        program::run(tool, &["cert", "root", "--alg", alg, "--name", "root", "--out", &root])?;
        let issued = ["cert", "leaf", "--alg", alg, "--dns", "localhost"];
        program::run(tool, &[&issued[..], &["--ca", &root, "--out", &leaf]].concat())?;
    }
    Ok([root, leaf])
}

/// Runs one turn of OpenSSL. Returns the median, or OpenSSL's error.
fn openssl(
    program: &Path,
    [root, leaf]: &[String; 2],
    seconds: &str,
) -> Result<Result<f64, Refusal>, Failure> {
    let files = [format!("{leaf}.pem"), format!("{leaf}.key"), format!("{root}.pem")];
    let files = files.iter().map(String::as_str);
    let words: Vec<&str> = ["measure"].into_iter().chain(files).chain([GROUP, seconds]).collect();
    let (good, printed, complaint) = program::attempt(program, &words)?;
    if !good {
        return Ok(Err(reason(&complaint)));
    }
    let taken = text(&printed).lines().filter_map(|line| line.parse().ok()).collect();
    median(taken).map(Ok).ok_or_else(|| Failure::Tool("OpenSSL measured nothing".into()))
}

/// Returns the part of OpenSSL's error that is the same in every run: `unknown certificate type`.
fn reason(complaint: &str) -> Refusal {
    let line = complaint.lines().rfind(|line| line.contains(":error:")).unwrap_or(complaint);
    let fields = line.split_once(":error:").and_then(|(_, said)| said.split(':').nth(3));
    fields.unwrap_or(line).trim().to_owned()
}

/// Runs tls_bench and returns its output, all of which it writes to standard error.
fn tls_bench(program: &Path, words: &[&str]) -> Result<String, Failure> {
    let program = program.display().to_string();
    let tied = ["-c", "0", &program];
    let output = Command::new("taskset").args(tied).args(words).output();
    let output = output.map_err(|error| Failure::Tool(format!("taskset: {error}")))?;
    Ok(text(&output.stderr) + &text(&output.stdout))
}

/// Runs one turn of wolfSSL. Returns the mean that the client reports for the group.
fn wolfssl(program: &Path, seconds: &str) -> Result<f64, Failure> {
    let suite = "TLS13-AES256-GCM-SHA384";
    let printed = tls_bench(program, &["-m", "-t", seconds, "-g", "-l", suite])?;
    connected(&printed).ok_or_else(|| Failure::Tool(format!("tls_bench does not know {GROUP}")))
}

/// Returns the microseconds of a connection, from the last column of the client's row.
fn connected(printed: &str) -> Option<f64> {
    let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut rows = printed.lines().map(fields);
    let row = rows.find(|row| row.len() > 3 && row[0] == "Client" && row[2] == GROUP)?;
    let millis: f64 = row.last()?.parse().ok()?;
    (millis > 0.0).then_some(millis * 1e3)
}

/// Returns the version at the beginning of tls_bench's help.
fn wolfssl_name(program: &Path) -> Result<String, Failure> {
    let said = tls_bench(program, &["-?"])?;
    let version = said.split_whitespace().nth(1).unwrap_or_default();
    Ok(format!("wolfSSL {version}"))
}

fn summary(times: &[f64]) -> Value {
    json!(Summary::of(times))
}

/// Returns the row of an algorithm and a peer.
fn row(alg: &str, ours: &[f64], peer: &Peer) -> Value {
    let rate = |us: f64| (1e6 / us).round();
    let own = Summary::of(ours);
    let mut row = json!({
        "alg": alg, "group": GROUP, "turns": ours.len(),
        "handshake_us": summary(ours), "per_second": rate(own.p50),
        "peer": peer.name,
    });
    let more = match &peer.times {
        Ok(times) => {
            let each: Vec<f64> =
                times.iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect();
            let theirs = Summary::of(times);
            json!({
                "peer_us": summary(times), "peer_per_second": rate(theirs.p50), "peer_clock": peer.clock,
                "times_as_fast": (theirs.p50 / own.p50 * 100.0).round() / 100.0,
                "times_as_fast_spread": summary(&each),
            })
        }
        Err(why) => json!({ "why": why }),
    };
    for (key, value) in more.as_object().into_iter().flatten() {
        row[key] = value.clone();
    }
    row
}

struct Args {
    tool: PathBuf,
    seconds: String,
    json: bool,
}

fn parse(args: &[String], root: &Path) -> Result<Args, Failure> {
    let mut parsed =
        Args { tool: root.join("target/release/hasten"), seconds: "1".into(), json: false };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let usage = || Failure::Usage(USAGE.into());
        match arg.as_str() {
            "--json" => parsed.json = true,
            "--tool" => parsed.tool = args.next().map(PathBuf::from).ok_or_else(usage)?,
            "--seconds" => {
                let seconds = args.next().and_then(|n| n.parse::<u8>().ok()).filter(|n| *n > 0);
                parsed.seconds = seconds.ok_or_else(usage)?.to_string();
            }
            _ => return Err(usage()),
        }
    }
    Ok(parsed)
}

/// Results of all turns: ours by algorithm, and those of each peer.
struct Taken {
    ours: Vec<Vec<f64>>,
    openssl: Vec<Result<Vec<f64>, Refusal>>,
    wolfssl: Vec<f64>,
    first: Value,
}

fn take(args: &Args, programs: [&Path; 2], place: &Path) -> Result<Taken, Failure> {
    let none = || ALGS.iter().map(|_| Vec::new()).collect::<Vec<Vec<f64>>>();
    let openssl_none = none().into_iter().map(Ok).collect();
    let mut taken =
        Taken { ours: none(), openssl: openssl_none, wolfssl: Vec::new(), first: Value::Null };
    for turn in 1..=TURNS {
        eprintln!("turn {turn} of {TURNS}");
        let report = ours(&args.tool)?;
        for (at, alg) in ALGS.into_iter().enumerate() {
            let time = of(&report, alg)?["handshake_us"]["p50"].as_f64();
            taken.ours[at].push(time.ok_or_else(|| Failure::Tool("no median".into()))?);
            let files = certificates(&args.tool, place, alg)?;
            match openssl(programs[0], &files, &args.seconds)? {
                Ok(us) => taken.openssl[at].iter_mut().for_each(|times| times.push(us)),
                Err(why) => taken.openssl[at] = Err(format!("refuses the certificate: {why}")),
            }
        }
        taken.wolfssl.push(wolfssl(programs[1], &args.seconds)?);
        taken.first = report;
    }
    Ok(taken)
}

/// Runs the turns and prints a row for each algorithm and peer.
///
/// # Errors
/// `Usage` if a program is not named; `Tool` if one does not behave as expected.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let root = checkout::root()?;
    let args = parse(args, &root)?;
    let (openssl, bench) = (named("HASTEN_OPENSSL_TLS")?, named("HASTEN_TLS_BENCH")?);
    let place = root.join("target/rates");
    std::fs::create_dir_all(&place).map_err(|error| Failure::Io(place.clone(), error))?;
    let version = text(&program::run(&openssl, &["version"])?);
    let wolfssl = wolfssl_name(&bench)?;
    let taken = take(&args, [&openssl, &bench], &place)?;
    let mut rows = Vec::new();
    for (at, alg) in ALGS.into_iter().enumerate() {
        let times = taken.openssl[at].clone();
        let name = format!("OpenSSL {}", version.trim());
        rows.push(row(alg, &taken.ours[at], &Peer { name, clock: "CPU", times }));
        let times = match alg {
            "ECDSA-P-256" => Ok(taken.wolfssl.clone()),
            _ => {
                Err("tls_bench has a certificate of ECDSA P-256 or RSA, and takes no other".into())
            }
        };
        let peer = Peer { name: wolfssl.clone(), clock: "elapsed", times };
        rows.push(row(alg, &taken.ours[at], &peer));
    }
    if args.json {
        let (command, machine) = (published_command("cargo xtask"), &taken.first["machine"]);
        let origin = Origin::named_in(&taken.first);
        let report = Report::new("hasten.rates/1", command, origin, machine.clone(), &rows);
        println!("{}", report.json());
        return Ok(());
    }
    for row in &rows {
        println!("{row}");
    }
    report("rates", format!("{} rows", rows.len()), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_tls_bench() {
        let printed = "Side Cipher Group Total\n\
            Server TLS13-AES256-GCM-SHA384 X25519MLKEM768 1 1007 42.4 144.6 2.8 8.1 802.3 0.797\n\
            Client TLS13-AES256-GCM-SHA384 SecP256r1MLKEM768 1 1 1 1 1 1 1 0.5\n\
            Client TLS13-AES256-GCM-SHA384 X25519MLKEM768 1 1008 148.2 24.8 8.9 5.5 792.1 0.786\n";
        assert_eq!(connected(printed), Some(786.0));
        for bad in ["0.000", "x", "nan"] {
            assert_eq!(connected(&printed.replace("0.786", bad)), None, "{bad}");
        }
        assert_eq!(connected(""), None);
    }

    #[test]
    fn the_reason_is_what_openssl_says_last() {
        let said = "certificates: 40:error:0A:SSL routines:ssl_set_cert:unknown certificate type:\
            ssl/ssl_rsa.c:270:";
        assert_eq!(reason(said), "unknown certificate type");
        assert_eq!(reason("no such file"), "no such file");
    }

    #[test]
    fn a_pair_that_a_peer_cannot_do_says_why() {
        let peer = |times| Peer { name: "another".into(), clock: "CPU", times };
        let one = row("ECDSA-P-256", &[500.0, 500.0], &peer(Ok(vec![1000.0, 1500.0])));
        assert_eq!(
            (&one["per_second"], &one["times_as_fast_spread"]["max"]),
            (&json!(2000.0), &json!(3.0))
        );
        let none = row("SLH-DSA-SHA2-128f", &[500.0], &peer(Err("knows none".into())));
        assert_eq!((&none["why"], &none["peer_us"]), (&json!("knows none"), &Value::Null));
    }
}
