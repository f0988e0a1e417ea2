//! Compiles a driver and its registers as a crate of their own.

use std::path::Path;
use std::process::Command;

/// Compiles the modules without `std` and with these attributes. A module is a name and a file of
/// `rtl/FOLDER`.
pub fn compiles(folder: &str, attributes: &str, modules: [(&str, &str); 2]) {
    let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl").join(folder);
    let dir = std::env::temp_dir().join(format!("{folder}-driver-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let module = |(name, file): (&str, &str)| {
        format!("#[path = {:?}]\npub mod {name};\n", rtl.join(file).display().to_string())
    };
    let root = dir.join("lib.rs");
    let text: String = modules.map(module).concat();
    std::fs::write(&root, format!("#![no_std]\n{attributes}\n{text}")).unwrap();
    let status = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--out-dir"])
        .args([&dir, &root])
        .status()
        .unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(status.success());
}
