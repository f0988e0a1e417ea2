//! Maps one piece of a whole (`flatten.rs`), unless it was mapped before with the same texts,
//! scripts, tools and library.

use crate::core::cores::{Core, Point, Unit};
use crate::core::tool;
use crate::map::source_deps::{self, Need, Source};
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folder of the pieces, and how they are mapped.
pub struct Mapper<'m> {
    /// Folder of the netlists.
    pub folder: &'m Path,
    /// A script of `flow/`.
    pub script: &'m str,
    /// Further names of the script, with their values.
    pub more: Vec<(&'static str, String)>,
}

/// Input of the synthesizer for a piece: paths, options for boxes, and a digest of the texts.
struct Given {
    paths: Vec<String>,
    black: String,
    digest: Sha256,
}

impl Mapper<'_> {
    /// Returns the path of the netlist of a piece, and maps the piece if necessary.
    pub fn piece(&self, core: &Core, unit: &Unit, point: &Point) -> Result<PathBuf, Failure> {
        let out = self.folder.join(format!("{}_{}", unit.top, point.slug()));
        let (netlist, key_file) = (out.with_extension("json"), out.with_extension("key"));
        let given = Given::of(core, unit, self.folder)?;
        let mut names = vec![
            ("TOP", unit.top.clone()),
            ("BLACK", given.black),
            ("PARAMS", point.flags("-G ").join(" ")),
        ];
        names.extend(self.more.iter().cloned());
        let key = self.key(given.digest, unit, &names)?;
        if !netlist.is_file() || std::fs::read_to_string(&key_file).ok().as_ref() != Some(&key) {
            println!("  mapping {} {}", unit.top, point.slug());
            names.push(("FILES", given.paths.join(" ")));
            names.push(("OUT", out.display().to_string()));
            tool::yosys(self.script, &names, &out.with_extension("log"))?;
            tool::write(&key_file, &key)?;
        }
        Ok(netlist)
    }

    /// Returns a digest of everything that a mapping depends on.
    fn key(
        &self,
        mut digest: Sha256,
        unit: &Unit,
        names: &[(&str, String)],
    ) -> Result<String, Failure> {
        let flow = checkout::root()?.join("flow");
        digest.update(read(&flow.join(self.script))?);
        digest.update(read(&flow.join("requirements.txt"))?);
        if names.iter().any(|(name, _)| *name == "ABC") {
            digest.update(read(&checkout::root()?.join(&unit.abc))?);
        }
        if let Some(adders) = unit.adders.as_ref().filter(|_| self.script == "piece.ys") {
            digest.update(read(&checkout::root()?.join(adders))?);
        }
        for (name, value) in names {
            let value = if *name == "LIBERTY" { read(Path::new(value))? } else { value.clone() };
            digest.update(format!("{name}={value}\n"));
        }
        Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl Given {
    fn of(core: &Core, unit: &Unit, folder: &Path) -> Result<Self, Failure> {
        let (listed, paths) = (unit.listed(), unit.sources(&core.root));
        let texts: Vec<String> =
            paths.iter().map(|path| read(Path::new(path))).collect::<Result<_, _>>()?;
        let sources: Vec<Source> = texts.iter().cloned().map(Source::read).collect();
        let boxes: BTreeSet<&str> = unit.boxes.keys().map(String::as_str).collect();
        let mut given = Self { paths: Vec::new(), black: String::new(), digest: Sha256::new() };
        let needs = source_deps::of(&sources, &unit.top, &boxes);
        for need in &needs {
            let name = listed[need.file];
            given
                .digest
                .update(format!("{name} {}", need.header.as_ref().unwrap_or(&texts[need.file])));
            given.add(need, &paths[need.file], folder)?;
        }
        let seen: BTreeSet<&str> =
            needs.iter().flat_map(|need| sources[need.file].units()).collect();
        given.black = unit.black(|name| seen.contains(name));
        Ok(given)
    }

    /// Adds the path of a file, or of a new file with only its header.
    fn add(&mut self, need: &Need, path: &str, folder: &Path) -> Result<(), Failure> {
        let Some(header) = &need.header else {
            self.paths.push(path.into());
            return Ok(());
        };
        let name = Path::new(path).file_name().unwrap_or_default();
        let headers = folder.join("headers");
        std::fs::create_dir_all(&headers).map_err(|error| Failure::Io(headers.clone(), error))?;
        tool::write(&headers.join(name), header)?;
        self.paths.push(headers.join(name).display().to_string());
        Ok(())
    }
}
