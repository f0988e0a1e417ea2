//! Plots: stacked bars, and lines or dots over logarithmic axes.

use std::fmt::Write;

use super::{COLOURS, opening, text};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;

/// Horizontal bars, each stacked from parts.
pub struct Bars {
    /// Heading.
    pub title: String,
    /// Unit of the values.
    pub unit: String,
    /// Names of the parts.
    pub parts: Vec<String>,
    /// Name and parts of each bar.
    pub rows: Vec<(String, Vec<f64>)>,
}

/// Lines over two logarithmic axes.
pub struct Lines {
    /// Heading.
    pub title: String,
    /// Name of the horizontal axis.
    pub across: String,
    /// Name of the vertical axis.
    pub up: String,
    /// Name and points of each line.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Choices as dots over two logarithmic axes, as on the page.
pub struct Dots {
    /// Heading.
    pub title: String,
    /// Name of the horizontal axis.
    pub across: String,
    /// Name of the vertical axis.
    pub up: String,
    /// Choices that are dominated by another one.
    pub rest: Vec<(f64, f64)>,
    /// Choices that are not dominated.
    pub unbeaten: Vec<(f64, f64)>,
    /// The best choice.
    pub best: Option<(f64, f64)>,
    /// The budget, and its label.
    pub limit: (f64, String),
}

/// Returns horizontal stacked bars.
#[must_use]
pub fn bars(plot: &Bars) -> String {
    let names = 250.0;
    let sum = |row: &(String, Vec<f64>)| row.1.iter().sum::<f64>();
    let longest = plot.rows.iter().map(sum).fold(1e-9, f64::max);
    let scale = (WIDTH - names - 90.0) / longest;
    let mut svg = opening(WIDTH, 70.0 + 24.0 * plot.rows.len() as f64, &plot.title);
    svg += &text(8.0, 18.0, "start", &plot.title);
    svg += &legend(&plot.parts, 40.0);
    for (i, row) in plot.rows.iter().enumerate() {
        let y = 52.0 + 24.0 * i as f64;
        svg += &text(names - 8.0, y + 13.0, "end", &row.0);
        let mut x = names;
        for (part, value) in row.1.iter().enumerate() {
            let width = value * scale;
            let _ = write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"18\" \
                 fill=\"{}\"/>",
                COLOURS[part % COLOURS.len()]
            );
            x += width;
        }
        svg += &text(x + 6.0, y + 13.0, "start", &format!("{:.1} {}", sum(row), plot.unit));
    }
    svg + "</svg>\n"
}

/// Returns a legend in one row: names of parts or lines, with their colours.
fn legend(names: &[String], y: f64) -> String {
    let mut out = String::new();
    let mut x = 8.0;
    for (i, name) in names.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let _ = write!(
            out,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>",
            y - 9.0
        );
        out += &text(x + 14.0, y, "start", name);
        x += 26.0 + 6.2 * name.chars().count() as f64;
    }
    out
}

/// An axis from `low` to `high`, as powers of ten, and the pixels that it covers.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let positive = values.filter(|value| *value > 0.0 && value.is_finite());
        let low = positive.clone().fold(f64::INFINITY, f64::min);
        let high = positive.fold(0.0_f64, f64::max);
        let (low, high) = if low > high { (1.0, 10.0) } else { (low / 1.2, high * 1.2) };
        Self { low: low.log10(), high: high.log10(), from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.max(1e-12).log10() - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// Returns the marks that are at least this many pixels apart.
    fn apart(&self, room: f64) -> Vec<f64> {
        let mut kept: Vec<f64> = Vec::new();
        for mark in self.marks() {
            let has_room = |last: &f64| (self.at(mark) - self.at(*last)).abs() >= room;
            if kept.last().is_none_or(has_room) {
                kept.push(mark);
            }
        }
        kept
    }

    /// Returns the powers of ten in range, or finer marks if these are fewer than three.
    fn marks(&self) -> Vec<f64> {
        let fine: Vec<f64> = (10..100).map(|tenth| f64::from(tenth) / 10.0).collect();
        let whole: Vec<f64> = (1..10).map(f64::from).collect();
        let coarse = [1.0].as_slice();
        let finer = [coarse, &[1.0, 2.0, 5.0], &whole, &fine].map(|factors| self.times(factors));
        finer.into_iter().find(|marks| marks.len() >= 3).unwrap_or_default()
    }

    fn times(&self, factors: &[f64]) -> Vec<f64> {
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let marks = powers.flat_map(|p| factors.iter().map(move |m| m * 10_f64.powi(p)));
        marks.filter(|m| (self.low..=self.high).contains(&m.log10())).collect()
    }
}

/// Returns both axes, with ranges that cover the points.
fn axes(points: &[(f64, f64)]) -> (Axis, Axis) {
    let across = Axis::of(points.iter().map(|p| p.0), LEFT, WIDTH - RIGHT);
    (across, Axis::of(points.iter().map(|p| p.1), 330.0, 40.0))
}

/// Returns the lines with a dot at each of their points.
#[must_use]
pub fn lines(plot: &Lines) -> String {
    let height = 380.0 + 16.0 * plot.series.len() as f64;
    let points: Vec<_> = plot.series.iter().flat_map(|(_, points)| points.clone()).collect();
    let (across, up) = axes(&points);
    let mut svg = opening(WIDTH, height, &plot.title);
    svg += &text(8.0, 14.0, "start", &plot.title);
    svg += &frame((&plot.across, &across), (&plot.up, &up));
    for (i, (name, points)) in plot.series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let at = |p: &(f64, f64)| (across.at(p.0), up.at(p.1));
        let places: Vec<(f64, f64)> = points.iter().map(at).collect();
        svg += &series(&places, colour);
        let y = 382.0 + 16.0 * i as f64;
        let _ = write!(
            svg,
            "<rect x=\"8\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>",
            y - 9.0
        );
        svg += &text(24.0, y, "start", name);
    }
    svg + "</svg>\n"
}

/// Returns the choices as dots, those not dominated on top, with a ring around the best and a line
/// at the budget.
#[must_use]
pub fn dots(plot: &Dots) -> String {
    let limit = plot.limit.0;
    let mut points = [&plot.rest[..], &plot.unbeaten].concat();
    points.extend(points.first().map(|first| (limit, first.1)));
    let (across, up) = axes(&points);
    let mut svg = opening(WIDTH, 380.0, &plot.title);
    svg += &text(8.0, 14.0, "start", &plot.title);
    svg += &frame((&plot.across, &across), (&plot.up, &up));
    let at = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().map(|p| (across.at(p.0), up.at(p.1))).collect()
    };
    let x = across.at(limit);
    let _ = write!(svg, "<path class=\"path\" d=\"M{x:.1} 40V330\"/>");
    svg += &text(WIDTH - RIGHT, 32.0, "end", &plot.limit.1);
    svg += &circles(&at(&plot.rest), 3.0, REST);
    svg += &circles(&at(&plot.unbeaten), 4.5, COLOURS[0]);
    for (x, y) in at(plot.best.as_slice()) {
        let _ = write!(svg, "<circle class=\"path\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\"/>");
    }
    svg + "</svg>\n"
}

/// Colour of dominated choices.
const REST: &str = "#9998";

fn circles(places: &[(f64, f64)], r: f64, colour: &str) -> String {
    let mut out = String::new();
    for (x, y) in places {
        let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"{colour}\"/>");
    }
    out
}

fn series(places: &[(f64, f64)], colour: &str) -> String {
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let line = line.join(" ");
    let line = format!(
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    );
    line + &circles(places, 3.0, colour)
}

/// Returns both axes with their names and as many marks as have room.
fn frame((across_name, across): (&str, &Axis), (up_name, up): (&str, &Axis)) -> String {
    let mut out = format!("<path class=\"axis\" d=\"M{LEFT} 40V330H{}\"/>", WIDTH - RIGHT);
    for mark in across.apart(40.0) {
        let x = across.at(mark);
        let _ = write!(out, "<path class=\"grid\" d=\"M{x:.1} 40V330\"/>");
        out += &text(x, 345.0, "middle", &short(mark));
    }
    for mark in up.apart(14.0) {
        let y = up.at(mark);
        let _ = write!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/>", WIDTH - RIGHT);
        out += &text(LEFT - 6.0, y + 4.0, "end", &short(mark));
    }
    out += &text((LEFT + WIDTH) / 2.0, 362.0, "middle", across_name);
    out + &text(LEFT, 32.0, "start", up_name)
}

/// Returns the label of a mark: 0.5, 20, 2k, 5M, 1G.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{}G", rounded(v / 1e9)),
        v if v >= 1e6 => format!("{}M", rounded(v / 1e6)),
        v if v >= 1e3 => format!("{}k", rounded(v / 1e3)),
        v => format!("{}", rounded(v)),
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_marks_to_read_by() {
        for (low, high) in [(0.85, 1.1), (900.0, 1500.0), (1.0, 30.0), (1e8, 1e10)] {
            let axis = Axis::of([low, high].into_iter(), 0.0, 100.0);
            let marks = axis.marks();
            assert!((3..=20).contains(&marks.len()), "{low} to {high}: {marks:?}");
        }
        assert_eq!(short(1100.0), "1.1k");
    }
}
