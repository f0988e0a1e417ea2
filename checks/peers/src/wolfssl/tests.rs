use super::*;

/// Head and rows as version 5.9.4 prints them.
const PRINTED: &str = "\
    ------------------------------------------------------------------------------\n \
    wolfSSL version 5.9.4\n\
    ------------------------------------------------------------------------------\n\
    CPU: Intel x86_64 - avx1 avx2 sha avx512\n\
    wolfCrypt Benchmark (block bytes 1048576, min 0.2 sec each)\n\
    Algorithm,key size,operation,avg ms,ops/sec,\n\
    SLH-DSA-SHA2-F,192,gen,7.000,1.0,\n\
    SLH-DSA-SHA2-F,128,gen,0.861,1161.759,\n\
    SLH-DSA-SHA2-F,128,sign,21.206,47.157,\n\
    SLH-DSA-SHA2-F,128,verify,1.264,790.955,\n\
    SLH-DSA-SHA2-F,128,sign-msg,20.310,49.237,\n";

fn read_text(text: &str, labels: &[&str]) -> Result<Vec<[f64; 3]>, String> {
    read(text.lines().map(str::to_owned), labels)
}

#[test]
fn lines_of_the_program() {
    let label = "SLH-DSA-SHA2-F,128,";
    assert_eq!(read_text(PRINTED, &[label]), Ok(vec![[861.0, 21206.0, 1264.0]]));
    let lms = "LMS/HSS L2_H10_W4,20,keygen,262.887,3.804,\n\
        LMS/HSS L2_H10_W4,64,load,253.279,3.948,\n\
        LMS/HSS L2_H10_W4,5076,sign,0.181,5515.959,\n\
        LMS/HSS L2_H10_W4,5076,verify,0.063,15937.092,\n";
    let both = read_text(&format!("{lms}{PRINTED}"), &[label, "LMS/HSS L2_H10_W4,"]);
    assert_eq!(both.unwrap()[1], [262_887.0, 181.0, 1e6 / 15937.092]);
}

/// Operations of microseconds are computed from their number per second.
#[test]
fn lines_of_key_encapsulation() {
    let lines = "ML-KEM 768 ,192,key gen,0.015,80000.000,\n\
        ML-KEM 768 ,192,encap,0.014,62500.000,\n\
        ML-KEM 768 ,192,decap,0.015,50000.000,\n";
    assert_eq!(read_text(lines, &["ML-KEM 768 ,"]), Ok(vec![[12.5, 16.0, 20.0]]));
    assert!(read_text(&lines.replace("62500.000", "0"), &["ML-KEM 768 ,"]).is_err());
}

#[test]
fn malformed_lines_are_no_times() {
    let label = "SLH-DSA-SHA2-F,128,";
    for bad in ["", "x", "-1.0", "0.000", "nan", "inf"] {
        let text = PRINTED.replace("1.264", bad);
        assert!(read_text(&text, &[label]).unwrap_err().contains("not all of"), "{bad}");
    }
    let cut = &PRINTED[..PRINTED.find("verify").unwrap()];
    assert!(read_text(cut, &[label]).is_err());
    assert!(read_text(PRINTED, &[label, "XMSS-SHA2_10_256,"]).is_err());
}

#[test]
fn the_head_names_version_instructions_and_run_time() {
    let (peer, window) = introduced(PRINTED).unwrap();
    assert_eq!((peer.name.as_str(), window), ("wolfSSL 5.9.4", Duration::from_millis(200)));
    assert!(peer.uses.ends_with("avx1 avx2 sha avx512"));
    for mark in ["wolfSSL version", "CPU: ", ", min", "sec each"] {
        assert!(introduced(&PRINTED.replace(mark, "")).is_err(), "{mark}");
    }
    for time in ["0.0", "-1", "x"] {
        assert!(introduced(&PRINTED.replace("0.2", time)).is_err(), "{time}");
    }
}

#[test]
fn every_set_is_ours_too() {
    for (name, _) in OPTIONS.iter().flat_map(|(_, named)| *named) {
        assert!(Set::named(name).is_ok(), "{name}");
    }
}
