//! The search as a table.

use hasten_report::{Table, grouped, numbers, words};

use super::{Point, Time, Workload, fastest, links};
use crate::Rate;

/// Returns, for each link, the best choice, and the fastest choices of each algorithm with the
/// reasons why they miss the requirements.
#[must_use]
pub fn text(workload: &Workload, points: &[Point], limit: usize) -> String {
    let mut parts = vec![heading(workload, points)];
    for link in links(points) {
        let here: Vec<&Point> = points.iter().filter(|point| point.link_bits == link).collect();
        parts.push(section(workload, link, &here, limit));
    }
    parts.join("\n\n")
}

fn heading(workload: &Workload, points: &[Point]) -> String {
    let rate = match workload.rate {
        rate if rate > 0.0 => format!(", {rate} a second"),
        _ => String::new(),
    };
    format!(
        "{} choices; messages of {} bytes{rate}, {} us from message to verdict",
        grouped(points.len() as u64),
        workload.message,
        workload.budget_us
    )
}

fn section(workload: &Workload, link: f64, points: &[&Point], limit: usize) -> String {
    let within = points.iter().filter(|point| point.within_budget).count();
    let front = points.iter().filter(|point| point.pareto).count();
    let mut text = format!(
        "{}: {within} of {} within {} us, {front} that nothing beats",
        Rate::per_second(link),
        grouped(points.len() as u64),
        workload.budget_us
    );
    if let Some(best) = points.iter().find(|point| point.best) {
        text += &format!("\nbest: {}", sentence(best));
    }
    let rows: Vec<Vec<String>> = fastest(points).into_iter().take(limit).map(cells).collect();
    text + "\n" + &table().print(&rows)
}

/// Describes a choice in one line.
fn sentence(point: &Point) -> String {
    let memory = grouped(point.signer_memory_bytes as u64);
    let lasts = point.lasts_s.map(|s| format!(", key lasts {}", span(s))).unwrap_or_default();
    let avoids = |eta: f64| format!(" ({:.0} % of it no design avoids)", 100.0 * eta);
    format!(
        "{} on {}, {}: {:.1} us{}, {memory} bytes at the signer{lasts}",
        point.alg,
        point.machine,
        point.schedule,
        point.total_us.tail(),
        point.eta_stream.map(avoids).unwrap_or_default()
    )
}

/// Returns a number of seconds in a suitable unit.
fn span(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s if s < 63_072_000.0 => format!("{:.0} days", s / 86_400.0),
        s => format!("{:.0} years", s / 31_536_000.0),
    }
}

fn table() -> Table {
    let heads = ["bytes", "sign us", "link us", "verify us", "total us", "eta"];
    let columns = [words("fastest of each"), words("machine"), words("schedule")];
    let columns = columns.into_iter().chain(heads.map(numbers)).chain([words("why not")]);
    Table::new(columns.collect())
}

fn cells(point: &Point) -> Vec<String> {
    let time = |t: Time| format!("{:.1}", t.tail());
    let eta = point.eta_stream.map_or("-".to_owned(), |eta| format!("{eta:.2}"));
    vec![
        point.alg.clone(),
        point.machine.clone(),
        point.schedule.clone(),
        point.signature_bytes.to_string(),
        time(point.sign_us),
        time(point.wire_us),
        time(point.verify_us),
        time(point.total_us),
        eta,
        point.why_not.clone().unwrap_or_default(),
    ]
}
