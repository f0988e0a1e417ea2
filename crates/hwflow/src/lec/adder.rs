//! Word-level cells that add, as equations between bits.

use crate::map::netlist::Cell;
use serde_json::Value;

/// Number of a net in a netlist.
pub type Net = u64;

/// Product of zero, one or two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    One,
    Bit(Net),
    Both(Net, Net),
}

/// A term times two to the power `power`, added or subtracted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    pub term: Term,
    pub power: usize,
    pub minus: bool,
}

/// An equation: a number equals a sum, exactly if `whole` is true, otherwise modulo two to the
/// number of its bits.
#[derive(Debug, Clone)]
pub struct Adder {
    /// Bits of the number, lowest first.
    pub outputs: Vec<Net>,
    pub sum: Vec<Part>,
    pub whole: bool,
}

/// Bits of a word; `None` is the constant 0.
type Word = Vec<Option<Term>>;

/// Returns the equations of a cell. There are none if the cell is not known to add, or has an
/// undefined bit.
pub fn of(cell: &Cell) -> Vec<Adder> {
    equations(cell).unwrap_or_default()
}

fn equations(cell: &Cell) -> Option<Vec<Adder>> {
    let outputs = nets(cell, "Y")?;
    let (count, signed) = (outputs.len(), set(cell, "A_SIGNED"));
    if cell.parameters.contains_key("B_SIGNED") && set(cell, "B_SIGNED") != signed {
        return None;
    }
    let read = |pin: &str| Some(extended(word(cell, pin)?, signed, count));
    match cell.kind.as_str() {
        "$fa" => full(cell, &outputs),
        "$not" => Some(inverted(&outputs, &read("A")?)),
        "$and" => Some(anded(&outputs, &read("A")?, &read("B")?)),
        "$add" | "$sub" => {
            let minus = cell.kind == "$sub";
            let fits = widest(cell)? < count && !signed && !minus;
            let sum = [plain(&read("A")?, false), plain(&read("B")?, minus)].concat();
            Some(vec![Adder { outputs, sum, whole: fits }])
        }
        "$mul" => {
            let whole = !signed && word(cell, "A")?.len() + word(cell, "B")?.len() <= count;
            let sum = product(&read("A")?, &read("B")?, count);
            Some(vec![Adder { outputs, sum, whole }])
        }
        "$alu" => {
            let sum = alu(cell, &read("A")?, &read("B")?)?;
            Some(vec![Adder { outputs, sum, whole: false }])
        }
        _ => None,
    }
}

/// Returns a full adder for each bit: its sum and carry together are the sum of its three inputs.
fn full(cell: &Cell, outputs: &[Net]) -> Option<Vec<Adder>> {
    let (carries, words) =
        (nets(cell, "X")?, [word(cell, "A")?, word(cell, "B")?, word(cell, "C")?]);
    let bit = |at: usize| Adder {
        outputs: vec![outputs[at], carries[at]],
        sum: words.iter().flat_map(|word| plain(&word[at..=at], false)).collect(),
        whole: true,
    };
    Some((0..outputs.len()).map(bit).collect())
}

fn inverted(outputs: &[Net], word: &[Option<Term>]) -> Vec<Adder> {
    let bit = |(output, bit): (&Net, &Option<Term>)| Adder {
        outputs: vec![*output],
        sum: [vec![Part { term: Term::One, power: 0, minus: false }], plain(&[*bit], true)]
            .concat(),
        whole: true,
    };
    outputs.iter().zip(word).map(bit).collect()
}

fn anded(outputs: &[Net], a: &[Option<Term>], b: &[Option<Term>]) -> Vec<Adder> {
    let bit = |at: usize| Adder {
        outputs: vec![outputs[at]],
        sum: product(&a[at..=at], &b[at..=at], 1),
        whole: true,
    };
    (0..outputs.len()).map(bit).collect()
}

/// Returns the terms that `$alu` adds if `BI` is constant: A, B or its bitwise inverse, and the
/// carry `CI`.
fn alu(cell: &Cell, a: &[Option<Term>], b: &[Option<Term>]) -> Option<Vec<Part>> {
    let minus = match word(cell, "BI")?.as_slice() {
        [None] => false,
        [Some(Term::One)] => true,
        _ => return None,
    };
    let carry = plain(&word(cell, "CI")?, false);
    let inverse = if minus { plain(&[Some(Term::One)], true) } else { Vec::new() };
    Some([plain(a, false), plain(b, minus), carry, inverse].concat())
}

fn plain(word: &[Option<Term>], minus: bool) -> Vec<Part> {
    let part = |(power, term): (usize, &Option<Term>)| Some(Part { term: (*term)?, power, minus });
    word.iter().enumerate().filter_map(part).collect()
}

fn product(a: &[Option<Term>], b: &[Option<Term>], count: usize) -> Vec<Part> {
    let one = |bits: &[Option<Term>]| plain(bits, false);
    let pairs =
        one(a).into_iter().flat_map(|left| one(b).into_iter().map(move |right| (left, right)));
    let part = |(left, right): (Part, Part)| {
        let term = both(left.term, right.term)?;
        Some(Part { term, power: left.power + right.power, minus: false })
    };
    pairs.filter_map(part).filter(|part| part.power < count).collect()
}

fn both(a: Term, b: Term) -> Option<Term> {
    match (a, b) {
        (Term::One, other) | (other, Term::One) => Some(other),
        (Term::Bit(a), Term::Bit(b)) if a == b => Some(Term::Bit(a)),
        (Term::Bit(a), Term::Bit(b)) => Some(Term::Both(a.min(b), a.max(b))),
        _ => None,
    }
}

fn widest(cell: &Cell) -> Option<usize> {
    Some(word(cell, "A")?.len().max(word(cell, "B")?.len()))
}

fn set(cell: &Cell, parameter: &str) -> bool {
    let value = cell.parameters.get(parameter);
    value.and_then(Value::as_str).is_some_and(|digits| digits.ends_with('1'))
}

fn nets(cell: &Cell, pin: &str) -> Option<Vec<Net>> {
    cell.connections.get(pin)?.iter().map(Value::as_u64).collect()
}

fn word(cell: &Cell, pin: &str) -> Option<Word> {
    let bit = |value: &Value| match (value.as_u64(), value.as_str()) {
        (Some(net), _) => Some(Some(Term::Bit(net))),
        (_, Some("0")) => Some(None),
        (_, Some("1")) => Some(Some(Term::One)),
        _ => None,
    };
    cell.connections.get(pin)?.iter().map(bit).collect()
}

fn extended(mut word: Word, signed: bool, count: usize) -> Word {
    let fill = if signed { word.last().copied().flatten() } else { None };
    word.resize(count, fill);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Returns a cell with A in nets 1 and 2, B in 3 and 4, C in 5 and 6, a carry in 7, a result
    /// from 8 on and carries from 20 on.
    fn cell(kind: &str, result: u64, signed: bool, inverse: &str) -> Cell {
        let nets = |nets: &[u64]| nets.iter().map(|&net| net.into()).collect::<Vec<Value>>();
        let results: Vec<u64> = (8..8 + result).collect();
        let carries: Vec<u64> = (20..20 + result).collect();
        let pins = [("A", nets(&[1, 2])), ("B", nets(&[3, 4])), ("C", nets(&[5, 6]))];
        let more = [("CI", nets(&[7])), ("BI", vec![inverse.into()])];
        let out = [("Y", nets(&results)), ("X", nets(&carries))];
        let connections: BTreeMap<String, Vec<Value>> =
            pins.into_iter().chain(more).chain(out).map(|(pin, bits)| (pin.into(), bits)).collect();
        let mut cell = Cell::new(kind, connections);
        for parameter in ["A_SIGNED", "B_SIGNED"] {
            cell.parameters.insert(parameter.into(), if signed { "1" } else { "0" }.into());
        }
        cell
    }

    /// Values of the nets 1 to 7, as bits of a number.
    struct Inputs(u64);

    impl Inputs {
        fn number(&self, first: u64, signed: bool) -> i64 {
            let bits = (self.0 >> first & 3) as i64;
            if signed && bits > 1 { bits - 4 } else { bits }
        }

        fn term(&self, term: Term) -> i64 {
            let bit = |net: u64| (self.0 >> net & 1) as i64;
            match term {
                Term::One => 1,
                Term::Bit(net) => bit(net),
                Term::Both(a, b) => bit(a) * bit(b),
            }
        }

        /// Checks that the terms of an adder add up to `wanted`.
        fn check(&self, adder: &Adder, wanted: i64) {
            let part = |part: &Part| {
                let amount = self.term(part.term) << part.power;
                if part.minus { -amount } else { amount }
            };
            let sum: i64 = adder.sum.iter().map(part).sum();
            let most = 1 << adder.outputs.len();
            assert_eq!((sum - wanted).rem_euclid(most), 0, "{adder:?} {:b}", self.0);
            assert!(!adder.whole || (0..most).contains(&sum), "{adder:?} {:b}", self.0);
        }
    }

    /// Checks the equation of a cell for all values of its inputs.
    fn check(cell: &Cell, wanted: impl Fn(&Inputs) -> i64) {
        let adders = of(cell);
        let [adder] = adders.as_slice() else { panic!("{adders:?}") };
        (0..256).map(Inputs).for_each(|inputs| inputs.check(adder, wanted(&inputs)));
    }

    #[test]
    fn words_are_added_subtracted_and_multiplied() {
        for (signed, bits) in [false, true].into_iter().flat_map(|s| (1..6).map(move |b| (s, b))) {
            let cell = |kind: &str| cell(kind, bits, signed, "0");
            let (a, b) = (|i: &Inputs| i.number(1, signed), |i: &Inputs| i.number(3, signed));
            check(&cell("$add"), |i| a(i) + b(i));
            check(&cell("$sub"), |i| a(i) - b(i));
            check(&cell("$mul"), |i| a(i) * b(i));
        }
    }

    #[test]
    fn a_signed_word_and_another_are_not_added() {
        for kind in ["$add", "$sub", "$mul", "$alu", "$and"] {
            let mut cell = cell(kind, 4, false, "0");
            assert!(!of(&cell).is_empty(), "{kind}");
            cell.parameters.insert("B_SIGNED".into(), "1".into());
            assert!(of(&cell).is_empty(), "{kind}");
        }
    }

    #[test]
    fn an_adder_with_a_carry_inverts_its_second_word() {
        check(&cell("$alu", 2, false, "0"), |i| {
            i.number(1, false) + i.number(3, false) + i.term(Term::Bit(7))
        });
        for bits in 1..5 {
            check(&cell("$alu", bits, false, "1"), |i| {
                i.number(1, false) + !i.number(3, false) + i.term(Term::Bit(7))
            });
        }
        assert!(of(&cell("$alu", 2, false, "x")).is_empty());
    }

    #[test]
    fn bits_are_added_inverted_and_multiplied_one_by_one() {
        let each = |kind: &str, wanted: fn(&Inputs, u64) -> i64| {
            let adders = of(&cell(kind, 2, false, "0"));
            assert_eq!(adders.len(), 2, "{kind}");
            for (at, adder) in adders.iter().enumerate() {
                assert!(adder.whole && adder.outputs[0] == 8 + at as u64);
                (0..256).map(Inputs).for_each(|i| i.check(adder, wanted(&i, at as u64)));
            }
        };
        each("$fa", |i, at| [1, 3, 5].iter().map(|first| i.term(Term::Bit(first + at))).sum());
        each("$not", |i, at| 1 - i.term(Term::Bit(1 + at)));
        each("$and", |i, at| i.term(Term::Bit(1 + at)) * i.term(Term::Bit(3 + at)));
        assert_eq!(of(&cell("$fa", 2, false, "0"))[1].outputs, [9, 21]);
        assert!(of(&cell("$xor", 2, false, "0")).is_empty());
    }
}
