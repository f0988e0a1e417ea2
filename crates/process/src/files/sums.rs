//! Lists of SHA-256 digests in the format of `sha256sum` of GNU coreutils.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Reason why a list is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnfitList {
    /// A line has another form.
    #[error("line {0} is none of a list that sha256sum writes")]
    Line(usize),
    /// A line names a file outside the folder of the list.
    #[error("line {0} names a file outside of the folder of the list")]
    Outside(usize),
    /// The list names no file.
    #[error("no file is listed, so nothing was looked at")]
    Empty,
}

/// A line of a list: a file and its digest.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed {
    /// Path of the file, relative to the folder of the list.
    pub name: PathBuf,
    /// SHA-256 of the file.
    pub digest: [u8; 32],
}

/// Returns the folder of a list.
pub fn folder_of(list: &Path) -> &Path {
    list.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Parses the lines of a list.
///
/// # Errors
/// [`UnfitList`] for a line of another form, a file outside the list's folder, or an empty list.
pub fn read_list(bytes: &[u8]) -> Result<Vec<Listed>, UnfitList> {
    if bytes.is_empty() {
        return Err(UnfitList::Empty);
    }
    let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|byte| *byte == b'\n');
    let read = |(at, line): (usize, &[u8])| {
        let listed = listed(line).ok_or(UnfitList::Line(at + 1))?;
        let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        match listed.name.components().all(stays) {
            true => Ok(listed),
            false => Err(UnfitList::Outside(at + 1)),
        }
    };
    lines.enumerate().map(read).collect()
}

/// Parses one line. Returns `None` for any other form.
fn listed(line: &[u8]) -> Option<Listed> {
    let (is_escaped, line) = match line.strip_prefix(b"\\") {
        Some(line) => (true, line),
        None => (false, line),
    };
    let (digits, rest) = line.split_at_checked(64)?;
    let name = rest.strip_prefix(b"  ").or_else(|| rest.strip_prefix(b" *"))?;
    let name = if is_escaped { unescaped(name)? } else { name.to_vec() };
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(digits.as_chunks::<2>().0) {
        let digit = |at: usize| char::from(pair[at]).to_digit(16);
        *byte = (digit(0)? * 16 + digit(1)?) as u8;
    }
    let is_name = !name.is_empty() && !name.contains(&0);
    is_name.then(|| Listed { name: OsStr::from_bytes(&name).into(), digest })
}

fn unescaped(name: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = name.iter();
    let mut whole = Vec::with_capacity(name.len());
    while let Some(byte) = bytes.next() {
        whole.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => *byte,
        });
    }
    Some(whole)
}

/// Returns the line of a file, including the line end.
pub fn line_of(Listed { name, digest }: &Listed) -> Vec<u8> {
    let (mut written, mut is_escaped) = (Vec::new(), false);
    for byte in name.as_os_str().as_bytes() {
        let escape: &[u8] = match byte {
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            byte => std::slice::from_ref(byte),
        };
        is_escaped |= escape.len() > 1;
        written.extend(escape);
    }
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let front = if is_escaped { "\\" } else { "" };
    [front.as_bytes(), hex.as_bytes(), b"  ", &written, b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn why(text: &str) -> Option<UnfitList> {
        read_list(text.as_bytes()).err()
    }

    #[test]
    fn names_come_back() {
        for name in ["a", "sub/b", "with space", " *", "a\\b", "line\nend", "r\r", "\u{e9}", "-"] {
            let entry = Listed { name: name.into(), digest: [0xa7; 32] };
            assert_eq!(read_list(&line_of(&entry)), Ok(vec![entry]), "{name:?}");
        }
    }

    #[test]
    fn what_sha256sum_writes_is_read() {
        let listed = read_list(format!("{ABC}  a\n{ABC} *b\n").as_bytes());
        let names: Vec<_> = listed.expect("read").into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, [Path::new("a"), Path::new("b")]);
    }

    #[test]
    fn other_lines_are_refused() {
        let short = &ABC[1..];
        for line in
            ["", "a", short, ABC, &format!("{ABC}  "), &format!("{ABC}a"), &format!("x{short}  a")]
        {
            assert_eq!(why(&format!("{ABC}  a\n{line}\n")), Some(UnfitList::Line(2)), "{line:?}");
        }
        assert_eq!(why(&format!("\\{ABC}  a\\x\n")), Some(UnfitList::Line(1)));
        assert_eq!(why(""), Some(UnfitList::Empty));
        for name in ["/etc/passwd", "../a", "a/../../b", ".."] {
            assert_eq!(why(&format!("{ABC}  {name}\n")), Some(UnfitList::Outside(1)), "{name}");
        }
    }
}
