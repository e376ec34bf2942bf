//! What must be left alone: things that look like secrets to a careless eye.

use analects_text::redact::scan;

use crate::made_up::{Random, fill};

#[test]
fn what_only_looks_like_a_secret_is_left_alone() {
    let lines = include_str!("look_alikes.txt").lines();
    let texts: Vec<_> = lines
        .filter(|line| !line.starts_with("# "))
        .map(|line| line.replace('⏎', "\n"))
        .collect();
    let mut flagged = Vec::new();
    for text in &texts {
        for finding in scan(text) {
            let seen = text.get(finding.range).unwrap();
            flagged.push(format!("{}: `{seen}` in {text}", finding.rule));
        }
    }
    assert!(texts.len() >= 110);
    assert!(
        flagged.is_empty(),
        "{} of {} flagged:\n{}",
        flagged.len(),
        texts.len(),
        flagged.join("\n")
    );
}

/// Random values of kinds that are public, in the places where a token of the same shape would stand.
#[test]
fn public_values_of_the_shape_of_a_token_are_left_alone() {
    let texts = [
        "commit {h40} by Bob",
        "_{h40}_ is the merge",
        "sha256: {h64}",
        "_sha256-{h64}_",
        "the transaction 0x{h64} was mined, the block is 0x{h64}",
        "address 0x{h40} signed with its private key",
        "the private key of 0x{h40} is in the vault",
        "the private key hash 0x{h64} is public",
        "private key fingerprint SHA256:{b43}",
        "public key 0x{h64}",
        "id {uuid}, _{uuid}_",
        "    client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b400}==",
        "    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b400}==",
        "tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNU{b400}==",
        "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0{b300}==",
        "![logo](data:image/png;base64,iVBORw0KGgo{b600}=)",
        "<img src=\"data:image/jpeg;base64,/9j/4AAQ{b600}\">",
        "\"integrity\": \"sha512-{b86}==\"",
        "SK-{h32} and sk{h32} and ASK{h32}",
        "twilio account AC{h32}",
        "recordings RE{h32} and SM{h32}",
        "airtable base app{a14}, record rec{a14}, table tbl{a14}",
        "https://airtable.com/app{a14}/tbl{a14}/viw{a14}",
        "M{a10}.{a6}.{a10} is three words",
        "https://cdn.acme.io/{a24}.{a6}.{a38}.js",
        "discord guild {d18}, message {d19}",
        "etag \"{h32}\", md5 {h32}",
        "container {h12}, image sha256:{h64}",
        "ipfs Qm{x44}",
        "trace {h32}, span {h16}",
    ];
    let mut flagged = Vec::new();
    for seed in 0..40 {
        for text in texts.map(|text| fill(text, &mut Random(seed))) {
            for finding in scan(&text) {
                let seen = text.get(finding.range).unwrap();
                flagged.push(format!("{}: `{seen}` in {text}", finding.rule));
            }
        }
    }
    assert!(flagged.is_empty(), "{}", flagged.join("\n"));
}
