//! `rtl/NAME/core.toml`: the only description of a core.

use crate::core::options::Options;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Content of a `core.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// Name of the core's folder, or origin of the core.
    pub name: String,
    /// Description of one sentence, for FuseSoC.
    #[serde(default)]
    pub description: String,
    /// Units to report.
    pub unit: Vec<Unit>,
    /// Proofs of the core.
    #[serde(default)]
    pub proof: Vec<Unit>,
    /// Folder that the file names of the description are relative to.
    #[serde(skip)]
    pub root: PathBuf,
}

/// A top module with its parameter points.
#[derive(Debug, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Top module.
    pub top: String,
    /// Source files in compile order.
    pub files: Vec<String>,
    /// Files by other authors below `.tools/cores`, which `hw tools` copies out of the wheels of
    /// `flow/cores.txt`. They are compiled before `files`, and their style is not checked.
    #[serde(default)]
    pub others: Vec<String>,
    /// C++ bench.
    #[serde(default)]
    pub bench: Option<String>,
    /// C++ bench that flips bits around a decision (`hw flips`).
    #[serde(default)]
    pub flips: Option<String>,
    /// Files of assertions that are bound to the modules when the bench runs.
    #[serde(default)]
    pub asserts: Vec<String>,
    /// Whether the bench prints WaveJSON when its first argument is `wave`.
    #[serde(default)]
    pub wave: bool,
    /// Ports that carry a secret in the operation that `wave` draws (`hw tvla`). An entry may name
    /// a range of bits, such as `msg_i[255:0]`.
    #[serde(default)]
    pub secrets: Vec<String>,
    /// Number of mutants to try (`hw mutants`).
    #[serde(default)]
    pub mutants: Option<u64>,
    /// Whether a table of the ports is kept (`hw ports`).
    #[serde(default)]
    pub ports: bool,
    /// Example of `hasten-rtlsim` that writes random cases for the bench. Without it, the bench
    /// makes its own cases.
    #[serde(default)]
    pub cases: Option<String>,
    /// Name of the clock port.
    #[serde(default = "clk_i")]
    pub clock: String,
    /// abc script that maps the unit to standard cells.
    #[serde(default = "asic_abc")]
    pub abc: String,
    /// Registers of which the netlist must have every bit, each with its number of bits
    /// (`wide.rs`).
    #[serde(default)]
    pub wide: BTreeMap<String, usize>,
    /// Mapping file of `flow/` for the carries of adders in standard cells (`synth -extra-map`),
    /// for units in which yosys' own carries are too slow.
    #[serde(default)]
    pub adders: Option<String>,
    /// Whether the mapper assumes that inputs and registers are as strong as the library's smallest
    /// buffer. Otherwise it assumes that they drive any load.
    #[serde(default)]
    pub drive: bool,
    /// Target of a report: `asic` or an FPGA family, or both if absent. The `family` of a point
    /// takes precedence.
    #[serde(default)]
    pub maps: Option<String>,
    /// Description that maps the unit module by module, for `hw gates`.
    #[serde(default)]
    pub whole: Option<PathBuf>,
    /// Modules below this unit that are mapped separately and joined again (`flatten.rs`), each
    /// with its mapping script.
    #[serde(default)]
    pub boxes: BTreeMap<String, String>,
    /// Boxes that are taken from the flat mapping of a unit of another description, at the
    /// parameters of the whole. The value is the path of that description.
    #[serde(default)]
    pub mapped: BTreeMap<String, String>,
    /// Whether the module is only a part of a core, which its rows then state.
    #[serde(default)]
    pub part: bool,
    /// Foundry cells, such as memories, that are empty modules in the sources. `--macro` names
    /// their Liberty files.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Parameter points.
    #[serde(default)]
    pub points: Vec<Point>,
    /// Parameter points that the module must reject at elaboration; `hw lint` tries each.
    #[serde(default)]
    pub refused: Vec<Point>,
    /// Operations whose cycle counts the description states, because there is no bench (peers
    /// only).
    #[serde(default)]
    pub ops: Vec<crate::core::row::Op>,
    /// For a proof: number of cycles after a reset that it covers (`flow/bounded.ys`). Without it,
    /// the proof covers every state (`flow/equiv.ys`).
    #[serde(default)]
    pub steps: Option<u64>,
    /// For a proof: whether it covers all time after a reset (`flow/induction.ys`).
    #[serde(default)]
    pub always: bool,
    /// For a proof: number of cycles after `wiped_by_o` at which no register may still hold its
    /// earlier content (`flow/wiped.ys`).
    #[serde(default)]
    pub wiped: Option<u64>,
    /// For `wiped`: parameter whose value is added to the number of cycles.
    #[serde(default)]
    pub wiped_plus: Option<String>,
    /// For `wiped`: signal that is 1 during these cycles.
    #[serde(default)]
    pub holds: Option<String>,
    /// For `wiped`: registers that are not compared, as name patterns separated by spaces.
    #[serde(default)]
    pub except: Option<String>,
    /// For a unit: secrets that its shown outputs must not depend on (`hw prove`).
    #[serde(default)]
    pub timing: Option<Timing>,
    /// With `boxes`: maximum number of readers of a buffer, 8 by default.
    #[serde(default)]
    pub buffer_readers: Option<usize>,
    /// Whether the code is by other authors, so that its style is not checked.
    #[serde(default)]
    pub foreign: bool,
}

/// Secrets of a unit, and the outputs that must not depend on them.
#[derive(Debug, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Inputs that may carry secrets.
    pub secret: Vec<String>,
    /// Outputs that anybody may see, such as handshakes, counts and ends.
    pub shows: Vec<String>,
    /// Internal nets that depend on secrets but may be public, such as a message digest.
    #[serde(default)]
    pub public: Vec<String>,
    /// Parameter points.
    #[serde(default)]
    pub points: Vec<Point>,
}

/// A choice of parameters.
#[derive(Debug, Deserialize, Clone, Default)]
pub struct Point {
    /// Whether `./test` checks the point.
    #[serde(default)]
    pub ci: bool,
    /// Families for which `hw pnr --family` routes the point when no core is named.
    #[serde(default)]
    pub routed: Vec<String>,
    /// Values by parameter name in lower case.
    #[serde(flatten)]
    pub params: BTreeMap<String, Param>,
}

/// A parameter's value, or a word that only names the point in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Param {
    /// Value that is passed to the model and to synthesis.
    Number(i64),
    /// Word that is only kept in the row.
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

/// Folder of the checkout with the cores by other authors.
const OTHERS: &str = ".tools/cores";

fn clk_i() -> String {
    "clk_i".into()
}

fn asic_abc() -> String {
    "flow/asic.abc".into()
}

impl Core {
    /// Returns the cores that the options choose, with only the chosen units and points.
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

    /// Loads the description `file` of the checkout. Returns the core, and its unit with the top
    /// module `top`.
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
    /// Returns the target of a report at a point, or `None` if the description does not restrict
    /// it.
    pub fn maps<'s>(&'s self, point: &'s Point) -> Option<&'s str> {
        match point.params.get("family") {
            Some(Param::Word(family)) => Some(family),
            _ => self.maps.as_deref(),
        }
    }

    /// Returns the names of the sources, those by other authors first.
    pub fn listed(&self) -> Vec<&String> {
        self.others.iter().chain(&self.files).collect()
    }

    /// Returns the absolute paths of the sources in the order of [`Self::listed`]. Files by other
    /// authors are always in the checkout, even if `root` is elsewhere.
    pub fn sources(&self, root: &Path) -> Vec<String> {
        let checkout = checkout::root().unwrap_or_else(|_| root.into());
        let others = self.others.iter().map(|file| checkout.join(OTHERS).join(file));
        let ours = self.files.iter().map(|file| root.join(file));
        others.chain(ours).map(|path| path.display().to_string()).collect()
    }

    /// Returns the files written in this project: sources and assertions.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain(&self.asserts)
    }
}

impl Point {
    /// Returns the value of a numeric parameter.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.params.get(name)? {
            Param::Number(value) => u64::try_from(*value).ok(),
            Param::Word(_) => None,
        }
    }

    /// Returns a short name for work files, such as `unroll2_inner1`.
    pub fn slug(&self) -> String {
        let parts: Vec<String> =
            self.params.iter().map(|(name, value)| format!("{name}{value}")).collect();
        if parts.is_empty() { "default".into() } else { parts.join("_") }
    }

    /// Returns `flag` followed by `NAME=VALUE` for each numeric parameter, with names in upper
    /// case.
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
