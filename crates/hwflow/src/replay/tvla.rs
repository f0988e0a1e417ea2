//! `hw tvla`: replays a run of the bench on a mapped netlist with other secrets: a fixed secret in
//! half of the traces, and random ones in the other half. Tests whether the toggles of a cycle
//! distinguish the two groups (Welch's t), in `results/rtl-tvla.json`.

use super::lanes::{Lanes, Word};
use super::played::{Random, all};
use super::welch::{Counters, Samples};
use super::{form, netlist};
use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::row::round;
use crate::core::tool;
use crate::energy::ports::Ports;
use crate::energy::wires::{Wire, wires};
use crate::map::subject::{self, Mapping, Subject, keep};
use crate::run::sim;
use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};

/// Number of traces if the command line gives none.
const TRACES: u64 = 6_400;
/// The test's bound for |t|. A cycle above it distinguishes the groups.
const BOUND: f64 = 4.5;
/// Probability that |t| of equal groups exceeds the bound in a cycle.
const CHANCE: f64 = 6.8e-6;
/// Limit on recorded cycles, which is more than a run of `wave` has.
const CYCLES: u64 = 20_000;

/// Copies with the fixed secret, and one half of the other copies. The two halves of the others
/// must not be distinguishable.
const FIXED: Word = 0x5555_5555_5555_5555;
const ONE_HALF: Word = 0x2222_2222_2222_2222;

/// A row: how well the toggles of a core distinguish a fixed secret from random ones.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    subject: Subject,
    secrets: String,
    traces: u64,
    cycles: usize,
    /// The highest |t| of any cycle, and that cycle.
    highest_t: f64,
    at_cycle: usize,
    /// Number of cycles with |t| above 4.5.
    above: usize,
    percent: f64,
    /// The highest |t| between two groups of random secrets, and the probability that any |t| is
    /// above 4.5.
    random_highest_t: f64,
    random_chance: f64,
    tools: String,
    command: String,
}

/// Tests the first chosen point of each unit that names its secrets. The rows replace earlier ones;
/// with `--check` nothing is kept.
pub fn run(options: &Options) -> Result<(), Failure> {
    subject::each(
        options,
        |unit| !unit.secrets.is_empty(),
        1,
        |mapping| {
            let row = row(mapping, options)?;
            if options.json {
                println!("{}", serde_json::json!(row));
            } else {
                println!("{} {}: {}", mapping.unit.top, mapping.point.slug(), said(&row));
            }
            if row.random_highest_t > BOUND {
                return Err(Failure::Tool("random secrets are told from random ones".into()));
            }
            if options.check {
                return Ok(());
            }
            keep("tvla", "what a simulation gives does not depend on one", row, |row| &row.subject)
        },
    )
}

fn said(row: &Row) -> String {
    let Row { traces, cycles, highest_t, at_cycle, above, random_highest_t, .. } = row;
    format!(
        "{traces} traces: |t| up to {highest_t} (cycle {at_cycle}), above {BOUND} in {above} of \
         {cycles} cycles; random beside random up to {random_highest_t}"
    )
}

fn row(mapping: &Mapping, options: &Options) -> Result<Row, Failure> {
    let Mapping { core, unit, point, library, file } = *mapping;
    let ports = wave(core, unit, point)?;
    let (stem, module, mut lanes) = netlist(core, unit, point, (library, file))?;
    let wires = wires(&module, &ports.places, &unit.clock).map_err(|fault| form(&stem, fault))?;
    let none = || form(&stem, "a secret is no port".into());
    let secrets = unit.secrets.iter().map(|name| Drawn::new(name, &wires, &ports));
    let secrets = secrets.collect::<Option<Vec<Drawn>>>().ok_or_else(none)?;
    let batches = options.count.unwrap_or(TRACES).div_ceil(u64::from(Word::BITS)).max(2);
    let mut test = Test::new(ports.samples.len());
    for batch in 0..batches {
        let stimuli = Stimuli { wires: &wires, ports: &ports, secrets: &secrets };
        test.play(&mut lanes, &stimuli, batch);
    }
    let fault = || form(&stem, "means differ where nothing varies".into());
    let (fixed, random) = test.figures().ok_or_else(fault)?;
    let (at_cycle, highest) = highest(&fixed);
    let above = fixed.iter().filter(|t| **t > BOUND).count();
    let traces = batches * u64::from(Word::BITS);
    Ok(Row {
        subject: Subject::new(unit, point, library),
        secrets: unit.secrets.join(", "),
        traces,
        cycles: fixed.len(),
        highest_t: round(highest, 1),
        at_cycle,
        above,
        percent: round(100.0 * above as f64 / fixed.len().max(1) as f64, 1),
        random_highest_t: round(self::highest(&random).1, 2),
        random_chance: round(CHANCE * fixed.len() as f64, 6),
        tools: tool::versions()?,
        command: format!("{} --traces {traces}", options.command("tvla", &core.name, &unit.top)),
    })
}

/// Returns the recorded ports of the operation that the bench runs for the timing diagram.
fn wave(core: &Core, unit: &Unit, point: &Point) -> Result<Ports, Failure> {
    let program = sim::recording(core, unit, point)?;
    let name = tool::work("tvla")?.join(format!("{}_{}.vcd", unit.top, point.slug()));
    let files = sim::record_ports(&program, &["wave"], &name, CYCLES, 0)?;
    let none = || Failure::Tool(format!("{}: its bench draws no operation", unit.top));
    let file = files.first().ok_or_else(none)?;
    Ports::parse(&read(file)?).ok_or_else(none)
}

/// Returns the position of the highest value, and the value.
fn highest(values: &[f64]) -> (usize, f64) {
    let better = |best: (usize, f64), (at, value): (usize, &f64)| {
        if *value > best.1 { (at, *value) } else { best }
    };
    values.iter().enumerate().fold((0, 0.0), better)
}

/// Secret bits of a port. They are drawn again whenever the port changes in the recorded run, and
/// are zero while all of them are zero there.
struct Drawn {
    port: usize,
    bits: Vec<usize>,
    nets: Vec<usize>,
}

impl Drawn {
    /// Parses a name such as `b1_i` or `msg_i[255:0]`.
    fn new(name: &str, wires: &[Wire], ports: &Ports) -> Option<Self> {
        let (base, bits) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            Some((base, range)) => {
                let (high, low) = range.split_once(':')?;
                (base, low.parse().ok()?..=high.parse().ok()?)
            }
            None => (name, 0..=usize::MAX),
        };
        let port = *ports.places.get(base)?;
        let of_port = |wire: &&Wire| wire.input && wire.port == port && bits.contains(&wire.bit);
        let found = wires.iter().filter(of_port).map(|wire| (wire.bit, wire.net));
        let (bits, nets): (Vec<usize>, Vec<usize>) = found.unzip();
        (!nets.is_empty()).then_some(Self { port, bits, nets })
    }

    /// Draws the bits again in a cycle in which the port changes.
    fn draw(&self, lanes: &mut Lanes, ports: &Ports, cycle: usize, mut bit: impl FnMut() -> Word) {
        let at = |cycle: usize| &ports.samples[cycle][self.port];
        if cycle == 0 || at(cycle) != at(cycle - 1) {
            let zero = self.bits.iter().all(|bit| !at(cycle)[*bit]);
            self.nets.iter().for_each(|net| lanes.set(*net, if zero { 0 } else { bit() }));
        }
    }
}

/// Inputs of the copies of a netlist.
struct Stimuli<'s> {
    wires: &'s [Wire],
    ports: &'s Ports,
    secrets: &'s [Drawn],
}

/// Samples of each group, for each cycle.
struct Test {
    fixed: Vec<Samples>,
    random: Vec<Samples>,
    halves: [Vec<Samples>; 2],
}

impl Test {
    fn new(cycles: usize) -> Self {
        let none = || vec![Samples::default(); cycles];
        Self { fixed: none(), random: none(), halves: [none(), none()] }
    }

    /// Replays the run on 64 copies whose registers initially hold zeros.
    fn play(&mut self, lanes: &mut Lanes, given: &Stimuli, batch: u64) {
        let (mut same, mut other) = (Random(7), Random(1_000_003 * (batch + 1)));
        let drawn: Vec<usize> = given.secrets.iter().flat_map(|one| one.nets.clone()).collect();
        let steady: Vec<&Wire> =
            given.wires.iter().filter(|wire| wire.input && !drawn.contains(&wire.net)).collect();
        lanes.hold(|| 0);
        let mut before = Vec::new();
        for (cycle, sample) in given.ports.samples.iter().enumerate() {
            steady.iter().for_each(|wire| lanes.set(wire.net, all(sample[wire.port][wire.bit])));
            for secret in given.secrets {
                secret.draw(lanes, given.ports, cycle, || {
                    let fixed = all(same.next() & 1 == 1) & FIXED;
                    fixed | (other.next() & !FIXED)
                });
            }
            lanes.settle();
            self.take(cycle, &lanes.toggles(&mut before));
            lanes.clock();
        }
    }

    fn take(&mut self, cycle: usize, toggles: &Counters) {
        for copy in 0..Word::BITS {
            let sample = toggles.of(copy) as f64;
            if FIXED >> copy & 1 == 1 {
                self.fixed[cycle].add(sample);
                continue;
            }
            self.random[cycle].add(sample);
            self.halves[usize::from(ONE_HALF >> copy & 1 == 1)][cycle].add(sample);
        }
    }

    /// Returns |t| of each cycle: between fixed and random secrets, and between two groups of
    /// random secrets.
    fn figures(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let figures = |one: &[Samples], other: &[Samples]| {
            let pairs = one.iter().zip(other);
            pairs.map(|(one, other)| one.t(other).map(f64::abs)).collect::<Option<Vec<f64>>>()
        };
        let [one, other] = &self.halves;
        Some((figures(&self.fixed, &self.random)?, figures(one, other)?))
    }
}
