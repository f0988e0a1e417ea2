//! Drawings: a dependency graph by phase, a call graph, and the plots of a search. All are readable
//! on light and dark backgrounds, and self-contained.

mod calls;
mod phases;
mod plot;

pub use calls::{calls_dot, calls_svg};
pub use phases::{phases_dot, phases_svg};
pub use plot::{Bars, Dots, Lines, bars, dots, lines};

/// Colours that can be distinguished on light and dark backgrounds.
pub(crate) const COLOURS: [&str; 12] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#76b7b2", "#d4a017", "#9c755f",
    "#ff9da7", "#8f8f8f", "#1b9e77", "#7570b3",
];

/// Returns the beginning of a drawing: its size, and the colours of text and lines for both
/// backgrounds.
pub(crate) fn opening(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{title}\"><style>text{{font:11px sans-serif;fill:#222}}\
         .axis{{stroke:#888;stroke-width:1;fill:none}}.grid{{stroke:#8884;stroke-width:.5}}\
         .path{{stroke:#d00;stroke-width:1.5;fill:none}}\
         @media(prefers-color-scheme:dark){{text{{fill:#ddd}}.path{{stroke:#f66}}}}</style>\
         <title>{title}</title>",
        title = escape(title)
    )
}

/// Returns a text element of a drawing.
pub(crate) fn text(x: f64, y: f64, anchor: &str, content: &str) -> String {
    let content = escape(content);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>")
}

/// Escapes the special characters of XML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
