//! The plots of a search.

use super::{Point, Workload, fastest, links};
use crate::Rate;
use crate::draw::{Bars, Dots, Lines, bars, dots, lines};

/// Maximum number of lines or bars in a plot.
const MOST: usize = 10;

/// Returns the names and drawings of the plots of a search. A plot over links or units is omitted
/// if there is only one value.
pub fn plots(workload: &Workload, points: &[Point]) -> Vec<(String, String)> {
    let across = [
        ("latency-by-link", by_link(points)),
        ("latency-by-units", by_units(points)),
        ("eta", eta(points)),
    ];
    let across = across.into_iter().filter(|(_, plot)| has_width(plot));
    let mut plots: Vec<_> = across.map(|(name, plot)| (name.to_owned(), lines(&plot))).collect();
    for link in links(points) {
        let rate = Rate::per_second(link);
        plots.push((format!("front-{rate}"), front(workload, points, link)));
        plots.push((format!("phases-{rate}"), phases(workload, points, link)));
    }
    plots
}

/// Returns true if the plot has points at more than one horizontal position.
fn has_width(plot: &Lines) -> bool {
    let mut places = plot.series.iter().flat_map(|(_, line)| line.iter().map(|(x, _)| *x));
    let first = places.next();
    places.any(|x| Some(x) != first)
}

/// Returns the time of each part, for the fastest choice of each algorithm.
fn phases(workload: &Workload, points: &[Point], link: f64) -> String {
    let here: Vec<&Point> = points.iter().filter(|point| point.link_bits == link).collect();
    let row = |point: &&Point| {
        let parts = [point.sign_us, point.wire_us, point.verify_us].map(|time| time.tail());
        (point.alg.replace("/LMOTS_SHA256", ""), parts.to_vec())
    };
    bars(&Bars {
        title: format!(
            "Where the time goes at {}, fastest of each (parts before overlap; budget {} us)",
            Rate::per_second(link),
            workload.budget_us
        ),
        unit: "us".to_owned(),
        parts: ["signing", "link", "verifying"].map(str::to_owned).into(),
        rows: fastest(&here).iter().take(MOST).map(row).collect(),
    })
}

/// Returns the first algorithms in order of appearance, at most [`MOST`].
fn algorithms(points: &[Point]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for point in points {
        if !names.contains(&point.alg) {
            names.push(point.alg.clone());
        }
    }
    names.truncate(MOST);
    names
}

/// Returns, for every algorithm, the smallest value of `up` at every value of `across`; with
/// `most`, the largest.
fn least(
    points: &[Point],
    across: impl Fn(&Point) -> Option<f64>,
    up: impl Fn(&Point) -> Option<f64>,
    most: bool,
) -> Vec<(String, Vec<(f64, f64)>)> {
    let line = |name: String| {
        let mut at: Vec<(f64, f64)> = Vec::new();
        for point in points.iter().filter(|point| point.alg == name) {
            let (Some(x), Some(y)) = (across(point), up(point)) else { continue };
            match at.iter_mut().find(|(known, _)| *known == x) {
                Some((_, least)) => *least = if most { least.max(y) } else { least.min(y) },
                None => at.push((x, y)),
            }
        }
        at.sort_by(|a, b| a.0.total_cmp(&b.0));
        (name, at)
    };
    algorithms(points).into_iter().map(line).filter(|(_, line)| !line.is_empty()).collect()
}

fn by_link(points: &[Point]) -> Lines {
    Lines {
        title: "Least latency against the rate of the link".to_owned(),
        across: "bit/s".to_owned(),
        up: "us".to_owned(),
        series: least(points, |p| Some(p.link_bits), |p| Some(p.total_us.tail()), false),
    }
}

/// Returns the number of units of a machine whose name begins with it.
fn units(point: &Point) -> Option<f64> {
    point.machine.split_once(" x ")?.0.parse().ok()
}

fn by_units(points: &[Point]) -> Lines {
    let fastest = links(points).last().copied().unwrap_or(0.0);
    let time =
        |p: &Point| (p.link_bits == fastest && p.machine.ends_with('s')).then(|| p.total_us.tail());
    Lines {
        title: "Least latency against units, on the fastest link".to_owned(),
        across: "units".to_owned(),
        up: "us".to_owned(),
        series: least(points, units, time, false),
    }
}

fn eta(points: &[Point]) -> Lines {
    Lines {
        title: "Lower bound over latency, the best of each link".to_owned(),
        across: "bit/s".to_owned(),
        up: "eta".to_owned(),
        series: least(points, |p| Some(p.link_bits), |p| p.eta_stream, true),
    }
}

/// Returns the choices over a link by latency and bytes of a signature, as on the page.
fn front(workload: &Workload, points: &[Point], link: f64) -> String {
    let here = || points.iter().filter(|point| point.link_bits == link);
    let at = |point: &Point| (point.total_us.tail(), point.signature_bytes as f64);
    dots(&Dots {
        title: format!(
            "Choices at {}: blue where nothing beats them, a ring for the fastest within the budget",
            Rate::per_second(link)
        ),
        across: "us from message to verdict".to_owned(),
        up: "bytes of a signature".to_owned(),
        rest: here().filter(|point| !point.pareto).map(at).collect(),
        unbeaten: here().filter(|point| point.pareto).map(at).collect(),
        best: here().find(|point| point.best).map(at),
        limit: (workload.budget_us, format!("red: the budget, {} us", workload.budget_us)),
    })
}
