//! The functions of a Rust file that have a doc comment.

/// Returns the line and the first line of text of each doc comment above a function, tests aside.
pub fn documented(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut open, mut test) = (Vec::new(), None, false);
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(doc) = line.strip_prefix("///") {
            open = open.or_else(|| Some((at + 1, doc.trim().to_string())));
        } else if line.starts_with("#[") {
            test |= line.contains("test]");
        } else if !is_inside_attribute(line) {
            found.extend(open.take().filter(|_| is_function(line) && !test));
            test = false;
        }
    }
    found
}

/// Returns true for the further lines of an attribute that rustfmt has broken.
fn is_inside_attribute(line: &str) -> bool {
    line.ends_with(")]") && !line.contains("fn ")
}

/// Returns true if the line begins a function.
fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let before = ["pub", "default", "const", "async", "unsafe", "extern", "\"C\""];
    words.find(|word| !before.contains(word) && !word.starts_with("pub(")) == Some("fn")
}
