//! `rtl/NAME/core.toml`: the one description of a core.

use crate::core::options::Options;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A `core.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// The folder's name, or where the core comes from.
    pub name: String,
    /// One sentence, for FuseSoC.
    #[serde(default)]
    pub description: String,
    /// Holds what is reported.
    pub unit: Vec<Unit>,
    /// Holds what is proven.
    #[serde(default)]
    pub proof: Vec<Unit>,
    /// Where the files of the description begin.
    #[serde(skip)]
    pub root: PathBuf,
}

/// A top module with its points.
#[derive(Debug, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Top module.
    pub top: String,
    /// Source files in compile order.
    pub files: Vec<String>,
    /// Files of other people below `.tools/cores`, which `hw tools` copies out of the wheels of
    /// `flow/cores.txt`. They come before `files`, and nobody checks their style.
    #[serde(default)]
    pub others: Vec<String>,
    /// A C++ bench.
    #[serde(default)]
    pub bench: Option<String>,
    /// A C++ bench that flips bits around a decision (`hw flips`).
    #[serde(default)]
    pub flips: Option<String>,
    /// Files of assertions that are bound to the modules where the bench runs.
    #[serde(default)]
    pub asserts: Vec<String>,
    /// The bench prints WaveJSON when its first argument is `wave`.
    #[serde(default)]
    pub wave: bool,
    /// Ports that carry a secret, or bits of them as `msg_i[255:0]`, in the operation that `wave`
    /// draws (`hw tvla`).
    #[serde(default)]
    pub secrets: Vec<String>,
    /// So many mutants are kept of it (`hw mutants`).
    #[serde(default)]
    pub mutants: Option<u64>,
    /// A table of its ports is kept (`hw ports`).
    #[serde(default)]
    pub ports: bool,
    /// The example of `hasten-rtlsim` that writes random cases for the bench; without it the bench
    /// makes its own.
    #[serde(default)]
    pub cases: Option<String>,
    /// The clock's port.
    #[serde(default = "clk_i")]
    pub clock: String,
    /// The mapping script for standard cells.
    #[serde(default = "asic_abc")]
    pub abc: String,
    /// Registers of which the netlist must have every bit, and how many those are (`wide.rs`).
    #[serde(default)]
    pub wide: BTreeMap<String, usize>,
    /// Carries of adders in standard cells, where yosys' own are too slow: a file of `flow/` for
    /// `synth -extra-map`.
    #[serde(default)]
    pub adders: Option<String>,
    /// For the mapper, inputs and registers drive as much as the library's smallest buffer does,
    /// and not without limit.
    #[serde(default)]
    pub drive: bool,
    /// Holds what a report maps it to: `asic`, or an FPGA family; both where this is not said. A
    /// point's `family` comes first.
    #[serde(default)]
    pub maps: Option<String>,
    /// The description that maps the unit module by module, for `hw gates`.
    #[serde(default)]
    pub whole: Option<PathBuf>,
    /// Modules below that are mapped by themselves and joined again (`flatten.rs`), each with its
    /// mapping script.
    #[serde(default)]
    pub boxes: BTreeMap<String, String>,
    /// Boxes that are taken as they are mapped flat, with the parameters of the whole, each as a
    /// unit of this description.
    #[serde(default)]
    pub mapped: BTreeMap<String, String>,
    /// The module is a part of a core, as its rows then say.
    #[serde(default)]
    pub part: bool,
    /// Cells of the foundry, such as memories, that stand in the sources as empty modules; their
    /// Liberty files are given by `--macro`.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Parameter points.
    #[serde(default)]
    pub points: Vec<Point>,
    /// Parameter points that the module must refuse at elaboration; `hw lint` tries each.
    #[serde(default)]
    pub refused: Vec<Point>,
    /// Operations with cycle counts stated by the description, where there is no bench (peers
    /// only).
    #[serde(default)]
    pub ops: Vec<crate::core::row::Op>,
    /// For a proof: so many cycles after a reset (`flow/bounded.ys`), and not for every state
    /// (`flow/equiv.ys`).
    #[serde(default)]
    pub steps: Option<u64>,
    /// For a proof: for all time after a reset (`flow/induction.ys`).
    #[serde(default)]
    pub always: bool,
    /// For a proof: so many cycles after `wiped_by_o` no register holds what it held
    /// (`flow/wiped.ys`).
    #[serde(default)]
    pub wiped: Option<u64>,
    /// For `wiped`: a parameter whose value is so many cycles more.
    #[serde(default)]
    pub wiped_plus: Option<String>,
    /// For `wiped`: a signal that is 1 meanwhile.
    #[serde(default)]
    pub holds: Option<String>,
    /// For `wiped`: registers that are not compared, as patterns of their names with spaces
    /// between.
    #[serde(default)]
    pub except: Option<String>,
    /// For a unit: secrets that nothing that is shown depends on (`hw prove`).
    #[serde(default)]
    pub timing: Option<Timing>,
    /// With `boxes`: the most readers of a buffer, 8 without it.
    #[serde(default)]
    pub buffer_readers: Option<usize>,
    /// A row that is not checked for style (other people's code).
    #[serde(default)]
    pub foreign: bool,
}

/// Secrets of a unit, and what must not depend on them.
#[derive(Debug, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Inputs that may hold secrets.
    pub secret: Vec<String>,
    /// Outputs that anybody may see: handshakes, counts, ends.
    pub shows: Vec<String>,
    /// Nets inside whose values may be known although secrets made them, such as a message digest.
    #[serde(default)]
    pub public: Vec<String>,
    /// Parameter points.
    #[serde(default)]
    pub points: Vec<Point>,
}

/// One choice of parameters.
#[derive(Debug, Deserialize, Clone, Default)]
pub struct Point {
    /// Checked in `./test`.
    #[serde(default)]
    pub ci: bool,
    /// Families that `hw pnr --family` routes it on where no core is named.
    #[serde(default)]
    pub routed: Vec<String>,
    /// Lower-case name and value.
    #[serde(flatten)]
    pub params: BTreeMap<String, Param>,
}

/// A parameter's value, or a word that only names the point in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Param {
    /// Passed to the model and to synthesis.
    Number(i64),
    /// Kept in the row.
    Word(String),
}

impl std::fmt::Display for Param {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(value) => value.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}

/// Where the cores of other people lie in the checkout.
const OTHERS: &str = ".tools/cores";

fn clk_i() -> String {
    "clk_i".into()
}

fn asic_abc() -> String {
    "flow/asic.abc".into()
}

impl Core {
    /// Returns the cores the options name, units and points narrowed.
    pub fn chosen(options: &Options) -> Result<Vec<Self>, Failure> {
        let root = checkout::root()?;
        let files = match (&options.core_file, &options.core) {
            (Some(file), _) => vec![file.clone()],
            (None, Some(name)) => vec![root.join("rtl").join(name).join("core.toml")],
            (None, None) => every(&root)?,
        };
        let mut cores = Vec::new();
        for file in files {
            let mut core = Self::load(&file)?;
            core.root = match &options.core_file {
                Some(_) => {
                    options.dir.clone().or(file.parent().map(Path::to_path_buf)).unwrap_or_default()
                }
                None => root.clone(),
            };
            core.narrow(options);
            cores.push(core);
        }
        Ok(cores)
    }

    fn load(file: &Path) -> Result<Self, Failure> {
        toml::from_str(&read(file)?).map_err(|fault| Failure::Form(file.into(), fault.to_string()))
    }

    /// Returns a core of the checkout by its description, and its unit with this top.
    pub fn with_unit(file: &str, top: &str) -> Result<(Self, Unit), Failure> {
        let root = checkout::root()?;
        let core = Self { root: root.clone(), ..Self::load(&root.join(file))? };
        let unit = core.unit.iter().find(|unit| unit.top == top).cloned();
        let none = || Failure::Form(file.into(), format!("no unit {top}"));
        unit.map(|unit| (core, unit)).ok_or_else(none)
    }

    fn narrow(&mut self, options: &Options) {
        for units in [&mut self.unit, &mut self.proof] {
            units.retain(|unit| options.unit.as_ref().is_none_or(|wanted| *wanted == unit.top));
        }
        let is_wanted = |point: &Point| {
            let is_there = |(name, value): &(String, i64)| {
                let found = point.params.get(name);
                found.map_or(*value == 0, |found| *found == Param::Number(*value))
            };
            (!options.check || point.ci) && options.point.iter().all(is_there)
        };
        for unit in self.unit.iter_mut().chain(&mut self.proof) {
            if unit.points.is_empty() {
                unit.points.push(Point::default());
            }
            unit.points.retain(is_wanted);
            if let Some(timing) = &mut unit.timing {
                timing.points.retain(is_wanted);
            }
        }
    }
}

impl Unit {
    /// Returns what a report of a point maps it to, where that is said.
    pub fn maps<'s>(&'s self, point: &'s Point) -> Option<&'s str> {
        match point.params.get("family") {
            Some(Param::Word(family)) => Some(family),
            _ => self.maps.as_deref(),
        }
    }

    /// Returns the names of the sources, those of other people first.
    pub fn listed(&self) -> Vec<&String> {
        self.others.iter().chain(&self.files).collect()
    }

    /// Returns absolute paths of the sources, as they are listed. Those of other people lie in the
    /// checkout wherever ours are.
    pub fn sources(&self, root: &Path) -> Vec<String> {
        let checkout = checkout::root().unwrap_or_else(|_| root.into());
        let others = self.others.iter().map(|file| checkout.join(OTHERS).join(file));
        let ours = self.files.iter().map(|file| root.join(file));
        others.chain(ours).map(|path| path.display().to_string()).collect()
    }

    /// Returns every file that is ours: sources, and assertions.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain(&self.asserts)
    }
}

impl Point {
    /// Returns the value of a parameter that is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.params.get(name)? {
            Param::Number(value) => u64::try_from(*value).ok(),
            Param::Word(_) => None,
        }
    }

    /// Returns a short name for work files: `unroll2_inner1`.
    pub fn slug(&self) -> String {
        let parts: Vec<String> =
            self.params.iter().map(|(name, value)| format!("{name}{value}")).collect();
        if parts.is_empty() { "default".into() } else { parts.join("_") }
    }

    /// Returns `FLAG` and `NAME=VALUE` for each parameter, names in upper case.
    pub fn flags(&self, flag: &str) -> Vec<String> {
        self.params
            .iter()
            .filter(|(_, value)| matches!(value, Param::Number(_)))
            .map(|(name, value)| format!("{flag}{}={value}", name.to_uppercase()))
            .collect()
    }
}

fn every(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let rtl = root.join("rtl");
    let entries = std::fs::read_dir(&rtl).map_err(|error| Failure::Io(rtl.clone(), error))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("core.toml")))
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_and_an_unknown_key_refused() {
        let text = "name = 'k'\n[[unit]]\ntop = 't'\nfiles = ['a.sv']\npoints = [{ unroll = 2, ci = true, routed = ['ecp5'] }]\n";
        let core: Core = toml::from_str(text).unwrap();
        let point = &core.unit[0].points[0];
        assert!(point.ci && point.routed == ["ecp5"]);
        assert_eq!(
            (point.slug(), point.flags("-G")),
            ("unroll2".into(), vec!["-GUNROLL=2".into()])
        );
        assert!(toml::from_str::<Core>(&text.replace("files", "file")).is_err());
        assert_eq!(core.unit[0].maps(point), None);
        let text = text.replace("unroll", "family = 'ecp5', unroll") + "maps = 'xc7'\n";
        let unit = &toml::from_str::<Core>(&text).unwrap().unit[0];
        assert_eq!(unit.maps(&Point::default()), Some("xc7"));
        assert_eq!(unit.maps(&unit.points[0]), Some("ecp5"));
    }
}
