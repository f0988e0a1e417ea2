//! `hasten explore`: the keys of its JSON, its report, its files.

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
        for eta in ["eta_seq", "eta_stream"] {
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
    // At 100 Mbit/s the wire alone takes longer than the budget, and the reason says so.
    let slow = rows.iter().find(|row| row["link_bits"] == 1e8 && row["within_budget"] == false);
    assert!(slow.expect("one")["why_not"].as_str().expect("a reason").contains("link alone"));
}

#[test]
fn the_report_holds_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("report.html");
    let line =
        format!("{SMALL} --json --html {} --svg {}", page.display(), folder.path().display());
    let report = json(&line);
    let html = std::fs::read_to_string(&page).expect("a report");
    let (_, rest) = html.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("an end");
    let embedded: Value = serde_json::from_str(&data.replace("<\\/", "</")).expect("JSON");
    assert_eq!(embedded, report["rows"]);
    for part in ["viewport", "prefers-color-scheme:dark", "color-scheme: light dark", "onclick"] {
        assert!(html.contains(part), "{part}");
    }
    // Nothing from elsewhere: names of namespaces are the only addresses.
    let elsewhere = html.matches("http").count();
    assert_eq!(elsewhere, html.matches("http://www.w3.org/2000/svg").count());
    for plot in ["latency-by-link", "latency-by-units", "eta", "pareto", "phases-1Gbit"] {
        let svg = std::fs::read_to_string(folder.path().join(format!("{plot}.svg"))).expect(plot);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{plot}");
        assert!(html.contains(svg.trim_end()), "{plot}");
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
