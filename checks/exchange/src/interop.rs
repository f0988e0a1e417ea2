//! `cargo xtask interop [PEER]... [--alg NAME]... [--ours] [--json]`: Hasten's signatures must
//! verify in other libraries, and theirs in Hasten. With `--ours` the others only verify.
//!
//! Each exchange also includes corrupted signatures and a changed message, which must be refused.
//! The JSON goes to standard output, the progress to standard error.

mod botan;
pub(crate) mod bouncycastle;
mod channel;
mod der;
mod dwarf;
mod exchange;
mod openssl;
mod ours;
mod peer;

use exchange::{Outcome, exchange};
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, report};
use hasten_report::{Origin, Report, published_command};
use peer::{Peer, file_name};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

type Prepare = fn(&Path) -> Result<Box<dyn Peer>, Failure>;

/// A peer that is used only if it is named, because no script fetches it.
const DWARF: &str = "dwarf";
/// Other libraries, each with the function that fetches it.
const PEERS: &[(&str, Prepare)] = &[
    ("bouncycastle", |root| Ok(Box::new(bouncycastle::BouncyCastle::prepare(root)?))),
    ("botan", |root| Ok(Box::new(botan::Botan::prepare(root)?))),
    ("openssl", |root| Ok(Box::new(openssl::OpenSsl::prepare(root)?))),
    (DWARF, |_| Ok(Box::new(dwarf::Dwarf::prepare()?))),
];

/// Parameter sets to exchange, and whether the peer signs too. It only verifies if its key
/// generation takes long.
const SETS: &[(&str, bool)] = &[
    ("XMSS-SHA2_10_256", true),
    ("XMSS-SHAKE_10_256", true),
    ("XMSS-SHA2_10_512", false),
    ("XMSS-SHAKE_10_512", false),
    ("XMSS-SHA2_10_192", true),
    ("XMSS-SHAKE256_10_256", true),
    ("XMSS-SHAKE256_10_192", true),
    ("XMSSMT-SHA2_20/2_256", false),
    ("XMSSMT-SHA2_20/4_256", true),
    ("XMSSMT-SHAKE_20/4_256", true),
    ("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4", true),
    ("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W1", true),
    ("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8", true),
    ("LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W2", true),
    ("LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W4", true),
    ("HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4)", true),
    ("HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8,LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4)", true),
    ("HSS(LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4,LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W2)", true),
    ("HSS(LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W4,LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W8)", true),
    ("HSS(LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W1,LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W8)", true),
    (
        "HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8,LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W2,\
         LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4)",
        true,
    ),
    ("SLH-DSA-SHA2-128s", true),
    ("SLH-DSA-SHA2-128f", true),
    ("SLH-DSA-SHA2-192f", true),
    ("SLH-DSA-SHA2-256f", true),
    ("SLH-DSA-SHAKE-128s", true),
    ("SLH-DSA-SHAKE-128f", true),
    ("SLH-DSA-SHAKE-192f", true),
    ("SLH-DSA-SHAKE-256f", true),
    ("SLH-DSA-SHA2-128-24", true),
    ("SLH-DSA-SHAKE-128-24", true),
    ("SLH-DSA-SHA2-192-24", true),
    ("SLH-DSA-SHAKE-192-24", false),
    ("SLH-DSA-SHA2-256-24", false),
    ("SLH-DSA-SHAKE-256-24", false),
];

/// The command-line options: peers and sets, where an empty list means all.
#[derive(Default)]
struct Asked<'a> {
    peers: Vec<&'a String>,
    sets: Vec<&'a String>,
    /// Whether the peers sign too.
    theirs: bool,
    json: bool,
}

impl<'a> Asked<'a> {
    fn read(args: &'a [String]) -> Result<Self, Failure> {
        let mut asked = Self { theirs: true, ..Self::default() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--json" => asked.json = true,
                "--ours" => asked.theirs = false,
                "--alg" => asked.sets.extend(args.next()),
                _ => asked.peers.push(arg),
            }
        }
        match asked.sets.iter().find(|alg| !SETS.iter().any(|(known, _)| known == *alg)) {
            Some(alg) => Err(Failure::Usage(format!("{alg} is not exchanged"))),
            None => Ok(asked),
        }
    }
}

/// Exchanges signatures with the named peers, or with all that can be fetched.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let asked = Asked::read(args)?;
    let (as_json, named) = (asked.json, &asked.peers);
    if let Some(unknown) = named.iter().find(|name| !PEERS.iter().any(|(peer, _)| peer == *name)) {
        let known: Vec<&str> = PEERS.iter().map(|(peer, _)| *peer).collect();
        return Err(Failure::Usage(format!(
            "no such peer: {unknown}; there are: {}",
            known.join(", ")
        )));
    }
    let root = checkout::root()?;
    let ours = ours::Ours::prepare()?;
    let channels = channel::Channel::prepare()?;
    let mut tally = Tally::default();
    for (name, prepare) in PEERS {
        let wanted = named.is_empty() && *name != DWARF;
        if wanted || named.iter().any(|wanted| wanted == name) {
            let peer = prepare(&root)?;
            let place = root.join("target/interop").join(name);
            all_sets(&ours, peer.as_ref(), &asked, &place, &mut tally)?;
            for channel in &channels {
                messages(channel, peer.as_ref(), &asked, &place, &mut tally)?;
            }
        }
    }
    if as_json {
        println!("{}", tally.to_json());
    }
    let good =
        format!("{} signatures verified, {} spoilt ones refused", tally.verified, tally.refused);
    if as_json && tally.wrong.is_empty() { Ok(()) } else { report("interop", good, tally.wrong) }
}

/// Runs both directions of every set that the peer supports.
fn all_sets(
    ours: &dyn Peer,
    peer: &dyn Peer,
    asked: &Asked<'_>,
    place: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let version = peer.version()?;
    let wanted = |alg: &str| asked.sets.is_empty() || asked.sets.iter().any(|name| *name == alg);
    for (alg, they_sign) in SETS.iter().filter(|(alg, _)| peer.has(alg) && wanted(alg)) {
        let folder = place.join(file_name(alg));
        let made = dwarf::is_limited(alg).then(|| dwarf::Made::read(&checkout::root()?));
        let made = made.transpose()?;
        let signer = made.as_ref().map_or(ours, |made| made as &dyn Peer);
        if signer.has(alg) {
            one(signer, peer, &version, alg, &folder.join("ours"), tally)?;
        }
        if *they_sign && asked.theirs {
            one(peer, ours, &version, alg, &folder.join("theirs"), tally)?;
        }
    }
    Ok(())
}

/// Lets the peer verify data taken from a channel.
fn messages(
    channel: &dyn Peer,
    peer: &dyn Peer,
    asked: &Asked<'_>,
    place: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let version = peer.version()?;
    let wanted = |alg: &str| asked.sets.is_empty() || asked.sets.iter().any(|name| *name == alg);
    let known = SETS.iter().map(|(alg, _)| *alg);
    for alg in known.filter(|alg| channel.has(alg) && peer.has(alg) && wanted(alg)) {
        one(channel, peer, &version, alg, &place.join(file_name(alg)).join("channel"), tally)?;
    }
    Ok(())
}

fn one(
    signer: &dyn Peer,
    verifier: &dyn Peer,
    version: &str,
    alg: &str,
    folder: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let start = Instant::now();
    let outcome = exchange(signer, verifier, alg, folder)?;
    let who = format!("{} -> {}", signer.name(), verifier.name());
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "{alg:<24} {who:<26} {} verified, {} refused, {} wrong ({seconds:.1} s)",
        outcome.verified,
        outcome.refused,
        outcome.wrong.len()
    );
    tally.add(signer, verifier, version, alg, &outcome);
    Ok(())
}

/// Sums over all exchanges.
#[derive(Default)]
struct Tally {
    verified: usize,
    refused: usize,
    wrong: Vec<String>,
    rows: Vec<Value>,
}

impl Tally {
    fn add(
        &mut self,
        signer: &dyn Peer,
        verifier: &dyn Peer,
        version: &str,
        alg: &str,
        outcome: &Outcome,
    ) {
        self.verified += outcome.verified;
        self.refused += outcome.refused;
        self.wrong
            .extend(outcome.wrong.iter().map(|file| format!("judged wrongly: {}", file.display())));
        self.rows.push(json!({
            "alg": alg,
            "signer": signer.name(),
            "verifier": verifier.name(),
            "peer_version": version,
            "verified": outcome.verified,
            "refused": outcome.refused,
            "wrong": outcome.wrong.len(),
        }));
    }

    fn to_json(&self) -> String {
        let machine = json!({ "arch": std::env::consts::ARCH, "os": std::env::consts::OS });
        let command = published_command("cargo xtask");
        let origin = Origin::checked_out();
        Report::new("hasten.interop/1", command, origin, machine, &self.rows).json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_set_is_a_usage_error() {
        let failure = run(&["--alg".to_string(), "XMSS".to_string()]).unwrap_err();
        assert_eq!(failure.status(), 2);
    }

    #[test]
    fn an_unknown_peer_is_a_usage_error() {
        let failure = run(&["botany".to_string()]).unwrap_err();
        assert_eq!(failure.status(), 2);
        assert!(failure.to_string().contains("bouncycastle"));
    }
}
