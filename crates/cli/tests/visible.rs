//! No name and no foreign text controls the terminal. Every command runs with hostile names in each
//! of its paths, and neither stream shows a hidden character or a forged line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A name that sets colours, erases, reverses text, and starts a new line.
const HOSTILE: &str = "esc\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{61c}\u{2028}\u{7f}\r\nFORGED good";

/// The same name without line ends, which the path of a key may not contain.
const OF_KEYS: &str = "esc\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{61c}\u{2028}\u{7f}";

/// The life of some keys. A word with `@` is a path in a folder whose name a key's path may have,
/// and a word with `^` is one in a folder whose name it may not have. A line that begins with `?`
/// may be refused: it needs something that is not in every build, or its input is invalid.
const LIFE: &str = "
keygen --alg LMS_SHA256_M24_H10_W8 -k @fw --guard @g
?keygen --alg LMS_SHA256_M24_H10_W8 -k @fw --guard @g
keygen --alg SLH-DSA-SHA2-128f --out @slh
sign -k @fw @m
?sign -k @fw @m
sign -k @fw @m @n --force
sign -k @slh.key @m --out ^m.slh
sign -k @fw ^m ^n
sign -k @slh.key ^m --force
verify -p @slh.pub ^m
verify -p @slh.pub --each ^m ^m
sign -k @fw @m @n --manifest @sums
verify -p @slh.pub -p @fw/public.pem --manifest @sums @sums.sig
?verify -p @fw/public.pem --manifest @text @text.sig
?verify -p @slh.pub -p @fw/public.pem --from @list
?sign -k @fw ^m
sign -k @fw @m @n --format cms --force
verify -p @fw/public.pem @m @m.sig
?verify -p @fw/public.pem @n @m.sig
verify -p @fw/public.pem --each @m @n
?verify -p @fw/public.pem --each @m @absent
?verify -p @fw/public.pem --each @m @m.copy
status -k @fw
audit show @fw
?audit verify @fw @m.sig @n.sig
audit mend @fw
scan @fw @m.sig @n.sig
?scan -p @fw/public.pem @m.sig @m.twin @text
scan -p @fw @m.sig --from @list
export -p @fw/public.pem --format hss --out ^fw.xdr
export -p @fw/public.pem --format hss --out @fw.xdr
?pkcs11 @m
?pkcs11 @fw --out @slots
?pkcs11 @slh.key --label slh --out ^slots
?encaps -p @kem.pub --out @ct --secret @shared
?decaps -k @kem.key @ct --secret @shared2
shard -k @fw --out @site --guard @g --count 16 --out-guard @g.shard
?export-shard -k @fw --count 16 --out @file.shard
?import-shard @file.shard -k @imported --guard @g.imported --register @register
?import @m -p @m --burned-through 3 -k @foreign --guard @g.foreign --register @register
?recover -k @fw --burn 2 --yes
?moved @fw --guard @g --yes
?publish -k @fw --to udp://127.0.0.1:9
?subscribe -p @fw/public.pem --from udp://127.0.0.1:0 --timeout 1ms --mark @mark --record @record
?extract @record --out @extracted
cert root --alg SLH-DSA-SHA2-128f --name root --out @root
cert intermediate --alg SLH-DSA-SHA2-128f --name sub --ca @root --out @sub
cert request --alg SLH-DSA-SHA2-128f --name asked --out ^asked
cert request --alg SLH-DSA-SHA2-128f --name asked --out @asked
cert leaf --request @asked.csr --usage code-signing --ca @root --out @asked
cert leaf --alg SLH-DSA-SHA2-128f --usage code-signing --name signer --ca @root --out @signer
cert show @root.pem
cert verify @signer.pem --ca @root.pem --for code-signing
?cert verify @signer.pem --ca @asked.pem
cms sign -k @signer.key --cert @signer.pem @m --out @m.cms --attached
cms verify @m.cms --ca @root.pem --out @m.out
cms sign -k @fw @m --out @d.p7s
?cms verify @d.p7s -p @fw/public.pem --content @n
dual sign -k @fw --second @slh.key @m
dual verify -p @fw/public.pem --second @slh.pub @m
?serve --listen 127.0.0.1:0 --cert @root.pem --key @root.key --files @fw --connections 1
?connect 127.0.0.1:1 --ca @root.pem --cert @signer.pem --key @signer.key
inspect @fw
inspect @fw/public.pem
inspect @root.pem
?inspect @text
?analyze calibrate --out @calibration --time 1ms
?explore --config @text
?page --out @site.html --from @text
assets @assets
?fleet token -k @fw
retire -k @fw --yes
";

/// Commands without a path that matters.
const WITHOUT_PATHS: [&str; 8] = [
    "list",
    "latency",
    "bench",
    "bench channel",
    "tables",
    "analyze calls",
    "analyze deps",
    "analyze compare",
];

struct Place {
    dir: tempfile::TempDir,
    json: bool,
}

impl Place {
    /// Creates a place whose folder for all files has the hostile name.
    fn new(json: bool) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap(), json };
        for folder in [place.hostile(), place.dir.path().join(HOSTILE)] {
            fs::create_dir(&folder).unwrap();
            for (name, text) in [("m", "message"), ("n", "another"), ("text", "nothing known")] {
                fs::write(folder.join(name), text).unwrap();
            }
            fs::write(folder.join("list"), b"").unwrap();
        }
        place
    }

    fn hostile(&self) -> PathBuf {
        self.dir.path().join(OF_KEYS)
    }

    /// Returns the path for a word of a line.
    fn at(&self, mark: char, name: &str) -> PathBuf {
        self.dir.path().join(if mark == '@' { OF_KEYS } else { HOSTILE }).join(name)
    }

    fn run(&self, words: &[String]) -> Output {
        // A command that waits for input or measures ends with status 124.
        let mut command = Command::new("timeout");
        command.args(["60", env!("CARGO_BIN_EXE_hasten")]).args(words);
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        if self.json && takes_json(words) {
            command.arg("--json");
        }
        command.env("XDG_STATE_HOME", self.hostile().join("state")).env_remove("HASTEN_BACKEND");
        command.output().unwrap()
    }

    /// Runs a line with every path in the hostile folder.
    fn live(&self, line: &str) {
        let (line, may_fail) = (line.trim_start_matches('?'), line.starts_with('?'));
        let words = words(line, |mark, name| self.at(mark, name));
        let done = self.run(&words);
        self.check(line, &done);
        assert!(may_fail || done.status.success(), "{line}: {}", both(&done));
        assert!(done.status.code().is_some_and(|code| code < 3), "{line}: {}", both(&done));
    }

    /// Runs a line with each of its paths in turn replaced by a hostile one.
    fn stray(&self, line: &str, hostile: &Path) {
        let line = line.trim_start_matches('?');
        for at in 0..line.matches(['@', '^']).count() {
            let mut seen = 0;
            let words = words(line, |mark, name| {
                seen += 1;
                if seen - 1 == at { hostile.to_owned() } else { self.at(mark, name) }
            });
            self.check(line, &self.run(&words));
        }
    }

    /// Checks both streams.
    fn check(&self, line: &str, done: &Output) {
        for stream in [&done.stdout, &done.stderr] {
            let text = std::str::from_utf8(stream).expect("text");
            let seen = |c: char| c != '\n' && c != '\t' && hasten_store::is_hidden(c);
            assert!(!text.contains(seen), "{line}: {text:?}");
            assert!(!text.lines().any(|said| said.starts_with("FORGED")), "{line}: {text}");
        }
        assert!(!both(done).contains("panicked"), "{line}: {}", both(done));
        assert_ne!(done.status.code(), Some(124), "{line}: it does not end");
        if self.json && takes_json(&[line.to_owned()]) && done.stdout.starts_with(b"{") {
            serde_json::from_slice::<serde_json::Value>(&done.stdout).expect(line);
        }
    }
}

/// Returns the words of a line, with paths built from their names.
fn words(line: &str, mut path: impl FnMut(char, &str) -> PathBuf) -> Vec<String> {
    let word = |word: &str| match word.chars().next() {
        Some(mark @ ('@' | '^')) => path(mark, &word[1..]).display().to_string(),
        _ => word.to_owned(),
    };
    line.split(' ').map(word).collect()
}

fn takes_json(words: &[String]) -> bool {
    let line = words.join(" ");
    let without = ["encaps", "decaps", "page", "assets"];
    !without.iter().any(|name| line.starts_with(name))
}

fn both(done: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}

fn lines() -> impl Iterator<Item = &'static str> {
    LIFE.lines().filter(|line| !line.is_empty())
}

/// Returns each command without subcommands, and its options that name files.
fn commands(place: &Path) -> Vec<(String, Vec<String>)> {
    let assets = place.join("completions");
    let mut made = Command::new(env!("CARGO_BIN_EXE_hasten"));
    assert!(made.arg("assets").arg(&assets).output().unwrap().status.success());
    let script = fs::read_to_string(assets.join("fish/vendor_completions.d/hasten.fish")).unwrap();
    let pages = fs::read_dir(assets.join("man/man1")).unwrap();
    let pages: BTreeSet<_> =
        pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    let name = |page: &String| {
        let base = page.strip_suffix(".1")?.strip_prefix("hasten-")?.to_owned();
        let is_above = pages.iter().any(|page| page.starts_with(&format!("hasten-{base}-")));
        let is_shard = base == "export" || base == "import";
        (!is_above || is_shard || base == "bench").then_some(base)
    };
    let of = |base: String| {
        let top = |name: &str| script.contains(&format!("using_subcommand {name}\""));
        let command = if top(&base) { base } else { base.replacen('-', " ", 1) };
        let condition = match command.split_once(' ') {
            Some((above, below)) => {
                format!("using_subcommand {above}; and __fish_seen_subcommand_from {below}\"")
            }
            None => format!("using_subcommand {command}"),
        };
        let named = script.lines().filter(|line| line.contains(&condition) && line.ends_with("-F"));
        let option = |line: &str| {
            let long = line.split(" -l ").nth(1).expect("a long name");
            format!("--{}", long.split(' ').next().unwrap())
        };
        let options = named.map(option).collect();
        (command, options)
    };
    pages.iter().filter_map(name).map(of).collect()
}

#[test]
fn no_name_reaches_a_terminal_as_it_is() {
    for json in [false, true] {
        let place = Place::new(json);
        for line in lines() {
            place.live(line);
            match line {
                _ if line.starts_with("sign -k @fw @m @n --force") => {
                    for (from, to) in
                        [("m.sig", "m.twin"), ("m", "m.copy"), ("m.sig", "m.copy.sig")]
                    {
                        let at = |name| place.hostile().join(name);
                        fs::copy(at(from), at(to)).unwrap();
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn no_name_of_a_wrong_file_reaches_a_terminal_as_it_is() {
    let place = Place::new(false);
    let (absent, garbage) = (format!("absent {HOSTILE}"), format!("garbage {HOSTILE}"));
    let garbage = place.dir.path().join(garbage);
    for line in lines() {
        place.stray(line, Path::new(&absent));
        fs::write(&garbage, "garbage").unwrap();
        place.stray(line, &garbage);
        place.live(&format!("?{}", line.trim_start_matches('?')));
    }
}

#[test]
fn no_option_that_names_a_file_is_left_out() {
    let place = Place::new(false);
    let hostile = place.dir.path().join(HOSTILE).join("absent");
    let commands = commands(place.dir.path());
    assert!(commands.len() > 40, "{}", commands.len());
    for (command, options) in commands {
        let mut all = lines().map(|line| line.trim_start_matches('?'));
        let line = all.find(|line| line.starts_with(&format!("{command} ")));
        assert!(line.is_some() || WITHOUT_PATHS.contains(&&*command), "no line of {command}");
        let line = line.unwrap_or(&command);
        for option in options {
            let mut words = words(line, |mark, name| place.at(mark, name));
            words.extend([option, hostile.display().to_string()]);
            place.check(line, &place.run(&words));
        }
    }
}

#[test]
fn no_name_in_a_certificate_and_no_foreign_word_reaches_a_terminal_as_it_is() {
    let place = Place::new(false);
    let run = |line: &str| {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('~', " ")).collect();
        let done = place.run(&words);
        place.check(line, &done);
        both(&done)
    };
    let name = "left\u{202e}right\u{200f}";
    let made = run(&format!("cert root --alg SLH-DSA-SHA2-128f --name {name} --out c"));
    assert!(made.contains(r"left\u{202e}right\u{200f}"), "{made}");
    for line in ["cert show c.pem", "inspect c.pem"] {
        let said = run(line);
        assert!(said.contains(r"left\u{202e}right"), "{line}: {said}");
    }
    let said = run("keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g");
    assert!(said.contains("fw"), "{said}");
    run("sign -k fw c.pem --out s --request-id red\u{1b}[31m\u{202e}");
    let said = run("audit show fw");
    assert!(said.contains(r"request red\u{1b}[31m\u{202e}"), "{said}");
    let helper = place.dir.path().join("helper");
    let answers = "#!/bin/sh\nread -r _; echo 'hasten-witness 1'\nwhile read -r _; do printf 'error no \\033[31m\\342\\200\\256 such\\n'; done\n";
    fs::write(&helper, answers).unwrap();
    let witness = format!("--witness exec:sh~{}", helper.display());
    let said = run(&format!("keygen --alg LMS_SHA256_M24_H5_W8 -k w --guard gw {witness}"));
    assert!(said.contains("the witness helper says: no ?[31m? such"), "{said}");
    for wrong in ["--alg \u{1b}[31m\u{202e}x", "--\u{202e}\u{9b}", "--level \u{202e}"] {
        assert!(run(&format!("sign -k fw c.pem {wrong}")).contains("hasten: "), "{wrong:?}");
    }
}
