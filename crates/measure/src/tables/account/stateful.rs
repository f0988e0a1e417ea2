//! The rows of the appendix on stateful signatures.

use super::super::appendix::stateful::{
    LMS_FOUR, LMS_ONE, LMS_SETS, Line as Figure, SHA256, XMSS_ARM_ASM, XMSS_ARM_C, XMSS_ASM,
    XMSS_C, XMSS_SETS,
};
use super::lines::{counterpart, line, one};
use super::{Here, Line};

const ARM: &str =
    "instructions of the same operation in an emulator, by cargo xtask arm --operations: no time";

/// Returns the rows of the sets, then those of the benchmarks.
pub(super) fn lines() -> Vec<Line> {
    let mut lines = vec![line(
        "stateful-sets",
        "levels 1 to 8, heights 5 to 25, Winternitz 1 to 8",
        String::new(),
        one("stateful-sets", &[("alg", "L8_H25_W8")], &["signature_bytes", "signatures"]),
    )];
    lines.extend(LMS_SETS.iter().map(|(theirs, set, bytes, signatures)| {
        let here = one("stateful-sets", &[("alg", set)], &["signature_bytes", "signatures"]);
        line("stateful-sets", theirs, format!("{bytes}, {signatures}"), here)
    }));
    lines.extend(XMSS_SETS.iter().map(|(set, number, bytes)| {
        let here = one("stateful-sets", &[("alg", set)], &["number", "signature_bytes"]);
        line("stateful-sets", set, format!("{number}, {bytes}"), here)
    }));
    for (with, threads, figures) in
        [("four threads", "4", &LMS_FOUR), ("one thread", "1", &LMS_ONE)]
    {
        lines.extend(figures.iter().map(|figure| bench(figure, with, ("best", threads))));
    }
    let x86 = [("intelasm", "best", &XMSS_ASM), ("no intelasm", "portable", &XMSS_C)];
    for (nth, (with, code, figures)) in x86.into_iter().enumerate() {
        let sha = ("SHA-256", "hash-mib", 1e6 / SHA256[nth]);
        lines.extend([&sha].into_iter().chain(figures).map(|of| bench(of, with, (code, "1"))));
    }
    let arm = [("armasm", "best", &XMSS_ARM_ASM), ("no armasm", "portable", &XMSS_ARM_C)];
    for (nth, (with, code, figures)) in arm.into_iter().enumerate() {
        let sha = ("SHA-256", "hash-mib", 1e6 / SHA256[2 + nth]);
        lines.extend([&sha].into_iter().chain(figures).map(|of| counted(of, with, code)));
    }
    lines
}

fn named(set: &str, op: &str, with: &str) -> String {
    format!("{set} {op}, {with}")
}

fn rounded(us: f64) -> String {
    format!("{us:.1}")
}

/// Returns a row of a benchmark on x86.
fn bench((set, op, us): &Figure, with: &str, (code, threads): (&str, &str)) -> Line {
    let keys = [("alg", *set), ("op", *op), ("code", code), ("threads", threads)];
    line("stateful", &named(set, op, with), rounded(*us), one("stateful", &keys, &["mean"]))
}

/// Returns a row of a benchmark on 64-bit ARM.
fn counted((set, op, us): &Figure, with: &str, code: &str) -> Line {
    let keys = [("alg", *set), ("op", *op), ("code", code)];
    let mut row = counterpart("arm-operations", &keys, &["instructions"]);
    (row.state, row.note) = ("counted", ARM.to_owned());
    line("stateful", &named(set, op, with), rounded(*us), Here::Rows(vec![row]))
}
