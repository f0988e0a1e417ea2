//! Draws timing diagrams as SVG from WaveJSON, which the benches write from their simulation.
//!
//! Supported are the marks `p`, `0`, `1`, `=`, `x`, `.` and `|` (cycles left out), `{}` for a
//! space, and `head.text`. An additional field `cycles` has the numbers of the columns.

use crate::draw::svg::escape;
use serde::Deserialize;
use std::fmt::Write;

/// A timing diagram.
#[derive(Debug, Deserialize)]
pub struct Diagram {
    head: Head,
    signal: Vec<Signal>,
    /// Cycle of each column, or -1 where cycles are left out.
    cycles: Vec<i64>,
}

#[derive(Debug, Deserialize)]
struct Head {
    text: String,
}

#[derive(Debug, Deserialize)]
struct Signal {
    #[serde(default)]
    name: String,
    #[serde(default)]
    wave: String,
    #[serde(default)]
    data: Vec<String>,
}

/// Minimum width of a column.
const COLUMN: f64 = 26.0;
const ROW: f64 = 28.0;
const HEIGHT: f64 = 16.0;
const TOP: f64 = 54.0;

impl Diagram {
    /// Parses WaveJSON. Every wave must have as many columns as there are cycles.
    pub fn parse(text: &str) -> Result<Self, String> {
        let diagram: Self = serde_json::from_str(text).map_err(|fault| fault.to_string())?;
        let columns = diagram.cycles.len();
        let odd = diagram.signal.iter().find(|s| !s.wave.is_empty() && s.wave.len() != columns);
        odd.map_or(Ok(()), |s| Err(format!("{}: {} columns of {columns}", s.name, s.wave.len())))?;
        Ok(diagram)
    }

    /// Returns the values of all signals after each change of any signal, without the cycle
    /// numbers.
    pub fn changes(&self) -> Vec<String> {
        let columns = (0..self.cycles.len()).map(|column| {
            let all = self.signal.iter().filter(|signal| !signal.wave.starts_with('p'));
            all.map(|signal| format!("{} {};", signal.name, signal.at(column))).collect()
        });
        let mut changes: Vec<String> = columns.collect();
        changes.dedup();
        changes
    }

    /// Returns the width of a column, which has room for the cycle number.
    fn column(&self) -> f64 {
        let most = self.cycles.iter().max().map_or(0, |cycle| cycle.to_string().len());
        COLUMN.max(4.0 + 7.25 * most as f64)
    }

    /// Returns the text of the SVG file.
    pub fn svg(&self) -> String {
        let longest = self.signal.iter().map(|signal| signal.name.len()).max().unwrap_or(0);
        let left = 24.0 + 7.5 * longest as f64;
        let column = self.column();
        let columns = left + column * self.cycles.len() as f64 + 12.0;
        let width = columns.max(24.0 + 7.5 * self.head.text.len() as f64);
        let height = TOP + ROW * self.signal.len() as f64 + 6.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        out += &text(12.0, 20.0, "start", &self.head.text);
        self.grid(&mut out, left, height);
        for (row, signal) in self.signal.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            out += &text(left - 8.0, y + 13.0, "end", &signal.name);
            signal.draw(&mut out, left, y, column);
        }
        out + "</svg>\n"
    }

    /// Draws a line and a number for each cycle, and a grey column where cycles are left out.
    fn grid(&self, out: &mut String, left: f64, height: f64) {
        let width = self.column();
        for (column, cycle) in self.cycles.iter().enumerate() {
            let x = left + width * column as f64;
            if *cycle < 0 {
                *out += &text(x + width / 2.0, 42.0, "middle", "...");
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"48\" width=\"{width}\" height=\"{}\" fill=\"#f0f0f0\"/>",
                    height - 54.0
                );
            } else {
                *out += &text(x + width / 2.0, 42.0, "middle", &cycle.to_string());
            }
            let _ = writeln!(out, "<path d=\"M{x} 48V{}\" stroke=\"#ddd\"/>", height - 6.0);
        }
    }
}

impl Signal {
    /// Returns the state of the signal in a column, or its value if it is a bus.
    fn at(&self, column: usize) -> String {
        let seen: Vec<char> = self.wave.chars().take(column + 1).collect();
        let state = seen.iter().rfind(|mark| !matches!(mark, '.' | '|'));
        match (state, seen.iter().filter(|mark| **mark == '=').count()) {
            (Some('='), values) => self.data.get(values - 1).cloned().unwrap_or_default(),
            (state, _) => state.map(char::to_string).unwrap_or_default(),
        }
    }

    fn draw(&self, out: &mut String, left: f64, y: f64, width: f64) {
        let (mut state, mut values) = ('0', self.data.iter());
        let mut path = String::new();
        let marks: Vec<char> = self.wave.chars().collect();
        for (column, mark) in marks.iter().enumerate() {
            let x = left + width * column as f64;
            let fresh = !matches!(mark, '.' | '|');
            let before = state;
            state = if fresh { *mark } else { state };
            match state {
                'p' => path += &clock((x, width), y, *mark == '|'),
                '0' | '1' => path += &level((x, width), y, state, before, column == 0),
                _ if fresh => {
                    let columns = 1 + marks[column + 1..]
                        .iter()
                        .take_while(|m| matches!(m, '.' | '|'))
                        .count();
                    let value = if state == '=' { values.next().map(String::as_str) } else { None };
                    *out += &bus(x, y, width * columns as f64, value);
                }
                _ => {}
            }
        }
        if !path.is_empty() {
            let _ = writeln!(
                out,
                "<path d=\"{}\" fill=\"none\" stroke=\"#1b6ca8\" stroke-width=\"1.5\"/>",
                path.trim_end()
            );
        }
    }
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>\n", escape(words))
}

fn clock((x, width): (f64, f64), y: f64, still: bool) -> String {
    if still {
        return format!("M{x} {}H{} ", y + HEIGHT, x + width);
    }
    format!("M{x} {}V{y}H{}V{}H{} ", y + HEIGHT, x + width / 2.0, y + HEIGHT, x + width)
}

fn level((x, width): (f64, f64), y: f64, state: char, before: char, first: bool) -> String {
    let at = |state: char| if state == '1' { y } else { y + HEIGHT };
    let from = if first { at(state) } else { at(before) };
    format!("M{x} {from}V{}H{} ", at(state), x + width)
}

/// Draws a bus of this width; without a value the bus is drawn as unknown.
fn bus(x: f64, y: f64, width: f64, value: Option<&str>) -> String {
    let fill = if value.is_some() { "#dceaf5" } else { "#e4e4e4" };
    let frame = format!(
        "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"3\" fill=\"{fill}\" stroke=\"#1b6ca8\"/>\n",
        x + 1.0,
        width - 2.0
    );
    frame
        + &value.map_or_else(String::new, |value| text(x + width / 2.0, y + 12.5, "middle", value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAVE: &str = r#"{"head":{"text":"a < b"},"signal":[{"name":"clk_i","wave":"p.|."},{},{"name":"v","wave":"01|0"},
        {"name":"d","wave":"x=|x","data":["7"]}],"cycles":[0,1,-1,9]}"#;

    #[test]
    fn a_value_is_drawn_over_its_columns_and_cycles_are_numbered() {
        let svg = Diagram::parse(WAVE).unwrap().svg();
        for part in ["a &lt; b", ">7<", ">9<", ">...<", "width=\"50\"", ">clk_i<"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert_eq!(svg.matches("<rect").count(), 1 + 1 + 3);
    }

    #[test]
    fn columns_have_room_for_their_numbers() {
        let wide = Diagram::parse(&WAVE.replace("-1,9]", "-1,123456]")).unwrap();
        assert!(wide.column() > 6.0 * 7.2);
        assert_eq!(Diagram::parse(WAVE).unwrap().column(), COLUMN);
    }

    #[test]
    fn changes_are_those_of_signals_and_not_of_cycles() {
        let changes = |text: &str| Diagram::parse(text).unwrap().changes();
        let at = |v: &str, d: &str| format!(" ;v {v};d {d};");
        assert_eq!(changes(WAVE), [at("0", "x"), at("1", "7"), at("0", "x")]);
        assert_eq!(changes(WAVE), changes(&WAVE.replace("0,1,-1,9", "0,5,-1,99")));
        assert_ne!(changes(WAVE), changes(&WAVE.replace("\"7\"", "\"8\"")));
        assert_ne!(changes(WAVE), changes(&WAVE.replace("01|0", "00|1")));
    }

    #[test]
    fn a_wave_of_another_length_is_refused() {
        assert!(Diagram::parse(&WAVE.replace("01|0", "01|")).is_err());
        assert!(Diagram::parse("{}").is_err());
    }
}
