use super::encode::{ECALL, NOP};
use super::*;

const BOTH: Extensions = Extensions { bits: true, unit: true, small: false };

/// Returns the code of a program as 16-bit parcels.
fn code(program: &[u8]) -> Vec<u16> {
    let word = |at: usize| u32::from_le_bytes(program[at..at + 4].try_into().unwrap()) as usize;
    let (at, len) = (word(52 + 32 + 4), word(52 + 32 + 16));
    program[at..at + len].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// Returns the instructions of code. Compressed ones are not expanded.
fn instructions(code: &[u16]) -> Vec<u32> {
    let (mut at, mut found) = (0, Vec::new());
    while at < code.len() {
        let wide = code[at] & 3 == 3;
        let high = if wide { u32::from(code[at + 1]) << 16 } else { 0 };
        found.push(high | u32::from(code[at]));
        at += if wide { 2 } else { 1 };
    }
    found
}

#[test]
fn a_seed_makes_one_program() {
    let program = |seed, with| random::program(seed, 500, with);
    assert_eq!(program(1, BOTH), program(1, BOTH));
    assert_ne!(program(1, BOTH), program(2, BOTH));
}

#[test]
fn programs_have_what_their_machine_has() {
    let of = |with| instructions(&code(&random::program(3, 2_000, with)));
    let (all, plain) = (of(BOTH), of(Extensions { bits: false, unit: false, small: false }));
    let unit = |word: &&u32| **word & 0x7f == encode::CUSTOM;
    let bits = |word: &&u32| **word & 0x7f == encode::OP && ![0, 1, 0x20].contains(&(**word >> 25));
    assert!(all.iter().filter(unit).count() > 20 && all.iter().filter(bits).count() > 20);
    assert_eq!(plain.iter().filter(unit).count() + plain.iter().filter(bits).count(), 0);
    assert!(plain.contains(&ECALL) && !plain.contains(&0));
}

#[test]
fn an_instruction_of_the_unit_follows_a_nop_or_another_one() {
    let unit = |word: u32| word & 0x7f == encode::CUSTOM;
    let all = instructions(&code(&random::program(4, 2_000, BOTH)));
    let pairs: Vec<_> = all.windows(2).filter(|pair| unit(pair[1])).collect();
    let begins = pairs.iter().filter(|pair| !unit(pair[0]));
    assert!(begins.clone().count() > 10 && begins.skip(1).all(|pair| pair[0] == NOP));
}

#[test]
fn branches_go_where_they_are_sent() {
    assert_eq!(encode::b(1, 9, 0, -8), 0xfe04_9ce3);
    assert_eq!(encode::jal(1, 2048), 0x0010_00ef);
    assert_eq!(encode::c_branch(true, 10, 8), 0xc501);
    assert_eq!(encode::s(2, 5, 6, -4), 0xfe62_ae23);
}

#[test]
fn the_last_line_is_counted_and_an_unknown_flag_is_refused() {
    let line = r#"{"instructions":7,"stores":2,"of_unit":1}"#;
    let good = counts(Path::new("a"), &format!("said\n{line}\n")).unwrap();
    assert_eq!(good, Counts { instructions: 7, stores: 2, of_unit: 1 });
    assert!(counts(Path::new("a"), "said\n").is_err());
    assert_eq!(run(&["--chek".to_string()]).unwrap_err().status(), 2);
}
