//! `hasten explore`: the keys of its JSON, its page, and its plots.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn hasten(line: &str) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasten"));
    command.args(line.split(' ')).output().expect("the tool runs")
}

fn json(line: &str) -> Value {
    let output = hasten(line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const SMALL: &str = "explore --alg XMSS-SHA2_10_192 --alg LMS_SHA256_M24_H10_W4 --machine 1..16@100ns \
                     --machine cpu --link 100Mbit..1Gbit --rate 100";

#[test]
fn rows_have_the_keys_of_the_contract() {
    let report = json(&format!("{SMALL} --json"));
    assert_eq!(report["schema"], "hasten.explore/1");
    let rows = report["rows"].as_array().expect("rows");
    let keys = [
        "scheme",
        "alg",
        "machine",
        "schedule",
        "signature_bytes",
        "sign_us",
        "wire_us",
        "verify_us",
        "total_us",
        "lower_bound_us",
        "eta_seq",
        "eta_stream",
        "signer_memory_bytes",
        "signatures",
        "within_budget",
        "why_not",
        "pareto",
        "best",
    ];
    for row in rows {
        keys.iter().for_each(|key| assert!(row.get(key).is_some(), "{key} is missing in {row}"));
        for key in ["sign_us", "wire_us", "verify_us", "total_us"] {
            let [min, p50, p99, max] =
                ["min", "p50", "p99", "max"].map(|at| row[key][at].as_f64().expect("a time"));
            assert!(min <= p50 && p50 <= p99 && p99 <= max, "{row}");
        }
        assert_eq!(row["within_budget"] == true, row["why_not"].is_null(), "{row}");
        // A machine known only by its measurements has no bound.
        let known =
            row["alg"].as_str().is_some_and(|a| a.starts_with("XMSS") || a.starts_with("LMS"));
        for eta in ["eta_seq", "eta_stream"].into_iter().filter(|_| known) {
            let eta = row[eta].as_f64().expect("known for sets");
            assert!(0.0 < eta && eta <= 1.0, "{row}");
        }
    }
    for link in [1e8, 1e9] {
        let here = || rows.iter().filter(|row| row["link_bits"] == link);
        let best = here().filter(|row| row["best"] == true).collect::<Vec<_>>();
        let least = here().filter(|row| row["within_budget"] == true);
        let least = least.filter_map(|row| row["total_us"]["p99"].as_f64()).reduce(f64::min);
        assert_eq!(best.first().and_then(|row| row["total_us"]["p99"].as_f64()), least);
        assert!(here().any(|row| row["pareto"] == true));
    }
    // At 100 Mbit/s the link alone takes longer than the budget, and the reason says so.
    let slow = rows.iter().find(|row| row["link_bits"] == 1e8 && row["within_budget"] == false);
    assert!(slow.expect("one")["why_not"].as_str().expect("a reason").contains("link alone"));
}

/// The page as shipped: the parts that the tool fills in are empty.
const SHIPPED: &str = "<p>page</p><script id=\"start\"></script><script id=\"reports\"></script>.";

/// Runs the tool with a page of its own.
fn with_page(page: &str, line: &str, place: &Path) -> std::process::Output {
    std::fs::write(place.join("hasten.html"), page).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasten"));
    command.env("HASTEN_RESULTS", place).current_dir(place);
    command.args(line.split(' ')).output().expect("the tool runs")
}

#[test]
fn the_page_opens_at_the_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let line = "explore --alg XMSS-SHA2_10_192 --alg LMS_SHA256_M24_H10_W4 --machine 2..4@50ns \
                --machine rtl@5ns --link 100Mbit..10Gbit --budget 2ms --rate 7 --propagation 3us \
                --signer masks --delivery streaming --delivery pre-send --bare --html a.html";
    let output = with_page(SHIPPED, line, place);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let state = "budget=2000&link=1000000000&machine=2..4@50ns,rtl@5ns&rate=7\
                &propagation=3&sets=XMSS-SHA2_10_192,LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4\
                 &signer=masks&delivery=streaming,pre-send&bare=true";
    let want = SHIPPED.replacen("></script>", &format!(">{state}</script>"), 1);
    assert_eq!(std::fs::read_to_string(place.join("a.html")).expect("a page"), want);
    // The page opens at the lowest of several rates, and with the default machines of a search.
    let line =
        "explore --alg LMS_SHA256_M24_H10_W4 --link 10Mbit..100Mbit --message 9 --html b.html";
    assert!(with_page(SHIPPED, line, place).status.success());
    let page = std::fs::read_to_string(place.join("b.html")).expect("a page");
    let state = "link=10000000&message=9&machine=cpu,rtl,1..256@100ns";
    assert!(
        page.contains(&format!(">{state}&sets=LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4<")),
        "{page}"
    );
}

#[test]
fn the_page_takes_reports_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let report =
        "{\"schema\":\"hasten.calibration/1\",\"rows\":[],\"note\":\"</script><!--<script>\"}";
    std::fs::write(place.join("mine.json"), report).expect("written");
    let line = "explore --alg LMS_SHA256_M24_H10_W4 --machine 4@50ns --link 1Gbit --machines mine.json \
                --html a.html";
    let output = with_page(SHIPPED, line, place);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(place.join("a.html")).expect("a page");
    let (_, rest) = page.split_once("id=\"reports\">").expect("a part");
    let (text, _) = rest.split_once("</script>").expect("an end");
    assert!(!text.contains('<'), "nothing in it ends a script or begins a comment: {text}");
    let taken: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(taken, serde_json::json!([[], [serde_json::from_str::<Value>(report).unwrap()]]));
}

#[test]
fn another_page_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "explore --alg LMS_SHA256_M24_H10_W4 --machine 4@50ns --link 1Gbit --html a.html";
    let output = with_page("<p>another</p>", line, folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("not the page of this version"), "{said}");
    assert!(!folder.path().join("a.html").exists());
}

#[test]
fn plots_over_links_are_drawn_of_several_links_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["many", "one"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let line = format!("{SMALL} --svg {}", folder.path().join("many").display());
    assert!(hasten(&line).status.success());
    let one = "explore --alg LMS_SHA256_M24_H10_W4 --machine 4@50ns --link 1Gbit";
    let line = format!("{one} --svg {}", folder.path().join("one").display());
    assert!(hasten(&line).status.success());
    let across = ["latency-by-link", "latency-by-units", "eta"];
    for (plots, of, there) in [
        (&across[..], "many", true),
        (&["front-100Mbit", "front-1Gbit", "phases-1Gbit"], "many", true),
        (&["front-1Gbit", "phases-1Gbit"], "one", true),
        (&across[..], "one", false),
    ] {
        for plot in plots {
            let drawn = std::fs::read_to_string(folder.path().join(of).join(format!("{plot}.svg")));
            let is_drawing = |svg: &String| svg.starts_with("<svg") && svg.ends_with("</svg>\n");
            assert_eq!(drawn.ok().is_some_and(|svg| is_drawing(&svg)), there, "{of}: {plot}");
        }
    }
}

#[test]
fn a_study_that_is_wrong_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wrong.toml");
    let cases = [
        ("machines = [\"8\"]", "unknown machine '8'"),
        ("[workload]\nbudget = \"soon\"", "'soon' is not a time"),
        ("[workload]\nbudgets = \"1ms\"", "unknown field"),
        ("[links", "reading"),
    ];
    for (text, problem) in cases {
        std::fs::write(&file, text).expect("written");
        let output = hasten(&format!("explore --config {}", file.display()));
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(problem), "{text}: {said}");
    }
}

#[test]
fn whole_cores_take_the_cycles_that_were_simulated() {
    let line = "explore --alg XMSS-SHA2_10_256 --machine rtl@10ns --link 1Gbit --json";
    let report = json(line);
    let rows = report["rows"].as_array().expect("rows");
    let engine = |row: &&Value| row["machine"].as_str().is_some_and(|m| m.contains("xmss_engine"));
    assert!(rows.iter().filter(engine).count() >= 4);
    let hardware = include_str!("../../../../results/hardware.json");
    let hardware: Value = serde_json::from_str(hardware).expect("JSON");
    let simulated = hardware["rows"].as_array().expect("rows").iter().find(|row| {
        let params = &row["params"];
        row["core"] == "xmss/xmss_engine"
            && row["op"] == "sign"
            && params["alg"] == "XMSS-SHA2_10_256"
            && params["cores"] == 4
            && params["unroll"] == 1
            && params["stage"] == "refined"
            && params["level"] == "cold"
    });
    let cycles = simulated.expect("the engine with four cores")["cycles"].as_f64().expect("cycles");
    let cold = rows.iter().filter(engine).find(|row| {
        let machine = row["machine"].as_str().unwrap_or_default();
        machine.contains(" 4-refined-1 ")
            && row["schedule"].as_str().is_some_and(|s| s.starts_with("early"))
    });
    let sign = cold.expect("its row")["sign_us"]["p50"].as_f64().expect("a time");
    assert!((sign - cycles / 100.0).abs() < 0.01, "{sign} us, {cycles} cycles at 10 ns");
}

#[test]
fn the_processor_knows_the_sets_that_were_simulated_on_it() {
    let line = "explore --alg XMSS-SHA2_10_256 --alg LMS_SHA256_M32_H10_W2 --machine asip@10ns \
                --signer masks --verifier masks --link 1Gbit --json";
    let report = json(line);
    let rows = report["rows"].as_array().expect("rows");
    assert!(rows.len() >= 5 && rows.iter().all(|row| row["alg"] == "XMSS-SHA2_10_256"));
    let processors: Value =
        serde_json::from_str(include_str!("../../../../results/asip.json")).expect("JSON");
    let processors = processors["rows"].as_array().expect("rows");
    for (machine, processor, lanes, unroll) in [
        ("asip refined-4-2 at 10.00 ns", "cv32e40x", 4, 2),
        ("asip picorv32-refined-1-1 at 10.00 ns", "picorv32", 1, 1),
    ] {
        let simulated = processors.iter().find(|row| {
            (row["processor"] == processor && row["stage"] == "refined")
                && (row["lanes"] == lanes && row["unroll"] == unroll)
                && (row["alg"] == "XMSS-SHA2_10_256" && row["op"] == "sign")
                && row["level"] == "masks"
        });
        let cycles = simulated.expect("its row")["cycles"].as_f64().expect("cycles");
        let row = rows.iter().find(|row| row["machine"] == machine);
        let sign = row.expect("the machine")["sign_us"]["p50"].as_f64().expect("a time");
        assert!((sign - cycles / 100.0).abs() < 0.01, "{machine}: {sign} us, {cycles} cycles");
    }
}

#[test]
fn commit_and_rest_are_on_the_way_where_asked_for() {
    let line = "explore --alg XMSS-SHA2_10_256 --machine cpu --link 1Gbit --signer early-auth \
                --verifier none --delivery sequential --commit 1ms --json";
    let sign = |more: &str| {
        let report = json(&format!("{line}{more}"));
        let rows = report["rows"].as_array().expect("rows").clone();
        let row = rows.into_iter().find(|row| row["alg"] == "XMSS-SHA2_10_256").expect("a row");
        (row["sign_us"]["p50"].as_f64().expect("a time"), row["schedule"].clone())
    };
    let (plain, _) = sign("");
    let (late, schedule) = sign(" --commit-on-path");
    assert!((late - plain - 1000.0).abs() < 0.01, "{plain}, {late}");
    assert!(schedule.as_str().is_some_and(|s| s.ends_with("commit on the way")), "{schedule}");
    let (rested, schedule) = sign(" --rested");
    assert!(rested > plain && rested < plain + 200.0, "{plain}, {rested}");
    assert!(schedule.as_str().is_some_and(|s| s.ends_with("rested")), "{schedule}");
}

#[test]
fn algorithms_without_state_are_compared() {
    let report = json("explore --alg XMSS-SHA2_10_256 --machine cpu --link 1Gbit --json");
    let rows = report["rows"].as_array().expect("rows");
    for alg in ["Ed25519", "ML-DSA-44", "ML-DSA-65", "Falcon-512", "SLH-DSA-SHA2-128f"] {
        let row = rows.iter().find(|row| row["alg"] == alg);
        let sign = &row.unwrap_or_else(|| panic!("{alg} is missing"))["sign_us"];
        let [p50, p99, p999, max] =
            ["p50", "p99", "p999", "max"].map(|at| sign[at].as_f64().expect("a time"));
        assert!(p50 <= p99 && p99 <= p999 && p999 <= max, "{alg}: {sign}");
    }
}
