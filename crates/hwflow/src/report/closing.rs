//! What the Ed25519 core's rows say beside each other: `results/ed25519.json`, from areas and longest paths of the whole core
//! and the cycles of its operations, and from the multiplier's variants. `hw plots` and `hw report` make it.

use crate::core::cores::Param;
use crate::core::results;
use crate::core::row::Row;
use crate::failure::Failure;
use crate::map::asic::round;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Parameters that change no cycle.
const SAME_CYCLES: [&str; 4] = ["family", "tile_b", "karatsuba", "multiplier"];

type Params = BTreeMap<String, Param>;

/// The text of `results/ed25519.json`.
pub fn table(rows: &[Row]) -> Result<String, Failure> {
    let of = |core: &'static str| rows.iter().filter(move |row| row.core == core);
    let whole = of("ed25519-whole/ed25519").filter_map(|row| whole(row, rows));
    let fpga = of("ed25519-fpga/ed25519").filter_map(|row| fpga(row, rows));
    let found: Vec<Value> = whole.chain(fpga).chain(variants(rows)).collect();
    results::derived("hasten.ed25519/1", "cargo xtask hw plots", &found)
}

/// The whole core in standard cells, the clock as fast as its longest path.
fn whole(row: &Row, rows: &[Row]) -> Option<Value> {
    let (kge, ns) = (row.asic.kge?, row.asic.critical_path_ns?);
    let cycles = cycles(row, rows)?;
    let each = |value: &dyn Fn(f64) -> f64| -> Map<String, Value> {
        cycles.iter().map(|(op, n)| (op.clone(), json!(value(*n as f64)))).collect()
    };
    let us = each(&|n| round(n * ns / 1000.0, 2));
    let per_second = each(&|n| (1e9 / (n * ns)).floor());
    Some(json!({
        "kind": "cells", "config": row.params["config"], "mul_latency": row.params["mul_latency"],
        "half_size": number(row, "half_size"), "karatsuba": number(row, "karatsuba"), "kge": kge, "ns": ns, "mhz": round(1000.0 / ns, 1),
        "cycles": cycles, "us": us, "per_second": per_second, "liberty": row.asic.liberty,
        "worst": row.asic.worst,
    }))
}

/// The whole core on an FPGA; slices times cycles in millions.
fn fpga(row: &Row, rows: &[Row]) -> Option<Value> {
    let cycles = cycles(row, rows)?;
    let products: Option<Map<String, Value>> = row.fpga.slices_bound.map(|slices| {
        let product = |n: u64| json!(round((slices * n) as f64 / 1e6, 1));
        cycles.iter().map(|(op, n)| (op.clone(), product(*n))).collect()
    });
    Some(json!({
        "kind": family(row), "config": row.params["config"], "mul_latency": row.params["mul_latency"],
        "tile_b": number(row, "tile_b").max(17), "karatsuba": number(row, "karatsuba"), "lut": row.fpga.lut,
        "lut_paired": row.fpga.lut_paired, "ff": row.fpga.ff, "dsp": row.fpga.dsp, "bram": row.fpga.bram,
        "slices": row.fpga.slices_bound, "cycles": cycles, "slice_cycles": products,
    }))
}

/// The multiplier's variants: levels of Karatsuba's method, tile and latency, each with its rows by family.
fn variants(rows: &[Row]) -> Vec<Value> {
    let mut found: BTreeMap<_, BTreeMap<&str, &Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.core == "mul25519-variants/mul25519") {
        let point = ["karatsuba", "tile_b", "latency"].map(|name| number(row, name));
        found.entry(point).or_default().insert(family(row), row);
    }
    found.into_iter().map(|(point, on)| variant(point, &on)).collect()
}

/// A variant: cells, and what it takes of xc7 and ECP5, where it was mapped to them.
fn variant([karatsuba, tile_b, latency]: [i64; 3], on: &BTreeMap<&str, &Row>) -> Value {
    let fpga = |family| on.get(family).map(|row| row.fpga).unwrap_or_default();
    let cells = on.get("asic").map(|row| row.asic.clone()).unwrap_or_default();
    let (xc7, ecp5) = (fpga("xc7"), fpga("ecp5"));
    let product = cells.kge.zip(cells.critical_path_ns).map(|(kge, ns)| round(kge * ns, 0) as u64);
    json!({
        "kind": "multiplier", "latency": latency, "tile_b": tile_b, "karatsuba": karatsuba,
        "kge": cells.kge, "ns": cells.critical_path_ns, "kge_ns": product,
        "xc7": {"lut": xc7.lut, "lut_paired": xc7.lut_paired, "ff": xc7.ff, "dsp": xc7.dsp},
        "ecp5": {"lut": ecp5.lut, "ff": ecp5.ff, "dsp": ecp5.dsp},
    })
}

/// Cycles of each operation at the row's parameters, on average.
fn cycles(row: &Row, rows: &[Row]) -> Option<BTreeMap<String, u64>> {
    let wanted = without(&row.params, &SAME_CYCLES);
    let same = rows
        .iter()
        .filter(|other| other.core == "ed25519" && without(&other.params, &SAME_CYCLES) == wanted);
    let cycles: BTreeMap<_, _> = same.map(|row| (row.op.op.clone(), row.op.cycles)).collect();
    (!cycles.is_empty()).then_some(cycles)
}

/// One lane is what a point without lanes has.
fn without(params: &Params, names: &[&str]) -> Params {
    let one_lane = |name: &str, value: &Param| name == "lanes" && *value == Param::Number(1);
    let kept = params.iter().filter(|(name, _)| !names.contains(&name.as_str()));
    let kept = kept.filter(|(name, value)| !one_lane(name, value));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn number(row: &Row, name: &str) -> i64 {
    match row.params.get(name) {
        Some(Param::Number(value)) => *value,
        _ => 0,
    }
}

/// What a row was mapped to.
fn family(row: &Row) -> &str {
    match row.params.get("family") {
        Some(Param::Word(family)) => family,
        _ => "xc7",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(core: &str, params: Value, op: &str, cycles: u64, more: Value) -> Row {
        let mut row = json!({"core":core,"params":params,"op":op,"cycles":cycles,"cycles_max":cycles,"in_flight":1,
            "tools":"t","command":"m"});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(row).unwrap()
    }

    #[test]
    fn area_and_path_meet_the_cycles_of_the_same_parameters() {
        let point = |latency: u64| json!({"config":"fast","mul_latency":latency});
        let model = json!({"config":"fast","lanes":1,"mul_latency":3,"multiplier":"model"});
        let cells = json!({"kge":900.0,"critical_path_ns":8.0});
        let on = json!({"config":"fast","mul_latency":3,"family":"ecp5","karatsuba":2});
        let rows = [
            row("ed25519", point(2), "sign", 1000, json!({})),
            row("ed25519", model, "sign", 1250, json!({})),
            row("ed25519-whole/ed25519", point(3), "path", 1, cells),
            row("ed25519-fpga/ed25519", point(2), "area", 1, json!({"slices_bound":2000})),
            row("ed25519-fpga/ed25519", on, "area", 1, json!({"lut":7})),
        ];
        let text: Value = serde_json::from_str(&table(&rows).unwrap()).unwrap();
        let [cells, xc7, ecp5] = [0, 1, 2].map(|row| &text["rows"][row]);
        assert_eq!(cells["us"]["sign"], 10.0);
        assert_eq!(cells["per_second"]["sign"], 100_000.0);
        assert_eq!((&xc7["kind"], &xc7["slice_cycles"]["sign"]), (&json!("xc7"), &json!(2.0)));
        assert_eq!((&ecp5["kind"], &ecp5["cycles"]["sign"]), (&json!("ecp5"), &json!(1250)));
    }

    #[test]
    fn a_variant_has_what_it_takes_in_each_technology() {
        let point = |family: &str| json!({"family":family,"latency":2,"tile_b":17,"karatsuba":2});
        let name = "mul25519-variants/mul25519";
        let rows = [
            row(name, point("asic"), "product", 2, json!({"kge":700.0,"critical_path_ns":10.5})),
            row(name, point("ecp5"), "product", 2, json!({"lut":9,"dsp":144})),
        ];
        let text: Value = serde_json::from_str(&table(&rows).unwrap()).unwrap();
        let row = &text["rows"][0];
        assert_eq!((&row["kge_ns"], &row["ecp5"]["dsp"]), (&json!(7350), &json!(144)));
        assert_eq!((&row["xc7"]["dsp"], text["rows"].as_array().unwrap().len()), (&Value::Null, 1));
    }
}
