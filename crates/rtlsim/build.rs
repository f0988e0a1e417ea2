//! Verilates each core of `MODELS` and compiles it with its shim. Without the pinned Verilator
//! (`cargo xtask hw tools`) the crate builds without models and prints a warning.
//!
//! A compiled model is kept in `.tools`, like Verilator, under a fingerprint of everything it is
//! made from. So a change of one core, of the profile or of the features does not recompile the
//! other models.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// A model: the core whose `rtl/CORE/core.toml` lists the sources, the top module with the shim
/// `shim/TOP.cpp`, the name, which the shim knows as `MODEL`, and the parameters.
struct Model {
    core: &'static str,
    top: &'static str,
    name: &'static str,
    parameters: &'static [&'static str],
}

impl Model {
    fn shim(&self) -> String {
        format!("{}.cpp", self.top)
    }
}

const MODELS: &[Model] = &[
    Model {
        core: "keccak",
        top: "keccak_core",
        name: "keccak_core",
        parameters: &["-GUNROLL=2", "-GINNER=1", "-GOUTREG=1", "-GENTRY=0", "-GRATE=1600"],
    },
    Model {
        core: "keccak",
        top: "sha3_unit",
        name: "sha3_unit",
        parameters: &["-GUNROLL=2", "-GINNER=2", "-GOUTREG=1"],
    },
    Model {
        core: "ed25519",
        top: "ed25519",
        name: "ed25519",
        parameters: &["-GFAST=1", "-GMUL_LATENCY=2"],
    },
    Model {
        core: "xmss",
        top: "xmss_engine",
        name: "xmss_engine",
        parameters: &["-GCORES=4", "-GUNROLL=1"],
    },
    Model {
        core: "xmss",
        top: "xmss_engine",
        name: "xmss_shake",
        parameters: &["-GCORES=4", "-GUNROLL=2", "-GSHAKE=1"],
    },
    Model {
        core: "hbs_verify",
        top: "hbs_verify_axi",
        name: "hbs_verify_axi",
        parameters: &["-GXMSS=1"],
    },
];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(verilated)");
    println!("cargo::rerun-if-changed=shim");
    println!("cargo::rerun-if-changed=build.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let verilator = root.join(".tools/bin/verilator");
    println!("cargo::rerun-if-changed={}", verilator.display());
    if !verilator.is_file() {
        println!(
            "cargo::warning=no Verilator in .tools (cargo xtask hw tools installs it): built without the simulated cores"
        );
        return;
    }
    let (include, models) = (runtime(&verilator), root.join(".tools/models"));
    // The models must precede the runtime on the linker's command line, because they use it.
    let kept = MODELS.iter().map(|model| keep(&verilator, &root, &include, model, &models));
    let kept: Vec<PathBuf> = kept.collect();
    prune(&models, &kept);
    let mut build = flags(&include, 2);
    build.files(["verilated.cpp", "verilated_threads.cpp"].map(|file| include.join(file)));
    build.compile("verilated");
    println!("cargo::rustc-cfg=verilated");
}

/// Links a compiled model and returns its folder. The model is compiled if it does not exist yet.
fn keep(verilator: &Path, root: &Path, include: &Path, model: &Model, models: &Path) -> PathBuf {
    let sources = sources(root, model);
    let name = format!("{}-{:016x}", model.name, fingerprint(&sources, include, model));
    let folder = models.join(name);
    if !folder.is_dir() {
        make(verilator, &sources, include, model, &folder);
    }
    link(&folder, &[model.name, &format!("{}_once", model.name)]);
    folder
}

/// Returns the files that the core's description lists for the top module.
fn sources(root: &Path, model: &Model) -> Vec<PathBuf> {
    let path = root.join("rtl").join(model.core).join("core.toml");
    println!("cargo::rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let core: toml::Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut units = core["unit"].as_array().into_iter().flatten();
    let unit = units.find(|unit| unit["top"].as_str() == Some(model.top));
    let files = unit.and_then(|unit| unit["files"].as_array());
    let files = files.unwrap_or_else(|| panic!("{}: no unit {}", path.display(), model.top));
    files.iter().filter_map(|file| Some(root.join(file.as_str()?))).collect()
}

/// Returns a digest of everything that a compiled model is made from.
fn fingerprint(sources: &[PathBuf], include: &Path, model: &Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    model.parameters.hash(&mut hasher);
    let version = include.join("verilated_config.h");
    let shims = ["clocked.h".into(), model.shim()].map(|name| Path::new("shim").join(name));
    let sources = sources.iter().cloned().inspect(|path| {
        println!("cargo::rerun-if-changed={}", path.display());
    });
    for path in sources.chain(shims).chain([version, "build.rs".into()]) {
        let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        text.hash(&mut hasher);
    }
    hasher.finish()
}

/// Makes a model in the folder of this build, and then moves its libraries atomically to the folder
/// where they are kept.
fn make(verilator: &Path, sources: &[PathBuf], include: &Path, model: &Model, kept: &Path) {
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo"));
    let folder = out.join(model.name);
    // The old files were made from other sources, and there may be more of them.
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder).expect("written by an earlier build");
    }
    verilate(verilator, sources, model, &folder);
    let fresh = kept.with_extension(format!("{}", std::process::id()));
    std::fs::create_dir_all(&fresh).expect("the tools' folder can be written");
    compile(model, &folder, include, &fresh);
    if std::fs::rename(&fresh, kept).is_err() {
        assert!(kept.is_dir(), "{} cannot be made", kept.display());
        std::fs::remove_dir_all(&fresh).expect("made above");
    }
}

/// Removes models of other sources that are older than a day. A younger model may belong to another
/// build.
fn prune(models: &Path, kept: &[PathBuf]) {
    let entries = std::fs::read_dir(models).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| !kept.contains(&entry.path())) {
        let age = entry.metadata().and_then(|data| data.modified()).map(|time| time.elapsed());
        if age.is_ok_and(|age| age.is_ok_and(|age| age > DAY)) {
            // Files that cannot be removed stay.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Links the libraries of a folder, and makes cargo run this script again if one of them is gone.
fn link(folder: &Path, libraries: &[&str]) {
    println!("cargo::rustc-link-search=native={}", folder.display());
    for library in libraries {
        let path = folder.join(format!("lib{library}.a"));
        // The file must be older than this run. Otherwise cargo would consider it changed.
        let file = std::fs::File::options().append(true).open(&path).expect("compiled before");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("the tools' folder can be written");
        println!("cargo::rerun-if-changed={}", path.display());
        println!("cargo::rustc-link-lib=static={library}");
    }
}

/// Returns Verilator's folder of headers and runtime sources.
fn runtime(verilator: &Path) -> PathBuf {
    let out = Command::new(verilator)
        .args(["--getenv", "VERILATOR_ROOT"])
        .output()
        .expect("Verilator runs");
    PathBuf::from(String::from_utf8(out.stdout).expect("a path in UTF-8").trim()).join("include")
}

/// Translates a model to C++ in the folder.
fn verilate(verilator: &Path, sources: &[PathBuf], model: &Model, folder: &Path) {
    let mut command = Command::new(verilator);
    command.args(["--cc", "-O3", "--quiet", "-Wno-fatal", "--top-module", model.top, "--prefix"]);
    command.arg(format!("V{}", model.name)).arg("-Mdir").arg(folder).args(model.parameters);
    command.args(sources);
    assert!(command.status().expect("Verilator runs").success(), "Verilator refused {}", model.top);
}

/// Compiles a model and its shim. Code that runs once, such as initial values, is not optimised,
/// because it is half of the code. Verilator marks its files with `Slow`.
fn compile(model: &Model, folder: &Path, include: &Path, out: &Path) {
    let entries = std::fs::read_dir(folder).expect("Verilator has made the folder");
    let cpp = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "cpp"));
    let (once, often): (Vec<PathBuf>, Vec<PathBuf>) =
        cpp.partition(|path| path.to_string_lossy().ends_with("Slow.cpp"));
    let mut build = flags(include, 2);
    build.out_dir(out).cargo_metadata(false);
    build.include(folder).files(often).file(Path::new("shim").join(model.shim()));
    build.define("MODEL", model.name);
    build.compile(model.name);
    let name = format!("{}_once", model.name);
    let mut build = flags(include, 0);
    build.out_dir(out).cargo_metadata(false);
    build.include(folder).files(once).compile(&name);
}

fn flags(include: &Path, level: u32) -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(level).warnings(false);
    build.include(include).include(include.join("vltstd")).include("shim");
    build.define("VERILATOR", "1").define("VM_TIMING", "0").define("VL_IGNORE_UNKNOWN_ARCH", None);
    for name in
        ["VM_COVERAGE", "VM_SC", "VM_TRACE", "VM_TRACE_FST", "VM_TRACE_VCD", "VM_TRACE_SAIF"]
    {
        build.define(name, "0");
    }
    build
}
