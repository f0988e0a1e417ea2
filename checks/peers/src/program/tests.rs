use super::*;

const KNOWN: Known = Known { flags: "-O3", remark: None, rebuilds: false };

/// Returns a program that prints these lines and ignores its input.
fn prints(lines: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "printf %s \"$1\"; exec cat >/dev/null", "sh", lines]);
    command
}

/// Returns the result for a program that prints these lines.
fn said(lines: &str) -> Result<Option<Side>, String> {
    side(prints(lines), Set::named("SLH-DSA-SHA2-128f").unwrap(), KNOWN)
}

#[test]
fn words_and_times() {
    assert_eq!(after("library Botan 3.13.0", "library"), Ok("Botan 3.13.0"));
    assert_eq!(after("ready", "ready"), Ok(""));
    assert!(after("libraryBotan", "library").unwrap_err().contains("was expected"));
    assert_eq!(times("1.5 2"), Ok(vec![1.5, 2.0]));
    for bad in ["1.5 x", "-1", "0", "nan", "inf"] {
        assert!(times(bad).is_err(), "{bad}");
    }
    assert_eq!(hex("00ff"), Ok(vec![0, 255]));
    for bad in ["", "0", "0g", "+1", "\u{e9}"] {
        assert!(hex(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_library_may_lack_a_set() {
    assert!(said("lacks\n").unwrap().is_none());
}

#[test]
fn a_program_that_says_something_else_is_refused() {
    let ends = "library A 1\nbuilt B\nuses C\nready\n";
    for (lines, fault) in [
        ("", "ended"),
        ("hello\n", "library was expected"),
        ("library A 1\nuses C\n", "built was expected"),
        (ends, "ended"),
        (&format!("{ends}us 3\n"), "key was expected"),
        (&format!("{ends}key 0g\nsignature 00\n"), "not hexadecimal"),
        (&format!("{ends}key 00\nsignature 00\n"), "refuses its SLH-DSA-SHA2-128f signature"),
    ] {
        let said = said(lines).expect_err(lines);
        assert!(said.contains(fault), "{said}");
    }
    let missing = Command::new("/nowhere/peer");
    let set = Set::named("SLH-DSA-SHA2-128f").unwrap();
    assert!(side(missing, set, KNOWN).unwrap_err().contains("/nowhere/peer"));
}

#[test]
fn a_window_is_one_time() {
    let told = |lines: &str| Program::start(prints(lines)).unwrap().window("sign");
    assert_eq!(told("us 12.5\n"), Ok(12.5));
    for bad in ["us 1 2\n", "us\n", "us -3\n", "times 1\n"] {
        assert!(told(bad).is_err(), "{bad}");
    }
}
