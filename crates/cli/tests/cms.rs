//! `hasten cms verify` names the file that is at fault.

mod bench;

use bench::Bench;
use std::fs;

/// An element of DER: its tag and its content.
type Element = (u8, Vec<u8>);

/// Returns the elements of a sequence of DER encodings.
fn elements(mut der: &[u8]) -> Vec<Element> {
    let mut all = Vec::new();
    while let [tag, first, rest @ ..] = der {
        let (length, rest) = match *first {
            short @ 0..0x80 => (usize::from(short), rest),
            long => {
                let (digits, rest) = rest.split_at(usize::from(long & 0x7f));
                (digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit)), rest)
            }
        };
        all.push((*tag, rest[..length].to_vec()));
        der = &rest[length..];
    }
    all
}

/// Returns an element as DER, with its length in three bytes.
fn der((tag, content): &Element) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&[*tag, 0x83], &length[1..], content].concat()
}

fn joined(all: &[Element]) -> Vec<u8> {
    all.iter().flat_map(der).collect()
}

/// Returns the content type and the parts of a SignedData, the SignerInfos last: RFC 5652, section
/// 5.1 (SignedData Type).
fn parts(file: &[u8]) -> (Element, Vec<Element>) {
    let info = elements(&elements(file)[0].1);
    let signed = elements(&info[1].1)[0].1.clone();
    (info[0].clone(), elements(&signed))
}

/// Returns the first SignedData, with the signers of the second added.
fn of_both(one: &[u8], two: &[u8]) -> Vec<u8> {
    let (kind, mut all) = parts(one);
    let others = parts(two).1.pop().expect("signers").1;
    all.last_mut().expect("signers").1.extend(others);
    let signed = der(&(0xa0, der(&(0x30, joined(&all)))));
    der(&(0x30, [der(&kind), signed].concat()))
}

#[test]
fn the_signature_file_is_blamed_and_not_its_content() {
    let bench = Bench::new();
    bench.ok("echo message > m.bin; hasten keygen --alg LMS_SHA256_M24_H5_W8 -k fw --guard g");
    for name in ["a", "b"] {
        bench.ok(&format!("hasten cms sign -k fw m.bin --out {name}.p7s"));
    }
    let [one, two] = ["a.p7s", "b.p7s"].map(|name| fs::read(bench.path(name)).unwrap());
    fs::write(bench.path("x.p7s"), of_both(&one, &two)).unwrap();
    let said = bench.fails("hasten cms verify -p fw/public.pem --content m.bin x.p7s");
    assert!(said.starts_with("hasten: x.p7s: "), "{said}");
    let said = bench.fails("hasten cms verify -p fw/public.pem --content . a.p7s");
    assert!(said.contains(" .: "), "{said}");
    bench.ok("hasten cms verify -p fw/public.pem --content m.bin a.p7s");
}
