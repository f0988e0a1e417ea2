//! Right and wrong prose; this file itself is not checked.

use super::*;

fn rules_of(file: &str, text: &str) -> Vec<(usize, &'static str)> {
    findings_in(file, text).into_iter().map(|finding| (finding.line, finding.rule)).collect()
}

#[test]
fn a_wide_line_is_found_where_it_could_break() {
    let wide = "word ".repeat(25);
    assert_eq!(rules_of("a.md", &format!("# T\n\n{wide}\n")), [(3, "columns")]);
    assert_eq!(rules_of("a.rs", &format!("// {wide}\nfn f() {{}}\n")), [(1, "columns")]);
    assert_eq!(rules_of("a.sv", &format!("wire a;  // {wide}\n")), [(1, "columns")]);
    assert_eq!(rules_of("a.sh", &format!("#!/bin/sh {wide}\n# {wide}\n")), [(2, "columns")]);
}

#[test]
fn tables_code_and_long_words_may_be_wide() {
    let wide = "word ".repeat(25);
    let link = format!("- https://{}\n", "a".repeat(100));
    let made = format!("<!-- table: f | A = a -->\n{wide}\n<!-- end of table -->\n");
    let span = format!("- `{wide}`\n");
    for text in [span, format!("| {wide} |\n"), format!("```\n{wide}\n```\n"), link, made] {
        assert_eq!(rules_of("a.md", &text), [], "{text}");
    }
    assert_eq!(rules_of("a.rs", &format!("//! ```text\n//! {wide}\n//! ```\n")), []);
    assert_eq!(rules_of("a.rs", &format!("let text = \"{wide} // {wide}\";\n")), []);
}

#[test]
fn sentences_that_begin_wrongly_are_found() {
    for text in [
        "What it does.\n",
        "# What it does not do\n",
        "- Of these, one.\n",
        "A thing.\nWhether it is so, nobody knows.\n",
        "A thing. (What else.)\n",
        "**What is counted**: all. Is it?\n",
        "He said it.\" What for is unknown.\n",
    ] {
        assert_eq!(findings_in("a.md", text).len(), 1, "{text}");
    }
    assert_eq!(rules_of("a.md", "One. It\nis so. Of two,\none.\n"), [(2, "opening")]);
    assert_eq!(rules_of("a.rs", "//! One.\n//!\n//! What else.\n"), [(3, "opening")]);
}

#[test]
fn questions_and_other_words_pass() {
    for text in [
        "# What does it not do?\n",
        "Whatever it does. Often so. Offset.\n",
        "It says what it does, and of what.\n",
        "| What | Of |\n|---|---|\n",
        "What is\nit, then? It is.\n",
    ] {
        assert_eq!(rules_of("a.md", text), [], "{text}");
    }
}

#[test]
fn a_function_is_documented_by_a_verb() {
    for doc in ["The sum.", "`true` if so.", "Bytes of it.", "Sets of rows.", "As `f`.", "Sum."] {
        let text = format!("    /// {doc}\n    #[must_use]\n    pub(crate) const fn f() {{}}\n");
        assert_eq!(rules_of("a.rs", &text), [(1, "verb")], "{doc}");
    }
    for doc in ["Returns the sum.", "Is true.", "Hashes it.", "Sets a row.", "Re-reads it."] {
        assert_eq!(rules_of("a.rs", &format!("/// {doc}\nunsafe fn f();\n")), [], "{doc}");
    }
}

#[test]
fn other_items_and_tests_need_no_verb() {
    for item in ["struct A;", "const A: u8 = 1;", "#[test]\nfn f() {}", "mod a;", "a: fn()"] {
        assert_eq!(rules_of("a.rs", &format!("/// The sum.\n{item}\n")), [], "{item}");
    }
}

#[test]
fn a_listed_place_is_allowed_until_it_is_clean() {
    let list = "commits_after = \"a\"\n[pending]\nopening = [\"docs\", \"crates/a\"]\n";
    let pending: Pending = toml::from_str(list).unwrap();
    let found = findings_in("docs/a.md", "What else.\n");
    assert!(pending.allows(&found[0]));
    assert_eq!(pending.idle(&found).len(), 1);
    assert!(check(&found, &pending, false).is_ok());
    assert!(check(&found, &pending, true).is_err());
    let new = findings_in("docs.md", "What else.\n");
    assert!(check(&new, &pending, false).is_err());
}

#[test]
fn a_long_subject_is_found() {
    let log = format!("abc Short\ndef {}\n", "x".repeat(73));
    assert_eq!(commits::too_long(&log).len(), 1);
}

#[test]
fn only_prose_of_ours_is_read() {
    for name in ["README.md", "vectors/lms/README.md", "rtl/a/a.sv", "tools/a.py"] {
        assert!(is_ours(name), "{name}");
    }
    for name in
        ["LICENSES/README.md", "vectors/a.toml", "a.json", "crates/xtask/src/prose/tests.rs"]
    {
        assert!(!is_ours(name), "{name}");
    }
}
