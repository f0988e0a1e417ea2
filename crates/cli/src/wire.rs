//! The time a message and its signature take on an Ethernet link.
//!
//! Counted: the payload handed over (message and signature), cut into frames of at most 1500
//! bytes, each padded to the minimum of 46, and per frame 38 bytes of framing: preamble and start
//! delimiter 8, header 14, frame check sequence 4, gap between frames 12. No VLAN tag.
//! Not counted: headers of IP, UDP or TCP, switches, cable, and the network card.

use crate::units::Rate;

/// Largest payload of one frame, in bytes.
pub const FRAME_PAYLOAD: u64 = 1500;

/// Smallest payload of one frame, in bytes: shorter ones are padded.
pub const FRAME_MINIMUM: u64 = 46;

/// Framing of one frame, in bytes: 8 + 14 + 4 + 12.
pub const FRAME_OVERHEAD: u64 = 38;

/// Bytes the link is busy for while `payload` bytes pass.
pub fn bytes(payload: u64) -> u64 {
    let full = payload / FRAME_PAYLOAD;
    let rest = payload % FRAME_PAYLOAD;
    let last = if rest > 0 || full == 0 { rest.max(FRAME_MINIMUM) + FRAME_OVERHEAD } else { 0 };
    full * (FRAME_PAYLOAD + FRAME_OVERHEAD) + last
}

/// Microseconds the link is busy for while `payload` bytes pass at `link`.
pub fn micros(payload: u64, link: Rate) -> f64 {
    bytes(payload) as f64 * 8.0 / link.bits() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_by_hand() {
        let cases =
            [(0, 84), (1, 84), (46, 84), (47, 85), (1500, 1538), (1501, 1622), (3000, 3076)];
        for (payload, busy) in cases {
            assert_eq!(bytes(payload), busy, "{payload}");
        }
    }

    #[test]
    fn one_message_of_64_bytes_with_a_signature_of_2500() {
        let link = Rate::per_second(1e9);
        assert!((micros(64 + 2500, link) - 21.12).abs() < 1e-9);
    }
}
