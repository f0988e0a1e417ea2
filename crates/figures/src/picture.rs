//! `docs/ladder.svg`: the latency of each pair of levels, drawn from `results/latency.json`.

use serde_json::Value;

/// The parameter set that is drawn.
const SET: &str = "XMSS-SHA2_10_256";

/// The latency budget, in microseconds.
const BUDGET: f64 = 100.0;

/// Left edge of the bars, and pixels per microsecond.
const LEFT: f64 = 218.0;
const SCALE: f64 = 2.2;

/// Distance between rows, height of a bar, and vertical position of the first row.
const PITCH: f64 = 34.0;
const BAR: f64 = 20.0;
const TOP: f64 = 64.0;

/// Colours that can be distinguished on light and dark pages, and by colour-blind readers.
const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#1f2328}\
.q{fill:#59636e}.sign{fill:#0969da}.wire{fill:#9198a1}.verify{fill:#bc4c00}\
.p99{stroke:#1f2328;stroke-width:2}.budget{stroke:#cf222e;stroke-width:2;stroke-dasharray:5 4}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.q{fill:#9198a1}.sign{fill:#4493f8}\
.verify{fill:#f0883e}.p99{stroke:#e6edf3}.budget{stroke:#ff7b72}}";

/// The parts of a bar, from left to right.
const PARTS: [&str; 3] = ["sign", "wire", "verify"];

/// Returns the picture as SVG.
pub fn draw(json: &str) -> Result<String, String> {
    let document: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let rows = document["rows"].as_array().ok_or("the file has no rows")?;
    let rows: Vec<&Value> = rows.iter().filter(|row| row["alg"] == SET).collect();
    if rows.is_empty() {
        return Err(format!("no row of {SET}"));
    }
    let height = TOP + PITCH * rows.len() as f64 + 26.0;
    let mut out = begin(height);
    for (place, row) in rows.iter().enumerate() {
        out += &bar(row, TOP + PITCH * place as f64).ok_or("a row without its times")?;
    }
    let cpu = document["machine"]["cpu"].as_str().unwrap_or("an unnamed machine");
    out += &end(height, cpu);
    Ok(out)
}

/// Returns the beginning of the picture: its title and the legend of the colours.
fn begin(height: f64) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 {height:.0}\" role=\"img\">\n\
         <title>Time from message to verdict for each pair of levels, against {BUDGET:.0} us</title>\n\
         <style>{STYLE}</style>\n\
         <text x=\"8\" y=\"20\">{SET}, 64-byte message, 1 Gbit/s: microseconds from message to verdict</text>\n\
         <text class=\"q\" x=\"8\" y=\"{:.0}\">signer + verifier</text>\n",
        TOP - 16.0
    );
    for (place, part) in PARTS.iter().enumerate() {
        let x = LEFT + 70.0 * place as f64;
        out += &format!(
            "<rect class=\"{part}\" x=\"{x:.0}\" y=\"{:.0}\" width=\"12\" height=\"12\"/>\
             <text class=\"q\" x=\"{:.0}\" y=\"{:.0}\">{part}</text>\n",
            TOP - 27.0,
            x + 18.0,
            TOP - 16.0
        );
    }
    out
}

/// Returns one bar: a rectangle for the median of each part and a stroke at the 99th percentile.
fn bar(row: &Value, y: f64) -> Option<String> {
    let name = format!("{} + {}", row["signer"].as_str()?, row["verifier"].as_str()?);
    let middle = y + BAR / 2.0 + 4.5;
    let mut out = format!("<text x=\"8\" y=\"{middle:.1}\">{name}</text>");
    let mut x = LEFT;
    for part in PARTS {
        let width = row[format!("{part}_us")]["p50"].as_f64()? * SCALE;
        out += &format!(
            "<rect class=\"{part}\" x=\"{x:.1}\" y=\"{y:.0}\" width=\"{width:.1}\" height=\"{BAR:.0}\"/>"
        );
        x += width;
    }
    let (median, p99) = (row["total_us"]["p50"].as_f64()?, row["total_us"]["p99"].as_f64()?);
    let at = LEFT + p99 * SCALE;
    out += &format!(
        "<path class=\"p99\" d=\"M{at:.1} {:.0}v{:.0}\"/>\
         <text class=\"q\" x=\"{:.1}\" y=\"{middle:.1}\">{median:.1}</text>\n",
        y - 2.0,
        BAR + 4.0,
        at.max(x) + 8.0
    );
    Some(out)
}

/// Returns the end of the picture: the line of the budget and an explanation of the marks.
fn end(height: f64, cpu: &str) -> String {
    let at = LEFT + BUDGET * SCALE;
    format!(
        "<path class=\"budget\" d=\"M{at:.1} {:.0}V{:.0}\"/>\n\
         <text x=\"{:.1}\" y=\"{:.0}\">{BUDGET:.0} us</text>\n\
         <text class=\"q\" x=\"8\" y=\"{:.0}\">Bars and figures: medians; stroke: 99th percentile. {cpu}, results/latency.json</text>\n\
         </svg>\n",
        TOP - 10.0,
        height - 26.0,
        at + 6.0,
        TOP - 16.0,
        height - 8.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(verify: &str) -> String {
        format!(
            r#"{{"machine":{{"cpu":"X"}},"rows":[{{"alg":"{SET}","signer":"none","verifier":"masks",
            "sign_us":{{"p50":10}},"wire_us":{{"p50":20}},"verify_us":{{"{verify}":30}},
            "total_us":{{"p50":60,"p99":70}}}},{{"alg":"other"}}]}}"#
        )
    }

    #[test]
    fn a_bar_is_as_long_as_its_medians() {
        let picture = draw(&json("p50")).unwrap();
        assert!(picture.contains("none + masks") && picture.contains("60.0"));
        assert!(picture.contains(&format!("width=\"{:.1}\"", 30.0 * SCALE)), "{picture}");
        assert_eq!(picture.matches("class=\"p99\"").count(), 1);
    }

    #[test]
    fn results_without_times_or_without_the_set_fail() {
        assert!(draw(&json("p99")).is_err());
        assert!(draw(r#"{"rows":[]}"#).is_err());
    }
}
