//! The time that bytes occupy an Ethernet link.
//!
//! It includes the payload, cut into frames of at most 1500 bytes, each padded to the minimum of
//! 46, and 38 bytes of framing per frame: preamble and start delimiter 8, header 14, frame check
//! sequence 4, gap between frames 12. There is no VLAN tag. It excludes headers of IP, UDP or TCP,
//! switches, cable, and the network card.

/// Largest payload of one frame, in bytes.
pub const FRAME_PAYLOAD: u64 = 1500;

/// Smallest payload of one frame, in bytes. Shorter payloads are padded.
pub const FRAME_MINIMUM: u64 = 46;

/// Framing of one frame, in bytes: 8 + 14 + 4 + 12.
pub const FRAME_OVERHEAD: u64 = 38;

/// Returns the number of bytes for which the link is busy while `payload` bytes are sent.
#[must_use]
pub const fn busy_bytes(payload: u64) -> u64 {
    let full = payload / FRAME_PAYLOAD;
    let rest = payload % FRAME_PAYLOAD;
    let padded = if rest < FRAME_MINIMUM { FRAME_MINIMUM } else { rest };
    let last = if rest > 0 || full == 0 { padded + FRAME_OVERHEAD } else { 0 };
    full * (FRAME_PAYLOAD + FRAME_OVERHEAD) + last
}

/// Returns the microseconds for which a link of `bits` per second is busy while `payload` bytes are
/// sent.
#[must_use]
pub fn busy_us(payload: u64, bits: f64) -> f64 {
    busy_bytes(payload) as f64 * 8.0 / bits * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_by_hand() {
        let cases =
            [(0, 84), (1, 84), (46, 84), (47, 85), (1500, 1538), (1501, 1622), (3000, 3076)];
        for (payload, busy) in cases {
            assert_eq!(busy_bytes(payload), busy, "{payload}");
        }
    }

    #[test]
    fn one_message_of_64_bytes_with_a_signature_of_2500() {
        assert!((busy_us(64 + 2500, 1e9) - 21.12).abs() < 1e-9);
    }
}
