//! Connections that must succeed, connections that must fail, and peers that misbehave.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::place::{Place, assert_has};

/// Both sides have certificates; keys, groups and suites of every kind.
#[test]
fn mutual_authentication() {
    let place = Place::new();
    let sides = [
        ("ML-DSA-65", "ML-DSA-65"),
        ("SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f"),
        ("RSA-2048", "ECDSA-P-256"),
    ];
    let groups = ["SecP521r1MLKEM1024", "MLKEM512", "SecP384r1MLKEM1024", "P-256"];
    for (at, (root, leaf)) in sides.iter().enumerate() {
        let name = format!("s{at}");
        place.chain(&name, root, leaf);
        let group = groups[at];
        let mut server = place.serve(
            &name,
            &format!(" --client-ca {name}-root.pem --group {group} --suite TLS_AES_256_GCM_SHA384"),
        );
        let own =
            format!(" --ca {name}-root.pem --cert {name}.pem --key {name}.key --group {group}");
        let (said, status) = place.connect(&server, &own);
        assert_eq!(status, 0, "{said}");
        let messages = [
            "ClientHello",
            "ServerHello",
            "CertificateRequest",
            "CertificateVerify",
            "Finished 52",
        ];
        assert_has(&said, &messages);
        assert_has(
            &said,
            &["TLS_AES_256_GCM_SHA384", &format!("server {leaf}  client {leaf}"), "hello hasten!"],
        );
        assert_has(&server.line(), &messages);
        let (refused, status) =
            place.connect(&server, &format!(" --ca {name}-root.pem --group {group}"));
        assert_eq!(status, 1, "{refused}");
        assert_has(&refused, &["FAILED", "it asks for a certificate"]);
        assert_has(&server.line(), &["FAILED", "the client showed no certificate"]);
    }
}

/// The bytes of the messages add up to the bytes on the wire: 5 bytes of header for each record,
/// and 17 more if it is encrypted.
#[test]
fn the_account_adds_up() {
    let place = Place::new();
    place.chain("a", "ML-DSA-44", "ML-DSA-44");
    let server = place.serve("a", "");
    let said = place.good(&format!("connect 127.0.0.1:{} --ca a-root.pem --json", server.port));
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["schema"], "hasten.connect/1");
    let row = &report["rows"][0];
    assert_eq!(
        (&row["group"], &row["server_alg"]),
        (&"X25519MLKEM768".into(), &"ML-DSA-44".into())
    );
    let sum = |from: &str| {
        let messages = row["messages"].as_array().unwrap().iter();
        let of = messages.filter(|message| message["from"] == from);
        of.map(|message| message["bytes"].as_u64().unwrap()).sum::<u64>()
    };
    // Hello and change_cipher_spec unencrypted; Finished, data and alert in one record each.
    assert_eq!(row["client_bytes"], sum("client") + 2 * 5 + 3 * 22);
    let verify =
        row["messages"].as_array().unwrap().iter().find(|m| m["name"] == "CertificateVerify");
    assert_eq!(verify.unwrap()["bytes"], 8 + 2420);
}

/// One signature at a time, and one more in the queue. Of eight simultaneous clients at least two
/// are served. The others are refused, with the reason in the server's line.
#[test]
fn signatures_have_a_limit() {
    let place = Place::new();
    place.chain("s", "SLH-DSA-SHA2-128s", "SLH-DSA-SHA2-128s");
    let mut server = place.serve("s", " --max-signing 1 --signing-queue 1 --timeout 60s");
    let (said, status) =
        place.connect(&server, " --ca s-root.pem --times 8 --at-once 8 --timeout 60s --json");
    let report: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let failed = report["rows"][0]["failed"].as_u64().expect("a count");
    assert!((1..=6).contains(&failed), "{said}");
    assert_eq!(status, 1);
    let lines: Vec<_> = (0..8).map(|_| server.line()).collect();
    let refused: Vec<_> = lines.iter().filter(|line| line.contains("FAILED")).collect();
    assert_eq!(refused.len() as u64, failed, "{lines:?}");
    for line in refused {
        let why = "too many signatures: 1 at a time are computed, and 1 wait already";
        assert_has(line, &[why]);
    }
    let (said, status) = place.connect(&server, " --ca s-root.pem");
    assert_eq!(status, 0, "{said}");
}

/// A queue is useless without a limit.
#[test]
fn a_queue_takes_a_limit() {
    let place = Place::new();
    let line = "serve --listen 127.0.0.1:0 --cert a --key b --signing-queue 3";
    let (said, status) = place.run(line);
    assert_eq!(status, 2, "{said}");
    assert_has(&said, &["--max-signing"]);
}

#[test]
fn files_over_https() {
    let place = Place::new();
    place.chain("h", "Ed25519", "ML-DSA-65");
    std::fs::create_dir(place.path().join("public")).unwrap();
    let page: Vec<u8> = (0..300_000u32).map(|n| b'a' + (n % 23) as u8).collect();
    std::fs::write(place.path().join("public/page.txt"), &page).unwrap();
    let server = place.serve("h", " --files public");
    let get = |path: &str| {
        let line = format!("connect 127.0.0.1:{} --ca h-root.pem --get {path}", server.port);
        place.tool(&line).output().unwrap().stdout
    };
    assert!(get("/page.txt") == page);
    assert!(get("/../h.key").starts_with(b"HTTP/1.1 404"));
}

/// A directory that contains the server's secret or a stateful key is not served. A secret that is
/// added later is forbidden, and the server's line says so.
#[test]
fn nothing_secret_is_handed_out() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.chain("h", "Ed25519", "Ed25519");
    let public = place.path().join("public");
    std::fs::create_dir(&public).unwrap();
    let serve = "serve --listen 127.0.0.1:0 --cert h.pem --key h.key --files";
    let refused = |dir: &str, parts: &[&str]| {
        let (said, status) = place.run(&format!("{serve} {dir}"));
        assert_eq!(status, 2, "{said}");
        assert_has(&said, parts);
    };
    refused(".", &["h.key lies in it, and is secret", "hint:"]);
    std::fs::write(public.join("word"), "word\n").unwrap();
    refused("public --passphrase-file public/word", &["word lies in it, and is secret"]);
    refused("public --keylog public/log", &["log lies in it, and is secret"]);
    std::fs::remove_file(public.join("log")).unwrap();
    place.good("keygen --alg LMS_SHA256_M24_H5_W8 --store public/fw --guard guard");
    refused("public", &["public/fw is a stateful key"]);
    refused("public/fw", &["public/fw is a stateful key"]);
    std::fs::rename(public.join("fw"), place.path().join("fw")).unwrap();

    let mut server = place.serve("h", " --files public");
    std::fs::rename(place.path().join("fw"), public.join("fw")).unwrap();
    for (name, from) in [("key.txt", "h.key"), ("key.bin", "h-root.key")] {
        std::fs::copy(place.path().join(from), public.join(name)).unwrap();
        std::fs::set_permissions(public.join(name), PermissionsExt::from_mode(0o644)).unwrap();
    }
    std::fs::set_permissions(public.join("word"), PermissionsExt::from_mode(0o640)).unwrap();
    std::fs::set_permissions(public.join("fw"), PermissionsExt::from_mode(0o755)).unwrap();
    for (path, why) in [
        ("/fw/secret", "a part of a stateful key"),
        ("/fw/public.pem", "a part of a stateful key"),
        ("/key.txt", "holds a private key"),
        ("/key.bin", "holds a private key"),
        ("/word", "not readable by everybody"),
    ] {
        let line = format!("connect 127.0.0.1:{} --ca h-root.pem --get {path}", server.port);
        let (answer, status) = place.run(&line);
        assert!(status == 0 && answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
        let lines = [server.line(), server.line()].concat();
        assert_has(&lines, &["not handed out", path, why]);
    }
}

/// An incomplete body is an error, and a long body takes no memory.
#[test]
fn a_short_body_is_an_error() {
    let place = Place::new();
    place.chain("b", "Ed25519", "Ed25519");
    std::fs::create_dir(place.path().join("public")).unwrap();
    let large = std::fs::File::create(place.path().join("public/large")).unwrap();
    large.set_len(300 << 20).unwrap();
    let server = place.serve("b", " --files public");
    let line = format!("connect 127.0.0.1:{} --ca b-root.pem --get /large", server.port);
    let mut limited = std::process::Command::new("/bin/sh");
    let script = format!("ulimit -v 400000; exec \"$0\" {line} | wc -c");
    limited.args(["-c", &script, env!("CARGO_BIN_EXE_hasten")]).current_dir(place.path());
    let done = limited.env("XDG_STATE_HOME", place.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&done.stdout).trim(), (300u64 << 20).to_string());
    // The file is truncated while it is sent: the server stops, and the client reports it.
    let port = meddle(server.port, 5_000_000, true);
    let (said, status) =
        place.run(&format!("connect 127.0.0.1:{port} --ca b-root.pem --get /large"));
    assert_eq!(status, 1, "{}", said.len());
    assert!(said.contains("FAILED"), "{}", &said[said.len().saturating_sub(200)..]);
}

/// A key log that others can read, or that belongs to another user, gets no secrets.
#[test]
fn a_key_log_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.chain("k", "Ed25519", "Ed25519");
    let server = place.serve("k", "");
    let log = place.path().join("open");
    std::fs::write(&log, "").unwrap();
    std::fs::set_permissions(&log, PermissionsExt::from_mode(0o666)).unwrap();
    let (said, status) = place.connect(&server, " --ca k-root.pem --keylog open");
    assert_eq!(status, 2, "{said}");
    assert_eq!(std::fs::read(&log).unwrap(), b"");
}

/// A client that writes now and then does not keep its place for ever.
#[test]
fn an_echo_ends() {
    let place = Place::new();
    place.chain("e", "Ed25519", "Ed25519");
    let mut server = place.serve("e", " --timeout 500ms --at-once 1");
    let line = format!("connect 127.0.0.1:{} --ca e-root.pem --send -", server.port);
    let mut slow = place.tool(&line);
    let mut slow = slow
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let mut input = slow.stdin.take().unwrap();
    while begun.elapsed() < Duration::from_secs(20) && slow.try_wait().unwrap().is_none() {
        let _ = input.write_all(b"x").and_then(|()| input.flush());
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "it ends after six times 500 ms");
    assert_eq!(slow.wait().unwrap().code(), Some(1));
    assert_has(&server.line(), &["e"]);
}

/// Each failure has its reason, and the server keeps running.
#[test]
fn what_must_fail_fails_and_says_why() {
    let place = Place::new();
    place.chain("g", "Ed25519", "Ed25519");
    place.chain("o", "Ed25519", "Ed25519");
    place.good("cert leaf --alg Ed25519 --dns other.example --ca g-root --out other");
    let old = "cert leaf --alg Ed25519 --dns localhost --ip 127.0.0.1 --ca g-root --not-before 2020-01-01";
    place.good(&format!("{old} --not-after 2021-01-01 --out old"));
    for (chain, more, reason) in [
        ("g", " --ca o-root.pem", "leads to no authority that is trusted"),
        ("other", " --ca g-root.pem", "does not bear the name"),
        ("g", " --ca g-root.pem --name other.example", "does not bear the name"),
        ("old", " --ca g-root.pem", "has expired"),
    ] {
        let mut server = place.serve(chain, "");
        let (said, status) = place.connect(&server, more);
        assert_eq!(status, 1, "{said}");
        assert_has(&said, &["FAILED", reason]);
        assert_has(&server.line(), &["FAILED", "the peer refused"]);
    }
    let mut server = place.serve("g", " --group X25519MLKEM768");
    let (said, status) = place.connect(&server, " --ca g-root.pem --group MLKEM1024");
    assert_eq!(status, 1);
    assert_has(&said, &["nothing in common"]);
    assert_has(&server.line(), &["nothing in common", "no group of the key exchange"]);
    assert_eq!(place.connect(&server, " --ca g-root.pem").1, 0);
}

#[test]
fn what_is_refused_beforehand() {
    let place = Place::new();
    place.chain("big", "SLH-DSA-SHA2-192f", "SLH-DSA-SHA2-192f");
    place
        .good("cert leaf --alg ML-DSA-65 --dns localhost --ip 127.0.0.1 --ca big-root --out small");
    place.chain("g", "Ed25519", "Ed25519");
    place.good("keygen --alg LMS_SHA256_M32_H5_W8 --store lms --guard guard");
    let serve = "serve --listen 127.0.0.1:0";
    for (line, parts) in [
        (
            format!("{serve} --cert big.pem --key big.key"),
            [
                "rustls joins no more than 65,535",
                "a leaf of ML-DSA-65 under the same authority takes 4",
            ],
        ),
        (
            format!("{serve} --cert g.pem --key big.key"),
            ["big.key", "not the one of this certificate"],
        ),
        (
            format!("{serve} --cert g.pem --key lms"),
            ["signs no handshakes", "cert leaf --ca-store"],
        ),
        (
            format!("{serve} --cert g.pem --key g.key --group X25519MLKEM769"),
            ["unknown group", "X25519MLKEM768"],
        ),
        (
            format!("{serve} --cert g.pem --key g.key --suite TLS_AES_256"),
            ["unknown cipher suite", "TLS_AES_256_GCM_SHA384"],
        ),
        (
            "serve --listen 0.0.0.0:0 --cert g.pem --key g.key".to_owned(),
            ["other machines", "--anywhere"],
        ),
        ("connect 127.0.0.1:1 --ca g-root.pem".to_owned(), ["connecting", "refused"]),
    ] {
        let (said, status) = place.run(&line);
        assert_eq!(status, 2, "{line}\n{said}");
        assert_has(&said, &parts);
    }
    #[cfg(not(feature = "legacy"))]
    {
        let (said, status) =
            place.run(&format!("{serve} --cert g.pem --key g.key --group P521_KYBER_LEVEL5"));
        assert_eq!(status, 2, "{said}");
        assert_has(&said, &["round-3 Kyber", "SecP521r1MLKEM1024"]);
    }
    // The suggested alternative works.
    let server = place.serve("small", "");
    assert_eq!(place.connect(&server, " --ca big-root.pem").1, 0);
}

/// Starts a relay between client and server, which cuts the server's data at byte `at` or flips a
/// bit there. Returns the port of the relay.
fn meddle(port: u16, at: usize, cut: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let here = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (mut to_server, mut from_client) =
            (server.try_clone().unwrap(), client.try_clone().unwrap());
        let up = std::thread::spawn(move || std::io::copy(&mut from_client, &mut to_server));
        let (mut passed, mut part) = (0, [0; 4096]);
        while let Ok(count @ 1..) = server.read(&mut part) {
            let part = &mut part[..count];
            if (passed..passed + count).contains(&at) {
                if cut {
                    let _ = client.write_all(&part[..at - passed]);
                    break;
                }
                part[at - passed] ^= 0x20;
            }
            passed += count;
            if client.write_all(part).is_err() {
                break;
            }
        }
        let _ = client.shutdown(std::net::Shutdown::Both);
        let _ = server.shutdown(std::net::Shutdown::Both);
        let _ = up.join();
    });
    here
}

#[test]
fn truncated_and_corrupted_handshakes() {
    let place = Place::new();
    place.chain("t", "ML-DSA-44", "ML-DSA-44");
    let server = place.serve("t", "");
    for at in [0, 3, 5, 60, 700, 1300, 4000, 7000] {
        for cut in [true, false] {
            let port = meddle(server.port, at, cut);
            let line = format!("connect 127.0.0.1:{port} --ca t-root.pem --timeout 3s");
            let (said, status) = place.run(&line);
            assert_eq!(status, 1, "byte {at}, cut {cut}: {said}");
            assert!(said.starts_with("FAILED  ") && said.len() > 20, "{said}");
        }
    }
    assert_eq!(place.connect(&server, " --ca t-root.pem").1, 0);
}

/// A client that sends nothing, sends too slowly, or stops later is dropped.
#[test]
fn slow_and_idle_clients() {
    let place = Place::new();
    place.chain("w", "Ed25519", "Ed25519");
    let mut server = place.serve("w", " --timeout 700ms");
    let begun = Instant::now();
    let (mut silent, mut slow) = (server.dial(), server.dial());
    let dripping = std::thread::spawn(move || {
        let mut sent = 0;
        for byte in [22u8, 3, 1, 1, 0].into_iter().chain([1; 200]) {
            if slow.write_all(&[byte]).is_err() {
                break;
            }
            sent += 1;
            std::thread::sleep(Duration::from_millis(50));
        }
        sent
    });
    let mut end = Vec::new();
    let _ = silent.read_to_end(&mut end);
    assert!(begun.elapsed() < Duration::from_secs(10));
    for _ in 0..2 {
        assert_has(&server.line(), &["FAILED"]);
    }
    assert!(dripping.join().unwrap() < 200, "a byte now and then keeps no connection open");
    assert_eq!(place.connect(&server, " --ca w-root.pem").1, 0);
}

#[test]
fn a_key_log_opens_the_connection() {
    let place = Place::new();
    place.chain("k", "Ed25519", "Ed25519");
    let server = place.serve("k", "");
    assert_eq!(place.connect(&server, " --ca k-root.pem --keylog keys").1, 0);
    let keys = std::fs::read_to_string(place.path().join("keys")).unwrap();
    for label in
        ["CLIENT_HANDSHAKE_TRAFFIC_SECRET ", "SERVER_TRAFFIC_SECRET_0 ", "EXPORTER_SECRET "]
    {
        let line = keys.lines().find(|line| line.starts_with(label)).expect(label);
        let words: Vec<_> = line.split(' ').collect();
        assert_eq!((words.len(), words[1].len(), words[2].len()), (3, 64, 96));
    }
}
