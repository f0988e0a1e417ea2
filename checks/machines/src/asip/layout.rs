//! The order of a program's functions. On a machine with four lanes the first part of the code
//! memory answers at once and the rest a cycle later (`rtl/asip/asip_code_front.sv`). A program is
//! therefore run once unordered, and then linked with those functions first on which its measured
//! operations spend most cycles for their size.

use super::{Order, Rung, build_in, said};
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A function of a program: address, size and name.
type Function = (u64, u64, String);

/// Returns the program of a rung with its functions ordered, or unchanged if the order does not
/// matter.
pub(super) fn ordered(rung: &Rung, machine: &Path, programs: &Path) -> Result<PathBuf, Failure> {
    let program = programs.join(rung.program);
    if !rung.has_fast_code() || rung.program.ends_with("_compared") {
        return Ok(program);
    }
    eprintln!("hw asip: {} to see which code is used most", rung.program);
    let place = checkout::root()?.join("target/asip-ordered");
    let kept = |name: &str| place.join(format!("{}-{}.{name}", rung.program, rung.slug()));
    let profile = kept("profile");
    std::fs::create_dir_all(&place).map_err(|error| Failure::Io(place.clone(), error))?;
    let mut bench = Command::new(machine);
    said(rung, bench.env("HASTEN_PROGRAM", &program).env("HASTEN_PROFILE", &profile))?;
    let file = std::fs::read(&program).map_err(|error| Failure::Io(program.clone(), error))?;
    let functions = functions(&file).map_err(|fault| Failure::Form(program, fault))?;
    let order = kept("order");
    let names = order_of(&functions, &read(&profile)?).join("\n");
    std::fs::write(&order, names).map_err(|error| Failure::Io(order.clone(), error))?;
    let given = Order { place: &place, file: Some(&order) };
    let programs = build_in(&given, rung.processor, std::iter::once(rung.program))?;
    Ok(programs.join(rung.program))
}

/// Returns the functions of an ELF file, by address.
fn functions(file: &[u8]) -> Result<Vec<Function>, String> {
    let file = object::File::parse(file).map_err(|error| error.to_string())?;
    let is_one = |symbol: &object::Symbol<'_, '_>| symbol.kind() == SymbolKind::Text;
    let mut functions: Vec<Function> = file
        .symbols()
        .filter(is_one)
        .filter_map(|symbol| Some((symbol.address(), symbol.size(), symbol.name().ok()?.into())))
        .filter(|(_, size, _)| *size > 0)
        .collect();
    functions.sort();
    Ok(functions)
}

/// Returns the names of the functions that measured parts spend cycles on, sorted by the largest
/// share of a part's cycles per byte. A line of a profile has part, address and cycles. Parts with
/// an odd number are measured.
fn order_of(functions: &[Function], profile: &str) -> Vec<String> {
    let mut spent: BTreeMap<(usize, u64), f64> = BTreeMap::new();
    let mut all: BTreeMap<u64, f64> = BTreeMap::new();
    for line in profile.lines() {
        let Some((part, address, cycles)) = fields(line) else { continue };
        let at = functions.partition_point(|(start, ..)| *start <= address);
        let of = at.checked_sub(1).filter(|of| address < functions[*of].0 + functions[*of].1);
        if let (Some(of), 1) = (of, part % 2) {
            *spent.entry((of, part)).or_default() += cycles;
            *all.entry(part).or_default() += cycles;
        }
    }
    let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
    for ((of, part), cycles) in spent {
        let share = cycles / all[&part] / functions[of].1 as f64;
        let most = shares.entry(of).or_default();
        *most = most.max(share);
    }
    let mut shares: Vec<(usize, f64)> = shares.into_iter().collect();
    let name = |of: usize| &functions[of].2;
    shares.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| name(a.0).cmp(name(b.0))));
    shares.into_iter().map(|(of, _)| name(of).clone()).collect()
}

fn fields(line: &str) -> Option<(u64, u64, f64)> {
    let mut words = line.split(' ');
    let part = words.next()?.parse().ok()?;
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    Some((part, address, words.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_in_the_order_of_the_share_of_a_byte_in_measured_parts() {
        let functions: Vec<Function> = [
            (0x100, 16, "long"),
            (0x110, 4, "short"),
            (0x120, 8, "unmeasured"),
            (0x130, 2, "rare"),
        ]
        .map(|(at, size, name)| (at, size, name.to_owned()))
        .into();
        // Part 1 has 160 cycles in `long`, 60 in `short` and 20 after it. All of part 3 is in
        // `rare`.
        let profile = "1 00000100 150\n1 0000010f 10\n1 00000112 60\n1 00000114 20\n\
                       2 00000120 9999\n3 00000130 1\nnonsense\n";
        assert_eq!(order_of(&functions, profile), ["rare", "short", "long"]);
    }

    #[test]
    fn bytes_that_are_no_elf_file_are_refused() {
        assert!(functions(b"no program").is_err());
    }
}
