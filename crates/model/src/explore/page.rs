//! The search as one page that needs nothing else.

use super::{Point, Workload, plots};

/// Most rows of the table on the page; the JSON of the run has all.
const MOST: usize = 3000;

/// Returns the page: plots, and a table made from the JSON that lies in it.
pub fn page(workload: &Workload, points: &[Point]) -> String {
    let drawings: Vec<String> = plots(workload, points)
        .into_iter()
        .map(|(_, drawing)| format!("<figure>{drawing}</figure>"))
        .collect();
    // No text of ours holds it, but a comment or a script must not end early.
    let data =
        serde_json::to_string(&shown(points)).expect("points are plain").replace("</", "<\\/");
    include_str!("page.html")
        .replace("@MESSAGE@", &workload.message.to_string())
        .replace("@BUDGET@", &workload.budget_us.to_string())
        .replace("@COUNT@", &points.len().to_string())
        .replace("@PLOTS@", &drawings.join("\n"))
        .replace("@DATA@", &data)
}

/// Returns the points on the page: all, or those that nothing beats, the best, and the fastest.
fn shown(points: &[Point]) -> Vec<&Point> {
    let mut all: Vec<&Point> = points.iter().collect();
    if all.len() > MOST {
        all.sort_by(|a, b| {
            (b.best || b.pareto)
                .cmp(&(a.best || a.pareto))
                .then(a.total_us.max.total_cmp(&b.total_us.max))
        });
        all.truncate(MOST);
    }
    all
}
