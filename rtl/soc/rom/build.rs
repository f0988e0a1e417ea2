//! Names the linker script of each program.

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    for program in ["rom", "next"] {
        println!("cargo::rerun-if-changed={program}.x");
        println!("cargo::rustc-link-arg-bin={program}=-T{here}/{program}.x");
    }
}
