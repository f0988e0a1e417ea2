use super::rows::Said;
use super::*;
use hasten_hwflow::{Class, Drawn};

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
    let both = beside_kept(&file, &[&RUNGS[5]], vec![other]).unwrap();
    assert_eq!(both.iter().map(|row| &*row.stage).collect::<Vec<_>>(), ["software", "refined"]);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_line_without_cycles_and_an_unknown_flag_are_refused() {
    assert!(RUNGS[0].row(&LINE.replace("cycles", "clocks")).is_err());
    for wrong in [
        "--jsn",
        "refind",
        "--energy",
        "--liberty cells",
        "--energy --liberty cells --code code --ram",
        "--energy --liberty cells --code code --ram ram --check",
        "refined --check --point stage=2,lanes=3,unroll=1",
    ] {
        let words: Vec<String> = wrong.split(' ').map(str::to_owned).collect();
        assert_eq!(run(&words).unwrap_err().status(), 2, "{wrong}");
    }
}

#[test]
fn a_row_is_near_by_its_cycles_alone() {
    let old = RUNGS[5].row(LINE).unwrap();
    let with = |cycles| with_cycles(&old, cycles);
    assert!(old.is_near(&old) && with(1020).is_near(&old) && with(980).is_near(&old));
    assert!(!with(1021).is_near(&old) && !with(979).is_near(&old));
    assert!(!Row { lanes: 2, ..old.clone() }.is_near(&old));
    assert!(!Row { hash: "shake".into(), ..old.clone() }.is_near(&old));
}

#[test]
fn a_machine_takes_the_figures_of_its_own_netlist() {
    let netlist = |stage: i64, lanes: i64, ns: f64| serde_json::json!({"core": "asip", "params": {"stage": stage, "lanes": lanes, "unroll": 1}, "kge": 50.5, "critical_path_ns": ns});
    let mut row = RUNGS[5].row(LINE).unwrap();
    row.take(&RUNGS[5], &[netlist(1, 1, 7.0), netlist(2, 4, 9.0), netlist(2, 1, 6.5)]);
    assert_eq!(
        (row.figures.kge, row.figures.critical_path_ns, row.figures.us),
        (Some(50.5), Some(6.5), Some(6.5))
    );
    let mut whole = netlist(2, 1, 8.0);
    whole["core"] = "asip-whole/asip_whole".into();
    whole["memory_kge"] = 100.0.into();
    (row.figures.nj, row.figures.memory_nj) = (Some(3000.0), Some(1000.0));
    row.take(&RUNGS[5], &[whole, netlist(2, 1, 6.5)]);
    let Figures { us, whole_us, at, ate, .. } = row.figures;
    assert_eq!([us, whole_us, at, ate], [6.5, 8.0, 1204.0, 4816.0].map(Some));
    row.take(&RUNGS[5], &[netlist(2, 2, 6.5)]);
    assert_eq!((row.figures.at, row.figures.ate), (None, None));
    assert_eq!((row.figures.kge, row.figures.us), (None, None));
}

#[test]
fn energy_stays_with_its_row_until_the_cycles_move() {
    let row = RUNGS[5].row(LINE).unwrap();
    let memories = energy::Memories { fetch: 10.0, fast: 5.0, read: 20.0, write: 30.0 };
    let class = |cycles: f64, picojoules: f64, sums: [(&str, f64); 3]| Class {
        cycles,
        picojoules,
        sums: sums.map(|(name, sum)| (name.to_owned(), sum)).into(),
    };
    let moving = class(50.0, 500.0, [("fetch", 50.0), ("read", 20.0), ("write", 10.0)]);
    let waiting = class(100.0, 2000.0, [("fetch", 0.0), ("read", 1.0), ("write", 0.0)]);
    let classes = [("moving".to_owned(), moving), ("hashing".to_owned(), waiting)].into();
    let part = Drawn { line: LINE.into(), all: Class::default(), classes };
    let mut kept = row.clone();
    // 500 moving and 300 hashing cycles: ten times the energy of one, three times that of the
    // other.
    energy::window(&mut kept, &part, &memories);
    assert_eq!((kept.figures.nj, kept.figures.memory_nj), (Some(11.0), Some(12.1)));
    let taken = |cycles| {
        let mut fresh = with_cycles(&row, cycles);
        fresh.take_energy(std::slice::from_ref(&kept));
        (fresh.figures.nj, fresh.figures.nj_of)
    };
    assert_eq!(taken(1020), (Some(11.0), Some("window".to_owned())));
    assert_eq!(taken(1021), (None, None));
    energy::give(&mut kept, &class(9.0, 7000.0, [("fetch", 0.0); 3]), &memories, "whole");
    energy::window(&mut kept, &part, &memories);
    assert_eq!(kept.figures.nj, Some(7.0), "a whole goes before a window");
}

#[test]
fn a_rung_is_chosen_by_stage_and_parameters() {
    let options = |line: &str| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Options::parse(&words).unwrap()
    };
    let chosen = |line: &str| {
        let options = options(line);
        RUNGS.iter().filter(|rung| options.takes(rung)).count()
    };
    let files = "--energy --liberty cells --code code --ram ram";
    assert_eq!(chosen(files), 16, "a program for each machine and hash");
    assert_eq!(chosen(&format!("{files} --whole")), 20);
    assert_eq!(chosen(&format!("generic {files}")), 2, "one for each processor");
    assert_eq!(chosen(&format!("refined --point stage=2,lanes=1,unroll=2 {files}")), 1);
    let small = "--point processor=picorv32,stage=2,lanes=1,unroll=2";
    assert_eq!(chosen(&format!("refined {small} {files}")), 1);
    assert_eq!(chosen(&format!("generic --point stage=2,lanes=1,unroll=2 {files}")), 0);
}
