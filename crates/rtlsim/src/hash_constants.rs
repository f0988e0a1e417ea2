//! The constants of SHA-256 and SHA-512 for the cores, from the constants of the kernels.

use hasten_kernels::{Sha256, Sha512};
use std::fmt::{LowerHex, Write as _};

const HEADER: &str = "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Written by `cargo run -p hasten-rtlsim --bin hash-emit` from the constants of hasten-kernels.
`default_nettype none
";

const END: &str = "\n`default_nettype wire\n";

/// Returns every generated file: its path below `rtl/`, and its text.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    let files =
        [("sha256/gen/sha256_constants_pkg.sv", sha256()), ("sha512/gen/sha512_pkg.sv", sha512())];
    files.into_iter().map(|(path, text)| (path, text + END)).collect()
}

fn sha256() -> String {
    let mut text = format!(
        "{HEADER}
// Constants of SHA-256 (FIPS 180-4, Section 4.2.2 (SHA-224 and SHA-256 Constants), Section 5.3.3
// (SHA-256)). H0 and the constant of round 0 are elements 0. A design uses its share of them.
package sha256_constants_pkg;
  // verilator lint_off UNUSEDPARAM
"
    );
    let mut listed = |name: &str, words: &[u32], between: &str| {
        let (last, list) = (words.len() - 1, joined(words.iter().rev(), 32, between));
        let _ = writeln!(text, "  localparam logic [{last}:0][31:0] {name} = {{\n{list}\n  }};");
    };
    listed("InitialState", &Sha256::INITIAL, ", ");
    listed("RoundConstants", &Sha256::ROUND_CONSTANTS, LINES);
    text + "  // verilator lint_on UNUSEDPARAM\nendpackage\n"
}

fn sha512() -> String {
    let mut text = format!(
        "{HEADER}
// Constants of SHA-512 (FIPS 180-4, Section 4.2.3 (SHA-384, SHA-512, SHA-512/224 and SHA-512/256
// Constants), Section 5.3.5 (SHA-512)).
package sha512_pkg;
  localparam logic [511:0] InitialState = {{
{}
  }};

  function automatic logic [63:0] round_constant(logic [6:0] round);
    unique case (round)
",
        joined(Sha512::INITIAL.iter(), 64, LINES)
    );
    for (round, word) in Sha512::ROUND_CONSTANTS.iter().enumerate() {
        let _ = writeln!(text, "      7'd{round}: round_constant = 64'h{word:016x};");
    }
    text + "      default: round_constant = '0;\n    endcase\n  endfunction\nendpackage\n"
}

/// Separator of words with one line each. The formatter keeps a list on one line if it fits.
const LINES: &str = ",\n    ";

/// Returns the words, indented and separated by `between`.
fn joined<'w, W: LowerHex + 'w>(
    words: impl Iterator<Item = &'w W>,
    bits: usize,
    between: &str,
) -> String {
    let digits = bits / 4;
    let words: Vec<String> = words.map(|word| format!("{bits}'h{word:0digits$x}")).collect();
    format!("    {}", words.join(between))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn the_generated_files_are_the_committed_ones() {
        let rtl = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl");
        for (path, text) in files() {
            let committed = std::fs::read_to_string(rtl.join(path)).unwrap();
            assert!(committed == text, "{path}: run cargo run -p hasten-rtlsim --bin hash-emit");
        }
    }

    fn primes() -> impl Iterator<Item = u32> {
        (2u32..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
    }

    /// Returns the first bits of the fractional part of a prime's square root or cube root.
    fn fraction(prime: u32, root: u32, bits: u32) -> BigUint {
        let mask = (BigUint::from(1u8) << bits) - 1u8;
        (BigUint::from(prime) << (root * bits)).nth_root(root) & mask
    }

    #[test]
    fn the_constants_are_fractions_of_roots_of_primes() {
        for (words, root) in [(&Sha256::INITIAL[..], 2), (&Sha256::ROUND_CONSTANTS, 3)] {
            for (word, prime) in words.iter().zip(primes()) {
                assert_eq!(BigUint::from(*word), fraction(prime, root, 32), "{prime}");
            }
        }
        for (words, root) in [(&Sha512::INITIAL[..], 2), (&Sha512::ROUND_CONSTANTS, 3)] {
            for (word, prime) in words.iter().zip(primes()) {
                assert_eq!(BigUint::from(*word), fraction(prime, root, 64), "{prime}");
            }
        }
    }
}
