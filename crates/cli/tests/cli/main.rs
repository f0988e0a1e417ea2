//! Tests of the command line from outside: transcripts, the form of the JSON, and Ctrl-C.

mod assets;
mod backend;
mod channel;
#[cfg(target_os = "linux")]
mod channel_ends;
mod explore;
mod interrupt;
mod json;
mod named;
mod page;

/// Every text that the tool prints. Times that differ from run to run are elided.
#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .default_bin_path(env!("CARGO_BIN_EXE_hasten"))
        .case("tests/cli/transcripts/*.md");
}
