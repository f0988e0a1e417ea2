//! Formulas of `report.toml` over the fields of a row: `round(576 * in_flight / cycles, 3)`.
//!
//! A name is a field of the row, with dots between nested fields, or a formula of the description.
//! A missing field makes every number that uses it null.

use crate::core::row::round;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Formulas by name.
pub type Names = BTreeMap<String, String>;

/// Maximum depth of formulas that use each other.
const DEPTH: u32 = 16;

/// The fields and formulas that names refer to.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    row: &'s Value,
    names: &'s Names,
    depth: u32,
}

impl<'s> Scope<'s> {
    /// Returns the scope of a row.
    pub fn new(row: &'s Value, names: &'s Names) -> Self {
        Self { row, names, depth: 0 }
    }

    /// Returns the value of a formula, or a message about a fault in its text.
    pub fn value(&self, formula: &str) -> Result<Value, String> {
        let mut parser = Parser { rest: formula, scope: *self };
        let value = parser.sum()?;
        match parser.rest.trim_start() {
            "" => Ok(value),
            rest => Err(format!("`{formula}`: `{rest}` is left over")),
        }
    }

    /// Returns the value of a formula as a number, or `None` if a field is missing.
    pub fn number(&self, formula: &str) -> Result<Option<f64>, String> {
        Ok(self.value(formula)?.as_f64())
    }

    fn name(&self, name: &str) -> Result<Value, String> {
        let Some(formula) = self.names.get(name) else {
            return Ok(field(self.row, name).cloned().unwrap_or_default());
        };
        if self.depth == DEPTH {
            return Err(format!("`{name}` uses itself"));
        }
        Self { depth: self.depth + 1, ..*self }.value(formula)
    }
}

/// Returns the field of a row that a dotted name refers to.
pub fn field<'v>(row: &'v Value, name: &str) -> Option<&'v Value> {
    name.split('.').try_fold(row, |value, part| value.get(part))
}

struct Parser<'p> {
    rest: &'p str,
    scope: Scope<'p>,
}

impl<'p> Parser<'p> {
    fn sum(&mut self) -> Result<Value, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let right = self.product()?;
            value = both(&value, &right, |a, b| if sign == '+' { a + b } else { a - b });
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Value, String> {
        let mut value = self.factor()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let right = self.factor()?;
            value = both(&value, &right, |a, b| if sign == '*' { a * b } else { a / b });
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<Value, String> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return self.expect(')').map(|()| value);
        }
        if self.take(&['\'']).is_some() {
            let text = self.word(|c| c != '\'').to_owned();
            return self.expect('\'').map(|()| Value::String(text));
        }
        let word = self.word(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        if word.is_empty() {
            return Err(format!("a name or a number is missing before `{}`", self.rest));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return serde_json::from_str(word).map_err(|_| format!("`{word}` is no number"));
        }
        if self.take(&['(']).is_none() {
            return self.scope.name(word);
        }
        let arguments = self.arguments()?;
        call(word, &arguments)
    }

    fn arguments(&mut self) -> Result<Vec<Value>, String> {
        let mut values = vec![self.sum()?];
        while self.take(&[',']).is_some() {
            values.push(self.sum()?);
        }
        self.expect(')').map(|()| values)
    }

    fn take(&mut self, signs: &[char]) -> Option<char> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next().filter(|c| signs.contains(c))?;
        self.rest = &self.rest[first.len_utf8()..];
        Some(first)
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        self.take(&[sign]).map(drop).ok_or_else(|| format!("no `{sign}` before `{}`", self.rest))
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'p str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

fn both(a: &Value, b: &Value, operation: impl Fn(f64, f64) -> f64) -> Value {
    a.as_f64().zip(b.as_f64()).map_or(Value::Null, |(a, b)| json!(operation(a, b)))
}

/// Applies a function. `whole` makes an integer, `default` replaces a missing value.
fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let one = |operation: fn(f64) -> f64, a: &Value| both(a, &json!(0), |a, _| operation(a));
    Ok(match (name, arguments) {
        ("default", [Value::Null, b]) => b.clone(),
        ("default", [a, _]) => a.clone(),
        ("max", [a, b]) => both(a, b, f64::max),
        ("ceil", [a]) => one(f64::ceil, a),
        ("floor", [a]) => one(f64::floor, a),
        ("round", [a, b]) => both(a, b, |a, digits| round(a, digits as i32)),
        ("whole", [a]) => a.as_f64().map_or(Value::Null, |a| json!(a as i64)),
        _ => return Err(format!("no function {name} of {} values", arguments.len())),
    })
}

/// Returns the value of the formula for each number of a map, where `n` is that number. The result
/// is null if any of the values is null.
pub fn each(map: &Value, formula: &str, scope: Scope<'_>) -> Result<Value, String> {
    let mut values = Map::new();
    for (key, n) in map.as_object().into_iter().flatten() {
        let mut row = scope.row.clone();
        row["n"] = n.clone();
        match (Scope { row: &row, ..scope }).value(formula)? {
            Value::Null => return Ok(Value::Null),
            value => _ = values.insert(key.clone(), value),
        }
    }
    Ok(Value::Object(values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(formula: &str) -> Result<Value, String> {
        let row = json!({"cycles": 48, "params": {"unroll": 2}, "kge": 2.5, "map": {"a": 4}});
        let text = |(name, formula): (&str, &str)| (name.to_string(), formula.to_string());
        let names = [("double", "2 * cycles"), ("self", "self + 1")].map(text).into();
        Scope::new(&row, &names).value(formula)
    }

    #[test]
    fn arithmetic_names_and_functions() {
        for (formula, wanted) in [
            ("params.unroll", json!(2)),
            ("1 + 2 * (cycles - 8) / params.unroll", json!(41.0)),
            ("round(double / 7, 2)", json!(13.71)),
            ("whole(max(ceil(kge), floor(9.9)))", json!(9)),
            ("default(params.family, 'xc7')", json!("xc7")),
            ("default(params.unroll, 0)", json!(2)),
            ("kge * missing", Value::Null),
        ] {
            assert_eq!(value(formula).unwrap(), wanted, "{formula}");
        }
    }

    #[test]
    fn a_wrong_text_is_a_fault() {
        for formula in ["", "1 +", "(1", "1 2", "what(1)", "self", "1.2.3", "'open"] {
            assert!(value(formula).is_err(), "{formula}");
        }
    }

    #[test]
    fn each_number_of_a_map_is_computed_or_none() {
        let row = json!({"ns": 2.0, "cycles": {"sign": 3}});
        let names = Names::new();
        let scope = Scope::new(&row, &names);
        assert_eq!(each(&row["cycles"], "n * ns", scope).unwrap(), json!({"sign": 6.0}));
        assert_eq!(each(&row["cycles"], "n * none", scope).unwrap(), Value::Null);
    }
}
