//! Escaping of characters in names and foreign texts that control a terminal or reverse its text.

use std::borrow::Cow;

/// Returns true if a character affects the text around it but is itself invisible: a control
/// character, a separator of lines or paragraphs, a mark of text direction, or another format
/// character. Joiners, which words of several scripts need, are not included.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns the text with its hidden characters escaped, line ends among them: `\n`, `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_hidden(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_others_stay() {
        assert_eq!(visible("a\u{1b}[31m\u{202e}b\r\n"), r"a\u{1b}[31m\u{202e}b\r\n");
        for hidden in ["\0", "\u{7f}", "\u{85}", "\u{9b}", "\u{61c}", "\u{200e}", "\u{200f}"] {
            assert!(visible(hidden).starts_with(r"\u{"), "{hidden:?}");
        }
        for c in ('\u{2028}'..='\u{202e}').chain('\u{2066}'..='\u{2069}').chain(['\u{feff}']) {
            assert!(is_hidden(c), "{c:?}");
        }
        let plain = "Grüße, 署名 — नमस्ते \u{200d} \\ 'x'";
        assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
    }
}
