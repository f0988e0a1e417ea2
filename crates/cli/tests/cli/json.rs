//! The keys of `--json` are a contract.

use std::process::Command;

use serde_json::Value;

/// Runs the tool and returns the JSON that it printed.
fn run(line: &str) -> Value {
    // Each run has its own state directory, which stores the register of imports.
    let state = tempfile::tempdir().expect("a directory");
    let output = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args(line.split(' '))
        .env("XDG_STATE_HOME", state.path())
        .output()
        .expect("the tool runs");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn rows(report: &Value) -> &[Value] {
    report["rows"].as_array().expect("rows")
}

fn assert_keys(row: &Value, keys: &[&str]) {
    for key in keys {
        assert!(row.get(key).is_some(), "{key} is missing in {row}");
    }
}

fn assert_time(time: &Value) {
    let [min, p50, p99, max] =
        ["min", "p50", "p99", "max"].map(|key| time[key].as_f64().expect("a number"));
    assert!(0.0 <= min && min <= p50 && p50 <= p99 && p99 <= max, "{time}");
}

fn assert_origin(report: &Value, schema: &str) {
    assert_eq!(report["schema"], schema);
    assert_keys(report, &["command", "version", "commit", "rustc", "machine"]);
    assert_keys(&report["machine"], &["cpu", "backend", "cores"]);
}

/// Levels, height, Winternitz, signature bytes and signatures of each named set of wolfSSL, as
/// printed in its appendix. The first is the default.
const LMS_PARM: [(&str, [u64; 5]); 11] = [
    ("WC_LMS_PARM_NONE", [1, 15, 2, 4784, 32768]),
    ("WC_LMS_PARM_L1_H15_W2", [1, 15, 2, 4784, 32768]),
    ("WC_LMS_PARM_L1_H15_W4", [1, 15, 4, 2672, 32768]),
    ("WC_LMS_PARM_L2_H10_W2", [2, 10, 2, 9300, 1048576]),
    ("WC_LMS_PARM_L2_H10_W4", [2, 10, 4, 5076, 1048576]),
    ("WC_LMS_PARM_L2_H10_W8", [2, 10, 8, 2964, 1048576]),
    ("WC_LMS_PARM_L3_H5_W2", [3, 5, 2, 13496, 32768]),
    ("WC_LMS_PARM_L3_H5_W4", [3, 5, 4, 7160, 32768]),
    ("WC_LMS_PARM_L3_H5_W8", [3, 5, 8, 3992, 32768]),
    ("WC_LMS_PARM_L3_H10_W4", [3, 10, 4, 7640, 1073741824]),
    ("WC_LMS_PARM_L4_H5_W8", [4, 5, 8, 5340, 1048576]),
];

/// Oid, n, w, h, d, h/d and signature bytes.
const XMSS: [(&str, [u64; 7]); 11] = [
    ("XMSS-SHA2_10_256", [1, 32, 16, 10, 1, 10, 2500]),
    ("XMSS-SHA2_16_256", [2, 32, 16, 16, 1, 16, 2692]),
    ("XMSS-SHA2_20_256", [3, 32, 16, 20, 1, 20, 2820]),
    ("XMSSMT-SHA2_20/2_256", [1, 32, 16, 20, 2, 10, 4963]),
    ("XMSSMT-SHA2_20/4_256", [2, 32, 16, 20, 4, 5, 9251]),
    ("XMSSMT-SHA2_40/2_256", [3, 32, 16, 40, 2, 20, 5605]),
    ("XMSSMT-SHA2_40/4_256", [4, 32, 16, 40, 4, 10, 9893]),
    ("XMSSMT-SHA2_40/8_256", [5, 32, 16, 40, 8, 5, 18469]),
    ("XMSSMT-SHA2_60/3_256", [6, 32, 16, 60, 3, 20, 8392]),
    ("XMSSMT-SHA2_60/6_256", [7, 32, 16, 60, 6, 10, 14824]),
    ("XMSSMT-SHA2_60/12_256", [8, 32, 16, 60, 12, 5, 27688]),
];

/// Returns the values under `keys` in a table of `hasten list`, row by row.
fn listed(table: &str, keys: &[&str]) -> Vec<(String, Vec<u64>)> {
    let report = run(&format!("list --table {table} --json"));
    let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
    let values = |row: &Value| keys.iter().map(|key| number(row, key)).collect();
    let name = |row: &Value| row["alg"].as_str().expect("a name").to_owned();
    rows(&report).iter().map(|row| (name(row), values(row))).collect()
}

#[test]
fn the_tables_of_wolfssls_appendix() {
    let lms = ["levels", "height", "winternitz", "signature_bytes", "capacity"];
    let printed = LMS_PARM.map(|(name, values)| (name.to_owned(), values.to_vec()));
    assert_eq!(listed("lms-hss", &lms), printed);
    let xmss = ["oid", "n", "w", "height", "layers", "tree_height", "signature_bytes"];
    let printed = XMSS.map(|(name, values)| (name.to_owned(), values.to_vec()));
    assert_eq!(listed("xmss", &xmss), printed);
}

#[test]
fn latency_rows() {
    let report = run("latency --samples 5 --alg XMSS-SHA2_10_256 --budget 3600s --json");
    assert_origin(&report, "hasten.latency/1");
    assert!(report["memory_locked"].is_boolean(), "it makes keys, and keeps its memory to itself");
    assert_eq!(rows(&report).len(), 6);
    let keys = [
        "alg",
        "signer",
        "verifier",
        "signature_bytes",
        "announce_bytes",
        "samples",
        "idle_us",
        "keep_warm",
        "sign_us",
        "wire_us",
        "verify_us",
        "total_us",
        "within_budget",
    ];
    for row in rows(&report) {
        assert_keys(row, &keys);
        for key in ["sign_us", "wire_us", "verify_us", "total_us"] {
            assert_time(&row[key]);
        }
        assert_eq!((&row["samples"], &row["within_budget"]), (&5.into(), &true.into()));
        assert_eq!(row["wire_us"]["p50"], 21.12);
        let announced = if row["verifier"] == "ots-key" { 4 + 10 * 32 + 67 * 32 } else { 0 };
        assert_eq!(row["announce_bytes"], announced);
        let sum: f64 = ["sign_us", "wire_us", "verify_us"]
            .map(|key| row[key]["min"].as_f64().unwrap())
            .iter()
            .sum();
        assert!(row["total_us"]["min"].as_f64().unwrap() >= sum - 0.001);
    }
}

#[test]
fn resting_and_keeping_warm_are_recorded() {
    let report =
        run("latency --samples 3 --alg XMSS-SHA2_10_192 --signer masks --verifier ots-key \
         --budget 1ns --idle 2ms --keep-warm --json");
    let [row] = rows(&report) else { panic!("one row: {report}") };
    assert_eq!(row["idle_us"], 2000.0);
    assert_eq!((&row["keep_warm"], &row["within_budget"]), (&true.into(), &false.into()));
    assert!(row["keep_warm_cpu_percent"].as_f64().unwrap() > 0.0);
}

#[test]
fn bench_kernel_rows() {
    let report = run("bench kernels --backend portable --samples 3 --json");
    assert_origin(&report, "hasten.bench/1");
    assert_eq!(report["machine"]["backend"], "portable");
    assert_bench(&report);
    let peers = rows(&report).iter().filter(|row| row["peer"]["ratio"].as_f64() > Some(0.0));
    assert_eq!(peers.count(), rows(&report).len());
}

#[test]
fn bench_xmss_rows() {
    let report = run("bench xmss --alg XMSS-SHA2_10_256 --samples 3 --json");
    assert_bench(&report);
    let find = |op: &str, level: &str| {
        let row = rows(&report).iter().find(|row| row["op"] == op && row["level"] == level);
        row.unwrap_or_else(|| panic!("{op} at {level}"))
    };
    // With the chain table only the message hash remains: two compressions of a 64-byte message.
    assert_eq!(find("sign", "chain-table")["compressions"], 2.0);
    let climbs =
        ["none", "masks", "ots-key"].map(|level| find("verify", level)["compressions"].as_f64());
    assert!(climbs.is_sorted_by(|a, b| a > b), "{climbs:?}");
    // RFC 8391: 1024 leaves of 4550 compressions with PRF midstates, and 1023 nodes of 6.
    let keygen = rows(&report).iter().find(|row| row["op"] == "keygen").expect("keygen");
    let compressions = keygen["compressions"].as_f64().unwrap();
    assert!((4_665_338.0..4_900_000.0).contains(&compressions), "{compressions}");
}

/// Keys of a row of `bench channel`, in order.
const CHANNEL: [&str; 18] = [
    "alg",
    "library",
    "rate",
    "wait",
    "message_bytes",
    "sign_us",
    "verify_us",
    "wire_us",
    "total_us",
    "delivery_us",
    "bytes",
    "prepare_cpu_percent",
    "late",
    "sent",
    "verified",
    "refused",
    "per_second",
    "link_bits",
];

#[test]
fn bench_channel_rows() {
    let report = run("bench channel --rate 100 --seconds 1 --size 64 --json");
    assert_origin(&report, "hasten.channel-bench/1");
    let mut cases: Vec<_> = rows(&report).iter().map(|row| (&row["alg"], &row["wait"])).collect();
    cases.dedup();
    // ML-DSA-44 needs a build with aws-lc.
    let algs = 4 + usize::from(cfg!(feature = "aws-lc"));
    assert_eq!((cases.len(), rows(&report).len()), (2 * algs, 2 * algs), "{cases:?}");
    for row in rows(&report) {
        let mut keys: Vec<_> = row.as_object().expect("a row").keys().collect();
        let mut expected = CHANNEL.to_vec();
        keys.sort();
        expected.sort_unstable();
        assert_eq!(keys, expected);
        for time in ["sign_us", "verify_us", "total_us", "delivery_us"].map(|key| &row[key]) {
            assert_time(time);
            let [p99, p999, max] = ["p99", "p999", "max"].map(|key| time[key].as_f64());
            assert!(p99 <= p999 && p999 <= max, "{time}");
        }
        assert_eq!((&row["sent"], &row["verified"]), (&100.into(), &100.into()), "{row}");
        assert_eq!((&row["late"], &row["refused"]), (&0.into(), &0.into()), "{row}");
        let [total, sign, verify] =
            ["total_us", "sign_us", "verify_us"].map(|key| row[key]["min"].as_f64().unwrap());
        let wire = row["wire_us"].as_f64().unwrap();
        assert!(total + 0.001 >= sign + wire + verify, "{row}");
    }
    let bytes = |alg: &str| {
        let row = rows(&report).iter().find(|row| row["alg"] == alg).expect("a row");
        (row["bytes"].as_u64().unwrap(), row["prepare_cpu_percent"].as_f64().unwrap() > 0.0)
    };
    assert_eq!(bytes("Ed25519"), (64 + 64, false));
    assert_eq!(bytes("HMAC-SHA-256"), (64 + 32, false));
    let lms = 32 + 64 + 4 + (4 + 24 + 51 * 24) + 4 + 10 * 24;
    assert_eq!(bytes("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4"), (lms, true));
}

#[test]
fn bench_channel_measures_what_is_asked_for() {
    let line = "bench channel --alg ed25519 --alg LMS_SHA256_M24_H5_W8 --rate 200 --rate 20 \
                --seconds 1 --size 1400 --wait block --link 100Mbit --json";
    let report = run(line);
    let rates: Vec<_> = rows(&report).iter().map(|row| row["rate"].as_u64().unwrap()).collect();
    assert_eq!(rates, [200, 20, 200, 20]);
    for (row, rate) in rows(&report).iter().zip(rates) {
        // A row may overrun by a tenth of its time. On a busy machine the last messages are not
        // sent.
        let sent = row["sent"].as_u64().unwrap();
        assert!((rate / 2..=rate).contains(&sent), "{row}");
        assert_eq!(row["verified"], row["sent"], "over several trees");
        assert_eq!((&row["wait"], &row["message_bytes"]), (&"block".into(), &1400.into()));
    }
    // 1,464 bytes, and 38 bytes of framing.
    assert_eq!(rows(&report)[0]["wire_us"], 120.16);
}

/// The messages of a window are signed together in Hasten's channel, and not in a peer's.
#[test]
fn bench_channel_signs_windows_at_once() {
    let line = "bench channel --alg LMS_SHA256_M24_H10_W4 --alg Ed25519 --rate 1000 --seconds 1 \
                --size 64 --wait block --batch 20ms --json";
    let report = run(line);
    let [lms, ed25519] = rows(&report) else { panic!("{report}") };
    assert_eq!((&lms["batch_us"], &lms["batch_messages"]), (&20_000.0.into(), &20.into()));
    // Position, size and salt, and five nodes of the first message.
    let alone = 32 + 64 + 4 + (4 + 24 + 51 * 24) + 4 + 10 * 24;
    assert_eq!(lms["bytes"], alone + 20 + 24 * 5);
    assert_keys(ed25519, &CHANNEL);
    assert!(["batch_us", "batch_messages"].iter().all(|key| ed25519.get(key).is_none()));
    for row in [lms, ed25519] {
        assert_eq!(row["sent"], row["verified"], "{row}");
    }
    // The first message of a window waits until its end, and the last hardly at all.
    let waited = lms["delivery_us"]["p50"].as_f64().unwrap();
    assert!(waited > 5_000.0, "{lms}");
}

#[test]
fn bench_channel_compares_rest_with_the_highest_rate() {
    let line = "bench channel --alg HMAC-SHA-256 --rate 20 --rate 500 --rest 10ms --seconds 1 \
                --size 64 --json";
    let report = run(line);
    let cases: Vec<_> = rows(&report).iter().map(|row| (&row["rate"], &row["wait"])).collect();
    let expected = [20, 500, 100].map(serde_json::Value::from);
    let expected = expected.iter().flat_map(|rate| [(rate, "spin".into()), (rate, "block".into())]);
    let expected: Vec<(&Value, Value)> = expected.collect();
    assert!(
        cases.iter().zip(&expected).all(|(case, want)| *case == (want.0, &want.1)),
        "{cases:?}"
    );
    for (warm, rested) in rows(&report)[2..4].iter().zip(&rows(&report)[4..]) {
        assert!(warm.get("rest_us").is_none() && warm.get("of_warm").is_none());
        assert_eq!(rested["rest_us"], 10_000.0);
        for (key, time) in [("sign", "sign_us"), ("verify", "verify_us"), ("total", "total_us")] {
            let [of, warm, rested] =
                [&rested["of_warm"][key], &warm[time]["p50"], &rested[time]["p50"]]
                    .map(|number| number.as_f64().expect("a number"));
            assert!((of - rested / warm).abs() < 0.01, "{report}");
        }
        // Fewer than at a rate of 100: the duration of the calls adds to the rests, and on a busy
        // machine the wait for a CPU does too.
        assert!((10..=100).contains(&rested["sent"].as_u64().unwrap()), "{rested}");
        assert_eq!(rested["sent"], rested["verified"]);
    }
}

/// All genuine messages arrive although nineteen of twenty datagrams are bogus, and no bogus
/// datagram is accepted as a message.
#[test]
fn a_flood_hides_no_message() {
    let line = "bench channel --alg LMS_SHA256_M24_H10_W4 --alg Ed25519 --rate 250 --seconds 2 \
                --size 64 --wait block --flood 5000 --json";
    for row in rows(&run(line)) {
        assert_eq!((&row["sent"], &row["verified"]), (&500.into(), &500.into()), "{row}");
        let [bogus, refused] = ["bogus", "refused"].map(|key| row[key].as_u64().expect("a number"));
        // The flood begins with the warm-up, and some of its datagrams are repeated announcements.
        assert!((8_000..=13_000).contains(&bogus), "{row}");
        // A genuine announcement is refused while the flood uses up the verifications allowed for
        // announcements. It is sent again.
        assert!((bogus * 9 / 10..=bogus + bogus / 100).contains(&refused), "{row}");
    }
}

fn assert_bench(report: &Value) {
    let keys = [
        "alg",
        "op",
        "level",
        "backend",
        "threads",
        "time_us",
        "per_second",
        "compressions",
        "bytes",
    ];
    assert!(!rows(report).is_empty());
    for row in rows(report) {
        assert_keys(row, &keys);
        assert_time(&row["time_us"]);
    }
}

#[test]
fn list_rows() {
    let report = run("list --alg XMSS-SHA2_10_256 --json");
    assert_eq!(report["schema"], "hasten.list/1");
    let [row] = rows(&report) else { panic!("one row: {report}") };
    assert_eq!((&row["signature_bytes"], &row["public_key_bytes"]), (&2500.into(), &68.into()));
    assert_eq!(
        (&row["capacity"], &row["nist"], &row["cnsa"]),
        (&1024.into(), &true.into(), &true.into())
    );
    // NIST approves sets that combine several trees. The NSA's suite does not include them.
    for alg in ["XMSSMT-SHA2_20/2_256", "HSS(LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W8)"] {
        let report = run(&format!("list --alg {alg} --json"));
        let row = &rows(&report)[0];
        assert_eq!((&row["nist"], &row["cnsa"]), (&true.into(), &false.into()), "{alg}");
    }
}

#[test]
fn list_and_keygen_say_one_size_and_one_name() {
    let place = tempfile::tempdir().expect("a folder");
    for alg in [
        "LMS_SHA256_M24_H5_W8",
        "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W4)",
        "XMSSMT-SHA2_20/4_256",
    ] {
        let list = run(&format!("list --alg {alg} --json"));
        let listed = &rows(&list)[0];
        let name = listed["alg"].as_str().expect("a name");
        let key = place.path().join(alg.replace('/', "-"));
        let guard = key.with_extension("guard");
        let (key, guard) = (key.display(), guard.display());
        let made = run(&format!("keygen --alg {alg} --store {key} --guard {guard} --json"));
        let made = &rows(&made)[0];
        assert_eq!(made["alg"], name);
        assert_eq!(made["public_key_bytes"], listed["written_public_key_bytes"], "{alg}");
        assert_eq!(made["signature_bytes"], listed["written_signature_bytes"], "{alg}");
        let front = listed["written_signature_bytes"].as_u64().expect("a size")
            - listed["signature_bytes"].as_u64().expect("a size");
        assert_eq!(listed["hss_bytes"], front, "{alg}");
        assert_eq!(front, if alg.starts_with("LMS") { 4 } else { 0 }, "{alg}");
    }
}

#[test]
fn without_a_subject_the_kernels_alone_are_measured() {
    let report = run("bench --samples 2 --json");
    let kernels = ["SHA-256", "SHA-512", "Keccak"];
    let all = rows(&report);
    assert!(all.iter().all(|row| kernels.iter().any(|name| row["alg"] == *name)), "{report}");
    assert!(kernels.iter().all(|name| all.iter().any(|row| row["alg"] == *name)), "{report}");
}

#[test]
fn calls_and_dependencies() {
    let report = run("analyze calls --alg XMSS-SHA2_10_256 --op sign --level masks --json");
    assert_eq!(report["schema"], "hasten.calls/1");
    let keys =
        ["alg", "op", "level", "path", "calls", "own", "inclusive", "share", "batch", "bytes"];
    rows(&report).iter().for_each(|row| assert_keys(row, &keys));
    let own: u64 = rows(&report).iter().filter_map(|row| row["own"].as_u64()).sum();
    assert_eq!(rows(&report)[0]["inclusive"], own);

    let report = run("analyze deps --alg XMSS-SHA2_10_256 --op verify --worst --json");
    assert_eq!(report["schema"], "hasten.deps/1");
    let row = &rows(&report)[0];
    assert_keys(row, &["work", "critical_path", "independent", "dominates", "steps", "profile"]);
    // H_msg 4, 990 steps of 4, 66 + 10 nodes of 6.
    assert_eq!(row["work"], 4 + 990 * 4 + 76 * 6);
    assert_eq!(row["critical_path"], 4 + 2 + 15 + 2 * 7 + 2 * 10);
}

#[test]
fn rows_of_a_stateful_key() {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path().to_str().expect("a name");
    std::fs::write(format!("{place}/m"), "message").expect("written");
    let run = |line: &str| run(&line.replace("AT", place));
    let made = run("keygen --alg XMSS-SHA2_10_192 --store AT/k --guard AT/g --sectors 4 --json");
    assert_eq!(
        (&made["schema"], &made["rows"][0]["sectors"]),
        (&"hasten.keygen/1".into(), &4.into())
    );
    let signed = run("sign -k AT/k AT/m --json");
    let times = ["reserve_us", "prepare_us", "read_us", "finish_us"];
    times.iter().for_each(|time| assert_time(&signed["rows"][0][time]));
    let keys = ["index", "capacity", "reserved_first", "reserved_count", "remaining", "lost"];
    assert_keys(&signed["rows"][0], &keys);
    let given = run("shard -k AT/k --sector --out AT/s --out-guard AT/gs --json");
    assert_eq!(given["schema"], "hasten.shard/1");
    assert_eq!(
        (&given["rows"][0]["first"], &given["rows"][0]["count"]),
        (&768.into(), &256.into())
    );
    assert_eq!(given["rows"][0]["shares_seed"], false);
    let out = run("export-shard -k AT/k --count 4 --out AT/f --json");
    assert_eq!(out["schema"], "hasten.export-shard/1");
    let keys = ["first", "count", "shares_seed", "encrypted", "shard_file", "remaining_here"];
    assert_keys(&out["rows"][0], &keys);
    assert_eq!((&out["rows"][0]["first"], &out["rows"][0]["count"]), (&764.into(), &4.into()));
    assert_eq!(out["rows"][0]["shares_seed"], true);
    let seen = run("inspect AT/f --json");
    assert_eq!(seen["rows"][0]["what"], "shard of a stateful key");
    assert_eq!(seen["rows"][0]["first_index"], 764);
    let made = run("import-shard AT/f --store AT/i --guard AT/gi --json");
    assert_eq!(made["schema"], "hasten.import-shard/1");
    let keys = ["alg", "first", "count", "encrypted", "store", "guard", "witness", "file_erased"];
    assert_keys(&made["rows"][0], &keys);
    assert_eq!(
        (&made["rows"][0]["first"], &made["rows"][0]["file_erased"]),
        (&764.into(), &true.into())
    );
    assert_eq!(made["rows"][0]["alg"], signed["rows"][0]["alg"]);
    let theirs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/lms/hash-sigs/one");
    let line = format!("import {theirs}.prv -p {theirs}.pub --burned-through 2 --margin 5");
    let moved = run(&format!("{line} --store AT/h --guard AT/gh --json"));
    assert_eq!(moved["schema"], "hasten.import/1");
    let keys = ["alg", "capacity", "margin", "remaining", "encrypted", "private_key_file", "guard"];
    assert_keys(&moved["rows"][0], &keys);
    let row = &moved["rows"][0];
    assert_eq!((&row["burned_through"], &row["next_index"]), (&2.into(), &8.into()));
    let status = run("status -k AT/k --json");
    let keys = ["alg", "used", "lost", "burned", "given", "remaining", "generation", "witness"];
    assert_keys(&status["rows"][0], &keys);
    assert_eq!(status["rows"][0]["sectors_here"], serde_json::json!([0, 1, 2]));
    let audit = run("status -k AT/k --audit --json");
    assert_eq!(audit["schema"], "hasten.audit/1");
    let reserved = rows(&audit).iter().find(|row| row["what"] == "reserve").expect("reserved");
    assert_keys(reserved, &["seq", "time_ms", "first", "count", "pid", "uid", "host", "session"]);
    assert_eq!((&reserved["first"], &reserved["count"]), (&0.into(), &1.into()));
}

#[test]
fn rows_of_forms_for_other_programs() {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path().to_str().expect("a name");
    std::fs::write(format!("{place}/m"), "message").expect("written");
    let run = |line: &str| run(&line.replace("AT", place));
    run("keygen --alg LMS_SHA256_M24_H5_W8 --store AT/k --guard AT/g --json");
    let exported = run("export -p AT/k --format lms --out AT/k.lms --json");
    assert_eq!(exported["schema"], "hasten.export/1");
    let row = &exported["rows"][0];
    assert_keys(row, &["alg", "format", "public_key_bytes", "public_key_file"]);
    assert_eq!((&row["format"], &row["public_key_bytes"]), (&"lms".into(), &48.into()));
    let plain = &run("sign -k AT/k AT/m --json")["rows"][0];
    assert_eq!((plain.get("format"), plain.get("digest")), (None, None));
    let bare = &run("sign -k AT/k AT/m --format lms --digest sha384 --force --json")["rows"][0];
    assert_eq!((&bare["format"], &bare["digest"]), (&"lms".into(), &"sha384".into()));
    assert_eq!(bare["signature_bytes"], 780);
    let good = &run("verify -p AT/k.lms --digest sha384 AT/m --json")["rows"][0];
    assert_eq!((&good["good"], &good["index"]), (&true.into(), &1.into()));
}

#[test]
fn rows_of_dual_signatures() {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path().to_str().expect("a name");
    std::fs::write(format!("{place}/m"), "message").expect("written");
    let run = |line: &str| run(&line.replace("AT", place));
    run("keygen --alg LMS_SHA256_M24_H5_W8 --store AT/k --guard AT/g --json");
    run("keygen --alg Ed25519 --out AT/e --json");
    let signed = run("dual sign -k AT/k --second AT/e.key AT/m --json");
    assert_eq!(signed["schema"], "hasten.dual-sign/1");
    let keys = ["alg", "second_alg", "index", "capacity", "remaining", "lost", "signature_bytes"];
    assert_keys(&signed["rows"][0], &keys);
    let good = run("dual verify -p AT/k --second AT/e.pub AT/m --json");
    assert_eq!(good["schema"], "hasten.dual-verify/1");
    let row = &good["rows"][0];
    assert_time(&row["verify_us"]);
    assert_eq!((&row["good"], &row["index"], row.get("error")), (&true.into(), &0.into(), None));
    let file = format!("{place}/m.dual");
    let whole = std::fs::read(&file).expect("there");
    let verified = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("written");
        let mut tool = Command::new(env!("CARGO_BIN_EXE_hasten"));
        tool.args(["dual", "verify", "-p", &format!("{place}/k"), "--second"]);
        tool.args([&format!("{place}/e.pub"), &format!("{place}/m"), "--json"]);
        tool.output().expect("the tool runs")
    };
    let mut changed = whole.clone();
    *changed.last_mut().expect("bytes") ^= 1;
    let output = verified(&changed);
    let bad: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &bad["rows"][0]["good"]), (Some(1), &false.into()));
    assert!(bad["rows"][0]["error"].as_str().is_some_and(|said| said.contains("second half")));
    let output = verified(&whole[..whole.len() - 1]);
    let failed: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!((output.status.code(), &failed["kind"]), (Some(2), &"signature".into()));
    assert!(failed["error"].as_str().is_some_and(|said| said.contains("cut short")));
}
