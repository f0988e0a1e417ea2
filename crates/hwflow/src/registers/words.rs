//! Wraps text of the generated files to lines of at most 100 columns.

const COLUMNS: usize = 100;

/// Returns the words as a comment in which each line begins with `mark`.
pub fn comment(mark: &str, words: &str) -> String {
    filled(&format!("{mark} "), words)
}

/// Returns the words in lines that begin with `margin`.
pub fn filled(margin: &str, words: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= COLUMNS) {
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(format!("{margin}{word}")),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_a_hundred_columns() {
        for length in [1, 7, 40, 96, 97] {
            let words = [vec!["x".repeat(length); 9], vec!["y".into(); 99]].concat().join(" ");
            let text = comment("//", &words);
            assert!(
                text.lines().all(|line| line.starts_with("// ") && line.len() <= 100),
                "{text}"
            );
            assert_eq!(text.replace("// ", "").replace('\n', " ").trim_end(), words);
        }
    }
}
