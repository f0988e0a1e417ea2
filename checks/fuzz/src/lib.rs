//! The fuzz targets: one function for each parser, which must neither panic nor take unbounded
//! memory.
//!
//! `cargo +nightly fuzz run --features engine TARGET` fuzzes a target. `cargo test` in this folder
//! replays the corpus, and many small changes of every file in it, on stable Rust. A new target
//! needs a function and a row here, a file in `fuzz_targets/`, a `[[bin]]` in `Cargo.toml`, and
//! seeds in `corpus/NAME/` or a folder of vectors.

mod carried;
mod channel;
mod hss;
mod keys;
mod secret;
mod structures;
mod xmss;

/// One parser under test.
pub struct Target {
    /// Its name, which is also the name of its file in `fuzz_targets/` and of its folder in
    /// `corpus/`.
    pub name: &'static str,
    /// Runs the parser on an input.
    pub run: fn(&[u8]),
    /// Folders of seeds besides `corpus/NAME`, from the root of the repository.
    pub seeds: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "boot", run: structures::boot, seeds: &[] },
    Target { name: "carried", run: carried::carried, seeds: &[] },
    Target { name: "channel", run: channel::channel, seeds: &[] },
    Target { name: "cms", run: structures::cms, seeds: &["vectors/cms"] },
    Target { name: "cose", run: structures::cose, seeds: &[] },
    Target { name: "hss", run: hss::hss, seeds: &[] },
    Target { name: "inspect", run: keys::inspect, seeds: &["vectors/keys"] },
    Target { name: "names", run: xmss::names, seeds: &[] },
    Target {
        name: "scan",
        run: structures::scan,
        seeds: &["checks/fuzz/corpus/boot", "checks/fuzz/corpus/cms", "checks/fuzz/corpus/cose"],
    },
    Target { name: "secret", run: secret::secret, seeds: &[] },
    Target { name: "xmss", run: xmss::xmss, seeds: &[] },
];

/// Runs the target with this name. The programs of the fuzzing engine call it.
///
/// # Panics
/// If there is no such target, or if the target finds an error.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("the name of a target").run)(data);
}
