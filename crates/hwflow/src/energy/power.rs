//! Energy data of a library: picojoules of a rising and of a falling pin, and of charging a pin's
//! load.

use crate::map::liberty::{Group, Liberty};
use std::collections::HashMap;

/// Energies of one pin in picojoules, as a function of its load.
#[derive(Debug, Clone, Default)]
pub struct Pin {
    rise: Vec<Curve>,
    fall: Vec<Curve>,
    /// Capacitance that the pin adds to its net, picofarads.
    pub capacitance: f64,
    /// Whether the pin is the clock.
    pub clock: bool,
}

/// Energy as a function of the load, at the middle slew of the table.
#[derive(Debug, Clone)]
struct Curve {
    loads: Vec<f64>,
    energies: Vec<f64>,
}

/// Pins of all cells, by the name of the cell and of the pin.
pub struct Power {
    pins: HashMap<(String, String), Pin>,
    /// Supply voltage, volts.
    pub voltage: f64,
    /// Leakage of each cell, microwatts.
    leakage: HashMap<String, f64>,
}

impl Power {
    /// Reads the energy data of a library.
    pub fn new(library: &Liberty) -> Option<Self> {
        let top = &library.top;
        let unit = top.complex.iter().find(|(name, _)| name == "capacitive_load_unit")?;
        let farads = if unit.1.to_lowercase().contains("ff") { 1e-3 } else { 1.0 };
        let watts =
            leakage_unit(top.attributes.get("leakage_power_unit").map_or("1nW", String::as_str));
        let mut pins = HashMap::new();
        let mut leakage = HashMap::new();
        for (name, cell) in library.cells() {
            let clock = cell.all("ff").next().and_then(|ff| ff.attributes.get("clocked_on"));
            for pin in cell.all("pin") {
                let read = read_pin(pin, top, clock.map(|text| text.trim()), farads);
                pins.insert((name.to_string(), pin.args.clone()), read);
            }
            leakage
                .insert(name.to_string(), watts * cell.number("cell_leakage_power").unwrap_or(0.0));
        }
        Some(Self { pins, voltage: top.number("nom_voltage")?, leakage })
    }

    /// Returns a pin of a cell.
    pub fn pin(&self, cell: &str, pin: &str) -> Option<&Pin> {
        self.pins.get(&(cell.to_string(), pin.to_string()))
    }

    /// Returns the leakage of a cell, microwatts.
    pub fn leakage(&self, cell: &str) -> f64 {
        self.leakage.get(cell).copied().unwrap_or(0.0)
    }
}

/// Returns the energy in picojoules of reading and of writing a word of a memory. The library must
/// have a single macro with pins like those of IHP's memories.
pub fn access(library: &Liberty) -> Option<(f64, f64)> {
    let cells = library.cells();
    let clock = cells.values().next()?.all("pin").find(|pin| pin.args == "A_CLK")?;
    let at = |state: &str| {
        let is_it = |group: &&Group| {
            group.attributes.get("when").is_some_and(|when| when.replace(' ', "") == state)
        };
        let table = clock.all("internal_power").find(is_it)?.all("rise_power").next()?;
        numbers(complex(table, "values")?).first().copied()
    };
    Some((at("A_MEN&!A_WEN&A_REN")?, at("A_MEN&A_WEN&!A_REN")?))
}

impl Pin {
    /// Returns the energy inside the cell of this many rises and falls with this load, in
    /// picojoules.
    pub fn internal(&self, rises: u64, falls: u64, load: f64) -> f64 {
        rises as f64 * mean(&self.rise, load) + falls as f64 * mean(&self.fall, load)
    }
}

fn leakage_unit(text: &str) -> f64 {
    let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let scale = match &text[digits.len()..] {
        "pW" => 1e-6,
        "nW" => 1e-3,
        "mW" => 1e3,
        "W" => 1e6,
        _ => 1.0,
    };
    scale * digits.parse::<f64>().unwrap_or(1.0)
}

/// Reads the energy tables of a pin. For the output of a register, only the tables related to the
/// clock are used.
fn read_pin(pin: &Group, top: &Group, clock: Option<&str>, farads: f64) -> Pin {
    let output = pin.attributes.get("direction").is_some_and(|way| way == "output");
    let all: Vec<&Group> = pin.all("internal_power").collect();
    let of_clock = |group: &&&Group| {
        group.attributes.get("related_pin").is_some_and(|p| Some(p.as_str()) == clock)
    };
    let chosen: Vec<&Group> = match clock {
        Some(_) if output => all.iter().filter(of_clock).copied().collect(),
        _ => all,
    };
    let curves = |kind: &str| {
        let tables = chosen.iter().flat_map(|group| group.groups.iter());
        tables
            .filter(|table| table.kind == kind)
            .filter_map(|table| curve(table, top, farads))
            .collect()
    };
    Pin {
        rise: curves("rise_power"),
        fall: curves("fall_power"),
        capacitance: farads * pin.number("capacitance").unwrap_or(0.0),
        clock: clock == Some(pin.args.as_str()),
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([',', ' ', '"']).filter_map(|word| word.trim().parse().ok()).collect()
}

fn complex<'g>(group: &'g Group, name: &str) -> Option<&'g str> {
    group.complex.iter().find(|(found, _)| found == name).map(|(_, text)| text.as_str())
}

/// Converts a table to a curve over the load: the row (or column) of the middle slew.
fn curve(table: &Group, top: &Group, farads: f64) -> Option<Curve> {
    let rows: Vec<Vec<f64>> =
        complex(table, "values")?.split('"').map(numbers).filter(|row| !row.is_empty()).collect();
    let template = top.groups.iter().find(|group| group.args == table.args);
    let variable = |name: &str| {
        template.and_then(|group| group.attributes.get(name)).map_or("", String::as_str)
    };
    let index = |name: &str| {
        complex(table, name).or(template.and_then(|group| complex(group, name))).map(numbers)
    };
    let is_load = |name: &str| variable(name) == "total_output_net_capacitance";
    let (loads, energies) = if is_load("variable_2") {
        (index("index_2")?, rows.get(rows.len() / 2)?.clone())
    } else if is_load("variable_1") {
        (index("index_1")?, rows.iter().filter_map(|row| row.get(row.len() / 2).copied()).collect())
    } else {
        let flat: Vec<f64> = rows.concat();
        (vec![0.0], vec![*flat.get(flat.len() / 2)?])
    };
    let loads: Vec<f64> = loads.iter().map(|load| load * farads).collect();
    (loads.len() == energies.len())
        .then(|| Curve { loads, energies: energies.iter().map(|energy| energy * farads).collect() })
}

impl Curve {
    /// Interpolates linearly between the points. Outside of them the value is constant.
    fn at(&self, load: f64) -> f64 {
        let above = self.loads.iter().position(|&point| point >= load).unwrap_or(self.loads.len());
        if above == 0 {
            return self.energies[0];
        }
        if above == self.loads.len() {
            return self.energies[above - 1];
        }
        let (from, to) = (self.loads[above - 1], self.loads[above]);
        let share = (load - from) / (to - from);
        self.energies[above - 1] * (1.0 - share) + self.energies[above] * share
    }
}

fn mean(curves: &[Curve], load: f64) -> f64 {
    let sum: f64 = curves.iter().map(|curve| curve.at(load)).sum();
    sum / curves.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_says_what_an_access_takes() {
        let state = |when: &str, energy: f64| {
            format!(
                "internal_power() {{ when : \"{when}\"; rise_power(\"scalar\") {{ values ({energy}); }} }}"
            )
        };
        let text = |read: &str| {
            let states = [state(read, 122.5), state("A_MEN  & A_WEN  & !A_REN", 155.25)].concat();
            format!("library (m) {{ cell (r) {{ pin(A_CLK) {{ {states} }} }} }}")
        };
        let of = |read: &str| access(&Liberty::of_text(&text(read)).unwrap());
        assert_eq!(of("A_MEN  & !A_WEN & A_REN"), Some((122.5, 155.25)));
        assert_eq!(of("!A_MEN & !A_WEN & A_REN"), None);
    }

    #[test]
    fn a_curve_is_read_at_the_middle_slew_and_between_its_points() {
        let curve = Curve { loads: vec![1.0, 3.0], energies: vec![10.0, 20.0] };
        assert_eq!(
            [0.0, 1.0, 2.0, 3.0, 9.0].map(|load| curve.at(load)),
            [10.0, 10.0, 15.0, 20.0, 20.0]
        );
        assert_eq!(leakage_unit("1pW"), 1e-6);
        assert_eq!(numbers("0.1, 0.2"), [0.1, 0.2]);
    }
}
