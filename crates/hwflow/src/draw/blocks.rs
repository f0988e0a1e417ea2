//! Draws block diagrams as SVG from a text that lists boxes on a grid and the arrows between them.
//!
//! A file has one line per item; `#` begins a comment:
//!
//! ```text
//! title WORDS
//! box NAME COLUMN ROW [WIDTH] | WORDS | WORDS     a box, so many columns wide, a line of text for each piece of words
//! port NAME COLUMN ROW | WORDS                    words without a box
//! A -> B [| WORDS]                                an arrow between neighbours, or along a row or column; its words beside it
//! ```

use crate::draw::svg::escape;
use std::collections::HashMap;

const COLUMN: f64 = 200.0;
const ROW: f64 = 100.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOX: (f64, f64) = (140.0, 62.0);

#[derive(Debug)]
struct Block {
    framed: bool,
    column: f64,
    row: f64,
    width: f64,
    words: Vec<String>,
}

/// A block diagram.
#[derive(Debug, Default)]
pub struct Blocks {
    title: String,
    order: Vec<String>,
    blocks: HashMap<String, Block>,
    arrows: Vec<(String, String, String)>,
}

impl Blocks {
    /// Parses the text. Fails if a line has an unknown form, or if an arrow begins or ends at an
    /// unknown box.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut diagram = Self::default();
        let lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            diagram.line(line).ok_or_else(|| format!("what is this: {line}"))?;
        }
        let mut ends = diagram.arrows.iter().flat_map(|(from, to, _)| [from, to]);
        match ends.find(|name| !diagram.blocks.contains_key(*name)) {
            Some(name) => Err(format!("no box {name}")),
            None => {
                drop(ends);
                Ok(diagram)
            }
        }
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let mut pieces = line.split('|').map(str::trim);
        let head: Vec<&str> = pieces.next()?.split_whitespace().collect();
        let words: Vec<String> = pieces.map(String::from).collect();
        match head.as_slice() {
            ["title", title @ ..] => self.title = title.join(" "),
            [kind @ ("box" | "port"), name, column, row, width @ ..] => {
                let block = Block {
                    framed: *kind == "box",
                    column: column.parse().ok()?,
                    row: row.parse().ok()?,
                    width: width.first().map_or(Some(1.0), |width| width.parse().ok())?,
                    words,
                };
                self.order.push((*name).into());
                self.blocks.insert((*name).into(), block);
            }
            [from, "->", to] => {
                self.arrows.push(((*from).into(), (*to).into(), words.join(" ")));
            }
            _ => return None,
        }
        Some(())
    }

    /// Returns the text of the SVG file.
    pub fn svg(&self) -> String {
        let most = |value: fn(&Block) -> f64| self.blocks.values().map(value).fold(0.0, f64::max);
        let width = 2.0 * LEFT + COLUMN * most(|b| b.column + b.width) - (COLUMN - BOX.0) + 50.0;
        let height = TOP + ROW * most(|b| b.row) + BOX.1 + 20.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>\n"
        );
        out += &format!(
            "<text x=\"{LEFT}\" y=\"24\" font-weight=\"bold\">{}</text>\n",
            escape(&self.title)
        );
        for (from, to, words) in &self.arrows {
            out += &arrow(&self.blocks[from], &self.blocks[to], words);
        }
        for name in &self.order {
            out += &self.blocks[name].svg();
        }
        out + "</svg>\n"
    }
}

impl Block {
    /// Returns the left and top coordinates, the width and the height.
    fn place(&self) -> [f64; 4] {
        let width = BOX.0 + (self.width - 1.0) * COLUMN;
        [LEFT + self.column * COLUMN, TOP + self.row * ROW, width, BOX.1]
    }

    fn svg(&self) -> String {
        let [x, y, width, height] = self.place();
        let mut out = String::new();
        if self.framed {
            out += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"#eef4f9\" stroke=\"#1b6ca8\"/>\n"
            );
        }
        let first = y + height / 2.0 + 4.0 - 8.0 * (self.words.len() as f64 - 1.0);
        for (line, words) in self.words.iter().enumerate() {
            let weight = if line == 0 && self.framed { " font-weight=\"bold\"" } else { "" };
            let (x, y) = (x + width / 2.0, first + 16.0 * line as f64);
            out += &format!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\"{weight}>{}</text>\n",
                escape(words)
            );
        }
        out
    }
}

/// Draws an arrow between the facing sides of two boxes.
fn arrow(from: &Block, to: &Block, words: &str) -> String {
    let (path, x, y, anchor) = if from.row == to.row { along(from, to) } else { across(from, to) };
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#tip)\"/>\n<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"10\" fill=\"#333\">{}</text>\n",
        escape(words)
    )
}

/// Returns the path of an arrow along a row, and the position of its words. Arrows to the left are
/// drawn below arrows to the right.
fn along(from: &Block, to: &Block) -> (String, f64, f64, &'static str) {
    let ([fx, fy, fw, fh], [tx, _, tw, _]) = (from.place(), to.place());
    if fx < tx {
        let y = fy + 0.4 * fh;
        (format!("M{} {y}H{tx}", fx + fw), (fx + fw + tx) / 2.0, y - 6.0, "middle")
    } else {
        let y = fy + 0.7 * fh;
        (format!("M{fx} {y}H{}", tx + tw), (fx + tx + tw) / 2.0, y + 14.0, "middle")
    }
}

/// Returns the path of an arrow to another row, and the position of its words. The path is straight
/// if the boxes overlap horizontally; otherwise it has one step.
fn across(from: &Block, to: &Block) -> (String, f64, f64, &'static str) {
    let ([fx, fy, fw, fh], [tx, ty, tw, th]) = (from.place(), to.place());
    let down = fy < ty;
    let (y1, y2) = if down { (fy + fh, ty) } else { (fy, ty + th) };
    let (left, right) = (fx.max(tx), (fx + fw).min(tx + tw));
    let (x1, x2) = if left < right {
        let x = (left + right) / 2.0 + if down { -20.0 } else { 20.0 };
        (x, x)
    } else {
        (fx + fw / 2.0, tx + tw / 2.0)
    };
    let half = (y1 + y2) / 2.0;
    (format!("M{x1} {y1}V{half}H{x2}V{y2}"), x1.max(x2) + 6.0, half + 4.0, "start")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title A < B\n# comment\nbox a 0 0 | one | two\nbox b 1 0 2\nport c 0 1 | in\na -> b | 128\nc -> a\n";

    #[test]
    fn boxes_and_arrows_are_drawn() {
        let svg = Blocks::parse(TEXT).unwrap().svg();
        assert_eq!((svg.matches("<rect").count(), svg.matches("tip)").count()), (3, 2));
        for part in ["A &lt; B", ">two<", ">128<", &format!("width=\"{}\"", BOX.0 + COLUMN)] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }

    #[test]
    fn an_arrow_to_nowhere_and_an_unknown_line_are_refused() {
        for wrong in ["a -> d", "blob x", "box d 0"] {
            assert!(Blocks::parse(&format!("{TEXT}{wrong}\n")).is_err(), "{wrong}");
        }
    }
}
