//! `hasten moved`: a key and guard restored together from a usual backup, and files moved on
//! purpose, with the real command.

mod bench;

use bench::Bench;

const KEYGEN: &str = "hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g";

/// Returns a key and its guard, with a copy in `old` made before the latest signature.
fn copied() -> Bench {
    let bench = Bench::new();
    bench.ok("for n in 0 1 2 3; do echo $n > m$n; done");
    bench.ok(&format!("{KEYGEN}; hasten sign -k fw m0; mkdir old; cp -a fw g old; sleep 0.02"));
    bench.ok("hasten sign -k fw m1; sleep 0.02");
    bench
}

fn index(bench: &Bench, name: &str) -> u32 {
    let signature = std::fs::read(bench.path(name)).unwrap();
    u32::from_be_bytes(signature[4..8].try_into().unwrap())
}

#[test]
fn the_usual_backup_is_refused_by_every_command() {
    for way in ["rm -r fw g; cp -r old/. .", "cp -a old/. .", "rm -r fw g; mv old/fw old/g ."] {
        let bench = copied();
        bench.ok(way);
        for command in ["sign -k fw m2", "status -k fw"] {
            let refused = bench.fails(&format!("hasten {command}"));
            assert!(refused.contains("REFUSED: "), "{way}, {command}: {refused}");
            assert!(refused.contains("put back"), "{way}, {command}: {refused}");
            assert!(refused.contains("'hasten recover KEY --newest SIG'"), "{refused}");
        }
        assert!(!bench.path("m2.sig").exists());
        bench.ok("hasten recover -k fw --newest m1.sig --yes --burn 1");
        bench.ok("hasten sign -k fw m2");
        assert_eq!(index(&bench, "m2.sig"), 3, "{way}");
    }
}

#[test]
fn moved_asks_is_recorded_and_loses_no_index() {
    let bench = copied();
    bench.ok("mkdir disk; cp -a fw g disk; rm -r fw g; mv disk/fw disk/g .");
    let asked = bench.fails("hasten moved fw < /dev/null");
    for said in ["the next index signs a second message", "nothing was changed", "--yes"] {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    bench.fails("hasten sign -k fw m2");
    let done = bench.ok("hasten moved -k fw --yes --json");
    assert!(done.contains("\"schema\": \"hasten.moved/1\"") && done.contains("\"moved\": true"));
    assert!(bench.ok("hasten moved -k fw").contains("the key opens: there is nothing to do"));
    bench.ok("hasten sign -k fw m2");
    assert_eq!(index(&bench, "m2.sig"), 2);
    assert!(bench.ok("hasten audit show fw").contains("m2"));
    let audit = bench.ok("hasten status -k fw --audit");
    assert_eq!(audit.matches("moved").count(), 1, "{audit}");
}

#[test]
fn a_guard_that_was_moved_is_named_and_nothing_else_is_lifted() {
    let bench = copied();
    bench.ok("mv g g2");
    let refused = bench.fails("hasten sign -k fw m2");
    assert!(refused.contains("'hasten moved KEY --guard PATH'"), "{refused}");
    bench.ok("hasten moved -k fw --guard g2 --yes; hasten sign -k fw m2");
    assert_eq!(index(&bench, "m2.sig"), 2, "no index was lost");
    bench.ok("rm -r fw; cp -r old/fw .");
    let old = bench.fails("hasten moved -k fw --guard g2 --yes");
    assert!(old.contains("this store is an old copy"), "{old}");
    bench.ok("rm g2");
    let gone = bench.fails("hasten moved -k fw --yes");
    assert!(gone.contains("the guard file is missing"), "{gone}");
}

/// A runner without a disk: key and guard are unpacked again for each signature.
#[test]
fn a_key_with_a_witness_is_unpacked_anew() {
    let bench = Bench::new();
    let witness = "--witness file:$PWD/cell --shared-filesystem-accepted";
    bench.ok(&format!("{KEYGEN} {witness}; for n in 0 1 2; do echo $n > m$n; done"));
    for n in 0..3 {
        bench.ok("tar cf k.tar fw g; rm -r fw g; tar xf k.tar");
        bench.ok(&format!("hasten sign -k fw m{n} {witness}"));
        assert_eq!(index(&bench, &format!("m{n}.sig")), n);
    }
}

#[test]
fn keygen_names_the_guard_to_leave_out_of_backups() {
    let bench = Bench::new();
    let made = bench.ok(KEYGEN);
    assert!(
        made.contains("leave g out of backups") && made.contains("Hasten cannot tell"),
        "{made}"
    );
}

#[test]
fn the_story_of_the_readme_ends_with_the_refusal_that_it_shows() {
    let bench = Bench::new();
    let readme = include_str!("../../../README.md");
    let mut blocks = readme.split("\n```sh\n").filter_map(|block| block.split("\n```").next());
    let story = blocks.find(|block| block.contains("keygen")).unwrap();
    bench.ok("ln -s \"$(command -v hasten)\" hasten");
    let said = bench.fails(story);
    assert!(said.contains("good  LMS") && said.matches("REFUSED").count() == 1, "{said}");
    assert!(said.contains("REFUSED: the guard is another file"), "{said}");
}

/// Each unpacked copy of the key signs with the next index.
#[test]
fn the_readmes_key_for_a_build_service_goes_on_in_every_copy() {
    let bench = Bench::new();
    let readme = include_str!("../../../README.md");
    let mut blocks = readme.split("\n```sh\n").filter_map(|block| block.split("\n```").next());
    let story = blocks.find(|block| block.contains("--carry")).unwrap();
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools");
    bench.ok(&format!(
        "ln -s \"$(command -v hasten)\" hasten; ln -s {tools} tools; printf firmware > fw.bin"
    ));
    bench.ok(story);
    let again = story.lines().rev().find(|line| line.contains("sign")).unwrap();
    let witness = "witness=\"exec:tools/witness/git $PWD/state.git ci\"";
    for n in 1..3 {
        bench.ok(&format!("{witness}; {}", again.replace("ci.sig", &format!("ci{n}.sig"))));
    }
    let found = ["ci", "ci1", "ci2"].map(|name| index(&bench, &format!("{name}.sig")));
    assert_eq!(found, [0, 1, 2]);
}
