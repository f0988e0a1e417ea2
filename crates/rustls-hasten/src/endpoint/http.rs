//! The part of HTTP/1.1 that is needed for serving files: one request, one answer, GET and HEAD.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::files::{Files, Refused};

/// Largest length of the head of a request or an answer, in bytes.
const HEAD: usize = 8 << 10;

/// Requests `path` from `host`, and writes the answer to `out` as it arrives: only the body if the
/// status is 200, otherwise the whole answer.
///
/// # Errors
/// The error of the stream or of `out`; `UnexpectedEof` if the answer is shorter than its head
/// says, `InvalidData` if it is not an answer of HTTP/1.
pub fn get(
    stream: &mut (impl Read + Write),
    host: &str,
    path: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    // The answer to a request of HTTP/1.0 is not chunked.
    let request = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let (head, begun) = head(stream)?;
    if !head.starts_with(b"HTTP/1.") || !head.ends_with(b"\r\n\r\n") {
        return Err(broken("the answer is not one of HTTP/1"));
    }
    let length = length(&head)?;
    if !is_good(&head) {
        out.write_all(&head)?;
    }
    out.write_all(&begun)?;
    let had = begun.len() as u64;
    let Some(length) = length else { return io::copy(stream, out).map(drop) };
    let left =
        length.checked_sub(had).ok_or_else(|| broken("the answer is longer than it says"))?;
    match io::copy(&mut stream.take(left), out)? {
        came if came == left => Ok(()),
        came => Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            format!("the answer broke off: {} of {length} bytes came", had + came),
        )),
    }
}

fn broken(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Returns true if the status of an answer is 200.
fn is_good(head: &[u8]) -> bool {
    head.split(|byte| *byte == b' ').nth(1).is_some_and(|status| status.starts_with(b"200"))
}

/// Returns the length of the body, if the head gives it.
fn length(head: &[u8]) -> io::Result<Option<u64>> {
    let head = std::str::from_utf8(head).map_err(|_| broken("the answer's head is not text"))?;
    let mut found = None;
    for (name, value) in head.lines().skip(1).filter_map(|line| line.split_once(':')) {
        if name.eq_ignore_ascii_case("content-length") {
            let digits = value.trim();
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            let length = digits.parse().ok().filter(|_| plain);
            let length = length.ok_or_else(|| broken("the answer's length is no number"))?;
            if found.replace(length).is_some_and(|before| before != length) {
                return Err(broken("the answer has two lengths"));
            }
        }
    }
    Ok(found)
}

/// Reads a request and answers it with a file, or refuses it. Returns the requested path and the
/// reason, if the file must not be served.
///
/// # Errors
/// The error of the stream or of the file.
pub fn answer(
    stream: &mut (impl Read + Write),
    files: &Files,
) -> io::Result<Option<(String, Refused)>> {
    let (head, _) = head(stream)?;
    let (path, with_body) = match asked(&head) {
        Ok(asked) => asked,
        Err(status) => return refuse(stream, status).map(|()| None),
    };
    let Some(inside) = path.strip_prefix('/') else {
        return refuse(stream, "404 Not Found").map(|()| None);
    };
    match files.open(inside) {
        Ok((file, whole)) => send(stream, file, media_type(&whole), with_body).map(|()| None),
        Err(Refused::Absent) => refuse(stream, "404 Not Found").map(|()| None),
        Err(why) => refuse(stream, "403 Forbidden").map(|()| Some((path, why))),
    }
}

fn refuse(stream: &mut impl Write, status: &str) -> io::Result<()> {
    let text = format!("{status}\n");
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    )
}

/// Returns the bytes up to and including the empty line, and the bytes after it.
fn head(stream: &mut impl Read) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    while head.len() < HEAD {
        match stream.read(&mut part)? {
            0 => break,
            count => head.extend_from_slice(&part[..count]),
        }
        if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            let behind = head.split_off(end + 4);
            return Ok((head, behind));
        }
    }
    Ok((head, Vec::new()))
}

/// Returns the requested path, and true if the content is wanted. The error is a status line.
fn asked(head: &[u8]) -> Result<(String, bool), &'static str> {
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let line = std::str::from_utf8(line).map_err(|_| "400 Bad Request")?;
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap_or(""), words.next().ok_or("400 Bad Request")?);
    if !words.next().is_some_and(|version| version.starts_with("HTTP/1.")) {
        return Err("400 Bad Request");
    }
    if !["GET", "HEAD"].contains(&method) {
        return Err("405 Method Not Allowed");
    }
    let path = target.split(['?', '#']).next().and_then(decoded).ok_or("404 Not Found")?;
    Ok((path, method == "GET"))
}

/// Decodes percent-encoding.
fn decoded(target: &str) -> Option<String> {
    let (mut out, mut rest) = (Vec::new(), target.as_bytes());
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let (digits, after) = after.split_first_chunk::<2>()?;
        let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
        out.push(u8::try_from(high? << 4 | low?).ok()?);
        rest = after;
    }
    String::from_utf8(out).ok().filter(|path| !path.contains('\0'))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("txt" | "md" | "pem") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn send(out: &mut impl Write, file: File, kind: &str, with_body: bool) -> io::Result<()> {
    let length = file.metadata()?.len();
    write!(
        out,
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    if with_body {
        io::copy(&mut file.take(length), out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pair(io::Cursor<Vec<u8>>, Vec<u8>);

    impl Read for Pair {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.read(into)
        }
    }

    impl Write for Pair {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn ask(root: &Path, request: &str) -> String {
        let mut pair = Pair(io::Cursor::new(request.into()), Vec::new());
        answer(&mut pair, &Files::of(root, &[]).unwrap()).unwrap();
        String::from_utf8(pair.1).unwrap()
    }

    #[test]
    fn files_and_refusals() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(place.path().join("secret"), "secret").unwrap();
        std::fs::write(root.join("a b.txt"), "hello").unwrap();
        std::fs::write(root.join("sub/index.html"), "<p>").unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
        let get = |target: &str| ask(&root, &format!("GET {target} HTTP/1.1\r\n\r\n"));
        assert!(get("/a%20b.txt").ends_with("Content-Length: 5\r\nConnection: close\r\n\r\nhello"));
        assert!(get("/sub/?x=1").ends_with("<p>"));
        for target in [
            "/",
            "/../secret",
            "/%2e%2e/secret",
            "/link",
            "//etc/passwd",
            "/%",
            "/%zz",
            "/a%+20b.txt",
            "x",
            "/%00",
        ] {
            assert!(get(target).starts_with("HTTP/1.1 404 "), "{target}");
        }
        assert!(ask(&root, "HEAD /sub/ HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
        assert!(ask(&root, "POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
        for request in ["", "GET", "GET /", "\u{1}\r\n\r\n", &"A".repeat(20_000)] {
            assert!(ask(&root, request).starts_with("HTTP/1.1 400 "), "{request:.9}");
        }
    }

    fn got(answer: &str) -> (io::Result<()>, String) {
        let mut pair = Pair(io::Cursor::new(answer.into()), Vec::new());
        let mut out = Vec::new();
        let done = get(&mut pair, "localhost", "/x", &mut out);
        assert!(pair.1.starts_with(b"GET /x HTTP/1.0\r\n"));
        (done, String::from_utf8(out).unwrap())
    }

    #[test]
    fn answers_are_whole_or_errors() {
        let whole = got("HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\n\r\nhello");
        assert_eq!((whole.0.is_ok(), whole.1.as_str()), (true, "hello"));
        let open = got("HTTP/1.0 200 OK\r\n\r\nhello");
        assert_eq!((open.0.is_ok(), open.1.as_str()), (true, "hello"));
        let absent = got("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno");
        assert!(
            absent.0.is_ok() && absent.1.starts_with("HTTP/1.1 404") && absent.1.ends_with("no")
        );
        let short = got("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello");
        assert_eq!(short.0.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        for wrong in [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
            "SSH-2.0-x\r\n\r\n",
            "",
        ] {
            assert_eq!(got(wrong).0.unwrap_err().kind(), io::ErrorKind::InvalidData, "{wrong:?}");
        }
    }

    #[test]
    fn private_files_are_forbidden() {
        let place = tempfile::tempdir().unwrap();
        let key = place.path().join("key.pem");
        std::fs::write(&key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
            .unwrap();
        let answer = ask(place.path(), "GET /key.pem HTTP/1.1\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 403 ") && !answer.contains("BEGIN"), "{answer}");
    }
}
