//! Tries the state of an HSS key behind PKCS#11: kills, two processes, a restored backup, a disk
//! that is full. This module is tried, and that of softhsmv3 if `HASTEN_SOFTHSM` names it.
//!
//! ```sh
//! HASTEN_SOFTHSM=libsofthsmv3.so cargo run --release -p hasten-pkcs11 --example beside
//! ```
//!
//! A signature counts once `C_Sign` has answered CKR_OK. The index is read out of it.

#![cfg_attr(not(unix), allow(dead_code, unused))]

#[cfg(unix)]
mod client;
#[cfg(unix)]
mod events;
#[cfg(unix)]
mod token;

#[cfg(unix)]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("make") => client::make(&words[1], &words[2]),
        Some(task @ ("sign" | "sign-full")) => {
            let count = words[2].parse().expect("a count");
            client::sign(&words[1], count, task == "sign-full");
        }
        _ => compare(),
    }
}

/// Tries each token with each event, and prints the rows.
#[cfg(unix)]
fn compare() {
    let ours = std::env::current_exe().expect("this program").with_file_name("../deps");
    let mut kinds = vec![(token::Kind::Hasten, ours.join("libhasten_pkcs11.so"))];
    if let Some(module) = std::env::var_os("HASTEN_SOFTHSM") {
        kinds.push((token::Kind::SoftHsm, module.into()));
    }
    let rows: Vec<events::Row> =
        kinds.iter().flat_map(|(kind, module)| events::all(*kind, module)).collect();
    let program = "cargo run --release -p hasten-pkcs11 --example beside";
    let machine = hasten_report::Machine::this();
    hasten_report::publish("hasten.tokens/1", program, machine, &rows).expect("it is written");
}

#[cfg(not(unix))]
fn main() {}
