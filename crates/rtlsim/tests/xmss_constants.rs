//! Compares the constants of `rtl/xmss/xmss_hash_pkg.sv` with those of `hasten-hbs`.

use hasten_hbs::params::domain::{D_INTR, D_LEAF, D_MESG, D_PBLC, RANDOMIZER};

const PACKAGE: &str = include_str!("../../../rtl/xmss/xmss_hash_pkg.sv");

/// Returns the number that has this name in the package: `NAME = 16'hNUMBER`.
fn number(name: &str) -> u16 {
    let (_, rest) = PACKAGE.split_once(&format!(" {name} = 16'h")).expect("the package has it");
    let digits = rest.split(|c: char| !c.is_ascii_hexdigit()).next().unwrap_or_default();
    u16::from_str_radix(digits, 16).expect("a hexadecimal number")
}

#[test]
fn type_codes_are_those_of_the_library() {
    let codes = [("DPblc", D_PBLC), ("DMesg", D_MESG), ("DLeaf", D_LEAF), ("DIntr", D_INTR)];
    for (name, code) in codes.into_iter().chain([("RandomizerNumber", RANDOMIZER)]) {
        assert_eq!(number(name), code, "{name}");
    }
}
