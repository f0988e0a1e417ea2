//! The command line of `hw asip`.

use super::{RUNGS, Rung};
use hasten_chore::failure::Failure;
use std::path::PathBuf;

const USAGE: &str = "Usage: cargo xtask hw asip [STAGE] [--check] [--areas] [--json] [--point K=V,..]
       cargo xtask hw asip [STAGE] --energy --liberty FILE --code FILE [--fast FILE] --ram FILE [--whole]
               [--point K=V,..]
  --liberty FILE  the library of the netlists
  --code FILE     the Liberty file of a macro of the memory of code, --ram FILE of the RAM's
  --fast FILE     that of a macro of the code that answers at once, where the machine has some
  --whole         the netlists run whole programs, which takes hours, and not windows
  --point K=V,..  only the machine with exactly these parameters
Example: cargo xtask hw asip refined --point processor=picorv32,stage=2,lanes=1,unroll=1";

/// The command-line options.
#[derive(Debug, Default)]
pub(super) struct Options {
    stages: Vec<String>,
    point: Option<String>,
    pub check: bool,
    pub areas: bool,
    pub json: bool,
    pub energy: bool,
    pub whole: bool,
    /// Liberty files of the cells, the code memory and the RAM.
    pub files: [Option<PathBuf>; 3],
    /// Liberty file of the first part of the code memory, which may be faster.
    pub fast: Option<PathBuf>,
}

impl Options {
    pub fn parse(args: &[String]) -> Result<Self, Failure> {
        let usage = || Failure::Usage(USAGE.into());
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(usage);
            match arg.as_str() {
                "--check" => options.check = true,
                "--areas" => options.areas = true,
                "--json" => options.json = true,
                "--energy" => options.energy = true,
                "--whole" => options.whole = true,
                "--liberty" => options.files[0] = Some(value()?.into()),
                "--code" => options.files[1] = Some(value()?.into()),
                "--ram" => options.files[2] = Some(value()?.into()),
                "--fast" => options.fast = Some(value()?.into()),
                "--point" => options.point = Some(value()?.clone()),
                stage if RUNGS.iter().any(|rung| rung.stage == stage) => {
                    options.stages.push(stage.into());
                }
                _ => return Err(usage()),
            }
        }
        let is_whole = options.files.iter().all(|file| file.is_some() == options.energy);
        let is_whole = is_whole && (options.energy || options.fast.is_none());
        let is_alone =
            if options.energy { !(options.check || options.areas) } else { !options.whole };
        if is_whole && is_alone { Ok(options) } else { Err(usage()) }
    }

    /// Returns true if a rung is selected.
    pub fn takes(&self, rung: &Rung) -> bool {
        (self.stages.is_empty() || self.stages.iter().any(|stage| stage == rung.stage))
            && (rung.short || !self.check)
            && self.point.as_ref().is_none_or(|point| *point == rung.slug())
            && (!self.energy || self.draws(rung))
    }

    /// Returns true if the energy of a rung is measured: if its program has operations, and in a
    /// window only for one program of each machine.
    fn draws(&self, rung: &Rung) -> bool {
        !rung.program.ends_with("_compared")
            && (self.whole || !["short", "refined_sets"].contains(&rung.program))
    }
}
