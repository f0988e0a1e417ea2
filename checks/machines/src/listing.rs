//! The listing of a program, as printed by `objdump -d`, and the kinds of its instructions.

use std::collections::BTreeMap;

/// Kinds of instructions: vector work of a hash function, moving words between lanes, copying
/// registers, reading memory, writing memory, and everything that is not a vector instruction.
pub const KINDS: [&str; 6] = ["arithmetic", "shuffles", "moves", "loads", "stores", "plain"];

/// Prefixes of vector instructions that add, rotate, shift and combine bits.
const ARITHMETIC: [&str; 13] = [
    "vpadd",
    "vpsub",
    "vprol",
    "vpror",
    "vpsll",
    "vpsrl",
    "vpternlog",
    "vpxor",
    "vpand",
    "vpor",
    "vxor",
    "vand",
    "vor",
];

/// Prefixes of vector instructions that copy, load or store.
const COPIES: [&str; 3] = ["vmov", "vpbroadcast", "vbroadcast"];

/// The kind of the instruction at each address.
pub struct Listing(BTreeMap<u64, &'static str>);

impl Listing {
    /// Reads a listing.
    pub fn read(printed: &str) -> Self {
        Self(printed.lines().filter_map(instruction).collect())
    }

    /// Returns the kind of the instruction at an address. Instructions of a library are plain.
    pub fn kind(&self, address: u64) -> &'static str {
        self.0.get(&address).copied().unwrap_or("plain")
    }
}

fn instruction(line: &str) -> Option<(u64, &'static str)> {
    let (address, rest) = line.trim_start().split_once(":\t")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let rest = rest.trim_start_matches("{evex} ").trim_end();
    let (name, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((address, kind_of(name, operands)))
}

fn kind_of(name: &str, operands: &str) -> &'static str {
    let begins = |with: &[&str]| with.iter().any(|start| name.starts_with(start));
    if !name.starts_with('v') || name == "vzeroupper" {
        "plain"
    } else if begins(&ARITHMETIC) {
        "arithmetic"
    } else if !begins(&COPIES) {
        "shuffles"
    } else if operands.ends_with(')') || operands.ends_with('}') && operands.contains("){") {
        "stores"
    } else if operands.contains('(') {
        "loads"
    } else {
        "moves"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_name_and_operands() {
        for (name, operands, kind) in [
            ("vprold", "$0x6,%zmm1,%zmm2", "arithmetic"),
            ("vpaddd", "0x10(%rip){1to16},%zmm0,%zmm1", "arithmetic"),
            ("vpshufb", "%zmm1,%zmm2,%zmm3", "shuffles"),
            ("vmovdqa64", "%zmm1,%zmm2", "moves"),
            ("vmovdqu64", "(%rsi),%zmm2", "loads"),
            ("vmovdqu64", "%zmm2,0x40(%rsi)", "stores"),
            ("vmovdqu64", "%zmm2,0x40(%rsi){%k1}", "stores"),
            ("vmovdqu64", "(%rsi),%zmm2{%k1}{z}", "loads"),
            ("vzeroupper", "", "plain"),
            ("mov", "%rax,(%rsi)", "plain"),
        ] {
            assert_eq!(kind_of(name, operands), kind, "{name} {operands}");
        }
    }

    #[test]
    fn lines_of_instructions_are_read_and_others_left() {
        let listing = Listing::read("0000 <main>:\n   42c40:\tvmovdqa64 (%rsi),%zmm1\n  ...\n");
        assert_eq!(listing.kind(0x42c40), "loads");
        assert_eq!(listing.kind(0), "plain");
    }
}
