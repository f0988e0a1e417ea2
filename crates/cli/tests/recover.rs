//! `hasten recover`: overriding a refusal, with the real command.

mod bench;

use bench::Bench;

/// Returns a key whose first five indices were used, restored from a copy made before four of them,
/// without its guard.
fn old_copy() -> Bench {
    let bench = Bench::new();
    bench.ok("for n in 0 1 2 3 4 5 6; do echo $n > m$n; done");
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g; hasten sign -k fw m0");
    bench.ok("cp -r fw old; for n in 1 2 3 4; do hasten sign -k fw m$n; done");
    bench.ok("rm -r fw g; mv old fw");
    bench
}

fn index(bench: &Bench, name: &str) -> u32 {
    let signature = std::fs::read(bench.path(name)).unwrap();
    u32::from_be_bytes(signature[4..8].try_into().unwrap())
}

#[test]
fn burn_is_refused_wherever_it_was_an_option() {
    let bench = old_copy();
    for command in
        ["sign -k fw m5", "status -k fw", "retire -k fw --yes", "shard -k fw --count 2 --out s"]
    {
        for given in ["--burn 1", "--burn 0", "--burn=3"] {
            let refused = bench.fails(&format!("hasten {command} {given}"));
            assert!(refused.contains("hasten recover"), "{refused}");
        }
    }
    bench.fails("hasten recover -k fw --yes --burn 0");
    assert!(!bench.path("m5.sig").exists());
}

#[test]
fn the_newest_signature_says_where_to_go_on() {
    let bench = old_copy();
    let asked = bench.fails("hasten recover -k fw --newest m4.sig < /dev/null");
    let guard = bench.path("g");
    for said in
        [guard.to_str().unwrap(), "index 4 is used", "next       1 in the log", "rate", "ago"]
    {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    bench.fails("hasten sign -k fw m5");
    let done = bench.ok("hasten recover -k fw --newest m4.sig --yes --burn 2 --json");
    assert!(
        done.contains("\"schema\": \"hasten.recover/1\"") && done.contains("\"next\": 7"),
        "{done}"
    );
    bench.ok("hasten sign -k fw m5");
    assert_eq!(index(&bench, "m5.sig"), 7);
    assert!(bench.ok("hasten status -k fw --audit").contains("burn"));
    let again = bench.ok("hasten recover -k fw --yes --burn 1");
    assert!(again.contains("nothing to recover"), "{again}");
}

#[test]
fn an_index_that_was_stated_is_gone_behind_even_where_the_key_opens() {
    let bench = Bench::new();
    bench.ok(
        "echo a > a; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g; hasten sign -k fw a",
    );
    bench.ok("hasten recover -k fw --index 9 --yes --burn 3; hasten sign -k fw a --force");
    assert_eq!(index(&bench, "a.sig"), 13);
    let refused = bench.fails("hasten recover -k fw --index 32 --yes --burn 1");
    assert!(refused.contains("0..32"), "{refused}");
}

#[test]
fn a_signature_of_another_key_or_message_is_not_believed() {
    let bench = old_copy();
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k b --guard b.g; hasten sign -k b m6");
    for newest in ["m6.sig", "m4.sig --message m3", "fw/public.pem --message m3", "none.sig"] {
        bench.fails(&format!("hasten recover -k fw --newest {newest} --yes --burn 1"));
    }
    bench.fails("hasten sign -k fw m5");
}

/// Without a guard, only the log states what was reserved. An override must burn at least one
/// reservation.
#[test]
fn without_a_guard_a_whole_reservation_is_burned() {
    let bench = Bench::new();
    bench.ok("echo a > a; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g --reserve 8; hasten sign -k fw a; rm g");
    let refused = bench.fails("hasten recover -k fw --yes --burn 7");
    assert!(refused.contains("at least 8"), "{refused}");
    assert!(!bench.path("g").exists());
    bench.ok("hasten recover -k fw --yes --burn 8 && hasten sign -k fw a --force");
}

/// A missing guard may have been named wrongly. A file with that name is not overwritten.
#[test]
fn what_is_no_guard_is_not_written_over() {
    let bench = old_copy();
    bench.ok("seq 3000 > notes.txt; cp notes.txt kept");
    let refused =
        bench.fails("hasten recover -k fw --guard notes.txt --newest m4.sig --yes --burn 2");
    assert!(refused.contains("notes.txt is no guard file"), "{refused}");
    bench.ok("cmp notes.txt kept");
}

/// Guard and disk are gone, and a backup was restored. Following the hints reuses no index.
#[test]
fn nothing_is_proposed_where_nobody_knows_what_was_signed() {
    let bench = old_copy();
    let asked = bench.fails("hasten recover -k fw < /dev/null");
    for said in ["no number is proposed", "--newest SIG", "--index INDEX", "hasten retire"] {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    for not_said in ["--yes --burn", "proposed ", "indices a day"] {
        assert!(!asked.contains(not_said), "{not_said}: {asked}");
    }
    // A given number is kept, but is not the first suggestion.
    let given = bench.fails("hasten recover -k fw --burn 10 < /dev/null");
    assert!(given.contains("--yes --burn 10") && given.contains("--newest SIG"), "{given}");
    // Follows the hints.
    let named = bench.fails("hasten recover -k fw --newest m4.sig < /dev/null");
    assert!(named.contains("proposed   --burn 1"), "{named}");
    bench.fails("hasten sign -k fw m5");
    bench.ok("hasten recover -k fw --newest m4.sig --yes --burn 1; hasten sign -k fw m5");
    assert_eq!(index(&bench, "m5.sig"), 6);
}

/// Without a terminal the command also succeeds, and unknown values are null in the JSON.
#[test]
fn what_is_unknown_is_null() {
    let bench = old_copy();
    let done = bench.ok("hasten recover -k fw --yes --burn 5 --json");
    for line in ["\"proposed_burn\": null", "\"rate_per_day\": null", "\"burned\": 5"] {
        assert!(done.contains(line), "{line}: {done}");
    }
}

/// The guard was not restored: it knows the next index, and the proposal continues after it.
#[test]
fn a_guard_that_knows_more_than_the_log_is_evidence() {
    let bench = Bench::new();
    bench.ok("for n in 0 1 2; do echo $n > m$n; done");
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g; hasten sign -k fw m0");
    bench.ok("cp -r fw old; hasten sign -k fw m1; rm -r fw; mv old fw");
    let asked = bench.fails("hasten recover -k fw < /dev/null");
    assert!(asked.contains("--yes --burn 1 goes on"), "{asked}");
    let given = bench.fails("hasten recover -k fw --burn 3 < /dev/null");
    assert!(given.contains("--yes --burn 3 goes on"), "{given}");
    let done = bench.ok("hasten recover -k fw --yes --burn 1");
    assert!(done.contains("1 index given up"), "{done}");
    bench.ok("hasten sign -k fw m2");
    assert_eq!(index(&bench, "m2.sig"), 3);
}

/// The guard is gone, and the outside witness knows nothing newer than the log. For an old copy it
/// does.
#[test]
fn a_witness_that_agrees_is_evidence() {
    let bench = Bench::new();
    bench.ok("for n in 0 1 2; do echo $n > m$n; done; mkdir out");
    bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g --witness file:out/w");
    bench.ok("hasten sign -k fw --witness file:out/w m0; cp -r fw old; rm g");
    let asked = bench.fails("hasten recover -k fw --witness file:out/w < /dev/null");
    assert!(asked.contains("proposed   --burn 1"), "{asked}");
    bench.ok("hasten recover -k fw --witness file:out/w --yes --burn 1");
    bench.ok("hasten sign -k fw --witness file:out/w m1; rm -r fw g; mv old fw");
    let asked = bench.fails("hasten recover -k fw --witness file:out/w < /dev/null");
    assert!(asked.contains("no number is proposed"), "{asked}");
}

#[test]
fn retire_asks_and_ends_a_key_that_is_refused() {
    let bench = old_copy();
    let asked = bench.fails("hasten retire -k fw < /dev/null");
    assert!(asked.contains("nothing was changed") && asked.contains("--yes"), "{asked}");
    let before = bench.run("hasten status -k fw --json");
    assert!(bench::both(&before).contains("\"retired\": false"));
    let done = bench.ok("hasten retire -k fw --yes --destroy-secret");
    assert!(done.contains("31 indices burned"), "{done}");
    bench.fails("hasten sign -k fw m5");
    assert!(!bench.path("fw/secret").exists());
}

/// A user at a terminal who does not confirm is told that nothing was changed.
#[test]
fn a_question_that_is_not_confirmed_changes_nothing() {
    let bench = old_copy();
    if !bench.run("script -qec true /dev/null").status.success() {
        return println!("NOTE: no 'script' makes a terminal here: no question was answered");
    }
    for command in ["retire -k fw", "recover -k fw --newest m4.sig", "recover -k fw --burn 3"] {
        let line = format!("(sleep 1; echo no) | script -qec 'hasten {command}' /dev/null");
        let said = bench::both(&bench.run(&line));
        assert!(
            said.contains("Type yes") && said.contains("hasten: nothing was changed"),
            "{said}"
        );
        assert!(!said.contains("interrupted"), "{said}");
    }
    bench.fails("hasten sign -k fw m5");
}

/// The key comes from one backup and its guard from a later one. The guard knows more than the log,
/// but less than was signed. No command proposes a number.
#[test]
fn a_guard_that_was_put_back_too_is_no_evidence() {
    for in_place in [false, true] {
        let bench = Bench::new();
        bench.ok("for n in 0 1 2 3 4 5 6; do echo $n > m$n; done");
        bench.ok("hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g; hasten sign -k fw m0");
        bench.ok("cp -r fw monday; for n in 1 2; do hasten sign -k fw m$n; done; cp g tuesday");
        bench.ok("for n in 3 4; do hasten sign -k fw m$n; done; sleep 1.2");
        match in_place {
            false => bench.ok("rm -r fw g; mv monday fw; mv tuesday g"),
            true => bench.ok("cp -a monday/. fw; cp -a tuesday g"),
        };
        for command in ["sign -k fw m5", "status -k fw", "recover -k fw < /dev/null"] {
            let refused = bench.fails(&format!("hasten {command}"));
            assert!(refused.contains("REFUSED") && refused.contains("guard"), "{refused}");
            assert!(!refused.contains("proposed   --burn"), "{refused}");
            assert!(!refused.contains("--yes --burn"), "{refused}");
        }
        // `hasten moved` lifts only the refusal of moved files. The copy is still an old one.
        let refused = bench.fails("hasten moved fw --yes; hasten sign -k fw m5");
        assert!(refused.contains("old copy"), "{refused}");
        bench.ok("hasten recover -k fw --newest m4.sig --yes --burn 1; hasten sign -k fw m5");
        assert_eq!(index(&bench, "m5.sig"), 6, "behind the newest signature, and one");
    }
}

/// The disk failed with the home directory, including the guard. A backup of the key is restored.
#[test]
fn a_home_that_is_gone_is_a_guard_that_is_gone() {
    let bench = Bench::new();
    let with_home = "export HOME=$PWD/home XDG_STATE_HOME=";
    bench.ok(&format!(
        "echo m > m; echo n > n; mkdir home; {with_home}
        hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw; hasten sign -k fw m; cp -a fw old
        hasten sign -k fw n; rm -r fw home; mkdir home; cp -a old fw"
    ));
    for command in ["sign -k fw m --force", "status -k fw", "recover -k fw < /dev/null"] {
        let refused = bench.fails(&format!("{with_home}; hasten {command}"));
        assert!(refused.contains("REFUSED: the guard file is missing"), "{refused}");
    }
    let line = "hasten recover -k fw --newest n.sig --yes --burn 1; hasten sign -k fw m --force";
    bench.ok(&format!("{with_home}; {line}"));
    assert_eq!(index(&bench, "m.sig"), 3);
    let line = "rm -r home fw; mkdir home; mv old fw; hasten retire -k fw --yes";
    bench.ok(&format!("{with_home}; {line}"));
}
