//! The recording that a bench built for `hw energy` writes: a VCD of the top module's ports with
//! one sample per clock cycle. Its marks give the number of operations between two cycles.

use serde::Deserialize;
use std::collections::HashMap;

/// A range of cycles in which the unit is full of one operation.
#[derive(Debug, Deserialize)]
pub struct Mark {
    /// Name of the operation.
    pub op: String,
    /// First cycle.
    pub from: u64,
    /// Cycle after the last one.
    pub to: u64,
    /// Number of operations that ended in this range.
    pub count: u64,
}

/// Values of every port in every cycle.
#[derive(Debug, Default)]
pub struct Ports {
    /// Position of each port in a sample. Two names may share a position.
    pub places: HashMap<String, usize>,
    /// Bits by cycle and port, lowest bit first.
    pub samples: Vec<Vec<Vec<bool>>>,
}

impl Ports {
    /// Reads a VCD as Verilator writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut ports = Self::default();
        let mut index: HashMap<&str, usize> = HashMap::new();
        let mut now: Vec<Vec<bool>> = Vec::new();
        let mut started = false;
        for line in text.lines().map(str::trim) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["$var", _, width, id, name, ..] => {
                    let place = *index.entry(id).or_insert(now.len());
                    ports.places.entry((*name).to_string()).or_insert(place);
                    if place == now.len() {
                        now.push(vec![false; width.parse().ok()?]);
                    }
                }
                [time] if time.starts_with('#') => {
                    if started {
                        ports.samples.push(now.clone());
                    }
                    started = true;
                }
                [value, id] if value.starts_with('b') => {
                    fill(&mut now[*index.get(id)?], &value[1..])
                }
                [bit] if bit.starts_with(['0', '1']) => {
                    fill(&mut now[*index.get(&bit[1..])?], &bit[..1])
                }
                _ => {}
            }
        }
        ports.samples.push(now);
        (!ports.places.is_empty()).then_some(ports)
    }
}

/// Sets a port from digits, highest first. Missing digits are zero.
fn fill(port: &mut [bool], digits: &str) {
    port.fill(false);
    for (bit, digit) in port.iter_mut().zip(digits.bytes().rev()) {
        *bit = digit == b'1';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_hold_what_did_not_change() {
        let text = "$scope module TOP $end\n$var wire 1 ! go_i $end\n$var wire 4 # a_i [3:0] $end\n$var wire 1 ! b_o $end\n$enddefinitions $end\n#0\n1!\nb110 #\n#1\n0!\n#2\nb1 #\n";
        let ports = Ports::parse(text).unwrap();
        assert_eq!([ports.places["go_i"], ports.places["a_i"], ports.places["b_o"]], [0, 1, 0]);
        let six = vec![false, true, true, false];
        assert_eq!(ports.samples[0], [vec![true], six.clone()]);
        assert_eq!(ports.samples[1], [vec![false], six]);
        assert_eq!(ports.samples[2], [vec![false], vec![true, false, false, false]]);
        assert!(Ports::parse("").is_none());
    }
}
