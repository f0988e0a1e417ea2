//! Sends whole messages through `sha3_unit`: four at a time, one per tag, with stalls if wanted.

use crate::sha3::{Ending, Inputs, Op, Outputs, Sha3Unit};
use std::collections::VecDeque;

/// A message or a chain, and its output.
#[derive(Debug, Clone)]
pub struct Job {
    /// Command without its tag.
    pub command: Inputs,
    /// Input stream: pieces of a message, each with its ending.
    pub pieces: Vec<(Vec<u8>, Ending)>,
    /// Output, once it is available.
    pub output: Vec<u8>,
    /// Tag that the job must have, because a saved or loaded state belongs to it.
    pub tag: Option<u8>,
}

/// A beat that waits to be taken.
#[derive(Debug, Clone, Copy)]
struct Beat {
    data: [u64; 2],
    bytes: u8,
    ending: Ending,
    ends_block: bool,
}

impl Job {
    /// Returns a job that hashes a message with a sponge of `rate` lanes. `suffix` is 06 for SHA-3,
    /// 1F for SHAKE and 04 for cSHAKE.
    pub fn hash(rate: u8, suffix: u8, message: &[u8], length: usize) -> Self {
        let command = Inputs {
            cmd_op: Op::Hash as u8,
            cmd_rate: rate,
            cmd_suffix: suffix,
            cmd_length: length as u32,
            ..Inputs::default()
        };
        Self {
            command,
            pieces: vec![(message.to_vec(), Ending::Pad)],
            output: Vec::new(),
            tag: None,
        }
    }

    /// Returns a job for cSHAKE. `prefix` is the argument of bytepad, which is both encoded strings
    /// (SP 800-185, section 3.3 (Definition)).
    pub fn cshake(rate: u8, prefix: &[u8], message: &[u8], length: usize) -> Self {
        let mut job = Self::hash(rate, 0x04, message, length);
        job.pieces.insert(0, (prefix.to_vec(), Ending::Fill));
        job
    }

    /// Returns the beats of the input: 16 bytes each, cut at the ends of blocks.
    fn beats(&self) -> VecDeque<Beat> {
        let block = 8 * match self.command.cmd_op {
            op if op == Op::Load as u8 => 25,
            op if op == Op::Chain as u8 => usize::from(self.command.cmd_lanes),
            _ => usize::from(self.command.cmd_rate),
        };
        let mut beats = VecDeque::new();
        for (piece, ending) in &self.pieces {
            cut(piece, *ending, block, &mut beats);
        }
        beats
    }
}

fn cut(piece: &[u8], ending: Ending, block: usize, beats: &mut VecDeque<Beat>) {
    let mut at = 0;
    loop {
        let room = (block - at % block).min(16);
        let bytes = room.min(piece.len() - at);
        let last = at + bytes == piece.len();
        let mut data = [0u8; 16];
        data[..bytes].copy_from_slice(&piece[at..at + bytes]);
        let word = |half: usize| {
            u64::from_le_bytes(data[8 * half..8 * half + 8].try_into().expect("eight bytes"))
        };
        let full = at % block + bytes == block;
        let ending = if last { ending } else { Ending::None };
        beats.push_back(Beat {
            data: [word(0), word(1)],
            bytes: bytes as u8,
            ending,
            ends_block: full || ending != Ending::None,
        });
        at += bytes;
        if last {
            return;
        }
    }
}

/// State of a tag.
#[derive(Default)]
struct Tag {
    job: Option<usize>,
    accepted: bool,
    beats: VecDeque<Beat>,
}

/// Decides in which cycles the driver offers input and takes output.
pub trait Pace {
    /// Returns true if the input (or the output, if `input` is false) stalls in this cycle.
    fn stalls(&mut self, input: bool) -> bool;

    /// Receives in every cycle the job that each tag works on.
    fn sees(&mut self, _jobs: [Option<usize>; 4]) {}
}

/// A pace that never stalls.
pub struct Eager;

impl Pace for Eager {
    fn stalls(&mut self, _input: bool) -> bool {
        false
    }
}

struct Driver<'j> {
    jobs: &'j mut [Job],
    next: usize,
    done: usize,
    tags: [Tag; 4],
    /// Tag whose block is being sent, and tag after which the search for the next one begins.
    sending: Option<usize>,
    last: usize,
}

/// Runs every job, and returns the number of clock cycles. A job without output is done when its
/// command and its last beat are taken.
pub fn run(unit: &Sha3Unit, jobs: &mut [Job], pace: &mut dyn Pace) -> u64 {
    let mut driver =
        Driver { jobs, next: 0, done: 0, tags: Default::default(), sending: None, last: 3 };
    let mut cycles = 0;
    while driver.done < driver.jobs.len() {
        driver.assign();
        let inputs = driver.inputs(pace);
        pace.sees(std::array::from_fn(|tag| driver.working(tag)));
        let outputs = unit.cycle(&inputs);
        driver.note(&inputs, &outputs);
        cycles += 1;
        assert!(cycles < 1_000_000 + 100_000 * driver.jobs.len() as u64, "the unit hangs");
    }
    cycles
}

impl Driver<'_> {
    /// Returns the job whose command a tag has taken.
    fn working(&self, tag: usize) -> Option<usize> {
        self.tags[tag].job.filter(|_| self.tags[tag].accepted)
    }

    /// Assigns the next jobs to free tags, in order.
    fn assign(&mut self) {
        while let Some(job) = self.jobs.get(self.next) {
            let free = |tag: &usize| self.tags[*tag].job.is_none();
            let tag = match job.tag {
                Some(tag) => Some(usize::from(tag)).filter(free),
                None => (0..4).find(free),
            };
            let Some(tag) = tag else { return };
            self.tags[tag] = Tag { job: Some(self.next), beats: job.beats(), ..Tag::default() };
            if job.command.cmd_op == Op::Save as u8 || job.command.cmd_op == Op::Prefix as u8 {
                self.tags[tag].beats.clear();
            }
            self.next += 1;
        }
    }

    fn inputs(&mut self, pace: &mut dyn Pace) -> Inputs {
        let mut inputs = Inputs::default();
        if let Some(tag) =
            (0..4).find(|&tag| self.tags[tag].job.is_some() && !self.tags[tag].accepted)
        {
            let job = self.tags[tag].job.expect("just looked");
            inputs = Inputs { cmd_valid: true, cmd_tag: tag as u8, ..self.jobs[job].command };
        }
        let ready = |tag: &usize| self.tags[*tag].accepted && !self.tags[*tag].beats.is_empty();
        self.sending = self.sending.or_else(|| (1..=4).map(|k| (self.last + k) % 4).find(ready));
        if let Some(tag) = self.sending.filter(|_| !pace.stalls(true)) {
            let beat = self.tags[tag].beats[0];
            inputs.in_valid = true;
            inputs.in_tag = tag as u8;
            inputs.in_data = beat.data;
            inputs.in_bytes = beat.bytes;
            inputs.in_ending = beat.ending as u8;
        }
        inputs.out_ready = !pace.stalls(false);
        inputs
    }

    fn note(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.cmd_valid && outputs.cmd_ready {
            self.tags[usize::from(inputs.cmd_tag)].accepted = true;
            self.finish_if_silent(usize::from(inputs.cmd_tag));
        }
        if inputs.in_valid && outputs.in_ready {
            let tag = usize::from(inputs.in_tag);
            let beat = self.tags[tag].beats.pop_front().expect("it was offered");
            if beat.ends_block {
                (self.sending, self.last) = (None, tag);
            }
            self.finish_if_silent(tag);
        }
        if outputs.valid && inputs.out_ready {
            self.take(outputs);
        }
    }

    /// Ends a job without output once its command and its last beat are taken.
    fn finish_if_silent(&mut self, tag: usize) {
        let state = &self.tags[tag];
        let Some(job) = state.job.filter(|_| state.accepted && state.beats.is_empty()) else {
            return;
        };
        let op = self.jobs[job].command.cmd_op;
        let pauses = self.jobs[job].pieces.last().is_some_and(|piece| piece.1 == Ending::Pause);
        if op == Op::Load as u8 || op == Op::Prefix as u8 || pauses {
            self.tags[tag].job = None;
            self.done += 1;
        }
    }

    fn take(&mut self, outputs: &Outputs) {
        let tag = usize::from(outputs.tag);
        let job = self.tags[tag].job.expect("output of a tag that has a job");
        let bytes: Vec<u8> = outputs.data.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.jobs[job].output.extend_from_slice(&bytes[..usize::from(outputs.bytes)]);
        if outputs.last {
            self.tags[tag].job = None;
            self.done += 1;
        }
    }
}
