//! Compares the unit with the sponge over the portable kernel on random messages of 0 to 2,000
//! bytes, with random stalls and on four tags at once.
//!
//! `HASTEN_RTL_MESSAGES` sets the number of messages; `HASTEN_RESULT=results/rtl-random.json` keeps
//! the counts.

use crate::sponge::{FUNCTIONS, NAMES, Random, Stalls, sponge};
use crate::{keep, unit};
use hasten_rtlsim::sha3_job::{Job, Pace, run};
use std::collections::BTreeSet;

/// Number of random messages without `HASTEN_RTL_MESSAGES`.
const FEW: usize = 1_500;

struct Case {
    function: usize,
    bytes: usize,
    job: Job,
    wanted: Vec<u8>,
}

fn case(random: &mut Random) -> Case {
    let function = random.below(FUNCTIONS.len());
    let (rate, suffix, fixed) = FUNCTIONS[function];
    let length = if fixed == 0 { 1 + random.below(600) } else { fixed };
    let bytes = random.below(2001);
    let message = random.bytes(bytes);
    if suffix != 0x04 {
        let wanted = sponge(rate, suffix, &message, length);
        return Case { function, bytes, job: Job::hash(rate, suffix, &message, length), wanted };
    }
    let count = 1 + random.below(300);
    let prefix = random.bytes(count);
    let mut framed = prefix.clone();
    framed.resize(framed.len().next_multiple_of(8 * usize::from(rate)), 0);
    framed.extend_from_slice(&message);
    let wanted = sponge(rate, suffix, &framed, length);
    Case { function, bytes, job: Job::cshake(rate, &prefix, &message, length), wanted }
}

/// Stalls at random, and counts the tags and functions that are at work at once.
struct Watch<'f> {
    stalls: Stalls,
    functions: &'f [usize],
    stalled: u64,
    /// Number of cycles by the number of tags at work, and by the number of different functions on
    /// them.
    tags: [u64; 5],
    different: [u64; 5],
}

impl Pace for Watch<'_> {
    fn stalls(&mut self, input: bool) -> bool {
        let stalls = self.stalls.stalls(input);
        self.stalled += u64::from(stalls);
        stalls
    }

    fn sees(&mut self, jobs: [Option<usize>; 4]) {
        let busy: Vec<usize> = jobs.into_iter().flatten().map(|job| self.functions[job]).collect();
        self.tags[busy.len()] += 1;
        self.different[busy.into_iter().collect::<BTreeSet<_>>().len()] += 1;
    }
}

/// Counts for a function, or for all.
#[derive(Default, Clone)]
struct Seen {
    messages: u64,
    bytes: u64,
    output: u64,
}

impl Seen {
    fn add(&mut self, case: &Case) {
        self.messages += 1;
        self.bytes += case.bytes as u64;
        self.output += case.wanted.len() as u64;
    }
}

#[test]
fn random_messages_with_random_stalls() {
    let Some(unit) = unit() else { return };
    let mut random = Random(1);
    let wanted = std::env::var("HASTEN_RTL_MESSAGES").ok().and_then(|text| text.parse().ok());
    let mut left = wanted.unwrap_or(FEW);
    let mut seen = vec![Seen::default(); FUNCTIONS.len()];
    let (mut cycles, mut four, mut all_different, mut stalled) = (0, 0, 0, 0);
    while left > 0 {
        let cases: Vec<Case> = (0..left.min(500)).map(|_| case(&mut random)).collect();
        let functions: Vec<usize> = cases.iter().map(|case| case.function).collect();
        let stalls = Stalls(Random(random.word()), random.below(8), random.below(8));
        let mut watch =
            Watch { stalls, functions: &functions, stalled: 0, tags: [0; 5], different: [0; 5] };
        let mut jobs: Vec<Job> = cases.iter().map(|case| case.job.clone()).collect();
        cycles += run(&unit, &mut jobs, &mut watch);
        for (job, case) in jobs.iter().zip(&cases) {
            assert_eq!(job.output, case.wanted, "{}, {} bytes", NAMES[case.function], case.bytes);
            seen[case.function].add(case);
        }
        four += watch.tags[4];
        all_different += watch.different[4];
        stalled += watch.stalled;
        left -= jobs.len();
    }
    assert!(all_different > 0 && stalled > 0, "four tags never worked on four functions");
    let mut rows: Vec<String> =
        NAMES.iter().zip(&seen).map(|(name, seen)| row(name, seen, "")).collect();
    let all = seen.iter().fold(Seen::default(), |sum, seen| Seen {
        messages: sum.messages + seen.messages,
        bytes: sum.bytes + seen.bytes,
        output: sum.output + seen.output,
    });
    let more = format!(
        r#","cycles":{cycles},"cycles_four_tags":{four},"cycles_four_functions":{all_different},"stalls":{stalled}"#
    );
    rows.push(row("all", &all, &more));
    keep("random", &["HASTEN_RTL_MESSAGES"], "random_messages", &rows);
}

fn row(name: &str, seen: &Seen, more: &str) -> String {
    format!(
        r#"{{"op":"{name}","messages":{},"agree":{},"bytes":{},"output_bytes":{}{more}}}"#,
        seen.messages, seen.messages, seen.bytes, seen.output
    )
}
