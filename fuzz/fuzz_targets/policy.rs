//! Feeds `policy`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| analects_fuzz::policy(data));
