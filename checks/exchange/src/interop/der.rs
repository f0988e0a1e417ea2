//! The part of DER that the wrapping of a public key needs.

/// Returns an X.509 SubjectPublicKeyInfo: an object identifier without parameters, and the key.
pub fn spki(oid: &[u8], key: &[u8]) -> Vec<u8> {
    let bits = tlv(0x03, &[&[0], key].concat());
    tlv(0x30, &[tlv(0x30, &tlv(0x06, oid)), bits].concat())
}

/// Encodes tag, length and contents. The contents must be less than 64 KiB.
pub fn tlv(tag: u8, contents: &[u8]) -> Vec<u8> {
    let length = (contents.len() as u16).to_be_bytes();
    let head = match contents.len() {
        0..0x80 => vec![tag, length[1]],
        0x80..0x100 => vec![tag, 0x81, length[1]],
        _ => vec![tag, 0x82, length[0], length[1]],
    };
    [&head, contents].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_take_the_fewest_bytes() {
        for (length, head) in [(0x7f, 2), (0x80, 3), (0xff, 3), (0x100, 4)] {
            assert_eq!(tlv(4, &vec![0; length]).len(), head + length);
        }
    }
}
