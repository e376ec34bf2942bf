//! Feeds `provenance`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| analects_fuzz::provenance(data));
