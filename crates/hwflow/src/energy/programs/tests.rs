use super::*;

const LIBRARY: &str = "library (t) { nom_voltage : 1.0; capacitive_load_unit (1,pf);
    cell (inv) { pin(A) { direction : input; capacitance : 2; }
        pin(Y) { direction : output; function : \"!A\"; internal_power() {
            rise_power(scalar) { values (\"3\"); } fall_power(scalar) { values (\"1\"); } } } }
    cell (dff) { ff (IQ,IQN) { clocked_on : \"CK\"; next_state : \"D\"; }
        pin(CK) { direction : input; capacitance : 4; internal_power() {
            rise_power(scalar) { values (\"5\"); } fall_power(scalar) { values (\"6\"); } } }
        pin(D) { direction : input; capacitance : 2; }
        pin(Q) { direction : output; function : \"IQ\"; } } }";

/// A register behind an inverter.
const NETLIST: &str = r#"{"ports":{"clk_i":{"direction":"input","bits":[3]},
    "a_i":{"direction":"input","bits":[2]},"q_o":{"direction":"output","bits":[5]}},
    "cells":{"i":{"type":"inv","connections":{"A":[2],"Y":[4]}},
             "f":{"type":"dff","connections":{"D":[4],"CK":[3],"Q":[5]}}}}"#;

/// Columns of four cycles: part, reads, moves, input and output.
const ROWS: [[u64; 5]; 4] = [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [1, 0, 2, 1, 0], [2, 0, 2, 1, 0]];

fn recorded(rows: &[[u64; 5]]) -> Vec<u8> {
    let bytes = rows.concat().into_iter().flat_map(u64::to_le_bytes);
    b".part .read #moving a_i q_o\n".iter().copied().chain(bytes).collect()
}

fn played(recording: &[u8], said: &str) -> Result<Vec<Drawn>, String> {
    let library = Liberty::of_text(LIBRARY).unwrap();
    let module: Module = serde_json::from_str(NETLIST).unwrap();
    let unit: Unit = toml::from_str("top = 't'\nfiles = []").unwrap();
    let mut run = Run::new(&module, &unit, &library)?;
    run.play(recording)?;
    run.lines(said)
}

#[test]
fn a_part_draws_what_its_toggles_and_its_clock_cost() {
    let parts = played(&recorded(&ROWS), "a line").unwrap();
    assert_eq!(parts.len(), 1);
    // The rise of the input costs 1, the fall of the inverter 1 on the net and 1 inside the cell,
    // and two clock cycles 15 each.
    let sums = BTreeMap::from([("read".to_owned(), 1.0)]);
    let all = Class { cycles: 2.0, picojoules: 33.0, sums };
    assert_eq!((&*parts[0].line, &parts[0].all), ("a line", &all));
    assert_eq!(parts[0].classes, BTreeMap::from([("moving".to_owned(), all)]));
}

#[test]
fn a_recording_that_is_not_of_the_netlist_is_refused() {
    let mut wrong = ROWS;
    wrong[2][4] = 1;
    let said = played(&recorded(&wrong), "a line").unwrap_err();
    assert!(said.contains("q_o is not what the model shows"), "{said}");
    let whole = recorded(&ROWS);
    assert!(played(&whole[..whole.len() - 1], "a line").unwrap_err().contains("within a cycle"));
    assert!(played(b".read a_i q_o\n", "").unwrap_err().contains("no parts"));
    assert!(played(b".part a_i\n", "").unwrap_err().contains("q_o"));
    assert!(played(&whole, "two\nlines").unwrap_err().contains("2 lines of 1 parts"));
}

#[test]
fn bits_of_a_port_from_the_64th_on_have_a_column() {
    let places: HashMap<String, usize> =
        [("a_i", 0), ("a_i+64", 1)].map(|(name, at)| (name.to_owned(), at)).into();
    let module: Module = serde_json::from_str(
        r#"{"ports":{"a_i[3]":{"direction":"input","bits":[2]},
            "a_i[67]":{"direction":"input","bits":[3]}},"cells":{}}"#,
    )
    .unwrap();
    let of_port = wires(&module, &places, "clk_i").unwrap();
    let mut found: Vec<(usize, usize)> =
        in_columns(of_port, &places).unwrap().iter().map(|wire| (wire.port, wire.bit)).collect();
    found.sort_unstable();
    assert_eq!(found, [(0, 3), (1, 3)]);
    let narrow = HashMap::from([("a_i".to_owned(), 0)]);
    let of_port = wires(&module, &narrow, "clk_i").unwrap();
    assert!(in_columns(of_port, &narrow).is_err_and(|fault| fault.contains("a_i+64")));
}
