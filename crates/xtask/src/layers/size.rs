//! Size limits of `cli`. A table of ARCHITECTURE.md lists the parts of `cli` and the number of
//! lines that each may have. The limits keep `cli` to arguments, printing and opening files; other
//! code belongs in a library.

use super::hazmat::entries;
use hasten_chore::failure::{Failure, read};
use std::collections::BTreeMap;
use std::path::Path;

/// Line limit of a part that the table does not name, such as a new command.
const UNNAMED: usize = 150;

/// Parts that share a limit, and the number of lines that they may have together.
struct Row {
    parts: Vec<String>,
    most: usize,
}

/// Returns a message for each row and each part without a row that exceeds its limit.
pub fn faults(root: &Path) -> Result<Vec<String>, Failure> {
    let rows = rows(&read(&root.join("ARCHITECTURE.md"))?);
    let source = root.join("crates/cli/src");
    let mut counts = BTreeMap::new();
    let mut open = vec![source.clone()];
    while let Some(folder) = open.pop() {
        for path in entries(&folder)? {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(&source).unwrap_or(&path).to_string_lossy();
                *counts.entry(part(&name)).or_default() += lines(&read(&path)?);
            }
        }
    }
    Ok(compare(&rows, &counts))
}

/// Returns the rows of the table of parts of `cli` in the page.
fn rows(page: &str) -> Vec<Row> {
    let after = page.lines().skip_while(|line| !line.starts_with("| part of `cli`")).skip(2);
    let row = |line: &str| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let names = cells.next()?.split('`').skip(1).step_by(2);
        let most = cells.next()?.replace(',', "").parse().ok()?;
        Some(Row { parts: names.map(str::to_owned).collect(), most })
    };
    after.take_while(|line| line.starts_with('|')).filter_map(row).collect()
}

/// Returns the part that a file belongs to: a command, or a module of the crate's root.
fn part(file: &str) -> String {
    let name = file.trim_end_matches(".rs");
    let segments = if name.starts_with("commands/") { 2 } else { 1 };
    name.split('/').take(segments).collect::<Vec<_>>().join("/")
}

/// Returns the number of lines of a file, not counting blank lines, comments and tests.
fn lines(text: &str) -> usize {
    let (mut count, mut depth, mut is_test) = (0, 0_isize, false);
    for line in text.lines().map(str::trim) {
        if line == "#[cfg(test)]" {
            (is_test, depth) = (true, 0);
        } else if is_test {
            let [opened, closed] = ['{', '}'].map(|brace| line.matches(brace).count() as isize);
            depth += opened - closed;
            is_test = depth > 0 || !(closed > 0 || line.ends_with(';'));
        } else if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

fn compare(rows: &[Row], counts: &BTreeMap<String, usize>) -> Vec<String> {
    let mut found = Vec::new();
    for Row { parts, most } in rows {
        let has: usize = parts.iter().filter_map(|part| counts.get(part)).sum();
        if has > *most {
            found.push(format!("cli: {} have {has} lines, {most} at most: {HINT}", parts[0]));
        }
        let gone = parts.iter().filter(|part| !counts.contains_key(*part));
        found.extend(gone.map(|part| format!("ARCHITECTURE.md: cli has no part {part}")));
    }
    for (part, has) in counts {
        let is_named = rows.iter().any(|row| row.parts.contains(part));
        if !is_named && *has > UNNAMED {
            found.push(format!("cli: {part} has {has} lines, {UNNAMED} at most: {HINT}"));
        }
    }
    found
}

const HINT: &str = "a library takes what is not arguments, printing or opening of files; \
    what must stay is said in the table of ARCHITECTURE.md";

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "| part of `cli` | lines | holds |\n|---|---|---|\n| `main`, `commands/sign` | 1,000 | x |\n";

    fn faults(counts: &[(&str, usize)]) -> Vec<String> {
        let counts = counts.iter().map(|(part, has)| ((*part).to_owned(), *has)).collect();
        compare(&rows(PAGE), &counts)
    }

    #[test]
    fn a_row_is_the_sum_of_its_parts() {
        assert!(faults(&[("main", 400), ("commands/sign", 600)]).is_empty());
        assert_eq!(faults(&[("main", 401), ("commands/sign", 600)]).len(), 1);
        assert_eq!(faults(&[("main", 400)]).len(), 1, "a part that is gone");
    }

    #[test]
    fn a_new_command_needs_no_row_while_it_is_short() {
        let with = |lines| faults(&[("main", 1), ("commands/sign", 1), ("commands/new", lines)]);
        assert_eq!((with(UNNAMED).len(), with(UNNAMED + 1).len()), (0, 1));
    }

    #[test]
    fn files_belong_to_parts() {
        for (file, named) in [
            ("main.rs", "main"),
            ("commands.rs", "commands"),
            ("error/hint.rs", "error"),
            ("commands/sign.rs", "commands/sign"),
            ("commands/sign/row.rs", "commands/sign"),
        ] {
            assert_eq!(part(file), named);
        }
    }

    #[test]
    fn blanks_comments_and_tests_do_not_count() {
        let code = "//! A.\n\nuse b;\n#[cfg(test)]\nuse c;\nfn d() {\n    // e\n    1\n}\n";
        assert_eq!(lines(code), 4);
        let tests = "#[cfg(test)]\nmod tests {\n    fn f() {\n    }\n}\nfn g() {}\n";
        assert_eq!(lines(&(code.to_owned() + tests)), 5);
    }
}
