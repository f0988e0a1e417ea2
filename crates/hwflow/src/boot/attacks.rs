//! Attacks on a boot by the core, a row each: what is signed is changed, or the machine is.

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

/// Cycles before the refusal in which faults come: from the last node of the tree on.
const WINDOW: u64 = 400;

/// The words of a header that say how long the image is, and the byte of the image that a forger
/// changes.
const LENGTH_AT: usize = 8;
const FORGED_AT: usize = 64 + 48 + 1500 + 200;

/// Runs of an attack with `--check`, at most.
const FEW: u64 = 12;

/// Faults in the decision for one boot: the machine does not begin anew for each.
const FAULTS: u64 = 20;

/// Runs the attacks: all, or of each as many as `--count` says.
pub fn run(model: &Model, images: &Images, options: &Options) -> Result<Vec<Value>, Failure> {
    let most = if options.check { FEW } else { options.count.unwrap_or(u64::MAX) };
    let signed = images.signed(LMS, SMALL, VERSION)?;
    let mut rows = vec![
        bits(model, &signed, "a bit of header or key", 0..HEADER_BITS, most)?,
        bits(model, &signed, "a bit of the signature", HEADER_BITS..SIGNED_BITS, most)?,
        bits(model, &signed, "a bit of the image", SIGNED_BITS..SIGNED_BITS + IMAGE_BITS, most)?,
    ];
    for (name, image) in others(images, &signed)? {
        let booted = model.boot(Rom::Core, &image)?;
        let ended = Ended {
            runs: 1,
            refused: u64::from(!booted.started),
            booted: u64::from(booted.started),
            ..Ended::default()
        };
        rows.push(row(name, &ended));
    }
    rows.extend(faults(model, images, &signed, most)?);
    Ok(rows)
}

/// Turns bits of the file, one in each run, evenly spread where they are too many.
fn bits(
    model: &Model,
    image: &Signed,
    name: &str,
    range: Range<u64>,
    most: u64,
) -> Result<Value, Failure> {
    let all = range.end - range.start;
    let step = all.div_ceil(most);
    let numbers = [range.start, all.div_ceil(step), step].map(|number| number.to_string());
    Ok(row(name, &model.attack("bits", Rom::Core, image, &numbers)?))
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

/// Attacks the decision on an image that is not signed.
fn faults(
    model: &Model,
    images: &Images,
    signed: &Signed,
    most: u64,
) -> Result<Vec<Value>, Failure> {
    let forged = images.changed(signed, "forged", |image| image[FORGED_AT] ^= 1)?;
    let code = model.rom_bytes(Rom::Core)?.to_string();
    let window = WINDOW.to_string();
    let skipped = model.attack("skips", Rom::Core, &forged, &[code, window.clone()])?;
    let mut rows = vec![row("an instruction left out", &skipped)];
    for (name, scope) in [
        ("a bit of a register of the verifier", "u_verifier"),
        ("a bit of a register of the gate", "u_gate"),
    ] {
        let numbers = [window.clone(), scope.into(), most.saturating_mul(FAULTS).to_string()];
        rows.push(row(name, &model.attack("upsets", Rom::Core, &forged, &numbers)?));
    }
    Ok(rows)
}

fn row(name: &str, ended: &Ended) -> Value {
    json!({ "kind": "attack", "verifier": Rom::Core.name(), "attack": name, "runs": ended.runs,
        "refused": ended.refused, "silent": ended.silent, "booted": ended.booted,
        "which": ended.which })
}
