//! Boolean functions of Liberty cells, as truth tables with at most six inputs.

/// A function of named pins. Bit i of the table is the value of the function if bit k of i is the
/// value of pin k.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Pins that the function reads.
    pub pins: Vec<String>,
    /// Truth table.
    pub bits: u64,
}

/// Parses a function. Liberty's precedence: `!` and `'`, then `^`, then `*`, `&` and blanks, then
/// `+` and `|`.
pub fn parse(text: &str) -> Option<Table> {
    let tokens = tokens(text);
    let mut pins: Vec<String> = tokens
        .iter()
        .filter(|token| token.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .cloned()
        .collect();
    pins.sort();
    pins.dedup();
    if pins.len() > 6 {
        return None;
    }
    let mut parser = Parser { tokens: &tokens, at: 0, pins: &pins };
    let bits = parser.or()?;
    (parser.at == tokens.len()).then_some(Table { bits: bits & mask(pins.len()), pins })
}

/// Returns a mask for the truth table of a function with this number of inputs.
fn mask(inputs: usize) -> u64 {
    if inputs == 6 { u64::MAX } else { (1 << (1 << inputs)) - 1 }
}

/// Truth table of each input k: its value in all 64 combinations.
const INPUT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if !c.is_whitespace() {
            tokens.push(c.into());
        }
    }
    tokens
}

struct Parser<'t> {
    tokens: &'t [String],
    at: usize,
    pins: &'t [String],
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn eat(&mut self, wanted: &[&str]) -> bool {
        let found = wanted.contains(&self.peek());
        self.at += usize::from(found);
        found
    }

    fn or(&mut self) -> Option<u64> {
        let mut value = self.and()?;
        while self.eat(&["+", "|"]) {
            value |= self.and()?;
        }
        Some(value)
    }

    fn and(&mut self) -> Option<u64> {
        let mut value = self.xor()?;
        loop {
            let explicit = self.eat(&["*", "&"]);
            if !explicit && matches!(self.peek(), "" | ")" | "+" | "|" | "^" | "'") {
                return Some(value);
            }
            value &= self.xor()?;
        }
    }

    fn xor(&mut self) -> Option<u64> {
        let mut value = self.not()?;
        while self.eat(&["^"]) {
            value ^= self.not()?;
        }
        Some(value)
    }

    fn not(&mut self) -> Option<u64> {
        if self.eat(&["!"]) {
            return Some(!self.not()?);
        }
        let mut value = self.atom()?;
        while self.eat(&["'"]) {
            value = !value;
        }
        Some(value)
    }

    fn atom(&mut self) -> Option<u64> {
        if self.eat(&["("]) {
            let value = self.or()?;
            return self.eat(&[")"]).then_some(value);
        }
        let token = self.peek().to_string();
        self.at += 1;
        match token.as_str() {
            "0" => Some(0),
            "1" => Some(u64::MAX),
            name => Some(INPUT[self.pins.iter().position(|pin| pin == name)?]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_both_libraries_are_read() {
        for (text, bits) in [
            ("!(A*B)", 0b0111),
            ("(A B)'", 0b0111),
            ("A^B", 0b0110),
            ("!A + B", 0b1101),
            ("A+B*A", 0b1010),
            ("(!S*A0)+(S*A1)", 0b1100_1010),
            ("1", 0b1),
        ] {
            assert_eq!(parse(text).map(|table| table.bits), Some(bits), "{text}");
        }
        for wrong in ["(A", "A+", "", "A)B", "A*B*C*D*E*F*G"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
