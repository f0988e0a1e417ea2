//! `cargo xtask hw`: lints, simulates, synthesizes and reports the cores of `rtl/`.
//! `flow/README.md` describes the flow.

mod boot;
mod core;
mod draw;
mod energy;
mod lec;
mod map;
mod place;
mod registers;
mod replay;
mod report;
mod run;

use core::cores::{Core, Param, Point, Unit};
use core::options::Options;
use core::{fusesoc, tool};
use draw::{diagrams, ports};
pub use energy::{Class, Drawn, Job, access, drawn};
use hasten_chore::failure::Failure;
use map::{plain, pnr};
use report::{claims, plots, rows};
use run::{coverage, flips, lint, mutants, mutate, prove, random, sim, spike};
use std::path::PathBuf;

/// Builds the bench of a unit at the first point with these parameters, optimised for runs of
/// millions of cycles. Returns the path of the program.
///
/// # Errors
/// If there is no such point, or its model cannot be built.
pub fn bench(core: &str, unit: &str, params: &[(&str, i64)]) -> Result<PathBuf, Failure> {
    bench_with(core, unit, params, &[])
}

/// Like [`bench()`], but also sets parameters that no point names, because only a simulation has
/// them.
///
/// # Errors
/// As [`bench()`].
pub fn bench_with(
    core: &str,
    unit: &str,
    params: &[(&str, i64)],
    more: &[(&str, i64)],
) -> Result<PathBuf, Failure> {
    let (core, unit, mut point) = chosen(core, unit, params)?;
    point.params.extend(more.iter().map(named));
    sim::fast_program(&core, &unit, &point)
}

/// Builds a C++ program of `rtl/` with the library of Spike, an instruction-set simulator, and
/// returns its path.
///
/// # Errors
/// If the tools are not installed, or if the program cannot be compiled.
pub fn on_spike(source: &str) -> Result<PathBuf, Failure> {
    spike::program(source)
}

fn named((name, value): &(&str, i64)) -> (String, Param) {
    ((*name).to_owned(), Param::Number(*value))
}

/// Returns a core, its unit, and the unit's first point with these parameters.
fn chosen(core: &str, unit: &str, params: &[(&str, i64)]) -> Result<(Core, Unit, Point), Failure> {
    let wanted = |(name, value): &(&str, i64)| ((*name).to_owned(), *value);
    let options = Options {
        core: Some(core.into()),
        unit: Some(unit.into()),
        point: params.iter().map(wanted).collect(),
        ..Options::default()
    };
    for found in Core::chosen(&options)? {
        let first =
            found.unit.iter().find_map(|unit| Some((unit.clone(), unit.points.first()?.clone())));
        if let Some((unit, point)) = first {
            return Ok((found, unit, point));
        }
    }
    Err(Failure::Usage(format!("{core}: {unit} has no point {params:?}")))
}

const USAGE: &str = "Usage: cargo xtask hw STEP [CORE] [OPTIONS]
  tools           install the pinned tools into .tools/ (--family gw5a: and that router)
  lint            Verilator -Wall and verible's format, warnings are errors
  sim             the core's bench at every point
  random          the core's bench on --count N random cases (10000), kept in results/CORE-random.json
  boot [wave]     the system of rtl/soc boots signed images (--json: attacked too, --count N runs of each attack at most; --check: a few); wave draws a boot
  synth           LUT, FF, DSP, BRAM (--family xc7|xc6v|ecp5), or with --liberty FILE cell area
  sta             critical path with --liberty FILE
  pnr             place and route on ECP5-85F, speed grade 8 (--family ecp5|gw5a: in a harness, into results/routed.json)
  place           the mapped netlist placed, and its longest path with wires, into results/rtl-place.json (--check: keep nothing)
  energy          toggles of the mapped netlist times the library's energies, pJ per operation
  gates           the mapped netlist on --count N cycles (2000) of what the bench gives its model, into results/rtl-gates.json (--check: keep nothing)
  lec             the mapped netlist proven equal to the unit as it is written, register by register, into results/rtl-lec.json (--check: keep nothing)
  tvla            whether toggles of the mapped netlist tell a fixed secret from random ones, --traces N (6400), into results/rtl-tvla.json (--check: keep nothing)
  coverage        lines, branches and bits that the core's benches reach, into results/rtl-coverage.json
  flips           every bit of every register flipped around a decision, into results/rtl-flips.json (--check: a short window)
  prove           the core's proofs (--check: those marked ci, seconds each)
  mutate          faults seeded into the core, each of which its proofs and benches must catch (--check: some, seconds each)
  mutants         --count N faults that yosys makes (32), and how many the bench finds, into results/rtl-mutants.json
  asip [STAGE]    programs on the simulated processor, into results/asip.json (--check: the short ones, compared; --areas: only areas and paths anew; --energy: the energy of the netlists)
  lockstep        the processor beside Spike, instruction by instruction, into results/asip-lockstep.json (--check: a few random programs)
  report          all of it, into results/hardware.json
  claims          what each core's report.toml claims of netlists and rows
  plots           tables and plots that each core's report.toml asks for (--check: only compare); report makes them too
  diagrams        timing diagrams from the benches and block diagrams from text, as SVG (--check: only compare)
  ports           write tables of each unit's parameters and ports from its source (--check: only compare)
  verilog         write units as plain Verilog into target/verilog (--check: Icarus Verilog runs each, Debian's yosys reads it)
  fusesoc         write the .core files and Bender.yml from core.toml (--check: only compare)
  registers       write register blocks, constants and tables from registers.toml (--check: only compare)
Options:
  --unit TOP      only this unit of the core
  --point K=V,..  only points with these parameters; 0 where a point does not name one
  --liberty FILE  a Liberty file; again for more than one
  --macro FILE    a Liberty file of macros; again for each
  --family F      xc6v (default), xc7 or ecp5
  --core-file F   a core.toml elsewhere
  --dir DIR       where its files are, if not beside it
  --check         report: compare with results/hardware.json, change nothing; only points marked ci
  --minutes N     pnr: at most so many minutes of CPU time
  --density D     pnr: no region of the device fuller than this (0 to 1)
  --seed N        pnr: another placement (1)
  --cycles        report: the benches only, no synthesis
  --labels        report: only what kept rows say of themselves (corner, area_of), from descriptions and libraries
  --count N       random: so many cases; flips: so many cycles before the decision
  --json          print rows as JSON
Example: cargo xtask hw synth keccak --point unroll=2,inner=1";

/// Runs one step of the flow.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let Some(step) = args.first() else { return Err(Failure::Usage(USAGE.into())) };
    let options = Options::parse(&args[1..], USAGE)?;
    match step.as_str() {
        "tools" => tool::install(options.family.as_deref()),
        "lint" => lint::run(&options),
        "sim" => sim::run(&options),
        "random" => random::run(&options),
        "boot" => boot::run(&options),
        "synth" => rows::synth(&options),
        "sta" => rows::sta(&options),
        "energy" => energy::run(&options),
        "gates" => replay::run(&options),
        "tvla" => replay::tvla::run(&options),
        "lec" => lec::run(&options),
        "place" => place::run(&options),
        "claims" => claims::run(),
        "plots" => plots::run(&options),
        "diagrams" => diagrams::run(&options),
        "ports" => ports::run(&options),
        "verilog" => plain::run(&options),
        "pnr" => pnr::run(&options),
        "coverage" => coverage::run(&options),
        "flips" => flips::run(&options),
        "prove" => prove::run(&options),
        "mutate" => mutate::run(&options),
        "mutants" => mutants::run(&options),
        "report" => rows::run(&options),
        "fusesoc" => fusesoc::run(&options),
        "registers" => registers::run(&options),
        "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        other => Err(Failure::Usage(format!("no such step: {other}\n{USAGE}"))),
    }
}
