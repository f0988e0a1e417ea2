//! Compares the SHA-3 unit with the sponge over the portable kernel: every function, random stalls,
//! chains, saved states, resets.

mod cavp;
mod cycles;
mod random;
mod replay;
mod sponge;

use hasten_rtlsim::BUILT;
use hasten_rtlsim::sha3::{Ending, Inputs, Op, Sha3Unit};
use hasten_rtlsim::sha3_job::{Eager, Job, run};
use sponge::{FUNCTIONS, Random, Stalls, sponge};

/// Returns true if there are simulated cores.
fn has_cores() -> bool {
    hasten_report::is_built(BUILT, "simulated cores", &["rtl"])
}

fn unit() -> Option<Sha3Unit> {
    has_cores().then(|| Sha3Unit::new().expect("the models were built"))
}

/// Keeps the rows in `results/rtl-NAME.json`.
fn keep(name: &str, variables: &[&str], test: &str, rows: &[String]) {
    let test = format!("-p hasten-rtlsim --test sha3 {test}");
    hasten_report::keep(&format!("rtl-{name}"), variables, &test, rows);
}

#[test]
fn the_sponge_is_that_of_another_library() {
    use sha3::Digest;
    let message = Random(5).bytes(500);
    assert_eq!(sponge(18, 0x06, &message, 28), sha3::Sha3_224::digest(&message).to_vec());
    assert_eq!(sponge(17, 0x06, &message, 32), sha3::Sha3_256::digest(&message).to_vec());
    assert_eq!(sponge(13, 0x06, &message, 48), sha3::Sha3_384::digest(&message).to_vec());
    assert_eq!(sponge(9, 0x06, &message, 64), sha3::Sha3_512::digest(&message).to_vec());
}

#[test]
fn every_length_around_the_ends_of_blocks() {
    let Some(unit) = unit() else { return };
    let mut jobs = Vec::new();
    let mut wanted = Vec::new();
    for (rate, suffix, fixed) in FUNCTIONS.into_iter().take(6) {
        let block = 8 * usize::from(rate);
        for count in (0..=17).chain(block - 17..=block + 17).chain(2 * block - 9..=2 * block + 9) {
            let message = Random(count as u64).bytes(count);
            let length = if fixed == 0 { count + 1 } else { fixed };
            jobs.push(Job::hash(rate, suffix, &message, length));
            wanted.push(sponge(rate, suffix, &message, length));
        }
    }
    run(&unit, &mut jobs, &mut Eager);
    assert!(jobs.iter().zip(&wanted).all(|(job, wanted)| job.output == *wanted));
}

fn chain(n: usize, steps: u16, counter: u32, tweak: [u64; 4], value: &[u8]) -> Job {
    let command = Inputs {
        cmd_op: Op::Chain as u8,
        cmd_rate: 17,
        cmd_suffix: 0x1f,
        cmd_lanes: (n / 8) as u8,
        cmd_steps: steps,
        cmd_counter: counter,
        cmd_data: tweak,
        ..Inputs::default()
    };
    Job { command, pieces: vec![(value.to_vec(), Ending::None)], output: Vec::new(), tag: None }
}

fn prefix(data: [u64; 4]) -> Job {
    let command = Inputs { cmd_op: Op::Prefix as u8, cmd_data: data, ..Inputs::default() };
    Job { command, pieces: Vec::new(), output: Vec::new(), tag: None }
}

fn words(bytes: &[u8]) -> [u64; 4] {
    std::array::from_fn(|i| {
        u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes"))
    })
}

/// Applies SHAKE256(prefix, tweak with the counter at its end, value) `steps` times.
fn walk(n: usize, steps: u16, counter: u32, prefix: &[u8], tweak: &[u8], value: &[u8]) -> Vec<u8> {
    (0..u32::from(steps)).fold(value.to_vec(), |value, step| {
        let count = counter.wrapping_add(step).to_be_bytes();
        let message = [&prefix[..n], &tweak[..28], &count, &value].concat();
        sponge(17, 0x1f, &message, n)
    })
}

#[test]
fn chains_of_every_size() {
    let Some(unit) = unit() else { return };
    for n in [16, 24, 32] {
        let mut random = Random(n as u64);
        let seed = random.bytes(32);
        run(&unit, &mut [prefix(words(&seed))], &mut Eager);
        let (mut jobs, mut wanted) = (Vec::new(), Vec::new());
        for steps in 0..16 {
            let (tweak, value) = (random.bytes(32), random.bytes(n));
            jobs.push(chain(n, steps, 7, words(&tweak), &value));
            wanted.push(walk(n, steps, 7, &seed, &tweak, &value));
        }
        run(&unit, &mut jobs, &mut Stalls(Random(9), 2, 2));
        assert!(jobs.iter().zip(&wanted).all(|(job, wanted)| job.output == *wanted), "n = {n}");
    }
}

#[test]
fn a_state_is_saved_loaded_and_resumed_under_another_tag() {
    let Some(unit) = unit() else { return };
    let message = Random(3).bytes(136 * 3 + 40);
    let (head, tail) = message.split_at(136 * 2);
    let on = |op: Op, tag: u8, pieces: Vec<(Vec<u8>, Ending)>| Job {
        command: Inputs {
            cmd_op: op as u8,
            cmd_rate: 17,
            cmd_suffix: 0x06,
            cmd_length: 32,
            ..Inputs::default()
        },
        pieces,
        output: Vec::new(),
        tag: Some(tag),
    };
    let mut first =
        [on(Op::Hash, 1, vec![(head.to_vec(), Ending::Pause)]), on(Op::Save, 1, Vec::new())];
    run(&unit, &mut first, &mut Eager);
    let state = first[1].output.clone();
    assert_eq!(state.len(), 200);
    let mut second = [
        on(Op::Load, 2, vec![(state, Ending::None)]),
        on(Op::Resume, 2, vec![(tail.to_vec(), Ending::Pad)]),
    ];
    run(&unit, &mut second, &mut Eager);
    assert_eq!(second[1].output, sponge(17, 0x06, &message, 32));
}

/// Keeps a state under tag 1, runs a cycle with the inputs `forget`, and returns the state of the
/// tag after it.
fn forgotten(unit: &Sha3Unit, forget: Inputs) -> Vec<u8> {
    let on = |op: Op, pieces| Job {
        command: Inputs { cmd_op: op as u8, cmd_rate: 17, ..Inputs::default() },
        pieces,
        output: Vec::new(),
        tag: Some(1),
    };
    let kept = on(Op::Hash, vec![(Random(4).bytes(136), Ending::Pause)]);
    let saved = on(Op::Save, Vec::new());
    let mut jobs = [kept.clone(), saved.clone(), kept];
    run(unit, &mut jobs, &mut Eager);
    assert_ne!(jobs[1].output, [0; 200]);
    unit.cycle(&forget);
    let mut jobs = [saved];
    run(unit, &mut jobs, &mut Eager);
    jobs[0].output.clone()
}

#[test]
fn clear_and_zeroize_and_a_reset_forget_every_state() {
    let Some(unit) = unit() else { return };
    let clear = Inputs { cmd_valid: true, cmd_op: Op::Clear as u8, ..Inputs::default() };
    let zeroize = Inputs { zeroize: true, ..Inputs::default() };
    let reset = Inputs { reset: true, ..Inputs::default() };
    for forget in [clear, zeroize, reset] {
        assert_eq!(forgotten(&unit, forget), [0; 200]);
    }
}

#[test]
fn a_clear_forgets_the_prefix_and_messages_in_the_middle() {
    let Some(unit) = unit() else { return };
    run(&unit, &mut [prefix([9; 4])], &mut Eager);
    let begun = Inputs { cmd_valid: true, cmd_rate: 17, cmd_suffix: 6, ..Inputs::default() };
    unit.cycle(&Inputs { cmd_length: 32, cmd_tag: 2, ..begun });
    for _ in 0..5 {
        unit.cycle(&Inputs { in_valid: true, in_tag: 2, in_bytes: 16, ..Inputs::default() });
    }
    unit.cycle(&Inputs { cmd_valid: true, cmd_op: Op::Clear as u8, ..Inputs::default() });
    let mut jobs = vec![chain(32, 3, 7, [5; 4], &[1; 32]), Job::hash(17, 6, &[2; 40], 32)];
    jobs.resize_with(4, || Job::hash(17, 6, &[2; 40], 32));
    run(&unit, &mut jobs, &mut Eager);
    let tweak = words_as_bytes([5; 4]);
    assert_eq!(jobs[0].output, walk(32, 3, 7, &[0; 32], &tweak, &[1; 32]));
    let wanted = sponge(17, 6, &[2; 40], 32);
    assert!(jobs[1..].iter().all(|job| job.output == wanted));
}

fn words_as_bytes(words: [u64; 4]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_reset_in_the_middle_leaves_nothing_behind() {
    let Some(unit) = unit() else { return };
    let mut random = Random(11);
    for round in 0..40 {
        let offer = Inputs {
            cmd_valid: true,
            cmd_rate: 17,
            cmd_suffix: 0x1f,
            cmd_length: 500,
            ..Inputs::default()
        };
        unit.cycle(&offer);
        for _ in 0..random.below(200) {
            unit.cycle(&Inputs {
                in_valid: true,
                in_bytes: 16,
                in_data: [random.word(); 2],
                out_ready: round % 2 == 0,
                ..offer
            });
        }
        for _ in 0..6 {
            unit.cycle(&Inputs { reset: true, ..Inputs::default() });
        }
        let message = random.bytes(10 * round);
        let mut jobs = vec![Job::hash(17, 0x1f, &message, 300); 4];
        run(&unit, &mut jobs, &mut Eager);
        let wanted = sponge(17, 0x1f, &message, 300);
        assert!(jobs.iter().all(|job| job.output == wanted), "round {round}");
    }
}
