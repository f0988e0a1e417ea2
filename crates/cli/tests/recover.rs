//! `hasten recover`: the override of a refusal, through the real command.

mod bench;

use bench::Bench;

/// Returns a key whose first five indices were used, put back to a copy from before four of them,
/// its guard gone.
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

/// Without a guard the log alone says what was reserved: an override covers one reservation at
/// least.
#[test]
fn without_a_guard_a_whole_reservation_is_burned() {
    let bench = Bench::new();
    bench.ok("echo a > a; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g --reserve 8; hasten sign -k fw a; rm g");
    let refused = bench.fails("hasten recover -k fw --yes --burn 7");
    assert!(refused.contains("at least 8"), "{refused}");
    assert!(!bench.path("g").exists());
    bench.ok("hasten recover -k fw --yes --burn 8 && hasten sign -k fw a --force");
}

/// A guard that is missing may have been named wrongly: what lies there is not written over.
#[test]
fn what_is_no_guard_is_not_written_over() {
    let bench = old_copy();
    bench.ok("seq 3000 > notes.txt; cp notes.txt kept");
    let refused =
        bench.fails("hasten recover -k fw --guard notes.txt --newest m4.sig --yes --burn 2");
    assert!(refused.contains("notes.txt is no guard file"), "{refused}");
    bench.ok("cmp notes.txt kept");
}
