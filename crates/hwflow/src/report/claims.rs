//! `hw claims`: checks the claims of each core's `report.toml` about netlists and kept rows.

use super::description::{self, Bound, Claim, Description, fits};
use super::formula::Scope;
use super::gates::Gates;
use crate::core::kept;
use hasten_chore::failure::{self, Failure};
use serde_json::Value;

/// Checks and prints every claim. A claim that does not hold is a failure.
pub fn run() -> Result<(), Failure> {
    let rows = description::values(&kept::load()?);
    let mut found = Vec::new();
    for core in description::all()? {
        netlists(&core, &mut found)?;
        for claim in &core.claim {
            let row = rows.iter().find(|row| fits(row, &claim.row));
            let missing = || Failure::Tool(format!("{}: no such row", claim.claim.what));
            judge(&claim.claim, row.ok_or_else(missing)?, &core, &mut found)?;
        }
    }
    failure::report("hw claims", "all hold".into(), found)
}

fn netlists(core: &Description, found: &mut Vec<String>) -> Result<(), Failure> {
    for netlist in &core.netlist {
        judge(&netlist.claim, &Gates::map(netlist, "")?.figures(netlist), core, found)?;
        if let Some(balance) = &netlist.balance {
            let depth = Gates::map(netlist, balance)?.depth(&netlist.from);
            println!("       balanced by abc into gates of two inputs: {depth}");
        }
    }
    Ok(())
}

/// Prints a claim with the values of its bounds, and adds it to `found` if a bound does not hold.
fn judge(
    claim: &Claim,
    row: &Value,
    core: &Description,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let (mut said, mut holds) = (Vec::new(), true);
    for bound in &claim.bounds {
        let value = Scope::new(row, &core.formulas).value(&bound.value);
        let value = value.map_err(|fault| core.fault(fault))?;
        holds &= bound.holds(&value);
        said.push(bound.says.replace("{}", &value.to_string()));
    }
    let line = format!("{}{}", claim.what, said.join(", "));
    println!("{} {line}", if holds { "holds:" } else { "FAILS:" });
    found.extend((!holds).then_some(line));
    Ok(())
}

impl Bound {
    /// Returns true if the value is a number within the bounds.
    fn holds(&self, value: &Value) -> bool {
        value.as_f64().is_some_and(|value| {
            self.at_most.is_none_or(|bound| value <= bound)
                && self.at_least.is_none_or(|bound| value >= bound)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_claim_holds_within_its_bounds_alone() {
        let core: Description = toml::from_str(
            "[[claim]]\nwhere={}\nwhat='area: '
             bounds=[{value='lut',at_most=10,says='{}'},{value='ff',at_least=3,says='{}'}]",
        )
        .unwrap();
        let failed = |row: Value| {
            let mut found = Vec::new();
            judge(&core.claim[0].claim, &row, &core, &mut found).unwrap();
            found
        };
        assert!(failed(json!({"lut": 10, "ff": 3})).is_empty());
        assert_eq!(failed(json!({"lut": 11, "ff": 3})), ["area: 11, 3"]);
        assert_eq!(failed(json!({"lut": 10})), ["area: 10, null"]);
    }
}
