//! Assignment of source files to descriptions. A unit owns the files of its folder that no smaller
//! unit has. All other files form the description `shared` of their folder, because FuseSoC
//! requires a description in a folder above its files.

use crate::core::cores::{Core, Unit};
use hasten_chore::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};

/// Name of a description: the folder `rtl/FOLDER`, and the top module or `shared`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    pub folder: String,
    pub top: String,
}

/// Files of one description in compile order, and the descriptions they need.
#[derive(Debug)]
pub struct Package {
    pub name: Name,
    pub description: String,
    pub files: Vec<String>,
    pub depends: Vec<Name>,
    /// Names and default values of the parameters. `None` for `shared`, which has no top module.
    pub parameters: Option<Vec<(String, i64)>>,
}

/// A unit with its name.
struct Named<'c> {
    name: Name,
    core: &'c Core,
    unit: &'c Unit,
}

/// Returns a package for every unit and for every folder with shared files. A core with files by
/// other authors has no packages, because its description would be incomplete. `parameters` reads
/// the parameters of a unit.
pub fn all(cores: &[Core], parameters: &Read<'_>) -> Result<Vec<Package>, Failure> {
    let units: Vec<Named<'_>> = cores.iter().flat_map(named).collect();
    let owners = owners(&units);
    let own = units
        .iter()
        .map(|each| Ok(of_unit(each, &units, &owners, parameters(each.core, each.unit)?)));
    own.chain(shared(&units, &owners).into_iter().map(Ok)).collect()
}

/// Reads the parameters of a unit and their defaults.
pub type Read<'r> = dyn Fn(&Core, &Unit) -> Result<Vec<(String, i64)>, Failure> + 'r;

fn named(core: &Core) -> impl Iterator<Item = Named<'_>> {
    let is_whole = core.unit.iter().all(|unit| unit.others.is_empty());
    core.unit.iter().filter(move |_| is_whole).map(move |unit| {
        let name = Name { folder: core.name.clone(), top: unit.top.clone() };
        Named { name, core, unit }
    })
}

/// Returns the package that each file belongs to.
fn owners(units: &[Named<'_>]) -> BTreeMap<String, Name> {
    let files: BTreeSet<&String> = units.iter().flat_map(|each| &each.unit.files).collect();
    files.into_iter().map(|file| (file.clone(), owner(file, units))).collect()
}

fn owner(file: &str, units: &[Named<'_>]) -> Name {
    let having: Vec<&Named<'_>> = units.iter().filter(|each| has(each, file)).collect();
    let least = |each: &&&Named<'_>| !having.iter().any(|other| is_part(other, each));
    let least: Vec<_> = having.iter().filter(least).collect();
    match least[..] {
        [only] if only.name.folder == folder(file) => only.name.clone(),
        _ => Name { folder: folder(file).into(), top: "shared".into() },
    }
}

fn has(each: &Named<'_>, file: &str) -> bool {
    each.unit.files.iter().any(|own| own == file)
}

/// Returns true if the files of `first` are a proper subset of the files of `second`.
fn is_part(first: &Named<'_>, second: &Named<'_>) -> bool {
    let (few, many) = (&first.unit.files, &second.unit.files);
    few.len() < many.len() && few.iter().all(|file| many.contains(file))
}

/// Returns NAME for a file `rtl/NAME/...`.
fn folder(file: &str) -> &str {
    file.split('/').nth(1).unwrap_or_default()
}

fn of_unit(
    each: &Named<'_>,
    units: &[Named<'_>],
    owners: &BTreeMap<String, Name>,
    parameters: Vec<(String, i64)>,
) -> Package {
    let (own, others): (Vec<_>, Vec<_>) =
        each.unit.files.iter().partition(|file| owners[*file] == each.name);
    let needed: BTreeSet<Name> = others.into_iter().map(|file| owners[file].clone()).collect();
    Package {
        name: each.name.clone(),
        description: each.core.description.clone(),
        files: own.into_iter().cloned().collect(),
        depends: direct(&needed, units, owners),
        parameters: Some(parameters),
    }
}

/// Returns the needed packages without those that another needed package already depends on.
fn direct(
    needed: &BTreeSet<Name>,
    units: &[Named<'_>],
    owners: &BTreeMap<String, Name>,
) -> Vec<Name> {
    let brings = |from: &Name, what: &Name| {
        let of = units.iter().find(|each| each.name == *from);
        from != what && of.is_some_and(|each| each.unit.files.iter().any(|f| owners[f] == *what))
    };
    let alone = |what: &&Name| !needed.iter().any(|from| brings(from, what));
    needed.iter().filter(alone).cloned().collect()
}

/// Returns the packages of files that several units share. Each package has the order in which the
/// units list its files.
fn shared(units: &[Named<'_>], owners: &BTreeMap<String, Name>) -> Vec<Package> {
    let mut packages: BTreeMap<Name, Vec<String>> = BTreeMap::new();
    for file in units.iter().flat_map(|each| &each.unit.files) {
        let name = &owners[file];
        let files = packages.entry(name.clone()).or_default();
        if name.top == "shared" && !files.contains(file) {
            files.push(file.clone());
        }
    }
    packages.retain(|name, _| name.top == "shared");
    packages.into_iter().map(of_shared).collect()
}

fn of_shared((name, files): (Name, Vec<String>)) -> Package {
    let description = format!("Files of rtl/{} that several cores need", name.folder);
    Package { name, description, files, depends: Vec::new(), parameters: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(name: &str, units: &[(&str, &[&str])]) -> Core {
        let unit = |(top, files): &(&str, &[&str])| {
            format!("[[unit]]\ntop = {top:?}\nfiles = {files:?}\n")
        };
        let units: String = units.iter().map(unit).collect();
        toml::from_str(&format!("name = {name:?}\n{units}")).unwrap()
    }

    fn shown(packages: &[Package]) -> Vec<String> {
        let name = |name: &Name| format!("{}:{}", name.folder, name.top);
        let needs = |each: &Package| each.depends.iter().map(name).collect::<Vec<_>>().join(",");
        let line = |each: &Package| {
            format!("{} [{}] {}", name(&each.name), each.files.join(","), needs(each))
        };
        packages.iter().map(line).collect()
    }

    #[test]
    fn every_file_stands_in_one_package_and_the_rest_are_named() {
        let cores = [
            core("a", &[("small", &["rtl/a/1"]), ("large", &["rtl/a/1", "rtl/a/2"])]),
            core("b", &[("top", &["rtl/a/1", "rtl/a/2", "rtl/b/3"])]),
        ];
        let expected =
            ["a:small [rtl/a/1] ", "a:large [rtl/a/2] a:small", "b:top [rtl/b/3] a:large"];
        assert_eq!(shown(&all(&cores, &|_, _| Ok(Vec::new())).unwrap()), expected);
    }

    #[test]
    fn files_of_units_that_overlap_are_shared() {
        let cores = [
            core("a", &[("one", &["rtl/a/1", "rtl/a/2"]), ("two", &["rtl/a/1", "rtl/a/3"])]),
            core("b", &[("top", &["rtl/a/1", "rtl/b/4"])]),
        ];
        let expected = [
            "a:one [rtl/a/2] a:shared",
            "a:two [rtl/a/3] a:shared",
            "b:top [rtl/b/4] a:shared",
            "a:shared [rtl/a/1] ",
        ];
        assert_eq!(shown(&all(&cores, &|_, _| Ok(Vec::new())).unwrap()), expected);
    }
}
