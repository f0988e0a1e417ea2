//! As much of HTTP/1.1 as handing out files takes: one request, one answer, GET and HEAD.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// No request's head is longer than this, in bytes.
const HEAD: usize = 8 << 10;

/// No answer is longer than this, in bytes.
const LONGEST: u64 = 1 << 30;

/// Asks `host` for `path`, and returns the answer with its head.
///
/// # Errors
/// Returns the error of the stream.
pub fn get(stream: &mut (impl Read + Write), host: &str, path: &str) -> io::Result<Vec<u8>> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer)?;
    Ok(answer)
}

/// Returns the bytes behind the head of a good answer; all of any other.
pub fn body(answer: &[u8]) -> &[u8] {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    end.filter(|_| answer.starts_with(b"HTTP/1.1 200 ")).map_or(answer, |at| &answer[at + 4..])
}

/// Reads a request and answers it with a file below `root`.
pub fn answer(stream: &mut (impl Read + Write), root: &Path) -> io::Result<()> {
    let head = head(stream)?;
    match asked(&head, root) {
        Ok((file, kind, with_body)) => send(stream, file, kind, with_body),
        Err(status) => {
            let text = format!("{status}\n");
            let length = text.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
            )
        }
    }
}

/// Returns the bytes up to the empty line.
fn head(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    while !head.windows(4).any(|four| four == b"\r\n\r\n") && head.len() < HEAD {
        match stream.read(&mut part)? {
            0 => break,
            count => head.extend_from_slice(&part[..count]),
        }
    }
    Ok(head)
}

/// Returns the file asked for, its type, and whether its contents are wanted; or the status line.
fn asked(head: &[u8], root: &Path) -> Result<(File, &'static str, bool), &'static str> {
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
    let path = found(target, root).ok_or("404 Not Found")?;
    let file = File::open(&path).map_err(|_| "404 Not Found")?;
    Ok((file, media_type(&path), method == "GET"))
}

/// Returns the regular file a target names; nothing outside of `root`, not even through a link.
fn found(target: &str, root: &Path) -> Option<PathBuf> {
    let plain = decoded(target.split(['?', '#']).next()?)?;
    let inside = plain.strip_prefix('/')?;
    let whole = root.join(inside).canonicalize().ok()?;
    let path = if whole.is_dir() { whole.join("index.html").canonicalize().ok()? } else { whole };
    let allowed = path.starts_with(root.canonicalize().ok()?) && path.is_file();
    (allowed && !inside.starts_with('/')).then_some(path)
}

/// Undoes percent-encoding.
fn decoded(target: &str) -> Option<String> {
    let (mut out, mut rest) = (Vec::new(), target.as_bytes());
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        out.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
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
        answer(&mut pair, root).unwrap();
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
}
