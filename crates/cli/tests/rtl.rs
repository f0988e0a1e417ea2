//! Schemes on the simulated gates: `--backend rtl:keccak`, `rtl:xmss`, `rtl:ed25519`. Without the
//! pinned Verilator the tests print a note and end.
//!
//! `HASTEN_RESULT=FILE` stores the clock cycles.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output};

/// Returns the JSON that the tool printed, its report or its error, and its status.
fn hasten(dir: &Path, arguments: &[&str]) -> (serde_json::Value, i32) {
    let Output { stdout, stderr, status } = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args(arguments)
        .arg("--json")
        .current_dir(dir)
        .output()
        .unwrap();
    let said = if stdout.is_empty() { &stderr } else { &stdout };
    let json = serde_json::from_slice(said).unwrap_or_else(|_| {
        panic!("{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    });
    (json, status.code().unwrap())
}

fn built() -> bool {
    hasten_report::is_built(hasten_rtlsim::BUILT, "simulated cores", &["aws-lc", "rtl"])
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |i: usize| u8::from_str_radix(&text[i..i + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

/// Verifies a good and a bad signature on the gates. Returns the clock cycles of the good one.
fn verified(dir: &Path, arguments: &[&str]) -> u64 {
    let verify = |signature: &str| {
        let line = [&["verify"], arguments, &["m", signature, "--backend", "rtl:keccak"]].concat();
        hasten(dir, &line)
    };
    let (good, status) = verify("s");
    assert_eq!((good["rows"][0]["good"].as_bool(), status), (Some(true), 0), "{good}");
    let mut bytes = fs::read(dir.join("s")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(dir.join("bad"), bytes).unwrap();
    let (bad, status) = verify("bad");
    assert_eq!((bad["rows"][0]["good"].as_bool(), status), (Some(false), 1), "{bad}");
    good["rows"][0]["cycles"].as_u64().unwrap()
}

fn keep_all(rows: &[(&str, &str, u64)]) {
    for (alg, op, cycles) in rows {
        println!("{alg} {op}: {cycles} clock cycles of rtl:keccak");
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|(alg, op, cycles)| format!(r#"{{"alg":"{alg}","op":"{op}","core":"keccak/keccak_core","params":{{"unroll":2,"inner":1,"outreg":1,"entry":0}},"cycles":{cycles}}}"#))
        .collect();
    hasten_report::keep("rtl-schemes", &[], "-p hasten-cli --features rtl --test rtl", &lines);
}

#[test]
fn xmss_and_slh_dsa_run_on_the_gates() {
    if !built() {
        return;
    }
    let rows = [xmss(), slh_dsa("verify"), slh_dsa("sign")];
    keep_all(&rows);
}

/// Verifies a signature of the reference code.
fn xmss() -> (&'static str, &'static str, u64) {
    let dir = tempfile::tempdir().unwrap();
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/xmss/XMSS-SHAKE_10_256.rsp");
    let text = fs::read_to_string(path).unwrap();
    let value = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(" = "));
        hex(lines.find(|(name, _)| *name == key).unwrap().1.trim())
    };
    fs::write(dir.path().join("p"), value("pk")).unwrap();
    fs::write(dir.path().join("m"), value("msg")).unwrap();
    fs::write(dir.path().join("s"), value("sm")).unwrap();
    let cycles = verified(dir.path(), &["-p", "p", "--alg", "XMSS-SHAKE_10_256"]);
    assert!((20_000..200_000).contains(&cycles), "{cycles}");
    ("XMSS-SHAKE_10_256", "verify", cycles)
}

/// Signs on the gates and verifies on the CPU, or the other way round.
fn slh_dsa(op: &'static str) -> (&'static str, &'static str, u64) {
    const ALG: &str = "SLH-DSA-SHAKE-128f";
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("m"), b"on the gates").unwrap();
    hasten(dir.path(), &["keygen", "--alg", ALG, "--out", "k"]);
    let public = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let public =
        public.map(|name| name.into_string().unwrap()).find(|name| name.contains("pub")).unwrap();
    let backend = if op == "sign" { "rtl:keccak" } else { "portable" };
    let (signed, status) =
        hasten(dir.path(), &["sign", "-k", "k.key", "m", "--out", "s", "--backend", backend]);
    assert_eq!(status, 0);
    if op == "verify" {
        return (ALG, op, verified(dir.path(), &["-p", &public]));
    }
    let (good, status) =
        hasten(dir.path(), &["verify", "-p", &public, "m", "s", "--backend", "portable"]);
    assert_eq!((good["rows"][0]["good"].as_bool(), status), (Some(true), 0));
    (ALG, op, signed["rows"][0]["cycles"].as_u64().unwrap())
}

/// The engine signs with a key in a store and verifies, with and without preparation. The CPU does
/// the opposite operation.
#[test]
fn the_xmss_engine_signs_verifies_and_is_measured() {
    if !built() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    through_the_engine(dir.path(), "XMSS-SHA2_10_256", [48_000, 12_000, 400], 27_000..60_000);
    latency_of_the_engine(dir.path());
}

/// The engine with a Keccak core.
#[test]
fn the_xmss_engine_has_shake() {
    if !built() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    through_the_engine(dir.path(), "XMSS-SHAKE_10_256", [28_000, 9_000, 400], 13_000..31_000);
    let dir = tempfile::tempdir().unwrap();
    through_the_engine(dir.path(), "XMSS-SHAKE256_10_192", [21_000, 8_000, 350], 10_000..26_000);
}

/// Checks the clock cycles of a signature at three levels, at most `sign`, and those of a
/// verification. Because keys are random here, the bounds are six standard deviations of the
/// digits' sum away. The bench of the engine checks each message against its schedule.
fn through_the_engine(dir: &Path, alg: &str, sign: [u64; 3], verification: Range<u64>) {
    fs::write(dir.join("m"), b"in gates").unwrap();
    let keygen = ["keygen", "--alg", alg, "--store", "k", "--guard", "guard"];
    assert_eq!(hasten(dir, &keygen).1, 0);
    for (level, most) in ["none", "masks", "chain-table"].into_iter().zip(sign) {
        let line =
            ["sign", "-k", "k", "m", "--force", "--out", "s", "--level", level, "--cycle", "20ns"];
        let (signed, status) = hasten(dir, &[&line[..], &["--backend", "rtl:xmss"]].concat());
        assert_eq!(status, 0, "{signed}");
        let row = &signed["rows"][0];
        let cycles = row["cycles"].as_u64().unwrap();
        let least = if level == "chain-table" { 150 } else { 1_000 };
        assert!((least..most).contains(&cycles), "{level}: {cycles}");
        assert_eq!(row["core_us"]["max"].as_f64().unwrap(), cycles as f64 / 50.0);
        let by_cpu = ["verify", "-p", "k", "m", "s", "--backend", "portable"];
        assert_eq!(hasten(dir, &by_cpu).1, 0);
    }
    let verify = |signature| ["verify", "-p", "k", "m", signature, "--backend", "rtl:xmss"];
    let (good, status) = hasten(dir, &verify("s"));
    assert_eq!((good["rows"][0]["good"].as_bool(), status), (Some(true), 0), "{good}");
    assert!(verification.contains(&good["rows"][0]["cycles"].as_u64().unwrap()), "{good}");
    let mut bytes = fs::read(dir.join("s")).unwrap();
    bytes[1000] ^= 1;
    fs::write(dir.join("bad"), bytes).unwrap();
    assert_eq!(hasten(dir, &verify("bad")).1, 1);
}

/// Other parameters: n = 24, and LMS with w = 4 and 8. The CPU does the opposite operation.
/// Signatures come from a table, because `chain-table` is the default level of `sign`. w = 8 has
/// none.
#[test]
fn the_xmss_engine_signs_and_verifies_with_n_24_and_lms() {
    if !built() {
        return;
    }
    let sets = [
        ("XMSS-SHA2_10_192", 150..400, 27_000..60_000),
        ("LMS_SHA256_M32_H10_W4", 250..450, 7_000..16_000),
        ("LMS_SHA256_M24_H10_W8", 15_000..90_000, 20_000..95_000),
    ];
    for (alg, sign, verify) in sets {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        fs::write(dir.join("m"), alg).unwrap();
        let on = |line: &str, backend: &str| {
            let arguments: Vec<&str> = line.split(' ').chain(["--backend", backend]).collect();
            hasten(dir, &arguments)
        };
        on(&format!("keygen --alg {alg} --store k --guard guard"), "portable");
        let cycles = |report: &serde_json::Value| report["rows"][0]["cycles"].as_u64().unwrap();
        let (signed, status) = on("sign -k k m --force --out s", "rtl:xmss");
        assert!(status == 0 && sign.contains(&cycles(&signed)), "{alg}: {signed}");
        assert_eq!(on("verify -p k m s", "portable").1, 0, "{alg}");
        on("sign -k k m --force --out t", "portable");
        let (good, status) = on("verify -p k m t", "rtl:xmss");
        assert!(status == 0 && verify.contains(&cycles(&good)), "{alg}: {good}");
        let mut bytes = fs::read(dir.join("t")).unwrap();
        bytes[900] ^= 1;
        fs::write(dir.join("bad"), bytes).unwrap();
        assert_eq!(on("verify -p k m bad", "rtl:xmss").1, 1, "{alg}");
    }
}

fn latency_of_the_engine(dir: &Path) {
    let line = ["latency", "--backend", "rtl:xmss", "--samples", "2", "--signer", "masks"];
    let (measured, status) = hasten(dir, &[&line[..], &["--verifier", "masks"]].concat());
    assert_eq!(status, 0, "{measured}");
    let row = &measured["rows"][0];
    let cycles = |side: &str| row[side]["p50"].as_f64().unwrap();
    assert!((4_000.0..12_000.0).contains(&cycles("sign_cycles")), "{row}");
    assert!((8_000.0..17_000.0).contains(&cycles("verify_cycles")), "{row}");
    assert_eq!(row["sign_us"]["p50"].as_f64().unwrap(), cycles("sign_cycles") / 100.0);
}

/// The Ed25519 core and the CPU accept each other's keys and signatures, and agree in verdicts.
#[test]
fn ed25519_runs_on_its_core() {
    if !built() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let on = |backend: &str, line: &str| {
        let arguments: Vec<&str> = line.split(' ').chain(["--backend", backend]).collect();
        hasten(dir.path(), &arguments)
    };
    let cycles = |report: &serde_json::Value| report["rows"][0]["cycles"].as_u64().unwrap();
    fs::write(dir.path().join("m"), b"on the gates").unwrap();
    let (key, _) = on("rtl:ed25519", "keygen --alg Ed25519 --out k");
    let (sign, _) = on("rtl:ed25519", "sign -k k.key m --force --out s");
    on("portable", "sign -k k.key m --out t");
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert_eq!(read("s"), read("t"));
    let (good, status) = on("rtl:ed25519", "verify -p k.pub m s");
    assert_eq!((good["rows"][0]["good"].as_bool(), status), (Some(true), 0), "{good}");
    assert_eq!(on("portable", "verify -p k.pub m s").1, 0);
    // The target cycles of the fast configuration at latency 2.
    assert!(cycles(&key) <= 1150 && cycles(&sign) <= 1270 && cycles(&good) <= 3200);
    let mut bytes = read("s");
    bytes[40] ^= 1;
    fs::write(dir.path().join("bad"), &bytes).unwrap();
    assert_eq!(on("rtl:ed25519", "verify -p k.pub m bad").1, 1);
    fs::write(dir.path().join("short"), &bytes[1..]).unwrap();
    let (short, status) = on("rtl:ed25519", "verify -p k.pub m short");
    assert_eq!((short["error"].as_str(), status), (Some("short is cut short: 63 of 64 bytes"), 2));
}

/// Requires that the tool reports what the core cannot do, in one line with a hint.
#[test]
fn the_ed25519_core_refuses_other_work() {
    let dir = tempfile::tempdir().unwrap();
    let said = |line: &str| {
        let command = &mut Command::new(env!("CARGO_BIN_EXE_hasten"));
        let output = command
            .args(line.split(' '))
            .args(["--backend", "rtl:ed25519"])
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        said("keygen --alg SLH-DSA-SHAKE-128f --out k"),
        "hasten: 'rtl:ed25519' does not do SLH-DSA-SHAKE-128f\n"
    );
    assert_eq!(
        said("bench kernels --samples 1"),
        "hasten: 'rtl:ed25519' is a whole core, no backend of kernels\nhint: keygen, sign and verify take it, with a key of Ed25519\n"
    );
}
