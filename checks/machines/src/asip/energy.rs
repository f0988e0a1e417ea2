//! `hw asip --energy`: runs each machine's program on its mapped netlist. Operations get the energy
//! of the netlist's toggles and of the memory accesses.
//!
//! Simulating the netlist takes a tenth of a millisecond or more per cycle. The netlist therefore
//! runs only a window of the program, which contains all kinds of cycles: those that move words,
//! those that wait for the unit, and others. A row gets the energy of as many cycles of each kind
//! as its operation takes. With `--whole` the netlist runs the whole program, and each operation
//! gets its own energy.

use super::options::Options;
use super::rows::{Row, Said};
use super::{Processor, Rung, build, layout};
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_hwflow::{Class, Drawn, Job, access, bench, drawn};
use std::path::Path;

/// The window in cycles: after the start of a program, in its first verification and, if that is
/// short, the next. picorv32 takes longer to start.
const WINDOW: (u64, u64) = (20_000, 120_000);
const SMALL_WINDOW: (u64, u64) = (100_000, 200_000);

/// Energy in picojoules of fetching a word, of fetching it from the fast memory, and of reading and
/// writing a word.
pub(super) struct Memories {
    pub fetch: f64,
    pub fast: f64,
    pub read: f64,
    pub write: f64,
}

/// Writes the energy of a rung's operations into the rows.
pub(super) fn measure(rung: &Rung, options: &Options, rows: &mut [Row]) -> Result<(), Failure> {
    let [Some(cells), Some(code), Some(ram)] = &options.files else { return Ok(()) };
    let (fetch, _) = access(code)?;
    let none = || Failure::Usage("a machine with four lanes needs --fast FILE".into());
    let fast = match &options.fast {
        Some(file) => access(file)?.0,
        None if rung.has_fast_code() => return Err(none()),
        None => 0.0,
    };
    let (read, write) = access(ram)?;
    let memories = Memories { fetch, fast, read, write };
    let programs = build(&checkout::root()?, rung.processor, std::iter::once(rung.program))?;
    let machine = bench("asip", rung.processor.top(), rung.params)?;
    let program = layout::ordered(rung, &machine, &programs)?;
    eprintln!("hw asip: {} on the netlist {}", rung.program, rung.slug());
    let parts = drawn(&job(rung, &program, options.whole), cells)?;
    if options.whole {
        return parts.iter().try_for_each(|part| whole(rung, part, &memories, rows));
    }
    let none = || Failure::Tool(format!("{}: it ends before the window", rung.program));
    let part = parts.first().ok_or_else(none)?;
    rows.iter_mut().filter(|row| rung.is_of(row)).for_each(|row| window(row, part, &memories));
    Ok(())
}

fn job<'j>(rung: &'j Rung, program: &'j Path, whole: bool) -> Job<'j> {
    let machine = ("asip", rung.processor.top(), rung.params);
    let window = if rung.processor == Processor::Small { SMALL_WINDOW } else { WINDOW };
    Job { machine, program, window: (!whole).then_some(window) }
}

/// Sets the energy of an operation's row, measured over the whole operation.
fn whole(rung: &Rung, part: &Drawn, memories: &Memories, rows: &mut [Row]) -> Result<(), Failure> {
    let none = || Failure::Tool(format!("{}: run cargo xtask hw asip first", rung.program));
    let fresh = rung.row(&part.line)?;
    let row = rows.iter_mut().find(|row| fresh.is_near(row)).ok_or_else(none)?;
    give(row, &part.all, memories, "whole");
    Ok(())
}

/// Estimates a row's energy from the window: the energy of as many cycles of each kind. Keeps the
/// energy of a whole operation.
pub(super) fn window(row: &mut Row, part: &Drawn, memories: &Memories) {
    if row.figures.nj_of.as_deref() == Some("whole") {
        return;
    }
    let Said { moving, hashing, control, .. } = row.said;
    let mut all = Class::default();
    for (name, cycles) in [("moving", moving), ("hashing", hashing), ("control", control)] {
        if let Some(class) = part.classes.get(name).filter(|class| class.cycles > 0.0) {
            all.add(class, cycles as f64, cycles as f64 / class.cycles);
        }
    }
    give(row, &all, memories, "window");
}

/// Sets the energy of a row from the sums of a run.
pub(super) fn give(row: &mut Row, all: &Class, memories: &Memories, of: &str) {
    let count = |name: &str| all.sums.get(name).copied().unwrap_or(0.0);
    let fetches = count("fetch") * memories.fetch + count("fast") * memories.fast;
    let accesses = fetches + count("read") * memories.read + count("write") * memories.write;
    let nano = |picojoules: f64| Some((picojoules / 100.0).round() / 10.0);
    (row.figures.nj, row.figures.memory_nj) = (nano(all.picojoules), nano(accesses));
    row.figures.nj_of = Some(of.into());
}
