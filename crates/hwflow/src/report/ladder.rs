//! The ladder of chain cores from the kept rows: `results/ladder.json` with the products of area, time and energy, and plots.
//! `hw plots` and `hw report` make both.

use crate::core::cores::Param;
use crate::core::results;
use crate::core::row::Row;
use crate::draw::svg::{Plot, Point};
use crate::failure::Failure;
use crate::map::asic::round;
use serde_json::{Value, json};

/// Steps of the chain that the rows' operation is.
const STEPS: f64 = 15.0;

/// Compressions of a prepared signature with XMSS-SHA2_10_256, on average: chain steps and what is left of the message hash.
const SIGNATURE: f64 = 500.0;

/// A rung: what a chain core costs.
struct Rung<'r> {
    row: &'r Row,
    stage: String,
    unroll: i64,
    kge: f64,
    ns: f64,
}

impl<'r> Rung<'r> {
    fn of(row: &'r Row) -> Option<Self> {
        let chain = ["xmss/chain_generic", "xmss/chain_core"].contains(&row.core.as_str());
        let wanted = chain && row.op.op == "xmss-n32-chain";
        let library = row.asic.liberty.as_deref().is_some_and(|name| name.starts_with("sg13g2"));
        let (Some(Param::Word(stage)), Some(Param::Number(unroll))) =
            (row.params.get("stage"), row.params.get("unroll"))
        else {
            return None;
        };
        let (kge, ns) = (row.asic.kge?, row.asic.critical_path_ns?);
        (wanted && library).then(|| Self { row, stage: stage.clone(), unroll: *unroll, kge, ns })
    }

    /// Cycles of a chain step.
    fn cycles(&self) -> f64 {
        self.row.op.cycles as f64 / STEPS
    }

    /// Microseconds of a chain step, the clock as fast as the logic.
    fn time(&self) -> f64 {
        self.cycles() * self.ns / 1000.0
    }

    /// Nanojoules of a chain step.
    fn energy(&self) -> Option<f64> {
        Some(self.row.asic.pj_per_op? / STEPS / 1000.0)
    }

    fn label(&self) -> String {
        if self.stage == "unrolled" {
            format!("U{}", self.unroll)
        } else {
            format!("{}, U{}", self.stage, self.unroll)
        }
    }

    fn json(&self) -> Value {
        let (fpga, energy) = (&self.row.fpga, self.energy());
        let product = self.kge * self.time();
        json!({
            "stage": self.stage, "unroll": self.unroll, "cycles_per_step": self.cycles(), "lut": fpga.lut, "ff": fpga.ff,
            "kge": self.kge, "critical_path_ns": self.ns, "fmax_mhz": self.row.fmax_mhz,
            "ns_per_step": round(1000.0 * self.time(), 1),
            "pj_per_step": energy.map(|nj| round(1000.0 * nj, 1)),
            "nj_per_signature": energy.map(|nj| round(SIGNATURE * nj, 1)),
            "kge_cycles": round(self.kge * self.cycles(), 1),
            "kge_us": round(product, 3),
            "kge_us_nj": energy.map(|nj| round(product * nj, 3)),
            "kge_cycles_nj": energy.map(|nj| round(self.kge * self.cycles() * nj, 1)),
        })
    }
}

fn rungs(rows: &[Row]) -> Vec<Rung<'_>> {
    let mut rungs: Vec<Rung<'_>> = rows.iter().filter_map(Rung::of).collect();
    rungs.sort_by_key(|rung| (rung.stage != "generic", rung.unroll));
    rungs
}

/// The text of `results/ladder.json`.
pub fn table(rows: &[Row]) -> Result<String, Failure> {
    let rungs: Vec<Value> = rungs(rows).iter().map(Rung::json).collect();
    results::derived("hasten.ladder/1", "cargo xtask hw plots", &rungs)
}

/// A rung's value.
type Quantity = dyn Fn(&Rung) -> Option<f64>;

fn plot(rungs: &[Rung], title: &str, x: (&str, &Quantity), y: (&str, &Quantity)) -> Plot {
    let point = |rung: &Rung| {
        let (series, label) = (rung.stage.clone(), rung.label());
        Some(Point { series, x: x.1(rung)?, y: y.1(rung)?, label })
    };
    let points = rungs.iter().filter_map(point).collect();
    Plot { title: title.into(), x: x.0.into(), y: y.0.into(), points }
}

/// The plots by name.
pub fn plots(rows: &[Row]) -> Vec<(&'static str, Plot)> {
    let rungs = rungs(rows);
    let area = ("kGE (IHP SG13G2)", &(|rung: &Rung| Some(rung.kge)) as &Quantity);
    let rounds = ("rounds per cycle", &(|rung: &Rung| Some(rung.unroll as f64)) as &Quantity);
    let draw = |title, x, y: (&str, &Quantity)| plot(&rungs, title, x, y);
    vec![
        (
            "fixed-clock",
            draw(
                "Chain step against area, the clock given",
                area,
                ("cycles of a step", &|rung| Some(rung.cycles())),
            ),
        ),
        (
            "free-clock",
            draw(
                "Chain step against area, the clock as fast as the logic",
                area,
                ("ns of a step", &|rung| Some(1000.0 * rung.time())),
            ),
        ),
        (
            "area-time",
            draw(
                "Area times time, free clock",
                rounds,
                ("kGE us of a step", &|rung| Some(rung.kge * rung.time())),
            ),
        ),
        (
            "area-cycles",
            draw(
                "Area times cycles, the clock given",
                rounds,
                ("kGE cycles of a step", &|rung| Some(rung.kge * rung.cycles())),
            ),
        ),
        (
            "area-time-energy",
            draw(
                "Area times time times energy, free clock",
                rounds,
                ("kGE us nJ of a step", &|rung| Some(rung.kge * rung.time() * rung.energy()?)),
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rung_has_its_products() {
        let text = json!({"core":"xmss/chain_core","params":{"stage":"unrolled","unroll":2},"op":"xmss-n32-chain","cycles":480,"cycles_max":480,
            "in_flight":1,"kge":20.0,"critical_path_ns":5.0,"liberty":"sg13g2_x","pj_per_op":30000.0,"tools":"t","command":"m"});
        let rows: Vec<Row> = vec![serde_json::from_value(text).unwrap()];
        let table: Value = serde_json::from_str(&table(&rows).unwrap()).unwrap();
        let rung = &table["rows"][0];
        assert_eq!(rung["cycles_per_step"], 32.0);
        assert_eq!(rung["ns_per_step"], 160.0);
        assert_eq!(rung["kge_us"], 3.2);
        assert_eq!(rung["pj_per_step"], 2000.0);
        assert_eq!(rung["kge_us_nj"], 6.4);
        assert_eq!(plots(&rows)[0].1.points.len(), 1);
    }
}
