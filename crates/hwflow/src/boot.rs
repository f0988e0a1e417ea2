//! `hw boot`: checks that the system of `rtl/soc` boots the images that `hasten sign --format boot`
//! signed, and no others. `--json` also runs every attack. `--check` is the part for `./test`.
//! `hw boot wave` draws a boot.

mod attacks;
mod images;
mod machine;
mod slots;
mod wave;

use crate::core::options::Options;
use crate::core::tool;
use hasten_chore::failure::{Failure, report};
use hasten_report::{Origin, Report, Unneeded, published_command};
use images::{Images, Signed};
use machine::{Booted, Model, Rom};
use serde_json::{Value, json};

/// Version number in the images.
pub const VERSION: u32 = 7;

/// Image sizes in bytes: of the image that boots are measured with, and of the one that is
/// attacked.
const LARGE: usize = 64 << 10;
const SMALL: usize = 1280;

/// Limit on the cycles from reset to the first instruction of the image, for LMS and HSS with the
/// core or the unit's refined stage.
const MOST_CYCLES: u64 = 200_000;

/// Parameter sets of the keys, each with the `--format` of its signed images.
const LMS: (&str, &str) = ("LMS_SHA256_M24_H10_W4", "boot");
const HSS: (&str, &str) = ("LMS_SHA256_M24_H10_W4", "boot-hss");
const XMSS: (&str, &str) = ("XMSS-SHA2_10_192", "boot");

/// Runs the boots and attacks, and prints the results.
pub fn run(options: &Options) -> Result<(), Failure> {
    let wave = options.core.is_some();
    let roms: &[Rom] = match (wave, options.check) {
        (true, _) => &[Rom::Core],
        (_, true) => &[Rom::Software, Rom::Refined, Rom::CoreOfXmss, Rom::Core],
        _ => &Rom::ALL,
    };
    let (model, images) = (Model::build(roms, options.check || wave)?, Images::new()?);
    match options.core.as_deref() {
        Some("wave") => return wave::write(&model, &images, options),
        Some(other) => return Err(Failure::Usage(format!("hw boot draws a wave, no {other}"))),
        None => {}
    }
    let rows = rows(&model, &images, options)?;
    if options.json {
        let machine = Unneeded::because("cycles of a simulation do not depend on one");
        let command = published_command("cargo xtask");
        let report = Report::new("hasten.boot/1", command, Origin::checked_out(), machine, &rows);
        println!("{}", report.json());
    } else {
        rows.iter().for_each(|row| println!("{}", line(row)));
    }
    let mut found = faults(&rows);
    if options.check {
        found.extend(wave::faults(&model, &images)?);
    }
    let said = format!("{} rows: what is signed boots, and nothing else", rows.len());
    if options.json && found.is_empty() { Ok(()) } else { report("hw boot", said, found) }
}

/// Boots to measure: every verifier with the parameter sets that it supports.
const BOOTS: [(Rom, (&str, &str)); 12] = [
    (Rom::Software, LMS),
    (Rom::Software, HSS),
    (Rom::Software, XMSS),
    (Rom::Generic, LMS),
    (Rom::Generic, HSS),
    (Rom::Generic, XMSS),
    (Rom::Refined, LMS),
    (Rom::Refined, HSS),
    (Rom::Refined, XMSS),
    (Rom::Core, LMS),
    (Rom::Core, HSS),
    (Rom::CoreOfXmss, XMSS),
];

/// Boots of `--check`, which uses small images.
const CHECKED: [(Rom, (&str, &str)); 5] = [
    (Rom::Refined, LMS),
    (Rom::Refined, HSS),
    (Rom::Refined, XMSS),
    (Rom::Core, LMS),
    (Rom::CoreOfXmss, XMSS),
];

/// Runs the boots and attacks in parallel and returns their rows. With `--check` the images are
/// small.
fn rows(model: &Model, images: &Images, options: &Options) -> Result<Vec<Value>, Failure> {
    let (bytes, boots) = if options.check { (SMALL, &CHECKED[..]) } else { (LARGE, &BOOTS[..]) };
    let signed = |(rom, set)| Ok((rom, set, images.signed(set, bytes, VERSION)?));
    let planned: Vec<_> = boots.iter().copied().map(signed).collect::<Result<_, Failure>>()?;
    let attack = || match options.check || options.json {
        true => attacks::run(model, images, options),
        false => Ok(Vec::new()),
    };
    std::thread::scope(|scope| {
        let of = |(rom, set, image)| scope.spawn(move || boot(model, image, rom, set, bytes));
        let running: Vec<_> =
            planned.iter().map(|(rom, set, image)| of((*rom, *set, image))).collect();
        let attacked = attack()?;
        let booted = running.into_iter().map(|thread| thread.join().expect("it does not panic"));
        booted.chain(attacked.into_iter().map(Ok)).collect()
    })
}

fn boot(
    model: &Model,
    image: &Signed,
    rom: Rom,
    (alg, format): (&str, &str),
    bytes: usize,
) -> Result<Value, Failure> {
    let Booted { started, cycles, uart, .. } = model.boot(rom, image)?;
    Ok(json!({ "kind": "boot", "verifier": rom.name(), "alg": alg, "format": format,
        "image_bytes": bytes, "rom_bytes": model.rom_bytes(rom)?, "started": started,
        "cycles": cycles, "uart": uart }))
}

/// Returns the rows of signed images that were not started, took too many cycles or booted another
/// version, and the rows of attacks that succeeded.
fn faults(rows: &[Value]) -> Vec<String> {
    let said = format!("booted version {VERSION}");
    let bad = |row: &&Value| match row["kind"].as_str() {
        Some("boot") => {
            let fast = [Rom::Refined, Rom::Core].iter().any(|rom| row["verifier"] == rom.name());
            let slow = fast && row["alg"] == LMS.0 && row["cycles"].as_u64() > Some(MOST_CYCLES);
            row["started"] != true || row["uart"] != said.as_str() || slow
        }
        _ => row["booted"] != 0 || row["runs"] == 0,
    };
    rows.iter().filter(bad).map(Value::to_string).collect()
}

/// Returns a row as a line of text.
fn line(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let number = |key: &str| row[key].to_string();
    match row["kind"].as_str() {
        Some("boot") => format!(
            "{:<12} {:<22} {:<9} {:>7} B {:>11} cycles  {}",
            text("verifier"),
            text("alg"),
            text("format"),
            number("image_bytes"),
            number("cycles"),
            text("uart")
        ),
        _ => format!(
            "{:<12} {:<44} {:>9} runs {:>9} refused {:>7} silent {:>3} booted {}",
            text("verifier"),
            text("attack"),
            number("runs"),
            number("refused"),
            number("silent"),
            number("booted"),
            text("which")
        ),
    }
}

/// Returns the work folder of `hw boot`.
fn folder() -> Result<std::path::PathBuf, Failure> {
    tool::work("boot")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_boot_another_version_and_a_successful_attack_are_found() {
        let boot = |verifier: &str, cycles: u64, uart: &str| {
            json!({ "kind": "boot", "verifier": verifier, "alg": LMS.0, "started": true,
                "cycles": cycles, "uart": uart })
        };
        let attack =
            |runs: u64, booted: u64| json!({ "kind": "attack", "runs": runs, "booted": booted });
        let said = "booted version 7";
        assert!(faults(&[boot("hbs_verify", 200_000, said), attack(3, 0)]).is_empty());
        assert!(faults(&[boot("software", 9_000_000, said)]).is_empty());
        assert_eq!(faults(&[boot("hbs_verify", 200_001, said)]).len(), 1);
        assert_eq!(faults(&[boot("refined", 200_001, said)]).len(), 1);
        assert_eq!(faults(&[boot("hbs_verify", 1, "booted version 6")]).len(), 1);
        assert_eq!(faults(&[attack(3, 1)]).len(), 1);
        assert_eq!(faults(&[attack(0, 0)]).len(), 1);
    }
}
