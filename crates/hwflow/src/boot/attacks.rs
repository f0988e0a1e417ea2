//! Attacks on a boot, a row each: what is signed is changed, or the machine is.

use super::images::{Images, Signed};
use super::machine::{Ended, Model, Rom};
use super::{LMS, SMALL, VERSION};
use crate::core::options::Options;
use hasten_chore::failure::Failure;
use serde_json::{Value, json};
use std::ops::Range;

/// Bits of an image of LMS before the signature, with it, and of the image that is attacked.
const HEADER_BITS: u64 = 8 * (64 + 48);
const SIGNED_BITS: u64 = HEADER_BITS + 8 * 1500;
const IMAGE_BITS: u64 = 10_000;

/// The words of a header that say how long the image is, and the byte of the image that a forger
/// changes.
const LENGTH_AT: usize = 8;
const FORGED_AT: usize = 64 + 48 + 1500 + 200;

/// Runs of an attack with `--check`, at most.
const FEW: u64 = 12;

/// Faults in the decision for one boot: the machine does not begin anew for each.
const FAULTS: u64 = 20;

/// Bits of a file, of each kind, that are turned before a boot by software: each takes millions of
/// cycles.
const SLOW: u64 = 2;

/// A verifier that is attacked.
#[derive(Clone, Copy)]
struct Target<'m> {
    model: &'m Model,
    rom: Rom,
    /// Cycles before the refusal in which faults come.
    window: u64,
    /// Modules whose registers are turned.
    scopes: &'static [(&'static str, &'static str)],
    /// Runs of an attack at most.
    most: u64,
}

/// Modules by their names in the model.
const PROCESSOR: (&str, &str) = ("a bit of a register of the processor", "u_processor");
const VERIFIER: (&str, &str) = ("a bit of a register of the verifier", "u_verifier");
const GATE: (&str, &str) = ("a bit of a register of the gate", "u_gate");

/// Runs the attacks, at once: all, or of each as many as `--count` says.
pub fn run(model: &Model, images: &Images, options: &Options) -> Result<Vec<Value>, Failure> {
    let most = if options.check { FEW } else { options.count.unwrap_or(u64::MAX) };
    let signed = images.signed(LMS, SMALL, VERSION)?;
    let forged = images.changed(&signed, "forged", |image| image[FORGED_AT] ^= 1)?;
    // From the last node of the tree on.
    let scopes = &[VERIFIER, GATE, PROCESSOR];
    let core = Target { model, rom: Rom::Core, window: 400, scopes, most };
    // From before the first comparison of roots on.
    let scopes = &[GATE, PROCESSOR];
    let software = Target { model, rom: Rom::Software, window: 1600, scopes, most };
    let (core, software) = (&core, &software);
    let (signed, forged) = (&signed, &forged);
    std::thread::scope(|scope| {
        let running = [
            scope.spawn(move || core.files(signed, most)),
            scope.spawn(move || core.others(images, signed)),
            scope.spawn(move || core.faults(forged)),
            scope.spawn(move || software.files(signed, if options.check { 0 } else { SLOW })),
            scope.spawn(move || software.faults(forged)),
        ];
        let rows = running.map(|thread| thread.join().expect("it does not panic"));
        Ok(rows.into_iter().collect::<Result<Vec<_>, Failure>>()?.concat())
    })
}

impl Target<'_> {
    /// Turns bits of the file: of each part at most so many.
    fn files(&self, image: &Signed, most: u64) -> Result<Vec<Value>, Failure> {
        if most == 0 {
            return Ok(Vec::new());
        }
        let of = |name, range| self.bits(image, name, range, most);
        Ok(vec![
            of("a bit of header or key", 0..HEADER_BITS)?,
            of("a bit of the signature", HEADER_BITS..SIGNED_BITS)?,
            of("a bit of the image", SIGNED_BITS..SIGNED_BITS + IMAGE_BITS)?,
        ])
    }

    /// Turns bits of a part of the file, one in each run, evenly spread where they are too many.
    fn bits(
        &self,
        image: &Signed,
        name: &str,
        range: Range<u64>,
        most: u64,
    ) -> Result<Value, Failure> {
        let all = range.end - range.start;
        let step = all.div_ceil(most);
        let numbers = [range.start, all.div_ceil(step), step].map(|number| number.to_string());
        Ok(self.row(name, &self.model.attack("bits", self.rom, image, &numbers)?))
    }

    /// Boots images that are signed otherwise, or not as they are.
    fn others(&self, images: &Images, signed: &Signed) -> Result<Vec<Value>, Failure> {
        let boot = |(name, image)| {
            let started = self.model.boot(self.rom, &image)?.started;
            let (refused, booted) = (u64::from(!started), u64::from(started));
            Ok(self.row(name, &Ended { runs: 1, refused, booted, ..Ended::default() }))
        };
        others(images, signed)?.into_iter().map(boot).collect()
    }

    /// Attacks the decision on an image that is not signed.
    fn faults(&self, forged: &Signed) -> Result<Vec<Value>, Failure> {
        let code = self.model.rom_bytes(self.rom)?.to_string();
        let window = self.window.to_string();
        let skipped = self.model.attack("skips", self.rom, forged, &[code, window.clone()])?;
        let mut rows = vec![self.row("an instruction left out", &skipped)];
        let most = self.most.saturating_mul(FAULTS).to_string();
        for (name, scope) in self.scopes {
            let numbers = [window.clone(), (*scope).into(), most.clone()];
            rows.push(self.row(name, &self.model.attack("upsets", self.rom, forged, &numbers)?));
        }
        Ok(rows)
    }

    fn row(&self, name: &str, ended: &Ended) -> Value {
        json!({ "kind": "attack", "verifier": self.rom.name(), "attack": name, "runs": ended.runs,
            "refused": ended.refused, "silent": ended.silent, "booted": ended.booted,
            "which": ended.which })
    }
}

/// Returns images that are signed otherwise, or not as they are.
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
