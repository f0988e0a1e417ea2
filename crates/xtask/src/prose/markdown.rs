//! The sentences of Markdown: paragraphs without tables, code blocks and comments.

/// One line of a page or comment.
#[derive(Debug, Clone, Copy)]
pub struct Line<'t> {
    /// Its number in the file, from 1.
    pub number: usize,
    /// All of it.
    pub whole: &'t str,
    /// Its text without the sign of a comment.
    pub text: &'t str,
}

/// Lines of prose that belong together.
pub type Paragraph<'t> = Vec<Line<'t>>;

/// A page's or comment's prose.
pub type Prose<'t> = Vec<Paragraph<'t>>;

/// Returns every line of a page.
pub fn page(text: &str) -> Vec<Line<'_>> {
    let line = |(at, whole)| Line { number: at + 1, whole, text: whole };
    text.lines().enumerate().map(line).collect()
}

/// Returns the paragraphs; a heading and an item of a list begin one.
pub fn prose<'t>(lines: &[Line<'t>]) -> Prose<'t> {
    let (mut prose, mut open, mut reader) = (Vec::new(), Vec::new(), Reader::default());
    for line in lines {
        let kind = reader.read(line.text.trim());
        if kind != Kind::More && !open.is_empty() {
            prose.push(std::mem::take(&mut open));
        }
        if kind != Kind::None {
            open.push(*line);
        }
        if kind == Kind::Heading {
            prose.push(std::mem::take(&mut open));
        }
    }
    prose.extend((!open.is_empty()).then_some(open));
    prose
}

/// The place of a line in the prose.
#[derive(PartialEq, Eq)]
enum Kind {
    /// Stands outside: blank, a table, code, a comment.
    None,
    /// Goes on with the paragraph.
    More,
    /// Begins a paragraph.
    Item,
    /// Is a paragraph.
    Heading,
}

/// The state between lines.
#[derive(Default)]
struct Reader {
    fence: Option<&'static str>,
    generated: bool,
    comment: bool,
}

impl Reader {
    fn read(&mut self, text: &str) -> Kind {
        if self.is_fenced(text) || self.is_generated(text) || self.is_comment(text) {
            return Kind::None;
        }
        match text.as_bytes().first() {
            None | Some(b'|') => Kind::None,
            Some(b'#') => Kind::Heading,
            _ if is_item(text) => Kind::Item,
            _ => Kind::More,
        }
    }

    fn is_fenced(&mut self, text: &str) -> bool {
        let sign = ["```", "~~~"].into_iter().find(|sign| text.starts_with(sign));
        match (self.fence, sign) {
            (None, Some(sign)) => self.fence = Some(sign),
            (None, None) => return false,
            (Some(open), Some(sign)) if open == sign => self.fence = None,
            _ => {}
        }
        true
    }

    /// Follows the tables that `cargo xtask tables` writes, with the line of origin below them.
    fn is_generated(&mut self, text: &str) -> bool {
        let inside = self.generated;
        if text.starts_with("<!-- table: ") {
            self.generated = true;
        } else if text == "<!-- end of table -->" {
            self.generated = false;
        }
        inside || self.generated
    }

    fn is_comment(&mut self, text: &str) -> bool {
        let inside = self.comment || text.starts_with("<!--");
        self.comment = inside && !text.contains("-->");
        inside
    }
}

/// Returns true if the line begins an item of a list, or a quotation.
fn is_item(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with("- ")
        || text.starts_with("* ")
        || text.starts_with("> ")
        || (number.len() < text.len() && (number.starts_with(". ") || number.starts_with(") ")))
}
