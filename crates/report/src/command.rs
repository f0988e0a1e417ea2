//! The command that made a result, taken from the actual arguments.

use std::path::Path;

/// Returns `program` followed by the arguments of this process.
pub fn command(program: &str) -> String {
    joined(program, arguments())
}

/// Returns `program` followed by the arguments of this process, for a published result: an absolute
/// path is reduced to its file name.
pub fn published_command(program: &str) -> String {
    joined(program, arguments().map(short))
}

fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())
}

fn joined(program: &str, words: impl Iterator<Item = String>) -> String {
    [program.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns the command of a test that keeps its result: the variables of `names` that are set, then
/// `test`.
pub fn test_command(names: &[&str], test: &str) -> String {
    let set = |name: &&str| std::env::var(name).ok().map(|value| format!("{name}={value}"));
    let words = names.iter().filter_map(set).map(short);
    words.chain([test.to_owned()]).collect::<Vec<_>>().join(" ")
}

/// Returns the file name if `word` is an absolute path, else the word unchanged.
fn short(word: String) -> String {
    let path = Path::new(&word);
    let name = path.file_name().filter(|_| path.is_absolute());
    name.map_or_else(|| word.clone(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_path_keeps_its_name_alone() {
        let words = ["--json", "results/a.json", "/home/me/a.json", "/"];
        let shown = words.map(|word| short(word.to_owned()));
        assert_eq!(shown, ["--json", "results/a.json", "a.json", "/"]);
    }

    #[test]
    fn variables_that_are_not_set_are_left_out() {
        let text = test_command(&["HASTEN_NEVER_SET"], "cargo test");
        assert_eq!(text, "cargo test");
    }
}
