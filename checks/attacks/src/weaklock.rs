//! `weaklock`: two mounts of one directory that do not see each other's locks, like two machines on
//! a network file system; and a key inside a container image, which every run of the image finds
//! unchanged. Both must be refused. If the user accepts the risk, one signer is stopped before each
//! of its calls while another signs, and no index may be used twice.

use serde_json::{Value, json};

use crate::ledger::Ledger;
use crate::namespace::NEEDS;
use crate::namespace::{Held, enter};
use crate::progress::Progress;
use crate::strikes::Tally;
use crate::trace::{self, Blow, Strike};
use crate::yard::{Answer, Setup, Yard};

const ALG: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";
const ACCEPT: &str = "--shared-filesystem-accepted";

/// Runs both attacks, if mounts are allowed.
pub fn run(setup: &Setup) -> Tally {
    let mut tally = Tally::default();
    if let Err(why) = enter() {
        hasten_report::skipped("weaklock", why, NEEDS);
        return tally;
    }
    for (name, attack) in [("two-mounts", two_mounts as Attack), ("image", image as Attack)] {
        match attack(setup) {
            Ok((row, wrong)) => {
                tally.rows.push(row);
                tally.wrong.extend(wrong);
            }
            Err(why) => hasten_report::skipped(&format!("weaklock {name}"), &why, NEEDS),
        }
    }
    tally
}

type Row = Result<(Value, Vec<String>), String>;
type Attack = fn(&Setup) -> Row;

fn two_mounts(setup: &Setup) -> Row {
    let yard = Yard::new(setup, "two-mounts");
    let (real, at) = (yard.path("real"), yard.path("at"));
    std::fs::create_dir_all(&real).and_then(|()| std::fs::create_dir_all(&at)).expect("made");
    let here = Held::bindfs(&real, &at)?;
    let there = Held::bindfs_elsewhere(&real, &at)?;
    let mut wrong = Vec::new();
    let refused = refuses(&yard, &mut wrong);
    let made =
        ["keygen", "--alg", ALG, "-k", "at/key", "--guard", "at/guard", "--threads", "1", ACCEPT];
    let known = yard.hasten(&["keygen", "--help"]).out.contains(ACCEPT);
    let made = yard.hasten(&made[..made.len() - usize::from(!known)]);
    assert!(made.good(), "{}", made.err);
    let rounds = interleave(setup, &yard, &there, &mut wrong);
    let races = race(setup, &yard, &there);
    let mut ledger = Ledger::new(ALG, &yard.path("real/key/public.pem")).expect("a key");
    ledger.enter_all(yard.dir());
    wrong.append(&mut ledger.wrong);
    let counted = yard.status("at/key").is_some_and(|row| crate::yard::adds_up(&row));
    if !counted {
        wrong.push("the account does not add up".to_owned());
    }
    drop((here, there));
    let twice = wrong.iter().filter(|text| text.contains("twice")).count();
    Ok((
        json!({
            "attack": "two mounts of one folder", "cases": rounds + races, "refused_unless_accepted": refused,
            "stopped_before_a_call": rounds, "races": races, "signatures": ledger.good, "used_twice": twice,
            "otherwise_wrong": wrong.len() - twice,
        }),
        wrong,
    ))
}

/// Returns true if key generation on such a mount is refused unless the user accepts it.
fn refuses(yard: &Yard, wrong: &mut Vec<String>) -> bool {
    let answer = yard.hasten(&["keygen", "--alg", ALG, "-k", "at/no", "--guard", "at/no.guard"]);
    let refused = answer.status == 2 && answer.err.contains(ACCEPT);
    if !refused {
        wrong.push(format!(
            "a FUSE mount is taken without a word: {} {}",
            answer.status,
            answer.err.trim()
        ));
    }
    refused
}

/// Stops one signer before each of its calls while a signer on the other mount signs.
fn interleave(setup: &Setup, yard: &Yard, there: &Held, wrong: &mut Vec<String>) -> u64 {
    let progress = Progress::new("weaklock");
    yard.message("calm");
    let calm = trace::run(yard, &["sign", "-k", "at/key", "calm"], None, &mut || ());
    let step = if setup.short { calm.calls.len().div_ceil(12) } else { 1 };
    let mut rounds = 0;
    for at in (0..calm.calls.len()).step_by(step) {
        let (one, two) = (format!("a{at}"), format!("b{at}"));
        yard.message(&one);
        yard.message(&two);
        let mut other = || drop(sign_there(yard, there, &two));
        let strike = Strike { at, blow: Blow::Pause };
        let arguments = ["sign", "-k", "at/key", &one, "--wait", "50ms"];
        let told = trace::run(yard, &arguments, Some(strike), &mut other);
        if !told.answer.orderly() {
            wrong.push(format!(
                "stopped at {at}: ended with {}: {}",
                told.answer.status, told.answer.err
            ));
        }
        rounds += 1;
        progress.step(wrong.len());
    }
    rounds
}

fn sign_there(yard: &Yard, there: &Held, name: &str) -> Answer {
    let line = format!("\"$HASTEN\" sign -k at/key {name} --wait 50ms");
    yard.shell(&there.inside(yard.dir(), &line))
}

/// Starts two signers on the two mounts at once.
fn race(setup: &Setup, yard: &Yard, there: &Held) -> u64 {
    let rounds = if setup.short { 5 } else { 100 };
    for round in 0..rounds {
        let (one, two) = (format!("r{round}"), format!("s{round}"));
        yard.message(&two);
        std::thread::scope(|scope| {
            scope.spawn(|| yard.sign("at/key", &one));
            scope.spawn(|| sign_there(yard, there, &two));
        });
    }
    rounds
}

/// Puts a key in the lower layer of two overlays, like two runs of one image.
fn image(setup: &Setup) -> Row {
    let yard = Yard::new(setup, "image");
    let made = "set -e; mkdir -p key.d u1 w1 u2 w2; echo message 1 >1; echo message 2 >2
        \"$HASTEN\" keygen --alg '{}' -k key.d/key --guard key.d/guard --threads 1"
        .replace("{}", ALG);
    let answer = yard.shell(&made);
    assert!(answer.good(), "{}", answer.err);
    let mut wrong = Vec::new();
    let mut refused = 0;
    for run in ["1", "2"] {
        let mount =
            "mount -t overlay overlay -o lowerdir=key.d,upperdir=u{},workdir=w{} key.d || exit 99
            \"$HASTEN\" sign -k key.d/key {} --out {}.sig"
                .replace("{}", run);
        let answer = yard.shell(&format!("unshare -m sh -c '{mount}'"));
        if answer.status == 99 {
            return Err(format!("overlays cannot be mounted here: {}", answer.err.trim()));
        }
        refused += u64::from(answer.status == 2 && answer.err.contains("overlay"));
    }
    if refused < 2 {
        wrong.push("a key in an image is used without a word".to_owned());
    }
    let mut ledger = Ledger::new(ALG, &yard.path("key.d/key/public.pem")).expect("a key");
    ledger.enter_all(yard.dir());
    wrong.append(&mut ledger.wrong);
    let twice = wrong.iter().filter(|text| text.contains("twice")).count();
    let row = json!({
        "attack": "two runs of one image", "cases": 2, "refused": refused, "signatures": ledger.good,
        "used_twice": twice, "otherwise_wrong": wrong.len() - twice,
    });
    Ok((row, wrong))
}
