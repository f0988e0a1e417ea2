//! Keccak-f\[1600\] (FIPS 202, section 3.2 (Step Mappings) and section 3.3 (KECCAK-p[b, nr])).

use super::word::Round;

/// Permutes the state of every lane.
#[inline(always)]
pub(crate) fn permute<W: Round<Lane = u64>>(a: &mut [W; 25]) {
    for rc in RC {
        round(a, rc);
    }
}

/// One round: theta, rho, pi, chi, iota.
#[inline(always)]
fn round<W: Round<Lane = u64>>(a: &mut [W; 25], rc: u64) {
    let d = theta(a);
    let b = rho_pi(a, &d);
    for y in 0..5 {
        for x in 0..5 {
            a[x + 5 * y] = b[x + 5 * y].chi(b[(x + 1) % 5 + 5 * y], b[(x + 2) % 5 + 5 * y]);
        }
    }
    a[0] = a[0].xor(W::splat(rc));
}

/// What theta adds to each column (FIPS 202, section 3.2.1 (Specification of θ)).
#[inline(always)]
fn theta<W: Round>(a: &[W; 25]) -> [W; 5] {
    let c: [W; 5] =
        core::array::from_fn(|x| W::xor3(W::xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]));
    core::array::from_fn(|x| c[(x + 4) % 5].xor(c[(x + 1) % 5].rotl::<1, 63>()))
}

/// Adds theta's columns, rotates (rho) and moves (pi): lane (x, y) goes to (y, 2x + 3y).
#[inline(always)]
fn rho_pi<W: Round>(a: &[W; 25], d: &[W; 5]) -> [W; 25] {
    let lane = |i: usize| a[i].xor(d[i % 5]);
    [
        lane(0),
        lane(6).rotl::<44, 20>(),
        lane(12).rotl::<43, 21>(),
        lane(18).rotl::<21, 43>(),
        lane(24).rotl::<14, 50>(),
        lane(3).rotl::<28, 36>(),
        lane(9).rotl::<20, 44>(),
        lane(10).rotl::<3, 61>(),
        lane(16).rotl::<45, 19>(),
        lane(22).rotl::<61, 3>(),
        lane(1).rotl::<1, 63>(),
        lane(7).rotl::<6, 58>(),
        lane(13).rotl::<25, 39>(),
        lane(19).rotl::<8, 56>(),
        lane(20).rotl::<18, 46>(),
        lane(4).rotl::<27, 37>(),
        lane(5).rotl::<36, 28>(),
        lane(11).rotl::<10, 54>(),
        lane(17).rotl::<15, 49>(),
        lane(23).rotl::<56, 8>(),
        lane(2).rotl::<62, 2>(),
        lane(8).rotl::<55, 9>(),
        lane(14).rotl::<39, 25>(),
        lane(15).rotl::<41, 23>(),
        lane(21).rotl::<2, 62>(),
    ]
}

/// FIPS 202, section 3.2.5 (Specification of ι).
const RC: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];
