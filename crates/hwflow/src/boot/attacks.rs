//! Attacks on a boot, one row each. They change the signed file or disturb the machine.

use super::images::{Images, Signed};
use super::machine::{Ended, Model, Rom};
use super::{LMS, SMALL, VERSION};
use crate::core::options::Options;
use hasten_chore::failure::Failure;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// Ends of the parts of an LMS image, in bits: of header and key, and of the signature. Size of the
/// attacked image in bits.
const HEADER_BITS: u64 = 8 * (64 + 48);
const SIGNED_BITS: u64 = HEADER_BITS + 8 * 1500;
const IMAGE_BITS: u64 = 10_000;

/// Offset of the image length in the header, and of the image byte that a forger changes.
const LENGTH_AT: usize = 8;
const FORGED_AT: usize = 64 + 48 + 1500 + 200;

/// Maximum number of runs of an attack with `--check`.
const FEW: u64 = 12;

/// Factor by which register faults may exceed the limit on runs: they share one boot, so each is
/// cheap.
const FAULTS: u64 = 10;

/// Number of bits to flip in each part of the file when software verifies: each run takes millions
/// of cycles.
const BY_SOFTWARE: u64 = 2;

/// Number of runs in a share of an attack on the file, and number of shares of a long attack on
/// registers.
const SHARE: u64 = 500;
const OF_REGISTERS: u64 = 4;

/// A verifier under attack.
#[derive(Clone, Copy)]
struct Target<'m> {
    model: &'m Model,
    rom: Rom,
    /// Number of cycles before the refusal in which instructions are skipped.
    window: u64,
    /// Modules whose register bits are flipped.
    scopes: &'static [(&'static str, &'static str)],
    /// Number of cycles before the refusal in which each register bit is flipped.
    decision: u64,
    /// Maximum number of runs: for flipped bits of a part of the file, and for flipped bits of the
    /// registers of a module.
    most_of_file: u64,
    most_upsets: u64,
}

/// Attacks on registers, each with the name of its module in the model.
const PROCESSOR: (&str, &str) = ("a bit of a register of the processor", "u_processor");
const VERIFIER: (&str, &str) = ("a bit of a register of the verifier", "u_verifier");
const UNIT: (&str, &str) = ("a bit of a register of the unit", "u_unit");
const GATE: (&str, &str) = ("a bit of a register of the gate", "u_gate");

/// Runs the attacks in parallel: all of them, or at most `--count` runs of each.
pub fn run(model: &Model, images: &Images, options: &Options) -> Result<Vec<Value>, Failure> {
    let most = if options.check { FEW } else { options.count.unwrap_or(u64::MAX) };
    let signed = &images.signed(LMS, SMALL, VERSION)?;
    let forged = &images.changed(signed, "forged", |image| image[FORGED_AT] ^= 1)?;
    let others = &others(images, signed)?;
    let of = |rom, window, decision, scopes, of_file: u64| {
        let (most_of_file, most_upsets) = (of_file.min(most), most.saturating_mul(FAULTS));
        Target { model, rom, window, decision, scopes, most_of_file, most_upsets }
    };
    let by_software = if options.check { 0 } else { BY_SOFTWARE };
    // With the core, bits are flipped from the last node of the tree on; with the others, from
    // before the roots are compared.
    let targets = [
        &of(Rom::Core, 400, 400, &[VERIFIER, GATE, PROCESSOR], u64::MAX),
        &of(Rom::Refined, 1600, 1000, &[UNIT, GATE, PROCESSOR], u64::MAX),
        &of(Rom::Software, 1600, 1000, &[GATE, PROCESSOR], by_software),
    ];
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for target in targets {
            for (name, range) in PARTS {
                if target.most_of_file > 0 {
                    running.push(scope.spawn(move || target.bits(signed, name, range)));
                }
            }
            if target.rom != Rom::Software {
                let rows = others.iter().map(|(name, image)| (*name, image));
                running.extend(
                    rows.map(|(name, image)| scope.spawn(move || target.other(name, image))),
                );
            }
            running.push(scope.spawn(move || target.skips(forged)));
            let upsets = target.scopes.iter();
            running
                .extend(upsets.map(|scopes| scope.spawn(move || target.upsets(forged, *scopes))));
        }
        running.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    })
}

/// Parts of the file whose bits are flipped.
const PARTS: [(&str, (u64, u64)); 3] = [
    ("a bit of header or key", (0, HEADER_BITS)),
    ("a bit of the signature", (HEADER_BITS, SIGNED_BITS)),
    ("a bit of the image", (SIGNED_BITS, SIGNED_BITS + IMAGE_BITS)),
];

impl Target<'_> {
    /// Flips bits of a part of the file, one per run. If there are too many bits, evenly spaced
    /// ones are flipped.
    fn bits(&self, image: &Signed, name: &str, range: (u64, u64)) -> Result<Value, Failure> {
        let step = (range.1 - range.0).div_ceil(self.most_of_file);
        let shares = ((range.1 - range.0) / step / SHARE).max(4);
        let ended = self.shared("bits", image, name, shares, |share| {
            let first = range.0 + share * step;
            let count = range.1.saturating_sub(first).div_ceil(shares * step);
            [first, count, shares * step].map(|number| number.to_string()).into()
        })?;
        Ok(self.row(name, &ended))
    }

    /// Runs an attack in parallel shares, and reports progress on standard error.
    fn shared(
        &self,
        how: &str,
        image: &Signed,
        name: &str,
        shares: u64,
        numbers: impl Fn(u64) -> Vec<String> + Sync,
    ) -> Result<Ended, Failure> {
        let (rom, done, numbers) = (self.rom, AtomicU64::new(0), &numbers);
        let share = |share: u64| {
            let ended = self.model.attack(how, rom, image, &numbers(share))?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if ended.runs >= SHARE && done < shares {
                eprintln!("hw boot: {}: {name}: {done} of {shares} shares", rom.name());
            }
            Ok(ended)
        };
        let share = &share;
        std::thread::scope(|scope| {
            let running: Vec<_> =
                (0..shares).map(|number| scope.spawn(move || share(number))).collect();
            let mut ended =
                running.into_iter().map(|thread| thread.join().expect("it does not panic"));
            ended.try_fold(Ended::default(), |sum, share| Ok(sum.and(share?)))
        })
    }

    /// Boots one of the images of [`others`], which must be refused.
    fn other(&self, name: &str, image: &Signed) -> Result<Value, Failure> {
        let started = self.model.boot(self.rom, image)?.started;
        let (refused, booted) = (u64::from(!started), u64::from(started));
        Ok(self.row(name, &Ended { runs: 1, refused, booted, ..Ended::default() }))
    }

    /// Skips instructions while the ROM decides about a forged image.
    fn skips(&self, forged: &Signed) -> Result<Value, Failure> {
        let numbers =
            [self.model.rom_bytes(self.rom)?, self.window].map(|number| number.to_string());
        let ended = self.model.attack("skips", self.rom, forged, &numbers)?;
        Ok(self.row("an instruction left out", &ended))
    }

    /// Flips register bits while the ROM decides about a forged image.
    fn upsets(&self, forged: &Signed, (name, scope): (&str, &str)) -> Result<Value, Failure> {
        let shares = if self.most_upsets < 1000 * FAULTS { 1 } else { OF_REGISTERS };
        let ended = self.shared("upsets", forged, name, shares, |share| {
            let most = [self.decision, self.decision, self.most_upsets, share, shares];
            let numbers = most.iter().map(u64::to_string);
            std::iter::once(scope.to_owned()).chain(numbers).collect()
        })?;
        let mut row = self.row(name, &ended);
        row["bits"] = ended.bits.into();
        row["window"] = self.decision.into();
        Ok(row)
    }

    /// Returns the row of an attack, and reports on standard error that the attack has ended.
    fn row(&self, name: &str, ended: &Ended) -> Value {
        let rom = self.rom.name();
        eprintln!("hw boot: {rom}: {name}: {} runs, {} started", ended.runs, ended.booted);
        json!({ "kind": "attack", "verifier": rom, "attack": name, "runs": ended.runs,
            "refused": ended.refused, "silent": ended.silent, "booted": ended.booted,
            "which": ended.which })
    }
}

/// Returns named images that must be refused: changed after signing, signed with another key, or of
/// an older version.
fn others(images: &Images, signed: &Signed) -> Result<Vec<(&'static str, Signed)>, Failure> {
    let length = |by: i32| {
        move |image: &mut Vec<u8>| {
            let at = &mut image[LENGTH_AT..LENGTH_AT + 4];
            let now = u32::from_le_bytes([at[0], at[1], at[2], at[3]]);
            at.copy_from_slice(&now.wrapping_add_signed(by).to_le_bytes());
            image.extend([0x5a; 64]);
        }
    };
    let other = images.named_key(LMS.0, "other")?;
    let foreign = images.sign(&other, LMS.1, SMALL, VERSION)?;
    let old = images.sign(&images.key(LMS.0)?, LMS.1, SMALL, VERSION - 1)?;
    let with = |flash| Signed { flash, fuses: signed.fuses.clone() };
    Ok(vec![
        ("a shorter image", images.changed(signed, "shorter", length(-4))?),
        ("a longer image", images.changed(signed, "longer", length(4))?),
        (
            "an image that is cut off",
            images.changed(signed, "cut", |image| {
                image.truncate(image.len() - 64);
            })?,
        ),
        ("another key", with(foreign)),
        ("an older version", with(old)),
    ])
}
