//! The simulated system: its ROMs, which are built here, and its model with the bench that boots
//! and attacks it.

use super::folder;
use super::images::Signed;
use super::slots::Slots;
use crate::chosen;
use crate::core::cores::Unit;
use crate::core::tool;
use crate::run::sim;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_chore::program;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "riscv32imc-unknown-none-elf";

/// A ROM, named after its verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rom {
    /// The processor alone.
    Software,
    /// The processor with the unit's generic stage.
    Generic,
    /// The processor with the unit's refined stage.
    Refined,
    /// The core `hbs_verify`.
    Core,
    /// The same ROM as `Core`, with a core that also supports XMSS.
    CoreOfXmss,
}

impl Rom {
    /// All ROMs, the slowest first.
    pub const ALL: [Self; 5] =
        [Self::Software, Self::Generic, Self::Refined, Self::CoreOfXmss, Self::Core];

    pub fn name(self) -> &'static str {
        match self {
            Self::Software => "software",
            Self::Generic => "generic",
            Self::Refined => "refined",
            Self::Core | Self::CoreOfXmss => "hbs_verify",
        }
    }

    /// Returns the feature of `rtl/soc/rom` that builds this ROM.
    fn feature(self) -> &'static str {
        match self {
            Self::Software => "",
            _ => self.name(),
        }
    }

    /// Returns the system that the ROM runs on. The system for `Software` has the core, but the
    /// software does not use it.
    fn system(self) -> System {
        match self {
            Self::Software | Self::Core => System { verifier: 1, stage: 0 },
            Self::CoreOfXmss => System { verifier: 2, stage: 0 },
            Self::Generic => System { verifier: 0, stage: 1 },
            Self::Refined => System { verifier: 0, stage: 2 },
        }
    }
}

/// Parameters of the system `rtl/soc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct System {
    verifier: i64,
    stage: i64,
}

/// The system with the core and the refined stage. All ROMs except the generic one run on it.
const WHOLE: System = System { verifier: 2, stage: 2 };

/// The built simulations with their ROMs, and the slots that limit how many run at once.
pub struct Model {
    machines: Vec<Machine>,
    slots: Slots,
}

/// A ROM with two benches of its system. The registers of the open bench can be read and flipped,
/// but its cycles take about twice as long.
struct Machine {
    rom: Rom,
    plain: PathBuf,
    open: PathBuf,
}

/// Outcome of a boot.
#[derive(Debug, Deserialize)]
pub struct Booted {
    /// Whether the first instruction of the image was fetched.
    pub started: bool,
    /// Cycles from reset to that fetch, or to the refusal.
    pub cycles: u64,
    /// Text from the serial port.
    pub uart: String,
}

/// Outcomes of the runs of an attack.
#[derive(Debug, Default, Deserialize)]
pub struct Ended {
    pub runs: u64,
    /// Runs in which the ROM refused the image.
    pub refused: u64,
    /// Runs in which the machine neither refused nor started the image.
    pub silent: u64,
    /// Runs in which an instruction of the image was fetched.
    pub booted: u64,
    /// Number of register bits among which the faults were chosen.
    #[serde(default)]
    pub bits: u64,
    /// Names of some of the runs that booted.
    pub which: String,
}

impl Ended {
    /// Returns the sum of both outcomes.
    pub fn and(self, other: Self) -> Self {
        let named = [self.which, other.which].into_iter().filter(|which| !which.is_empty());
        Self {
            runs: self.runs + other.runs,
            refused: self.refused + other.refused,
            silent: self.silent + other.silent,
            booted: self.booted + other.booted,
            bits: self.bits.max(other.bits),
            which: named.collect::<Vec<_>>().join(", "),
        }
    }
}

impl Model {
    /// Builds the ROMs, the program and the benches. If `one` is true, all ROMs share one open
    /// bench of the whole system; otherwise each ROM has the benches of its own system.
    pub fn build(roms: &[Rom], one: bool) -> Result<Self, Failure> {
        plain(&build("", "next")?, &program_file()?)?;
        let (mut machines, mut built) = (Vec::<Machine>::new(), Vec::<System>::new());
        for rom in roms {
            plain(&build(rom.feature(), "rom")?, &rom_file(*rom)?)?;
            let system = if one { WHOLE } else { rom.system() };
            let (plain, open) = match built.iter().position(|other| *other == system) {
                Some(at) => (machines[at].plain.clone(), machines[at].open.clone()),
                None => {
                    // No bits are flipped in these systems, so they need no open bench.
                    let closed = [Rom::Generic, Rom::CoreOfXmss].contains(rom) && !one;
                    let open = bench(system, !closed)?;
                    (if one { open.clone() } else { bench(system, false)? }, open)
                }
            };
            built.push(system);
            machines.push(Machine { rom: *rom, plain, open });
        }
        Ok(Self { machines, slots: Slots::new() })
    }

    /// Returns the size of a ROM in bytes, including its constants.
    pub fn rom_bytes(&self, rom: Rom) -> Result<u64, Failure> {
        let path = rom_file(rom)?;
        std::fs::metadata(&path).map(|file| file.len()).map_err(|error| Failure::Io(path, error))
    }

    /// Boots an image and returns the outcome.
    pub fn boot(&self, rom: Rom, image: &Signed) -> Result<Booted, Failure> {
        self.ask("boot", rom, image, &[])
    }

    /// Attacks the boot of an image, as `rtl/soc/bench/soc.cpp` describes.
    pub fn attack(
        &self,
        how: &str,
        rom: Rom,
        image: &Signed,
        numbers: &[String],
    ) -> Result<Ended, Failure> {
        self.ask(how, rom, image, numbers)
    }

    /// Boots an image, and returns its timing diagram as WaveJSON.
    pub fn wave(&self, rom: Rom, image: &Signed) -> Result<String, Failure> {
        self.said("wave", rom, image, &[])
    }

    fn ask<T: for<'t> Deserialize<'t>>(
        &self,
        what: &str,
        rom: Rom,
        image: &Signed,
        numbers: &[String],
    ) -> Result<T, Failure> {
        let text = self.said(what, rom, image, numbers)?;
        serde_json::from_str(&text)
            .map_err(|fault| Failure::Tool(format!("{}: {text}: {fault}", rom.name())))
    }

    /// Runs the bench and returns its output.
    fn said(
        &self,
        what: &str,
        rom: Rom,
        image: &Signed,
        numbers: &[String],
    ) -> Result<String, Failure> {
        let machine = self.machines.iter().find(|machine| machine.rom == rom);
        let machine = machine.expect("the ROM was built");
        let bench = if OPEN.contains(&what) { &machine.open } else { &machine.plain };
        let mut command = Command::new(bench);
        command.arg(what).arg(rom_file(rom)?).arg(&image.flash).arg(&image.fuses).args(numbers);
        self.slots.within(|| tool::output(&mut command))
    }
}

/// Returns the path of the program in the images, which prints the version that was started.
pub fn program_file() -> Result<PathBuf, Failure> {
    Ok(folder()?.join("next.bin"))
}

fn rom_file(rom: Rom) -> Result<PathBuf, Failure> {
    Ok(folder()?.join(format!("rom-{}.bin", rom.name())))
}

/// Builds a program of `rtl/soc/rom` and returns its path. The next build of this program
/// overwrites the file.
fn build(features: &str, bin: &str) -> Result<PathBuf, Failure> {
    let root = checkout::root()?;
    let manifest = root.join("rtl/soc/rom/Cargo.toml").display().to_string();
    let place = root.join("target/soc");
    let target_dir = place.display().to_string();
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let how = ["build", "--quiet", "--release", "--locked", "--target", TARGET, "--bin", bin];
    let what = ["--manifest-path", &manifest, "--target-dir", &target_dir, "--features", features];
    program::run(cargo, &[&how[..], &what].concat())?;
    Ok(place.join(TARGET).join("release").join(bin))
}

/// Writes the segments of an ELF file as they are in memory.
fn plain(elf: &Path, to: &Path) -> Result<(), Failure> {
    let bytes = std::fs::read(elf).map_err(|error| Failure::Io(elf.into(), error))?;
    let memory = loaded(&bytes).ok_or_else(|| Failure::Form(elf.into(), "no program".into()))?;
    std::fs::write(to, memory).map_err(|error| Failure::Io(to.into(), error))
}

/// Returns the loaded segments of a 32-bit ELF file as one memory image, from the lowest address
/// on.
fn loaded(elf: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(*elf.get(at..)?.first_chunk()?) as usize);
    let half = |at: usize| Some(usize::from(u16::from_le_bytes(*elf.get(at..)?.first_chunk()?)));
    let (table, size, count) = (word(28)?, half(42)?, half(44)?);
    let mut segments = Vec::new();
    for at in (0..count).map(|i| table + i * size) {
        let (kind, offset, address, bytes) =
            (word(at)?, word(at + 4)?, word(at + 12)?, word(at + 16)?);
        if kind == 1 && bytes > 0 {
            segments.push((address, elf.get(offset..offset + bytes)?));
        }
    }
    let low = segments.iter().map(|(address, _)| *address).min()?;
    let mut memory = Vec::new();
    for (address, bytes) in segments {
        let end = address - low + bytes.len();
        memory.resize(memory.len().max(end), 0);
        memory[address - low..end].copy_from_slice(bytes);
    }
    Some(memory)
}

/// Commands of the bench that need open registers.
const OPEN: [&str; 2] = ["upsets", "wave"];

/// Builds the bench of a system, with open registers if `open` is true.
fn bench(system: System, open: bool) -> Result<PathBuf, Failure> {
    let point = [("verifier", system.verifier), ("stage", system.stage)];
    let (core, unit, point) = chosen("soc", "soc", &point)?;
    let mut unit = Unit { top: "soc_machine".into(), ..unit };
    unit.files.push("rtl/soc/bench/soc_machine.sv".into());
    let [split, registers] = ["split", "registers"]
        .map(|name| core.root.join(format!("rtl/soc/bench/{name}.vlt")).display().to_string());
    let flags = ["-MAKEFLAGS", "OPT_FAST=-O2", &split, &registers];
    match open {
        true => sim::open_program(&core, &unit, &point, "rtl/soc/bench/soc.cpp", &flags),
        false => sim::closed_program(&core, &unit, &point, "rtl/soc/bench/soc.cpp", &flags[..3]),
    }
}
