//! `hw registers`: writes `rtl/NAME/gen/` from `rtl/NAME/registers.toml`.
//!
//! The files are the register block in SystemVerilog, its constants in SystemVerilog, Rust and C,
//! the description for debuggers and code generators (SVD), and the table of the documentation.

mod map;
mod software;
mod sv;
mod svd;
mod words;

use crate::core::generated;
use crate::core::options::Options;
use crate::run::lint;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use map::Map;
use std::path::{Path, PathBuf};

/// Writes the files, or names the stale ones with `--check`.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut written = Vec::new();
    for folder in folders(options)? {
        let map = load(&folder.join("registers.toml"))?;
        let folder = generated::folder(&folder);
        written.extend(files(&map)?.into_iter().map(|(name, text)| (folder.join(name), text)));
    }
    generated::keep("hw registers", &written, "files", options)
}

/// Returns the folders of all cores with a description, or of the named core.
fn folders(options: &Options) -> Result<Vec<PathBuf>, Failure> {
    let rtl = checkout::root()?.join("rtl");
    if let Some(core) = &options.core {
        return Ok(vec![rtl.join(core)]);
    }
    let entries = std::fs::read_dir(&rtl).map_err(|error| Failure::Io(rtl.clone(), error))?;
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|folder| folder.join("registers.toml").is_file())
        .collect();
    folders.sort();
    Ok(folders)
}

fn load(path: &Path) -> Result<Map, Failure> {
    let form = |fault| Failure::Form(path.into(), fault);
    let map: Map = toml::from_str(&read(path)?).map_err(|fault| form(fault.to_string()))?;
    let faults = map.faults();
    if faults.is_empty() { Ok(map) } else { Err(form(faults.join("; "))) }
}

/// Returns the names and texts of the generated files.
fn files(map: &Map) -> Result<Vec<(String, String)>, Failure> {
    let name = &map.name;
    Ok(vec![
        (format!("{name}_regs_pkg.sv"), lint::formatted(&sv::package(map))?),
        (format!("{name}_regs.sv"), lint::formatted(&sv::block(map))?),
        (format!("{name}_regs.rs"), software::rust(map)),
        (format!("{name}_regs.h"), software::c(map)),
        (format!("{name}_regs.svd"), svd::svd(map)),
        (format!("{name}_regs.md"), software::markdown(map)),
    ])
}

/// Sentence at the top of every generated text.
const WRITTEN: &str = "Written by `cargo xtask hw registers` from registers.toml.";

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "name='t'\ndescription='A block.'
        [[register]]\nname='id'\noffset=0\naccess='const'\ndescription='Who.'\nfield=[{name='value',bits='31:0',description='',reset=7}]
        [[register]]\nname='go'\noffset=4\naccess='rw'\nstrobe=true\ndescription='Go.'
        field=[{name='op',bits='6:4',description='What.',values={sign=2}}]
        [[register]]\nname='seed'\noffset=8\ncount=2\naccess='wo'\ndescription='Secret.'
        [[register]]\nname='done'\noffset=16\naccess='w1c'\ndescription='Done.'\nfield=[{name='lane',bits='1:0',description=''}]";

    #[test]
    fn every_language_has_the_same_numbers() {
        let map: Map = toml::from_str(SMALL).unwrap();
        assert!(map.faults().is_empty());
        let (package, block) = (sv::package(&map), sv::block(&map));
        assert!(
            package.contains("GoAddress = 5'h04") && package.contains("GoOpSign = 3'd2"),
            "{package}"
        );
        assert!(
            package.contains("logic go_strobe;") && package.contains("logic [1:0][31:0] seed;"),
            "{package}"
        );
        assert!(
            block.contains("5'h08: stored.seed[0]") && block.contains("5'h0c: stored.seed[1]"),
            "{block}"
        );
        assert!(
            !block.contains("rd_data_o[31:0] = stored.seed"),
            "secrets are not read back: {block}"
        );
        let (rust, c) = (software::rust(&map), software::c(&map));
        for text in [
            "pub const GO: usize = 0x04;",
            "GO_OP_SIGN: u32 = 2;",
            "SEED: [usize; 2] = [0x08, 0x0c];",
        ] {
            assert!(rust.contains(text), "{rust}");
        }
        for text in [
            "#define T_GO 0x04u",
            "#define T_GO_OP_MASK 0x00000070u",
            "#define T_SEED(i) (0x08u + 4u * (i))",
        ] {
            assert!(c.contains(text), "{c}");
        }
        let svd = svd::svd(&map);
        for text in [
            "<name>GO</name>",
            "<bitRange>[6:4]</bitRange>",
            "<value>2</value>",
            "<dim>2</dim>",
            "<name>SEED[%s]</name>",
            "<access>write-only</access>",
            "<resetValue>0x00000007</resetValue>",
            "<modifiedWriteValues>oneToClear</modifiedWriteValues>",
        ] {
            assert!(svd.contains(text), "{text}: {svd}");
        }
        assert!(software::markdown(&map).contains("| 0x08 + 4 i | `seed[2]` | wo |"));
    }
}
