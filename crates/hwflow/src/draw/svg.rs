//! A scatter plot as SVG, simple enough to be compared byte for byte.

/// A scatter plot.
#[derive(Debug, Default)]
pub struct Plot {
    /// Title above the plot.
    pub title: String,
    /// Label below the horizontal axis.
    pub x: String,
    /// Label next to the vertical axis.
    pub y: String,
    /// The points.
    pub points: Vec<Point>,
}

/// A point of a plot.
#[derive(Debug, Clone)]
pub struct Point {
    /// Name of the point's series. The points of a series have one colour.
    pub series: String,
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// Label next to the point.
    pub label: String,
}

const COLOURS: [&str; 6] = ["#1b6ca8", "#c8501e", "#3a7d44", "#8a4fa3", "#7a6a1d", "#555555"];
const WIDTH: f64 = 780.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;

/// Returns the end of an axis: a round number of at least `value`. Ticks are at its fifths.
fn end(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-12).log10().floor());
    [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|end| *end >= value)
        .unwrap_or(10.0 * power)
}

/// Formats a number without trailing zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Escapes a text for XML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn words(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n", escape(text))
}

impl Plot {
    /// Returns the text of the SVG file.
    pub fn svg(&self) -> String {
        let most = |value: fn(&Point) -> f64| self.points.iter().map(value).fold(0.0, f64::max);
        let (x_end, y_end) = (end(1.05 * most(|point| point.x)), end(1.05 * most(|point| point.y)));
        let x = |value: f64| LEFT + value / x_end * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| HEIGHT - BOTTOM - value / y_end * (HEIGHT - TOP - BOTTOM);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        text += &words(LEFT, TOP - 16.0, "start", &self.title);
        text += &words((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16.0, "middle", &self.x);
        text += &format!(
            "<text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escape(&self.y)
        );
        for tick in 0..=5 {
            let (at_x, at_y) = (x_end * f64::from(tick) / 5.0, y_end * f64::from(tick) / 5.0);
            let (left, right, top, bottom) = (x(0.0), x(x_end), y(y_end), y(0.0));
            text += &format!(
                "<path d=\"M{:.1} {bottom:.1}V{top:.1}M{left:.1} {:.1}H{right:.1}\" stroke=\"#ddd\"/>\n",
                x(at_x),
                y(at_y)
            );
            text += &words(x(at_x), bottom + 18.0, "middle", &short(at_x));
            text += &words(left - 8.0, y(at_y) + 4.0, "end", &short(at_y));
        }
        for (at, series) in self.series().iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let (key_x, key_y) = (WIDTH - RIGHT + 20.0, TOP + 10.0 + 20.0 * at as f64);
            text += &format!(
                "<circle cx=\"{key_x:.1}\" cy=\"{key_y:.1}\" r=\"5\" fill=\"{colour}\"/>\n"
            );
            text += &words(key_x + 10.0, key_y + 4.0, "start", series);
            for point in self.points.iter().filter(|point| point.series == **series) {
                text += &format!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{colour}\"/>\n",
                    x(point.x),
                    y(point.y)
                );
                text += &words(x(point.x) + 8.0, y(point.y) - 6.0, "start", &point.label);
            }
        }
        text + "</svg>\n"
    }

    /// Returns the series, in the order of their first points.
    fn series(&self) -> Vec<&str> {
        let mut series: Vec<&str> = Vec::new();
        for point in &self.points {
            if !series.contains(&point.series.as_str()) {
                series.push(&point.series);
            }
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_where_the_axes_say() {
        let point = |x, y| Point { series: "a < b".into(), x, y, label: "U2".into() };
        let plot = Plot { points: vec![point(95.0, 19.0), point(0.0, 0.0)], ..Plot::default() };
        let text = plot.svg();
        assert!(
            text.contains(&format!("cx=\"{:.1}\"", LEFT + 0.95 * (WIDTH - LEFT - RIGHT))),
            "{text}"
        );
        assert!(
            text.contains("a &lt; b") && text.contains(&format!("cy=\"{:.1}\"", HEIGHT - BOTTOM))
        );
        assert_eq!(
            (end(95.0), end(1.0), end(0.031), short(0.40)),
            (100.0, 1.0, 0.04, "0.4".into())
        );
    }
}
