//! Text for a stream that a terminal may show.

use std::io::{Result, Write};

use hasten_store::is_hidden;

/// A stream that escapes hidden characters, except line ends and tabs. Bytes that are not text are
/// replaced.
pub struct Shown<W: Write> {
    to: W,
    is_json: bool,
    /// The first bytes of a character that is not complete yet.
    begun: Vec<u8>,
}

impl<W: Write> Shown<W> {
    /// Returns a stream that writes to `to`. With `is_json`, characters are escaped so that the
    /// output stays valid JSON.
    pub fn new(to: W, is_json: bool) -> Self {
        Self { to, is_json, begun: Vec::new() }
    }

    fn text(&mut self, text: &str) -> Result<()> {
        let is_escaped = |c: char| is_hidden(c) && !"\n\t".contains(c);
        for part in text.split_inclusive(is_escaped) {
            let hidden = part.chars().next_back().filter(|c| is_escaped(*c));
            let plain = part.len() - hidden.map_or(0, char::len_utf8);
            self.to.write_all(&part.as_bytes()[..plain])?;
            hidden.map_or(Ok(()), |c| self.escape(c))?;
        }
        Ok(())
    }

    fn escape(&mut self, hidden: char) -> Result<()> {
        if !self.is_json {
            return write!(self.to, "{}", hidden.escape_default());
        }
        let mut units = [0; 2];
        hidden.encode_utf16(&mut units).iter().try_for_each(|unit| write!(self.to, "\\u{unit:04x}"))
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.begun.extend_from_slice(bytes);
        let all = std::mem::take(&mut self.begun);
        let whole = match std::str::from_utf8(&all) {
            Err(cut) if cut.error_len().is_none() => cut.valid_up_to(),
            _ => all.len(),
        };
        let (whole, begun) = all.split_at(whole);
        self.begun.extend_from_slice(begun);
        self.text(&String::from_utf8_lossy(whole))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.text(&String::from_utf8_lossy(&begun))?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_json: bool, written: &[&[u8]]) -> String {
        let mut out = Shown::new(Vec::new(), is_json);
        written.iter().for_each(|bytes| out.write_all(bytes).unwrap());
        out.flush().unwrap();
        String::from_utf8(out.to).unwrap()
    }

    #[test]
    fn hidden_characters_are_escaped_in_both_forms() {
        let text = "a\tb\n\u{1b}[31m\u{202e}\u{9b}c\u{7f}\u{e0041}ü".as_bytes();
        let plain = "a\tb\n\\u{1b}[31m\\u{202e}\\u{9b}c\\u{7f}\\u{e0041}ü";
        assert_eq!(shown(false, &[text]), plain);
        let json = "a\tb\n\\u001b[31m\\u202e\\u009bc\\u007f\\udb40\\udc41ü";
        assert_eq!(shown(true, &[text]), json);
        let bytes: Vec<_> = text.chunks(1).collect();
        assert_eq!(shown(false, &bytes), plain, "byte by byte");
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(shown(false, &[b"a\xff\x9bb"]), "a\u{fffd}\u{fffd}b");
        assert_eq!(shown(false, &[b"cut \xe2\x80"]), "cut \u{fffd}");
    }
}
