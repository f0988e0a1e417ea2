use super::rows::Said;
use super::*;

const LINE: &str = r#"{"alg":"A","level":"none","op":"sign","cycles":1000,"moving":500,"hashing":300,
    "control":200,"heap_bytes":8}"#;

fn with_cycles(row: &Row, cycles: u64) -> Row {
    Row { said: Said { cycles, ..row.said.clone() }, ..row.clone() }
}

#[test]
fn a_line_becomes_a_row_and_a_changed_row_is_found() {
    let row = RUNGS[0].row(LINE).unwrap();
    assert_eq!((row.said.cycles, row.lanes, row.stage.as_str()), (1000, 0, "software"));
    let file = std::env::temp_dir().join(format!("hasten-asip-{}", std::process::id()));
    std::fs::write(&file, document(std::slice::from_ref(&row))).unwrap();
    assert!(stale(&file, std::slice::from_ref(&row)).unwrap().is_empty());
    assert_eq!(stale(&file, &[with_cycles(&row, 900)]).unwrap().len(), 1);
    let other = RUNGS[5].row(LINE).unwrap();
    let both = beside_kept(&file, vec![other]).unwrap();
    assert_eq!(both.iter().map(|row| &*row.stage).collect::<Vec<_>>(), ["software", "refined"]);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_line_without_cycles_and_an_unknown_flag_are_refused() {
    assert!(RUNGS[0].row(&LINE.replace("cycles", "clocks")).is_err());
    for wrong in ["--jsn", "refind"] {
        assert_eq!(run(&[wrong.to_string()]).unwrap_err().status(), 2);
    }
}

#[test]
fn a_row_is_near_by_its_cycles_alone() {
    let old = RUNGS[5].row(LINE).unwrap();
    let with = |cycles| with_cycles(&old, cycles);
    assert!(old.is_near(&old) && with(1020).is_near(&old) && with(980).is_near(&old));
    assert!(!with(1021).is_near(&old) && !with(979).is_near(&old));
    assert!(!Row { lanes: 2, ..old.clone() }.is_near(&old));
}

#[test]
fn a_machine_takes_the_figures_of_its_own_netlist() {
    let netlist = |stage: i64, lanes: i64, ns: f64| serde_json::json!({"params": {"stage": stage, "lanes": lanes, "unroll": 1}, "kge": 50.5, "critical_path_ns": ns});
    let mut row = RUNGS[5].row(LINE).unwrap();
    row.take(RUNGS[5].params, &[netlist(1, 1, 7.0), netlist(2, 4, 9.0), netlist(2, 1, 6.5)]);
    assert_eq!((row.kge, row.critical_path_ns, row.us), (Some(50.5), Some(6.5), Some(6.5)));
    row.take(RUNGS[5].params, &[netlist(2, 2, 6.5)]);
    assert_eq!((row.kge, row.us), (None, None));
}
