//! Clock cycles of each operation of the unit: the contract of `rtl/keccak/README.md`.
//!
//! `HASTEN_RESULT=results/rtl-sha3.json` keeps them.

use crate::sponge::{FUNCTIONS, NAMES};
use crate::{chain, keep, prefix, unit};
use hasten_rtlsim::sha3::{Ending, Inputs, Op, Sha3Unit};
use hasten_rtlsim::sha3_job::{Eager, Job, run};

/// An operation, the number of operations at once, and the cycles that they take.
struct Row {
    op: &'static str,
    on: String,
    at_once: u64,
    cycles: u64,
}

/// Returns the maximum number of cycles that a message takes. The message waits for its slot, which
/// passes in every fourth cycle.
fn most(unit: &Sha3Unit, jobs: &[Job]) -> u64 {
    let delayed = |idle: usize| {
        for _ in 0..8 + idle {
            unit.cycle(&Inputs::default());
        }
        time(unit, jobs)
    };
    (0..16).map(|run| delayed(run % 4)).max().expect("there are some")
}

fn time(unit: &Sha3Unit, jobs: &[Job]) -> u64 {
    run(unit, &mut jobs.to_vec(), &mut Eager)
}

/// Returns the cycles for one more item, by comparing long runs with `count` and twice as many
/// items. Start and end may add up to a quarter of a cycle per item.
fn each(unit: &Sha3Unit, count: usize, jobs: impl Fn(usize) -> Vec<Job>) -> u64 {
    let spent = time(unit, &jobs(2 * count)) - time(unit, &jobs(count));
    let cycles = (spent + count as u64 / 2) / count as u64;
    assert!(4 * spent.abs_diff(cycles * count as u64) < count as u64, "{spent} cycles for {count}");
    cycles
}

const ONE_BLOCK: &str = "message of one block, from command to last output, at most";

/// Number of blocks in long runs.
const BLOCKS: usize = 100;

fn absorb(function: usize, tags: usize, blocks: usize) -> Vec<Job> {
    let (rate, suffix, fixed) = FUNCTIONS[function];
    vec![Job::hash(rate, suffix, &vec![1; 8 * usize::from(rate) * blocks], fixed.max(16)); tags]
}

fn squeeze(function: usize, tags: usize, blocks: usize) -> Vec<Job> {
    let (rate, suffix, _) = FUNCTIONS[function];
    vec![Job::hash(rate, suffix, b"x", 8 * usize::from(rate) * blocks); tags]
}

fn chains(n: usize, tags: usize, steps: usize) -> Vec<Job> {
    vec![chain(n, steps as u16, 0, [1; 4], &vec![2; n]); tags]
}

fn state(op: Op, pieces: Vec<(Vec<u8>, Ending)>) -> Job {
    let command = Inputs { cmd_op: op as u8, cmd_rate: 17, ..Inputs::default() };
    Job { command, pieces, output: Vec::new(), tag: Some(0) }
}

fn measured(unit: &Sha3Unit) -> Vec<Row> {
    // After its reset the unit wipes itself, and takes no command.
    time(unit, &[prefix([0; 4])]);
    let mut rows = Vec::new();
    let mut row = |op, on: &str, at_once, cycles| {
        rows.push(Row { op, on: on.into(), at_once, cycles });
    };
    for (function, name) in NAMES.into_iter().enumerate() {
        let (rate, suffix, fixed) = FUNCTIONS[function];
        let one = [Job::hash(rate, suffix, &[], fixed.max(16))];
        row(ONE_BLOCK, name, 1, most(unit, &one));
        row("absorb a block more", name, 1, each(unit, BLOCKS, |n| absorb(function, 1, n)));
        row("absorb a block more", name, 4, each(unit, BLOCKS, |n| absorb(function, 4, n)));
        if fixed == 0 {
            row("squeeze a block more", name, 1, each(unit, BLOCKS, |n| squeeze(function, 1, n)));
            row("squeeze a block more", name, 4, each(unit, BLOCKS, |n| squeeze(function, 4, n)));
        }
    }
    time(unit, &[prefix([3; 4])]);
    for n in [16, 24, 32] {
        let name = format!("{n} bytes");
        row("step of a chain", &name, 1, each(unit, BLOCKS, |steps| chains(n, 1, steps)));
        row("step of a chain", &name, 4, each(unit, BLOCKS, |steps| chains(n, 4, steps)));
    }
    row("load a state", "", 1, time(unit, &[state(Op::Load, vec![(vec![5; 200], Ending::None)])]));
    row("save a state, at most", "", 1, most(unit, &[state(Op::Save, Vec::new())]));
    rows
}

/// Merges rows that differ only in the hash function.
fn joined(rows: Vec<Row>) -> Vec<Row> {
    let mut joined: Vec<Row> = Vec::new();
    for row in rows {
        let same =
            |old: &&mut Row| (old.op, old.at_once, old.cycles) == (row.op, row.at_once, row.cycles);
        match joined.iter_mut().find(same) {
            Some(old) => old.on = format!("{}, {}", old.on, row.on),
            None => joined.push(row),
        }
    }
    joined
}

#[test]
fn every_operation_takes_the_cycles_it_should() {
    let Some(unit) = unit() else { return };
    let rows = measured(&unit);
    for row in &rows {
        let wanted = match (row.op, row.at_once) {
            ("absorb a block more" | "squeeze a block more", 4) => 48..=48,
            ("absorb a block more" | "squeeze a block more", _) => 48..=52,
            ("step of a chain", _) => 48..=52,
            (ONE_BLOCK, _) => 49..=60,
            _ => 13..=19, // 200 bytes are 13 beats; a slot passes in every fourth cycle
        };
        assert!(wanted.contains(&row.cycles), "{} {}: {} cycles", row.op, row.on, row.cycles);
    }
    let rows = joined(rows);
    let line = |row: &Row| {
        let Row { op, on, at_once, cycles } = row;
        format!(r#"{{"op":"{op}","of":"{on}","in_flight":{at_once},"cycles":{cycles}}}"#)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    keep("sha3", &[], "every_operation", &lines);
}
