//! Internal gates of yosys as a Liberty library.

use crate::map::liberty::Liberty;

/// Returns a library with yosys' internal gates as cells.
pub fn library() -> Option<Liberty> {
    let cell = |(kind, function): &(&str, &str)| {
        format!("cell ($_{kind}_) {{ pin(Y) {{ function : \"{function}\"; }} }}\n")
    };
    let cells: String = GATES.iter().map(cell).collect();
    Liberty::of_text(&format!("library (yosys) {{ {cells} {REGISTER} }}"))
}

const GATES: [(&str, &str); 13] = [
    ("BUF", "A"),
    ("NOT", "!A"),
    ("AND", "A*B"),
    ("NAND", "!(A*B)"),
    ("OR", "A+B"),
    ("NOR", "!(A+B)"),
    ("XOR", "A^B"),
    ("XNOR", "!(A^B)"),
    ("ANDNOT", "A*!B"),
    ("ORNOT", "A+!B"),
    ("MUX", "(!S*A)+(S*B)"),
    ("NMUX", "!((!S*A)+(S*B))"),
    ("AOI3", "!((A*B)+C)"),
];

const REGISTER: &str = "cell ($_DFF_P_) { ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; }
    pin(C) { clock : true; } pin(Q) { function : \"IQ\"; } }";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gate_is_there() {
        let library = library().unwrap();
        assert_eq!(library.cells().len(), GATES.len() + 1);
        assert!(library.cells()["$_DFF_P_"].all("ff").next().is_some());
    }
}
