//! The rows of the appendix, except those of stateful signatures.

use hasten_keys::registry;

use super::super::appendix::connect::CONNECTED;
use super::super::appendix::memory::{Figures, HELD, HELD_AGAIN};
use super::super::appendix::names::{BINARIES, CODE_POINTS, NAMES, OIDS};
use super::super::appendix::sent::SENT;
use super::super::appendix::sizes::{KEMS, SIGNATURES};
use super::super::appendix::speed::{LIBOQS, Timed, WOLFCRYPT};
use super::super::appendix::withdrawn::{self, WITHDRAWN};
use super::super::names::wolfssl_name;
use super::super::round_three;
use super::{Counterpart, Here, Line, stateful};

const SPHINCS: &str = "public keys, signatures and certificates of round 3 are verified; its private keys are refused";

/// Returns every row of the appendix, in its order.
pub fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    lines.extend(NAMES.iter().map(|(theirs, submission)| {
        line(
            "names",
            theirs,
            (*submission).to_owned(),
            one("names", &[("wolfssl", theirs)], &["today"]),
        )
    }));
    lines.extend(CODE_POINTS.iter().map(|(theirs, number)| {
        let number = number.to_string();
        let keys = [("wolfssl", *theirs), ("number", &*number)];
        line("code-points", theirs, number.clone(), one("code-points", &keys, &["alg"]))
    }));
    lines.extend(OIDS.iter().map(|(theirs, oid)| {
        let mut row = counterpart("oids", &[("wolfssl", theirs), ("oid", oid)], &["alg"]);
        if theirs.starts_with("SPHINCS") {
            row.note = SPHINCS.to_owned();
        }
        line("oids", theirs, (*oid).to_owned(), Here::Rows(vec![row]))
    }));
    lines.extend(sizes());
    lines.extend(BINARIES.iter().map(|(theirs, holds, bytes)| {
        let mut row = counterpart("binary-size", &[("holds", holds)], &["loaded_bytes"]);
        (row.state, row.note) = ("related", "the whole command line, built for speed".to_owned());
        line("binary-size", theirs, bytes.to_string(), Here::Rows(vec![row]))
    }));
    lines.extend(sent());
    lines.extend(memory());
    lines.extend(LIBOQS.iter().chain(&WOLFCRYPT).map(timed));
    lines.extend(connect());
    lines.extend(COMMANDS.map(|command| {
        let why = "crates/cli/tests/tls/appendix.rs runs it under these names";
        line("commands", command, String::new(), Here::None("tested", why))
    }));
    lines.extend(stateful::lines());
    lines
}

const COMMANDS: [&str; 2] = [
    "server: falcon_level5 root, falcon_level1 entity, P521_KYBER_LEVEL5",
    "client: falcon_level1 root, falcon_level5 entity, P521_KYBER_LEVEL5",
];

pub(super) fn line(part: &'static str, row: &str, figure: String, here: Here) -> Line {
    Line { part, row: row.to_owned(), figure, here }
}

pub(super) fn counterpart(
    table: &'static str,
    keys: &[(&'static str, &str)],
    figures: &'static [&'static str],
) -> Counterpart {
    let keys = keys.iter().map(|(key, cell)| (*key, (*cell).to_owned())).collect();
    Counterpart { table, keys, figures, state: "same", note: String::new() }
}

pub(super) fn one(
    table: &'static str,
    keys: &[(&'static str, &str)],
    figures: &'static [&'static str],
) -> Here {
    Here::Rows(vec![counterpart(table, keys, figures)])
}

const fn withdrawn() -> Here {
    Here::None("withdrawn", WITHDRAWN)
}

fn joined(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

fn sizes() -> Vec<Line> {
    let named = |theirs: &str| registry::find(theirs).map(|row| row.name.as_str()).ok();
    let signatures = SIGNATURES.iter().map(|(theirs, sizes)| {
        let alg = named(theirs).unwrap_or(theirs);
        let figures = &["public_bytes", "private_bytes", "signature_bytes"];
        let mut row = counterpart("signature-sizes", &[("alg", alg)], figures);
        if theirs.starts_with("FALCON") {
            row.note =
                "a signature of Falcon varies; ours is the largest that the format has".to_owned();
        }
        line("signature-sizes", theirs, joined(sizes), Here::Rows(vec![row]))
    });
    let kems = KEMS.iter().map(|(theirs, sizes)| {
        let figures = &["public_bytes", "private_bytes", "ciphertext_bytes", "shared_bytes"];
        let here = match named(theirs) {
            Some(alg) => one("kem-sizes", &[("alg", alg)], figures),
            None => withdrawn(),
        };
        line("kem-sizes", theirs, joined(sizes), here)
    });
    signatures.chain(kems).collect()
}

/// Returns the counterparts of a combination of certificates and group in the appendix: the same
/// combination of round 3 if there is one, and the combination used today.
fn pairs(
    (auth, group): (&str, &str),
    ours: (&'static str, &'static str),
    of: impl Fn(&str, &str) -> Counterpart,
) -> Here {
    let own = round_three::combination(auth, group, ours);
    let mut rows: Vec<_> = own.map(|(alg, group)| of(alg, group)).into_iter().collect();
    let mut now = of(ours.0, ours.1);
    if own.is_some() {
        let note = format!("{} with {} has the place of {auth} with {group}", ours.0, ours.1);
        (now.state, now.note) = ("related", note);
    }
    rows.push(now);
    Here::Rows(rows)
}

fn sent() -> Vec<Line> {
    let then = SENT.iter().map(|row| {
        let of = |alg: &str, group: &str| {
            counterpart("tls-bytes", &[("alg", alg), ("group", group)], &["total_bytes"])
        };
        let name = format!("{}, {}", row.auth, row.group);
        line("tls-bytes", &name, row.bytes.to_string(), pairs((row.auth, row.group), row.ours, of))
    });
    let gone = withdrawn::SENT.iter().map(|(group, bytes)| {
        line("tls-bytes", &format!("RSA 2048, {group}"), bytes.to_string(), withdrawn())
    });
    then.chain(gone).collect()
}

fn memory() -> Vec<Line> {
    const FIGURES: &[&str] = &["allocations", "total_bytes", "peak_bytes", "stack_bytes"];
    let held = |row: &Figures, name: &str| {
        [("Server", row.server), ("Client", row.client)].map(|(side, figures)| {
            let which = side.to_lowercase();
            let of = |alg: &str, group: &str| {
                let keys = [("alg", alg), ("group", group), ("side", &*which)];
                counterpart("memory", &keys, FIGURES)
            };
            let here = pairs(row.theirs(), row.ours, of);
            line("memory", &format!("{side} {name}"), joined(&figures), here)
        })
    };
    let then = HELD.iter().flat_map(|row| held(row, row.name));
    let again = HELD.iter().filter(|row| row.name == "RSA 2048");
    let again = again.flat_map(|row| held(row, HELD_AGAIN));
    let gone = withdrawn::HELD.iter().flat_map(|(name, sides)| {
        [("Server", sides[0]), ("Client", sides[1])].map(|(side, figures)| {
            line("memory", &format!("{side} {name}"), joined(&figures), withdrawn())
        })
    });
    then.chain(again).chain(gone).collect()
}

fn timed(timed: &Timed) -> Line {
    let rows = timed.ours.iter().enumerate().map(|(nth, alg)| {
        let mut row = counterpart("speed", &[("alg", alg), ("op", timed.op)], &["mean"]);
        if nth > 0 {
            let note = format!("{alg} has the place of {}", timed.ours[0]);
            (row.state, row.note) = ("related", note);
        }
        row
    });
    let here = if timed.ours.is_empty() { withdrawn() } else { Here::Rows(rows.collect()) };
    let name = match timed.row.starts_with("Kyber") {
        true => format!("{} {}", timed.row, timed.op),
        false => timed.row.to_owned(),
    };
    line("speed", &name, timed.us.to_string(), here)
}

fn connect() -> Vec<Line> {
    let of = CONNECTED.iter().map(|row| {
        let rows = row.ours.iter().enumerate().map(|(nth, group)| {
            let mut ours =
                counterpart("connect", &[("group", group)], &["connect_us", "tx_mb", "rx_mb"]);
            if nth > 0 {
                let note = format!("{group} has the place of {}", wolfssl_name(row.ours[0]));
                (ours.state, ours.note) = ("related", note);
            }
            ours
        });
        let here = if row.ours.is_empty() { withdrawn() } else { Here::Rows(rows.collect()) };
        let figure = format!("{}, {}, {}", row.connect[0] * 1e3, row.tx, row.rx);
        line("connect", row.group, figure, here)
    });
    of.collect()
}
