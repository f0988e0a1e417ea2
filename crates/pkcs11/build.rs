//! Keeps the module in memory once it is loaded. A client may unload it while a thread lives in
//! which it was called; the C library would then call the destructor of that thread's values in
//! memory that is gone.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
